"""Laplacian → Spectrum(lam, U): its eigenvalues and eigenvectors."""

import warnings
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from grokbook.errors import GraphNotice, MatrixError, SignalError

# Rounding error of a symmetric eigenvalue is a small multiple of
# ‖L‖ · 2.2e-16, and ‖L‖ ≤ 2: two eigenvalues closer than this are taken for
# one. No bound is right for all: 1,800 nodes can have a gap of 1e-8.
TOL = 1e-10

Value = float | int | Float[Tensor, ""]


@dataclass(frozen=True, eq=False)
class Spectrum:
    r"""The eigenvalues and an orthonormal eigenbasis of a Laplacian.

    .. math:: L = U \operatorname{diag}(\lambda) U^\top, \qquad
       0 \le \lambda_1 \le \dots \le \lambda_N \le 2

    Shapes:
        lam (N,), ascending, float64; U (N, N), one eigenvector per column

    Examples:
        >>> from grokbook import laplacian
        >>> path = [[0, 1, 1, 2], [1, 0, 2, 1]]
        >>> S = spectrum(laplacian(path))
        >>> S
        Spectrum(3 nodes, 3 distinct eigenvalues in [0.0000, 2.0000])
        >>> S.multiplicity(1.0)
        1
    """

    lam: Float[Tensor, " N"]
    U: Float[Tensor, "N N"]

    @property
    def num_nodes(self) -> int:
        """The number of nodes N."""
        return self.U.shape[0]

    def fourier(self, x: Float[Tensor, "N *F"]) -> Float[Tensor, "N *F"]:
        """Graph Fourier transform: the signal's coordinates Uᵀx."""
        _fits(x, self.num_nodes)
        return self.U.T @ x.to(self.U)

    def inverse(self, x_hat: Float[Tensor, "N *F"]) -> Float[Tensor, "N *F"]:
        """Inverse transform: the signal U x̂ with these coordinates."""
        _fits(x_hat, self.num_nodes)
        return self.U @ x_hat.to(self.U)

    def at(self, value: Value, tol: float = TOL) -> Bool[Tensor, " N"]:
        """Mark the eigenvalues within `tol` of a value."""
        return (self.lam - value).abs() <= tol

    def multiplicity(self, value: Value, tol: float = TOL) -> int:
        """How many eigenvalues lie within `tol` of a value."""
        return int(self.at(value, tol).sum())

    def distinct(
        self, tol: float = TOL
    ) -> tuple[Float[Tensor, " E"], Int[Tensor, " E"]]:
        """The different eigenvalues and how often each occurs.

        Neighbours closer than `tol` are one eigenvalue, given by its mean.
        """
        step = self.lam.diff() > tol
        group = torch.cat([step.new_zeros(1), step]).cumsum(0)
        count = torch.bincount(group)
        total = self.lam.new_zeros(len(count)).index_add_(0, group, self.lam)
        return total / count, count

    def projector(
        self, value: Value, tol: float = TOL
    ) -> Float[Tensor, "N N"]:
        """The projection onto the eigenspace of a value.

        Unlike the eigenvectors, it does not depend on how the basis of the
        eigenspace was chosen: compare projectors, never eigenvectors.
        """
        block = self.U[:, self.at(value, tol)]
        return block @ block.T

    def __repr__(self) -> str:
        """Name the size and the ends of the spectrum."""
        kinds = len(self.distinct()[0])
        return (
            f"Spectrum({self.num_nodes} nodes, {kinds} distinct eigenvalues "
            f"in [{self.lam[0]:.4f}, {self.lam[-1]:.4f}])"
        )


