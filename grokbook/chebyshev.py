"""h(L)X without eigenvectors: a Chebyshev series of the response."""

from collections.abc import Callable, Iterator
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import pad

from grokbook.errors import ResponseError, SignalError
from grokbook.expansion import Response, coefficients
from grokbook.matrix import centred


class ChebyshevFilter:
    r"""A graph prepared for filtering without a decomposition.

    .. math:: h(L) X \approx \sum_{r=0}^{R} c_r\, T_r(L - I)\, X, \qquad
       T_{r+1}(x) = 2x\,T_r(x) - T_{r-1}(x)

    Derived in chapter 14. The cost is R products with the sparse matrix,
    whatever the number of nodes; the memory is four times X, whatever R.
    Differentiable in X and in the response's parameters.

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
        A = self._matrix(dtype, X.device)
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
        Y = _Series.apply(columns, c, A)[:, :F]
        return Y.reshape(X.shape).to(X.dtype)

    def terms(
        self, X: Float[Tensor, "N F"], degree: int
    ) -> Float[Tensor, "P N F"]:
        """T_p(L − I) X for p = 0 to a degree, differentiable in X."""
        if X.is_meta:
            return X.expand(degree + 1, *X.shape)
        return _Terms.apply(X, self._matrix(X.dtype, X.device), degree + 1)

    def _matrix(self, dtype: torch.dtype, device: torch.device) -> Tensor:
        """L − I where X lives, kept for the next call."""
        if (dtype, device) not in self._on:
            A = self._rows
            with catch_warnings():
                simplefilter("ignore")  # "CSR is in beta state", once
                self._on[dtype, device] = torch.sparse_csr_tensor(
                    # 32 bits: others are converted at every product
                    torch.from_numpy(A.indptr.astype(np.int32)),
                    torch.from_numpy(A.indices.astype(np.int32)),
                    torch.from_numpy(A.data).to(dtype),
                    size=A.shape,
                    check_invariants=False,
                ).to(device)
        return self._on[dtype, device]

    def __repr__(self) -> str:
        """Name the graph's size and what governs the degree."""
        edges = (self._rows.nnz - (self._rows.diagonal() != 0).sum()) // 2
        rule = f"degree {self.degree}"
        if self.degree is None:
            rule = f"tolerance {self.tolerance:g}"
        return (
            f"ChebyshevFilter({self.num_nodes} nodes, {edges} edges, {rule})"
        )


class _Series(torch.autograd.Function):
    """Σ c_r T_r(A) X, with a backward pass that recomputes.

    T_r(A) is symmetric, so one recurrence, run on the gradient G of the
    result, serves both gradients: Σ c_r T_r(A) G is that of X, and the
    inner product of T_r(A) G with X that of c_r. Only X and c are kept.
    """

    @staticmethod
    def forward(ctx: Any, X: Tensor, c: Tensor, A: Tensor) -> Tensor:
        ctx.save_for_backward(X, c)
        ctx.A = A
        Y = torch.zeros_like(X)
        for c_r, T_r in zip(c, _chebyshev_vectors(A, X, len(c)), strict=True):
            Y.addcmul_(T_r, c_r)
        return Y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, Tensor, None]:
        X, c = ctx.saved_tensors
        dX, dc = torch.zeros_like(X), torch.zeros_like(c)
        wanted = ctx.needs_input_grad
        inner = _columns_with(X) if c.dim() == 2 else _whole_with(X)
        for r, T_r in enumerate(_chebyshev_vectors(ctx.A, G, len(c))):
            if wanted[0]:
                dX.addcmul_(T_r, c[r])
            if wanted[1]:
                dc[r] = inner(T_r)
        return dX, dc, None


class _Terms(torch.autograd.Function):
    """All T_p(A) X; backward is Clenshaw's sum Σ T_p(A) G_p, A symmetric."""

    @staticmethod
    def forward(ctx: Any, X: Tensor, A: Tensor, count: int) -> Tensor:
        ctx.A = A
        T = X.new_empty(count, *X.shape)
        for p, T_p in enumerate(_chebyshev_vectors(A, X, count)):
            T[p] = T_p
        return T

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, None, None]:
        after, now = torch.zeros_like(G[0]), torch.zeros_like(G[0])
        for G_p in G[1:].flip(0):
            now, after = G_p + 2 * (ctx.A @ now) - after, now
        return G[0] + ctx.A @ now - after, None, None


def _chebyshev_vectors(A: Tensor, X: Tensor, count: int) -> Iterator[Tensor]:
    """Yield T_0(A)X, T_1(A)X, …, in two buffers that are used again."""
    before = X.clone(memory_format=torch.contiguous_format)
    yield before
    if count > 1:
        now = A @ before
        yield now
    for _ in range(count - 2):
        torch.addmm(before, A, now, beta=-1, alpha=2, out=before)
        before, now = now, before
        yield now


def _whole_with(X: Tensor) -> Callable[[Tensor], Tensor]:
    """The inner product of a table with X."""
    flat = X.reshape(-1)
    return lambda T: torch.dot(T.reshape(-1), flat)


def _columns_with(X: Tensor) -> Callable[[Tensor], Tensor]:
    """The inner product of each column of a table with that of X.

    In float64, where a sum does not depend on the number of columns; in
    one buffer, because new memory costs more than the sum.
    """
    wide, room = X.double(), torch.empty_like(X, dtype=torch.float64)
    return lambda T: room.copy_(T).mul_(wide).sum(0)
