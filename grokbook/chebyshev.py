"""h(L)X without eigenvectors: a Chebyshev series of the response."""

from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
import torch
from jaxtyping import Float, Int
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import pad

from grokbook.errors import ResponseError, SignalError
from grokbook.expansion import Response, coefficients
from grokbook.matrix import centred
from grokbook.recurrence import Mixed, Series, Summed, Terms

# Numbering the nodes anew is worth it from so many products and nodes on. It
# must not depend on the width: copies round alike, however many there are.
MANY, LARGE = 16, 10_000


class ChebyshevFilter:
    r"""A graph prepared for filtering without a decomposition.

    .. math:: h(L) X \approx \sum_{r=0}^{R} c_r\, T_r(L - I)\, X, \qquad
       T_{r+1}(x) = 2x\,T_r(x) - T_{r-1}(x)

    Derived in chapter 14. The cost is R products with the sparse matrix,
    whatever the number of nodes; the memory is a few times X, whatever R.
    Differentiable in X and in the response's parameters. For a long series
    on a large graph the nodes are numbered anew inside, neighbours side by
    side (`nearby`), so that products find them in the processor's cache.

    Args:
        L: a symmetric normalised Laplacian, sparse or dense.
        degree: R; by default the smallest that keeps the tolerance, found
            anew for each response.
        tolerance: largest error of the series on [0, 2], relative to the
            largest |h|. With a degree given it is not looked at.

    Shapes:
        response (n,) → (n,), or (n, F) with a response for each column;
        X (N,) or (N, F) → the same shape

    Raises:
        MatrixError, DegreeError, ResponseError, SignalError

    Examples:
        >>> from grokbook import laplacian
        >>> L = laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> flow = ChebyshevFilter(L)
        >>> x = torch.tensor([1.0, 0.0, 0.0], dtype=torch.float64)
        >>> flow(lambda lam: torch.exp(-lam), x)
        tensor([0.4678, 0.3057, 0.0999], dtype=torch.float64)
        >>> flow
        ChebyshevFilter(3 nodes, 2 edges, tolerance 1e-06)
    """

    def __init__(
        self, L: Any, degree: int | None = None, tolerance: float = 1e-6
    ) -> None:
        """Read and check the Laplacian."""
        self._rows = centred(L)
        self._on: dict[tuple, Tensor] = {}
        self._numbers: np.ndarray | None = None
        self.degree = degree
        self.tolerance = tolerance

    @property
    def num_nodes(self) -> int:
        """The number of nodes N."""
        return self._rows.shape[0]

    def __call__(
        self, response: Response | Any, X: Float[Tensor, "N *F"]
    ) -> Float[Tensor, "N *F"]:
        """Filter signals."""
        fits = X.dim() in (1, 2) and X.shape[0] == self.num_nodes
        if not fits or not X.is_floating_point():
            raise SignalError(
                f"The signal has {X.dtype} of shape {tuple(X.shape)}; this "
                f"graph has {self.num_nodes} nodes, so pass fractions of "
                f"shape ({self.num_nodes},) or ({self.num_nodes}, F)."
            )
        c = coefficients(response, self.degree, self.tolerance, X.device)
        return self.apply_series(c, X)

    def apply_series(
        self, c: Float[Tensor, "P *F"], X: Float[Tensor, "N *F2"]
    ) -> Float[Tensor, "N *F2"]:
        """Sum c_r T_r(L − I) X, the coefficients given.

        Coefficients (R+1, F) hold one series for each column of X.
        """
        if X.is_meta:  # shapes, and what depends on what
            return X * c.sum(0).to(X)
        dtype = torch.promote_types(X.dtype, torch.float32)
        columns = (X if X.dim() == 2 else X[:, None]).to(dtype)
        if c.dim() == 2 and c.shape[1] != columns.shape[1]:
            raise ResponseError(
                f"There are {c.shape[1]} responses for {columns.shape[1]} "
                "signals. Return one column, or one for each signal."
            )
        # Sparse products are up to a quarter faster in widths of 8, 16, …
        F, c = columns.shape[1], c.to(X.device, dtype)
        if 0 < -F % 8 < 3:
            columns = pad(columns, (0, -F % 8))
            c = pad(c, (0, -F % 8)) if c.dim() == 2 else c
        if len(c) > MANY and self.num_nodes >= LARGE:
            there, back, A = self._near(dtype, X.device)
            columns = _Renumbered.apply(columns, there, back)
            Y = Series.apply(columns, c, A)
            Y = _Renumbered.apply(Y, back, there)[:, :F]
        else:
            A = self._matrix(dtype, X.device)
            Y = Series.apply(columns, c, A)[:, :F]
        return Y.reshape(X.shape).to(X.dtype)

    def terms(
        self, X: Float[Tensor, "N F"], degree: int
    ) -> Float[Tensor, "P N F"]:
        """T_p(L − I) X for p = 0 to a degree, differentiable in X."""
        if X.is_meta:
            return X.expand(degree + 1, *X.shape)
        return Terms.apply(X, self._matrix(X.dtype, X.device), degree + 1)

    def summed(self, X: Float[Tensor, "P N F"]) -> Float[Tensor, "N F"]:
        """Σ T_p(L − I) X_p, differentiable in X: what `terms` turns round."""
        if X.is_meta:
            return X.sum(0)
        return Summed.apply(X, self._matrix(X.dtype, X.device))

    def mixed(self, X: Float[Tensor, "N F"]) -> Float[Tensor, "N F"]:
        """(I − L) X, differentiable in X: one product, and no more."""
        if X.is_meta:
            return X
        return Mixed.apply(X, self._matrix(X.dtype, X.device))

    def _matrix(self, dtype: torch.dtype, device: torch.device) -> Tensor:
        """L − I where X lives, kept for the next call."""
        if (dtype, device) not in self._on:
            self._on[dtype, device] = _compressed(self._rows, dtype, device)
        return self._on[dtype, device]

    def _near(
        self, dtype: torch.dtype, device: torch.device
    ) -> tuple[Int[Tensor, " N"], Int[Tensor, " N"], Tensor]:
        """Neighbours side by side: there, back, and L − I in that order."""
        if self._numbers is None:
            self._numbers = nearby(self._rows)
        if ("near", dtype, device) not in self._on:
            rows = self._rows[self._numbers][:, self._numbers]
            self._on["near", dtype, device] = _compressed(rows, dtype, device)
            there = torch.from_numpy(self._numbers).to(device)
            self._on["there", device] = there
            self._on["back", device] = there.argsort()
        keys = ("there", device), ("back", device), ("near", dtype, device)
        return tuple(self._on[key] for key in keys)

    def __repr__(self) -> str:
        """Name the graph's size and what governs the degree."""
        edges = (self._rows.nnz - (self._rows.diagonal() != 0).sum()) // 2
        rule = f"degree {self.degree}"
        if self.degree is None:
            rule = f"tolerance {self.tolerance:g}"
        return (
            f"ChebyshevFilter({self.num_nodes} nodes, {edges} edges, {rule})"
        )


