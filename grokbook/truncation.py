"""The ends of a spectrum, in whole eigenspaces, checked.

Works on A = I − L, whose largest eigenvalues are the Laplacian's smallest.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

import numpy as np
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from grokbook.decomposition import announce
from grokbook.errors import ConvergenceError, GraphNotice
from grokbook.matrix import TOL, outside
from grokbook.subspace import Block, largest_by_filtering

# Iteration tells eigenvalues apart less finely than LAPACK does (`TOL`): a
# smaller step than this is no place to cut. ‖Lu − λu‖ bounds the distance of
# λ from an eigenvalue, so a tenth of it leaves no doubt on which side one is.
GAP = 1e-8
RESIDUAL = GAP / 10
LOCKED = 1e-12  # at which an iteration stops, well below
ORTHOGONALITY = 1e-10
SPARE = 8  # pairs computed beyond those asked for, to see the gap
FILTER_FROM = 100  # pairs at one end from which filtering is faster
SMALL = 600  # nodes up to which a full decomposition takes under a second
ENDS = ("both", "low", "high")
FEWER = "a smaller k"

Pairs = tuple[np.ndarray, Block]


def shares(k: int, ends: str) -> tuple[int, int]:
    """How many of k pairs are taken at the low and at the high end.

    Examples:
        >>> shares(5, "both"), shares(5, "low"), shares(5, "high")
        ((3, 2), (5, 0), (0, 5))
    """
    low = {"both": ceil(k / 2), "low": k, "high": 0}[ends]
    return low, k - low


def truncate(
    L: csr_array, k: int, ends: str, tol: float = TOL
) -> Pairs | None:
    """Compute k eigenpairs at the ends of a Laplacian's spectrum.

    More than k when the last one's eigenvalue is repeated; None when so
    many that a full decomposition is the cheaper road. Eigenvalues may lie
    outside [0, 2] by `tol`, the rounding of the matrix.

    Shapes:
        L (N, N) → lam (q,) ascending, U (N, q), with q ≥ k

    Raises:
        MatrixError: an eigenvalue outside [0, 2].
        ConvergenceError: a pair did not reach the tolerance.
    """
    N = L.shape[0]
    _announce(N, L.nnz, k)
    A = csr_array(eye_array(N) - L)
    low, high = shares(k, ends)
    empty: Pairs = np.empty(0), np.empty((N, 0))
    bottom = largest(A, low, empty[1]) if low else empty
    if bottom is None:
        return None
    top = largest(csr_array(-A), high, bottom[1]) if high else empty
    if top is None:
        return None
    lam = np.concatenate([1 - bottom[0], 1 + top[0][::-1]])
    U = np.hstack([bottom[1], top[1][:, ::-1]])
    _check(L, lam, U, tol)
    return lam.clip(0, 2), U


def largest(A: csr_array, k: int, avoid: Block) -> Pairs | None:
    """The k largest eigenpairs of A outside a subspace, and no half space.

    After each round the largest eigenvalue of all that is left is
    computed from a random start. Unless it is clearly below the k-th, an
    eigenspace was cut or a copy of a repeated eigenvalue was missed, as
    Lanczos methods may, and the search goes on.
    """
    N = A.shape[0] - avoid.shape[1]
    theta, U = np.empty(0), avoid[:, :0]
    step = k + SPARE
    while True:
        if A.shape[0] <= SMALL or len(theta) + step > N // 3:
            return None
        found = np.hstack([avoid, U])
        value, vector = _solve(A, step, found, again=len(theta) > 0)
        theta, U = np.append(theta, value), np.hstack([U, vector])
        order = np.argsort(-theta, kind="stable")
        theta, U = theta[order], U[:, order]
        below = _lanczos(A, 1, np.hstack([avoid, U]), vectors=False)
        if theta[k - 1] - below[0] > GAP:
            break
        step = len(theta)
    q = _gap(np.append(theta, below[0]), k)
    return theta[:q], U[:, :q]


def to_gap(lam: np.ndarray, k: int, ends: str) -> np.ndarray:
    """Mark k ascending eigenvalues at the ends, and no half eigenspace.

    Examples:
        >>> to_gap(np.array([0, 0.3, 0.3, 1, 1.7, 1.7, 2]), 4, "both")
        array([ True,  True,  True, False,  True,  True,  True])
    """
    low, high = shares(k, ends)
    keep = np.zeros(len(lam), dtype=bool)
    keep[: _gap(-lam, low)] = True
    keep[len(lam) - _gap(lam[::-1], high) :] = True
    return keep


def tell_if_more(q: int, k: int) -> None:
    """Say that whole eigenspaces made more than k pairs."""
    if q > k:
        warnings.warn(
            f"{q} eigenpairs are kept instead of k={k}: the last ones "
            "belong to a repeated eigenvalue, and part of an eigenspace is "
            "no property of the graph.",
            GraphNotice,
            stacklevel=3,
        )


def _gap(theta: np.ndarray, k: int) -> int:
    """The first place from k on at which descending values step down."""
    if k == 0:
        return 0
    steps = -np.diff(theta[k - 1 :]) > GAP
    return k + int(np.argmax(steps)) if steps.any() else len(theta)


def _solve(A: csr_array, count: int, avoid: Block, again: bool) -> Pairs:
    """Choose the faster solver: Lanczos for few pairs that do not repeat."""
    if count < FILTER_FROM and not again:
        return _lanczos(A, count, avoid)
    with _bar(f"{count} eigenpairs", " pairs", count) as bar:
        return largest_by_filtering(
            A,
            count,
            avoid,
            tolerance=LOCKED,
            generator=np.random.default_rng(0),
            tell=lambda locked: bar.update(locked - bar.n),
        )


def _lanczos(
    A: csr_array, count: int, avoid: Block, vectors: bool = True
) -> Pairs | np.ndarray:
    """ARPACK on A, the subspace moved below the whole spectrum."""
    N = A.shape[0]
    depth = 1.5 + np.einsum("ni,ni->i", avoid, A @ avoid)

    def product(x: Block) -> Block:
        bar.update()
        return A @ x - avoid @ (depth * (avoid.T @ x))

    start = np.random.default_rng(0).standard_normal(N)
    with _bar(f"{count} eigenpairs", " products") as bar:
        try:
            found = eigsh(
                LinearOperator((N, N), product, dtype=A.dtype),
                count,
                which="LA",
                tol=0 if vectors else RESIDUAL,
                v0=start - avoid @ (avoid.T @ start),
                return_eigenvectors=vectors,
            )
        except ArpackNoConvergence as error:
            raise ConvergenceError(
                f"Lanczos iterations found {len(error.eigenvalues)} of "
                f"{count} eigenpairs. Ask for fewer (k=), or filter without "
                "eigenvectors: apply_filter(..., method='chebyshev')."
            ) from error
    if not vectors:
        return found
    theta, U = found
    return theta, np.linalg.qr(U - avoid @ (avoid.T @ U))[0]


def _check(L: csr_array, lam: np.ndarray, U: Block, tol: float) -> None:
    """Hold every pair to the tolerances, whoever computed it."""
    if len(lam) and (lam[0] < -tol or lam[-1] > 2 + tol):
        raise outside(f"from {lam.min():.4g} to {lam.max():.4g}")
    residual = np.linalg.norm(L @ U - U * lam, axis=0).max(initial=0)
    slant = abs(U.T @ U - np.eye(len(lam))).max(initial=0)
    if residual > RESIDUAL or slant > ORTHOGONALITY:
        raise ConvergenceError(
            f"The computed pairs miss Lu = λu by {residual:.1e} (allowed "
            f"{RESIDUAL:.0e}) and orthogonality by {slant:.1e} (allowed "
            f"{ORTHOGONALITY:.0e}). Use spectrum(L) or "
            "apply_filter(..., method='chebyshev')."
        )


@contextmanager
def _bar(what: str, unit: str, total: int | None = None) -> Iterator:
    """A progress bar that shows itself only when the work takes long."""
    from tqdm.auto import tqdm

    with tqdm(desc=what, unit=unit, total=total, delay=10, mininterval=1) as b:
        yield b


def _announce(N: int, nnz: int, k: int) -> None:
    """Estimate from what products and orthogonalisation have taken."""
    if N > SMALL:
        seconds = 2e-7 * k * nnz + 5e-9 * N * k**2
        what = f"Computing {k} eigenpairs of {N} nodes"
        announce(what, seconds, 6 * 8e-9 * N * k, 5, FEWER)