def spectrum(L: Any) -> Spectrum:
    r"""Decompose a Laplacian completely: all N eigenvalues, in float64.

    .. math:: L = U \operatorname{diag}(\lambda) U^\top

    Derived in chapter 01. Uses LAPACK's divide and conquer, the driver
    that is fast and orthogonal when eigenvalues repeat, as those of real
    graphs do. Time grows like N³ and memory like N².

    Args:
        L: a symmetric normalised Laplacian, sparse or dense, of
            `grokbook.laplacian`, PyG, SciPy or NumPy.

    Shapes:
        L (N, N) → Spectrum with lam (N,), U (N, N)

    Raises:
        MatrixError: the matrix is not square, not finite, not symmetric,
            or has an eigenvalue outside [0, 2].
    """
    from scipy.linalg import eigh

    dense, tol = _as_symmetric(L)
    _warn_if_long(len(dense))
    lam, U = eigh(dense.numpy(), driver="evd")
    if lam[0] < -tol or lam[-1] > 2 + tol:
        raise MatrixError(
            f"The matrix has eigenvalues from {lam[0]:.4g} to "
            f"{lam[-1]:.4g}; a normalised Laplacian's lie in [0, 2]. Build "
            "it with grokbook.laplacian(edge_index, num_nodes)."
        )
    # Rounding leaves values such as -3e-16 at the ends; the true ones
    # cannot be outside [0, 2].
    return Spectrum(torch.from_numpy(lam).clamp(0, 2), torch.from_numpy(U))


def _as_symmetric(L: Any) -> tuple[Float[Tensor, "N N"], float]:
    """Read a matrix as dense float64 and check that it is symmetric.

    Also returns how far rounding may have moved its entries: PyG computes
    in float32, whose rounding is larger than `TOL`.
    """
    L = _as_real(L)
    tol = max(TOL, 10 * torch.finfo(L.dtype).eps)
    L = L.to("cpu", torch.float64)
    if L.dim() != 2 or L.shape[0] != L.shape[1] or not len(L):
        raise MatrixError(
            f"A Laplacian is N × N with N ≥ 1; this has shape "
            f"{tuple(L.shape)}. Did you pass edge_index? Build the matrix "
            "first: grokbook.laplacian(edge_index, num_nodes)."
        )
    if not torch.isfinite(L).all():
        raise MatrixError(
            "The matrix holds NaN or infinity. A division by a degree of 0 "
            "does that: grokbook.laplacian treats isolated nodes."
        )
    gap = (L - L.T).abs().max().item()
    if gap > tol:
        raise MatrixError(
            f"The matrix is not symmetric (largest difference {gap:.3g}). "
            "Use the symmetric normalisation, not the random-walk one."
        )
    return L.contiguous(), tol


def _as_real(L: Any) -> Float[Tensor, "..."]:
    """Read a matrix of any kind as a dense tensor of real numbers."""
    if hasattr(L, "toarray"):  # SciPy's sparse matrices
        L = L.toarray()
    try:
        if not hasattr(L, "dtype"):  # a list: its numbers are Python's
            L = torch.as_tensor(L, dtype=torch.float64)
        L = torch.as_tensor(L)
        if L.is_complex():
            raise TypeError("complex numbers")
    except (TypeError, ValueError, RuntimeError) as error:
        raise MatrixError(
            "The Laplacian cannot be read as a matrix of real numbers. "
            "Build it with grokbook.laplacian(edge_index, num_nodes)."
        ) from error
    dense = L if L.layout == torch.strided else L.to_dense()
    return dense if dense.is_floating_point() else dense.double()


def _warn_if_long(N: int) -> None:
    """Before work of minutes, say how long it takes and how much memory."""
    seconds, gigabytes = 0.2e-9 * N**3, 4 * 8e-9 * N**2
    if seconds > 30:
        warnings.warn(
            f"A full decomposition of {N} nodes takes about "
            f"{seconds / 60:.0f} minutes and {gigabytes:.0f} GB.",
            GraphNotice,
            stacklevel=3,
        )


def _fits(x: Tensor, N: int) -> None:
    """Check that a signal has one row per node."""
    if x.dim() not in (1, 2) or x.shape[0] != N:
        raise SignalError(
            f"The signal has shape {tuple(x.shape)}; this graph has {N} "
            f"nodes, so pass ({N},) or ({N}, F)."
        )
