"""Node features that are nearly all zero, as a model's first layer."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable

from grokbook.errors import SignalError

SPARSE_BELOW = 0.3  # share of entries below which gathering rows is faster


class SparseFeatures:
    r"""The stored entries of a feature matrix, ready for a linear layer.

    .. math:: Y_s = (D_s \odot X)\, W_s + b_s

    D is dropout. It is drawn for the stored entries alone: an entry that is
    zero stays zero whatever is drawn for it. On Cora that is one entry in
    eighty. Not differentiable in X.

    Args:
        x: the features, dense or sparse.

    Shapes:
        x (N, F), weight (S, F, H), bias (S, H) → (S, N, H)

    Examples:
        >>> x = SparseFeatures(torch.tensor([[0.0, 2.0], [0.0, 0.0]]))
        >>> x
        SparseFeatures(2 × 2, 1 stored)
        >>> weight = torch.tensor([[[1.0], [3.0]]])
        >>> x.linear(weight, torch.ones(1, 1))
        tensor([[[7.],
                 [1.]]])
    """

    def __init__(self, x: Tensor) -> None:
        """Read the entries row by row, and note their order by column."""
        x = check_features(x)
        entries = (x if x.is_sparse else x.to_sparse()).coalesce()
        self.row, self.column = entries.indices()
        self.value = entries.values().detach()
        self.shape = tuple(x.shape)
        self._by_column = torch.argsort(self.column, stable=True)
        self._lists: dict[tuple, tuple[Tensor, ...]] = {}

    def to(self, *where: Any) -> "SparseFeatures":
        """The same features on another device or of another dtype."""
        twin = SparseFeatures.__new__(SparseFeatures)
        twin.shape, twin._lists = self.shape, {}
        twin.value = self.value.to(*where)
        device = twin.value.device
        twin.row, twin.column = self.row.to(device), self.column.to(device)
        twin._by_column = self._by_column.to(device)
        return twin

    def linear(
        self,
        weight: Float[Tensor, "S F H"],
        bias: Float[Tensor, "S H"] | None,
        drop: Callable[[Tensor], Tensor] = lambda value: value,
    ) -> Float[Tensor, "S N H"]:
        """Multiply what dropout leaves of the stored entries.

        Args:
            weight, bias: of each copy.
            drop: dropout of the entries, a table (S, stored).
        """
        S, _, H = weight.shape
        value = drop(self.value.to(weight).expand(S, -1))
        lists = self._block_lists(S, weight.device)
        Y = _Gather.apply(weight.flatten(0, 1), bias, value, *lists)
        return Y.view(S, self.shape[0], H)

    def _block_lists(
        self, S: int, device: torch.device
    ) -> tuple[Int[Tensor, " _"], ...]:
        """Where each row, and each column, of S blocks finds its entries.

        Kept, because they are the same at every step of training; those
        of one S only, because copies that leave do not come back.
        """
        if (S, device) not in self._lists:
            N, F = self.shape
            order = self._by_column
            lists = (
                _shifted(self.column, S, F),
                _starts(self.row, S, N),
                _shifted(self.row[order], S, N),
                _starts(self.column, S, F),
                order,
            )
            self._lists = {
                (S, device): tuple(part.to(device) for part in lists)
            }
        return self._lists[S, device]

    def __repr__(self) -> str:
        """Name the size and the number of entries."""
        N, F = self.shape
        return f"SparseFeatures({N} × {F}, {len(self.value)} stored)"


class _Gather(torch.autograd.Function):
    """X W + b for S feature matrices that store the same entries.

    Row n of the product is a weighted sum of rows of W, which
    `embedding_bag` computes; row f of the gradient of W is a weighted sum
    of rows of the gradient, over the entries of column f.
    """

    @staticmethod
    def forward(
        ctx: Any,
        W: Tensor,
        b: Tensor | None,
        value: Tensor,
        column: Tensor,
        row_start: Tensor,
        row: Tensor,
        column_start: Tensor,
        order: Tensor,
    ) -> Tensor:
        ctx.save_for_backward(value, row, column_start, order)
        Y = _weighted_sums(W, column, row_start, value)
        if b is not None:
            Y.view(len(b), -1, b.shape[1]).add_(b[:, None])
        return Y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor | None, ...]:
        value, row, column_start, order = ctx.saved_tensors
        by_column = value[:, order]
        G = G.contiguous()
        dW = _weighted_sums(G, row, column_start, by_column)
        db = None
        if ctx.needs_input_grad[1]:
            db = G.view(len(value), -1, G.shape[1]).sum(1)
        return dW, db, *[None] * 6


def _weighted_sums(
    rows: Tensor, which: Tensor, start: Tensor, value: Tensor
) -> Tensor:
    """Sum value · row over each list of rows."""
    return torch.nn.functional.embedding_bag(
        which,
        rows,
        start,
        mode="sum",
        per_sample_weights=value.flatten(),
    )


def _shifted(index: Tensor, S: int, size: int) -> Tensor:
    """The index in each of S blocks of this size, one after the other."""
    return torch.cat([index + s * size for s in range(S)])


def _starts(index: Tensor, S: int, size: int) -> Tensor:
    """Where the list of each of S·size rows starts."""
    count = torch.bincount(index, minlength=size).repeat(S)
    return torch.cat([count.new_zeros(1), count.cumsum(0)[:-1]])


def check_features(x: Any) -> Tensor:
    """Refuse what is not a table of finite fractions."""
    if not isinstance(x, Tensor) or x.dim() != 2:
        given = tuple(x.shape) if isinstance(x, Tensor) else type(x).__name__
        raise SignalError(
            f"The features are {given}. Pass a tensor with a row for each "
            "node and a column for each feature."
        )
    if x.layout not in (torch.strided, torch.sparse_coo):
        raise SignalError(
            f"The features are {x.layout}. Convert them first: x.to_sparse()."
        )
    if not x.is_floating_point():
        raise SignalError(
            f"The features hold {x.dtype}. Convert them first: x.float()."
        )
    values = x.coalesce().values() if x.is_sparse else x
    if not x.is_meta and not torch.isfinite(values).all():
        raise SignalError(
            "The features hold NaN or infinity. Fill the missing values first."
        )
    return x


def prepared(x: Tensor | SparseFeatures) -> Tensor | SparseFeatures:
    """Features in the form that trains faster: sparse if nearly empty."""
    if isinstance(x, SparseFeatures):
        return x
    x = check_features(x)
    if x.is_sparse:
        return SparseFeatures(x)
    if x.is_meta:
        return x
    share = (x != 0).float().mean().item() if x.numel() else 0.0
    return SparseFeatures(x) if share < SPARSE_BELOW else x
