"""Laplacian → Spectrum(lam, U): its eigenvalues and eigenvectors."""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from grokbook.errors import SignalError, SpectrumError, UnknownNameError
from grokbook.matrix import TOL, as_csr

Value = float | int | Float[Tensor, ""]


@dataclass(frozen=True, eq=False)
class Spectrum:
    r"""Eigenvalues and orthonormal eigenvectors of a Laplacian.

    .. math:: L = U \operatorname{diag}(\lambda) U^\top, \qquad
       0 \le \lambda_1 \le \dots \le \lambda_N \le 2

    With q < N columns, one number stands for all eigenvalues whose
    eigenvectors are left out, and a filter is applied as

    .. math:: h(L) X = h(\text{rest})\, X + U\,
       \bigl(h(\lambda) - h(\text{rest})\bigr)\, U^\top X

    That is exact when the number is the eigenvalue of them all (*deflated*,
    see `deflate`), and an approximation when it is their mean
    (*truncated*, see `spectrum`).

    Shapes:
        lam (q,), ascending, float64; U (N, q), one eigenvector per column

    Examples:
        >>> from grokbook import laplacian
        >>> path = [[0, 1, 1, 2], [1, 0, 2, 1]]
        >>> S = spectrum(laplacian(path))
        >>> S
        Spectrum(3 nodes, 3 distinct eigenvalues in [0.0000, 2.0000])
        >>> S.multiplicity(1.0)
        1
    """

    lam: Float[Tensor, " q"]
    U: Float[Tensor, "N q"]
    rest: float | None = None
    truncated: bool = False

    @property
    def num_nodes(self) -> int:
        """The number of nodes N."""
        return self.U.shape[0]

    def fourier(self, x: Float[Tensor, "N *F"]) -> Float[Tensor, "q *F"]:
        """Graph Fourier transform: the signal's coordinates Uᵀx."""
        _fits(x, self.num_nodes, f"this graph has {self.num_nodes} nodes")
        return self.U.T @ x.to(self.U)

    def inverse(self, x_hat: Float[Tensor, "q *F"]) -> Float[Tensor, "N *F"]:
        """Inverse transform: the signal U x̂ with these coordinates."""
        q = len(self.lam)
        what = "nodes" if q == self.num_nodes else "eigenvectors"
        _fits(x_hat, q, f"this graph has {q} {what}")
        return self.U @ x_hat.to(self.U)

    def eigenvalues(self) -> Float[Tensor, " N"]:
        """All N eigenvalues, ascending, each as often as it occurs.

        Raises:
            SpectrumError: the spectrum is truncated and knows only some.
        """
        self._must_know("all eigenvalues")
        left_out = self.num_nodes - len(self.lam)
        rest = self.lam.new_full((left_out,), self.rest or 0.0)
        return torch.cat([self.lam, rest]).sort().values

    def at(self, value: Value, tol: float = TOL) -> Bool[Tensor, " q"]:
        """Mark the eigenvalues in `lam` within `tol` of a value."""
        return (self.lam - value).abs() <= tol

    def multiplicity(self, value: Value, tol: float = TOL) -> int:
        """How many eigenvalues lie within `tol` of a value.

        Raises:
            SpectrumError: the value is none of a truncated spectrum's; it
                may still be one of the graph's.
        """
        known = int(self.at(value, tol).sum())
        if not known:
            self._must_know(f"the multiplicity of {float(value):g}")
        return known + self._left_out(value, tol)

    def distinct(
        self, tol: float = TOL
    ) -> tuple[Float[Tensor, " E"], Int[Tensor, " E"]]:
        """The different eigenvalues and how often each occurs.

        Neighbours closer than `tol` are one eigenvalue, given by its mean.

        Raises:
            SpectrumError: the spectrum is truncated and knows only some.
        """
        lam = self.eigenvalues()
        step = lam.diff() > tol
        group = torch.cat([step.new_zeros(1), step]).cumsum(0)
        count = torch.bincount(group)
        total = lam.new_zeros(len(count)).index_add_(0, group, lam)
        return total / count, count

    def projector(
        self, value: Value, tol: float = TOL
    ) -> Float[Tensor, "N N"]:
        """The projection onto the eigenspace of a value.

        Unlike the eigenvectors, it does not depend on how the basis of the
        eigenspace was chosen: compare projectors, never eigenvectors.

        Raises:
            SpectrumError: the value is none of a truncated spectrum's.
        """
        self.multiplicity(value, tol)
        block = self.U[:, self.at(value, tol)]
        P = block @ block.T
        if self._left_out(value, tol):
            P = P + torch.eye(len(P)).to(P) - self.U @ self.U.T
        return P

    def _left_out(self, value: Value, tol: float) -> int:
        """How many eigenvectors of a value were deflated."""
        if self.rest is None or self.truncated:
            return 0
        here = abs(self.rest - float(value)) <= tol
        return (self.num_nodes - len(self.lam)) * here

    def _must_know(self, what: str) -> None:
        """Refuse what a truncated spectrum cannot answer."""
        if self.truncated:
            raise SpectrumError(
                f"A truncated spectrum ({len(self.lam)} of {self.num_nodes} "
                f"eigenpairs) does not know {what}. Compute the full one: "
                "spectrum(L)."
            )

    def __repr__(self) -> str:
        """Name the size, the ends, and what is left out."""
        left_out = self.num_nodes - len(self.lam)
        if self.truncated:
            return (
                f"Spectrum({self.num_nodes} nodes, {len(self.lam)} "
                f"eigenpairs, the other {left_out} at their mean "
                f"{self.rest:.4f})"
            )
        value, _ = self.distinct()
        deflated = f", {left_out} deflated" if left_out else ""
        return (
            f"Spectrum({self.num_nodes} nodes, {len(value)} distinct "
            f"eigenvalues in [{value[0]:.4f}, {value[-1]:.4f}]{deflated})"
        )