def nearby(rows: csr_array) -> Int[np.ndarray, " N"]:
    """The nodes in an order that brings neighbours close together.

    That of Cuthill and McKee: breadth first, from a node of small degree.

    Examples:
        >>> path = csr_array([[0, 0, 1, 0], [0, 0, 0, 1],
        ...                   [1, 0, 0, 1], [0, 1, 1, 0]])
        >>> nearby(path).tolist()
        [1, 3, 2, 0]
    """
    order = reverse_cuthill_mckee(rows, symmetric_mode=True)
    return order.astype(np.int64)


def _compressed(
    rows: csr_array, dtype: torch.dtype, device: torch.device
) -> Tensor:
    """A sparse matrix as PyTorch multiplies it fastest."""
    rows.sort_indices()
    with catch_warnings():
        simplefilter("ignore")  # "CSR is in beta state", once
        return torch.sparse_csr_tensor(
            # 32 bits: others are converted at every product
            torch.from_numpy(rows.indptr.astype(np.int32)),
            torch.from_numpy(rows.indices.astype(np.int32)),
            torch.from_numpy(rows.data).to(dtype),
            size=rows.shape,
            check_invariants=False,
        ).to(device)


class _Renumbered(torch.autograd.Function):
    """The rows of a table in another order; backward puts them back."""

    @staticmethod
    def forward(ctx: Any, X: Tensor, there: Tensor, back: Tensor) -> Tensor:
        ctx.save_for_backward(back)
        return X.index_select(0, there)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, None, None]:
        (back,) = ctx.saved_tensors
        return G.contiguous().index_select(0, back), None, None
