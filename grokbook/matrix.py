"""A Laplacian of any kind → a checked sparse matrix in float64; equal rows."""

from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from scipy.sparse import coo_array, csr_array, eye_array
from torch import Tensor

from grokbook.errors import MatrixError

# Rounding error of a symmetric eigenvalue is a small multiple of
# ‖L‖ · 2.2e-16, and ‖L‖ ≤ 2: two eigenvalues closer than this are taken for
# one. No bound is right for all: 1,800 nodes can have a gap of 1e-8.
TOL = 1e-10
ROW_TOLERANCE = 1e-9  # of each entry of rows that are taken for equal


def as_csr(L: Any) -> tuple[csr_array, float]:
    """Read a matrix as sparse float64 rows and check that it is symmetric.

    The form is canonical: columns sorted, no entry twice, no stored zero,
    so equal matrices have equal bytes.

    Args:
        L: a matrix of PyTorch, SciPy or NumPy, sparse or dense, or a list.

    Returns:
        the matrix (N, N), and how far rounding may have moved its
        eigenvalues: PyG computes in float32, whose rounding exceeds `TOL`.

    Raises:
        MatrixError: not square, not finite, not symmetric.
    """
    rows, tol = _read(L)
    if rows.ndim != 2 or rows.shape[0] != rows.shape[1] or not rows.shape[0]:
        raise MatrixError(
            f"A Laplacian is N × N with N ≥ 1; this has shape "
            f"{tuple(rows.shape)}. Did you pass edge_index? Build the matrix "
            "first: grokbook.laplacian(edge_index, num_nodes)."
        )
    if not np.isfinite(rows.data).all():
        raise MatrixError(
            "The matrix holds NaN or infinity. A division by a degree of 0 "
            "does that: grokbook.laplacian treats isolated nodes."
        )
    gap = abs(rows - rows.T).max()
    if gap > tol:
        raise MatrixError(
            f"The matrix is not symmetric (largest difference {gap:.3g}). "
            "Use the symmetric normalisation, not the random-walk one."
        )
    return rows, tol


def centred(L: Any) -> csr_array:
    """Read a Laplacian as L − I, whose eigenvalues lie in [−1, 1].

    Whether they do is estimated with a few products: the estimate only
    ever falls short, so no Laplacian is refused.

    Raises:
        MatrixError: as `as_csr`, or an eigenvalue outside [0, 2].
    """
    rows, tol = as_csr(L)
    A = csr_array(rows - eye_array(rows.shape[0]))
    A.eliminate_zeros()
    x = np.random.default_rng(0).standard_normal(A.shape[0])
    size = 0.0
    for _ in range(20):
        y = A @ (x / np.linalg.norm(x))
        size = np.linalg.norm(y)
        if size == 0:
            break
        x = y
    if size > 1 + tol:
        raise outside(f"as far as {size:.4g} from 1")
    return A


def outside(where: str) -> MatrixError:
    """The error for eigenvalues that no normalised Laplacian has."""
    return MatrixError(
        f"The matrix has eigenvalues {where}; a normalised Laplacian's lie "
        "in [0, 2]. Build it with grokbook.laplacian(edge_index, num_nodes)."
    )


def _read(L: Any) -> tuple[Any, float]:
    """Read any kind of matrix of real numbers; give its rounding, too."""
    if hasattr(L, "toarray"):  # SciPy's sparse matrices
        exact = not np.issubdtype(L.dtype, np.floating)
        eps = 0.0 if exact else float(np.finfo(L.dtype).eps)
        rows = csr_array(L)
    else:
        L = _as_tensor(L)
        eps = torch.finfo(L.dtype).eps if L.is_floating_point() else 0.0
        rows = _rows_of(L)
    if np.iscomplexobj(rows):
        raise _unreadable()
    if rows.ndim == 2:
        rows = rows.astype(np.float64)
        rows.sum_duplicates()
        rows.eliminate_zeros()
    return rows, max(TOL, 10 * eps)


def _as_tensor(L: Any) -> Tensor:
    """Read anything but SciPy's matrices as a tensor."""
    try:
        if not hasattr(L, "dtype"):  # a list: its numbers are Python's
            L = torch.as_tensor(L, dtype=torch.float64)
        return torch.as_tensor(L).detach().cpu()
    except (TypeError, ValueError, RuntimeError) as error:
        raise _unreadable() from error


def _rows_of(L: Tensor) -> Any:
    """Turn a tensor into SciPy's rows; leave what is no matrix alone."""
    if L.is_floating_point():
        L = L.double()  # NumPy has no bfloat16
    if L.dim() != 2:
        return L.to_dense().numpy()
    if L.layout == torch.strided:
        return csr_array(L.numpy())
    L = L.to_sparse_coo().coalesce()
    index = tuple(L.indices().numpy())
    return csr_array(coo_array((L.values().numpy(), index), tuple(L.shape)))


def _unreadable() -> MatrixError:
    """The error for what is no matrix of numbers."""
    return MatrixError(
        "The Laplacian cannot be read as a matrix of real numbers. "
        "Build it with grokbook.laplacian(edge_index, num_nodes)."
    )


def equal_rows(
    U: Float[Tensor, "N q"],
) -> tuple[Int[Tensor, " n"], Int[Tensor, " N"]]:
    """Which rows are the same, to 1e-9 in each entry.

    That is far below what float32 can tell, and far above the rounding of
    eigenvectors in float64; rows of another precision all count as
    different.

    Returns:
        the number of a row for each class, and the class of each row.

    Examples:
        >>> U = torch.tensor([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])
        >>> equal_rows(U.double())[1].tolist()
        [0, 1, 0]
    """
    node = torch.arange(len(U), device=U.device)
    if U.dtype != torch.float64 or U.is_meta or U.numel() == 0:
        return node, node
    # Equal rows have equal projections; the converse is checked.
    weight = torch.cos(torch.arange(U.shape[1], device=U.device).double())
    value, order = (U @ weight).sort(stable=True)
    near = (value.diff() < ROW_TOLERANCE).nonzero()[:, 0]
    apart = (U[order[near + 1]] - U[order[near]]).abs().amax(1)
    starts = torch.ones_like(order, dtype=torch.bool)
    starts[near[apart < ROW_TOLERANCE] + 1] = False
    place = torch.empty_like(order)
    place[order] = starts.long().cumsum(0) - 1
    return order[starts], place
