"""Sums of Chebyshev polynomials of a matrix, with their gradients.

The matrix A is symmetric and sparse, and its eigenvalues lie in [−1, 1]. Each
sum takes one product with A for each polynomial, forward and backward.
"""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class Series(torch.autograd.Function):
    """Σ c_r T_r(A) X, with a backward pass that recomputes.

    T_r(A) is symmetric, so one recurrence, run on the gradient G of the
    result, serves both gradients: Σ c_r T_r(A) G is that of X, and the
    inner product of T_r(A) G with X that of c_r. Only X and c are kept.
    """

    @staticmethod
    def forward(ctx: Any, X: Tensor, c: Tensor, A: Tensor) -> Tensor:
        """Add the vectors up as they come."""
        ctx.save_for_backward(X, c)
        ctx.A = A
        Y = torch.zeros_like(X)
        for c_r, T_r in zip(c, chebyshev_vectors(A, X, len(c)), strict=True):
            Y.addcmul_(T_r, c_r)
        return Y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, Tensor, None]:
        """One recurrence for both gradients."""
        X, c = ctx.saved_tensors
        dX, dc = torch.zeros_like(X), torch.zeros_like(c)
        wanted = ctx.needs_input_grad
        inner = columns_with(X) if c.dim() == 2 else whole_with(X)
        for r, T_r in enumerate(chebyshev_vectors(ctx.A, G, len(c))):
            if wanted[0]:
                dX.addcmul_(T_r, c[r])
            if wanted[1]:
                dc[r] = inner(T_r)
        return dX, dc, None


class Terms(torch.autograd.Function):
    """All T_p(A) X; backward is their sum, A being symmetric."""

    @staticmethod
    def forward(ctx: Any, X: Tensor, A: Tensor, count: int) -> Tensor:
        """Keep every vector."""
        ctx.A = A
        return _all_terms(A, X, count)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, None, None]:
        """Sum the gradients of all terms."""
        return _clenshaw(ctx.A, G), None, None


class Summed(torch.autograd.Function):
    """Σ T_p(A) X_p; backward is all terms, A being symmetric."""

    @staticmethod
    def forward(ctx: Any, X: Tensor, A: Tensor) -> Tensor:
        """By Clenshaw's recurrence."""
        ctx.A, ctx.count = A, len(X)
        return _clenshaw(A, X)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, None]:
        """Each term gets its vector of G."""
        return _all_terms(ctx.A, G.contiguous(), ctx.count), None


class Mixed(torch.autograd.Function):
    """−A X, which is its own gradient, A being symmetric."""

    @staticmethod
    def forward(ctx: Any, X: Tensor, A: Tensor) -> Tensor:
        """One product."""
        ctx.A = A
        return _minus(A, X)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, None]:
        """The same product."""
        return _minus(ctx.A, G.contiguous()), None


def _minus(A: Tensor, X: Tensor) -> Tensor:
    """−A X in one go."""
    Y = torch.zeros_like(X)
    return torch.addmm(Y, A, X, beta=0, alpha=-1, out=Y)


def _all_terms(A: Tensor, X: Tensor, count: int) -> Tensor:
    """T_p(A) X for p = 0 to count − 1."""
    T = X.new_empty(count, *X.shape)
    for p, T_p in enumerate(chebyshev_vectors(A, X, count)):
        T[p] = T_p
    return T


def _clenshaw(A: Tensor, G: Tensor) -> Tensor:
    """Σ T_p(A) G_p, with one product for each p but the first."""
    now, after = G[-1], None
    for p in range(len(G) - 2, -1, -1):
        start = G[p] if after is None else G[p] - after
        now, after = torch.addmm(start, A, now, alpha=2 if p else 1), now
    return now


def chebyshev_vectors(A: Tensor, X: Tensor, count: int) -> Iterator[Tensor]:
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


def whole_with(X: Tensor) -> Callable[[Tensor], Tensor]:
    """The inner product of a table with X."""
    flat = X.reshape(-1)
    return lambda T: torch.dot(T.reshape(-1), flat)


def columns_with(X: Tensor) -> Callable[[Tensor], Tensor]:
    """The inner product of each column of a table with that of X.

    In float64, where a sum does not depend on the number of columns; in
    one buffer, because new memory costs more than the sum.
    """
    wide, room = X.double(), torch.empty_like(X, dtype=torch.float64)
    return lambda T: room.copy_(T).mul_(wide).sum(0)