def spectrum(L: Any, k: int | None = None, ends: str = "both") -> Spectrum:
    r"""Decompose a Laplacian, completely or at the ends, in float64.

    .. math:: L = U \operatorname{diag}(\lambda) U^\top

    Derived in chapter 01. The full decomposition uses LAPACK's divide and
    conquer, the driver that is fast and orthogonal when eigenvalues repeat,
    as those of real graphs do; time grows like N³ and memory like N². With
    k, only eigenpairs at the ends are computed, by iteration with the
    sparse matrix. Part of an eigenspace is never returned: where the k-th
    eigenvalue is repeated, all its eigenvectors are, with a `GraphNotice`.

    Args:
        L: a symmetric normalised Laplacian, sparse or dense, of
            `grokbook.laplacian`, PyG, SciPy or NumPy.
        k: how many eigenpairs; by default all N.
        ends: which ones: "low", "high", or "both", half of them (rounded
            up) low.

    Shapes:
        L (N, N) → Spectrum with lam (q,), U (N, q); q = N without k

    Raises:
        MatrixError: the matrix is not square, not finite, not symmetric,
            or has an eigenvalue outside [0, 2].
        SizeError: too large for LAPACK.
        ConvergenceError: the iteration did not reach its tolerance.
        UnknownNameError

    Examples:
        >>> from grokbook import laplacian
        >>> path = [[0, 1, 1, 2], [1, 0, 2, 1]]
        >>> spectrum(laplacian(path), k=1, ends="low")
        Spectrum(3 nodes, 1 eigenpairs, the other 2 at their mean 1.5000)
    """
    from grokbook.decomposition import decompose
    from grokbook.truncation import ENDS, tell_if_more, to_gap, truncate

    if ends not in ENDS:
        raise UnknownNameError(
            f"There are no ends {ends!r}. Choose from: {', '.join(ENDS)}."
        )
    rows, tol = as_csr(L)
    N = rows.shape[0]
    if k is None or k >= N:
        lam, U = decompose(rows, tol)
        return Spectrum(torch.from_numpy(lam), torch.from_numpy(U))
    pairs = truncate(rows, k, ends, tol)
    if pairs is None:
        lam, U = decompose(rows, tol)
        keep = to_gap(lam, k, ends)
        pairs = lam[keep], U[:, keep]
    lam, U = map(torch.from_numpy, pairs)
    tell_if_more(len(lam), k)
    if len(lam) == N:
        return Spectrum(lam, U)
    rest = (rows.trace() - float(lam.sum())) / (N - len(lam))
    return Spectrum(lam, U, rest, truncated=True)


def deflate(S: Spectrum, value: Value | None = None) -> Spectrum:
    r"""Leave out the eigenvectors of a repeated eigenvalue μ, exactly.

    .. math:: h(L) X = h(\mu) X + U' \bigl(h(\lambda') - h(\mu)\bigr)
       U'^\top X

    A filter multiplies everything in an eigenspace by the same number, so
    the basis of one eigenspace is never needed. Leaving out the largest
    saves the most.

    Args:
        S: a full spectrum.
        value: the eigenvalue μ; by default the one that occurs most often.
            If none occurs twice, nothing is left out.

    Raises:
        SpectrumError: the value is no eigenvalue, or S is not full.

    Examples:
        >>> from grokbook import laplacian
        >>> star = [[0, 0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 4, 0, 0, 0, 0]]
        >>> deflate(spectrum(laplacian(star)))
        Spectrum(5 nodes, 3 distinct eigenvalues in [0.0000, 2.0000],
        3 deflated)
    """
    if S.rest is not None:
        raise SpectrumError(
            "Only a full spectrum can be deflated, and only once. Compute "
            "it anew: spectrum(L)."
        )
    if value is None:
        values, count = S.distinct()
        if count.max() == 1:
            return S
        value = float(values[count.argmax()])
    out = S.at(value)
    if not out.any():
        raise SpectrumError(
            f"{float(value):g} is no eigenvalue. S.distinct() lists them."
        )
    return Spectrum(S.lam[~out], S.U[:, ~out], float(S.lam[out].mean()))


def _fits(x: Tensor, rows: int, reason: str) -> None:
    """Check that a signal, or its transform, has the right rows."""
    if x.dim() not in (1, 2) or x.shape[0] != rows:
        raise SignalError(
            f"The signal has shape {tuple(x.shape)}; {reason}, so pass "
            f"({rows},) or ({rows}, F)."
        )
