"""Node features that are nearly all zero, as a model's first layer."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable

from grokbook.copies import product
from grokbook.errors import SignalError

threshold_backward = torch.ops.aten.threshold_backward
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
        self._row_by_column = self.row[self._by_column]
        self._row_start = starts(self.row, x.shape[0])
        self._column_start = starts(self.column, x.shape[1])

    def to(self, *where: Any) -> "SparseFeatures":
        """The same features on another device or of another dtype."""
        twin = SparseFeatures.__new__(SparseFeatures)
        value = self.value.to(*where)
        for name, part in vars(self).items():
            held = isinstance(part, Tensor)
            setattr(twin, name, part.to(value.device) if held else part)
        twin.value = value
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
        value = drop(self.value.to(weight).expand(len(weight), -1))
        Y = _Linear.apply(weight, value, self)
        return Y if bias is None else Y + bias[:, None]

    def perceptron(
        self,
        first: tuple[Float[Tensor, "S F H"], Float[Tensor, "S H"]],
        second: tuple[Float[Tensor, "S H C"], Float[Tensor, "S C"]],
        drop: Callable[[Tensor], Tensor] = lambda value: value,
    ) -> Float[Tensor, "S N C"]:
        """Two layers with a relu between, in one go.

        Copy by copy, so that the hidden channels of one, the largest table
        of a step, stay in the cache.

        Args:
            first, second: weight and bias of each copy.
            drop: dropout of the entries, a table (S, stored).
        """
        value = drop(self.value.to(first[0]).expand(len(first[0]), -1))
        return _Perceptron.apply(*first, *second, value, self)

    def times(
        self, W: Float[Tensor, "F H"], value: Float[Tensor, " E"]
    ) -> Float[Tensor, "N H"]:
        """X W, the stored entries being these."""
        return weighted_sums(W, self.column, self._row_start, value)

    def transposed_times(
        self, G: Float[Tensor, "N H"], value: Float[Tensor, " E"]
    ) -> Float[Tensor, "F H"]:
        """Xᵀ G, the stored entries being these."""
        # Not value[...], which takes five times as long.
        value = value.index_select(0, self._by_column)
        return weighted_sums(G, self._row_by_column, self._column_start, value)

    def __repr__(self) -> str:
        """Name the size and the number of entries."""
        N, F = self.shape
        return f"SparseFeatures({N} × {F}, {len(self.value)} stored)"


class _Linear(torch.autograd.Function):
    """X W for S feature matrices that store the same entries."""

    @staticmethod
    def forward(
        ctx: Any, W: Tensor, value: Tensor, x: SparseFeatures
    ) -> Tensor:
        ctx.save_for_backward(value)
        ctx.x = x
        pairs = zip(W, value, strict=True)
        return torch.stack([x.times(w, v) for w, v in pairs])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, None, None]:
        (value,) = ctx.saved_tensors
        pairs = zip(G.contiguous(), value, strict=True)
        dW = [ctx.x.transposed_times(g, v) for g, v in pairs]
        return torch.stack(dW), None, None


class _Perceptron(torch.autograd.Function):
    """relu(X W_1 + b_1) W_2 + b_2, copy by copy."""

    @staticmethod
    def forward(
        ctx: Any,
        W_1: Tensor,
        b_1: Tensor,
        W_2: Tensor,
        b_2: Tensor,
        value: Tensor,
        x: SparseFeatures,
    ) -> Tensor:
        hidden, Y = [], []
        for w_1, c_1, w_2, c_2, v in zip(
            W_1, b_1, W_2, b_2, value, strict=True
        ):
            H = x.times(w_1, v).add_(c_1).relu_()
            hidden.append(H)
            Y.append(product(H, w_2).add_(c_2))
        ctx.save_for_backward(W_2, value, *hidden)
        ctx.x = x
        return torch.stack(Y)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor | None, ...]:
        W_2, value, *hidden = ctx.saved_tensors
        rows = []
        for g, H, w_2, v in zip(G, hidden, W_2, value, strict=True):
            # A copy is aligned in memory as that of a model alone, so that
            # the same products round alike, in float32.
            g = g.clone(memory_format=torch.contiguous_format)
            dH = threshold_backward(product(g, w_2.T), H, 0)
            rows.append(
                (
                    ctx.x.transposed_times(dH, v),
                    dH.sum(0),
                    (g.T @ H).T,
                    g.sum(0),
                )
            )
        return *map(torch.stack, zip(*rows, strict=True)), None, None


def weighted_sums(
    rows: Float[Tensor, "R H"],
    which: Int[Tensor, " E"],
    start: Int[Tensor, " N"],
    value: Float[Tensor, " E"],
) -> Float[Tensor, "N H"]:
    """Sum value · row over each list of rows."""
    return torch.nn.functional.embedding_bag(
        which, rows, start, mode="sum", per_sample_weights=value
    )


def starts(index: Int[Tensor, " E"], size: int) -> Int[Tensor, " size"]:
    """Where the list of each row starts."""
    count = torch.bincount(index, minlength=size)
    return count.cumsum(0) - count


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
