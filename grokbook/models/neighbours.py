"""The neighbours of each node, and weighted sums over them."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import leaky_relu

from grokbook.features import starts, weighted_sums


class Neighbours:
    """The stored entries of a square matrix, row by row.

    Rows are taken by `index_select`, not by x[...], which takes five times
    as long.

    Args:
        matrix: sparse; who looks at whom.
        device: where the model lives.

    Attributes:
        row, column: node i looks at node j.
        value: the entries.
        count: how many each node looks at.

    Examples:
        >>> path = torch.tensor([[1.0, 1, 0], [1, 1, 1], [0, 1, 1]])
        >>> graph = Neighbours(path.to_sparse(), "cpu")
        >>> graph.count
        tensor([2, 3, 2])
        >>> x = torch.tensor([[[1.0], [2], [4]]])
        >>> graph.mix(x, graph.value[None]).flatten()
        tensor([3., 7., 6.])
    """

    def __init__(self, matrix: Tensor, device: torch.device | str) -> None:
        """List the entries of each row, and those of each column."""
        entries, N = matrix.coalesce(), len(matrix)
        row, column = entries.indices()
        self.row, self.column = row.to(device), column.to(device)
        self.value = entries.values().to(device)
        self.count = torch.bincount(row, minlength=N).to(device)
        self._start = starts(row, N).to(device)
        self._back_start = starts(column, N).to(device)
        back = torch.argsort(column, stable=True)
        self._back, self._back_row = back.to(device), row[back].to(device)

    def softmax(
        self, u: Float[Tensor, "N B"], v: Float[Tensor, "N B"]
    ) -> Float[Tensor, "E B"]:
        """exp LeakyReLU(u_i + v_j), divided by its sum over j."""
        if u.is_meta:
            return u.new_empty(len(self.row), u.shape[1])
        seen = v.index_select(0, self.column)
        most = torch.segment_reduce(seen.detach(), "max", lengths=self.count)
        top = leaky_relu(u.detach() + most, 0.2).index_select(0, self.row)
        e = u.index_select(0, self.row) + seen
        e = (leaky_relu(e, 0.2) - top).exp()
        total = torch.zeros_like(u).index_add(0, self.row, e)
        return e / total.index_select(0, self.row)

    def mix(
        self, X: Float[Tensor, "B N d"], weight: Float[Tensor, "B2 E"]
    ) -> Float[Tensor, "B N d"]:
        """Y_i = Σ_j w_ij X_j in each block, over the same entries.

        Args:
            X: the rows of each block.
            weight: of each entry; one row for each block or for all.
        """
        return _Mix.apply(X, weight.expand(len(X), -1), self)

    def sums(
        self, X: Float[Tensor, "B N d"], weight: Float[Tensor, "B E"]
    ) -> Float[Tensor, "B N d"]:
        """Sums along the rows of the matrix."""
        return _sums(X, weight, self.column, self._start)

    def sums_back(
        self, X: Float[Tensor, "B N d"], weight: Float[Tensor, "B E"]
    ) -> Float[Tensor, "B N d"]:
        """Sums along its columns."""
        weight = weight.index_select(1, self._back)
        return _sums(X, weight, self._back_row, self._back_start)


class _Mix(torch.autograd.Function):
    """Weighted sums along the rows; their gradients along the columns."""

    @staticmethod
    def forward(
        ctx: Any, X: Tensor, weight: Tensor, graph: Neighbours
    ) -> Tensor:
        ctx.save_for_backward(X, weight)
        ctx.graph = graph
        return graph.sums(X, weight)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, Tensor | None, None]:
        X, weight = ctx.saved_tensors
        graph = ctx.graph
        G = G.contiguous()
        dX = graph.sums_back(G, weight)
        if not ctx.needs_input_grad[1]:
            return dX, None, None
        dw = [
            (
                g.index_select(0, graph.row) * x.index_select(0, graph.column)
            ).sum(-1)
            for g, x in zip(G, X, strict=True)
        ]
        return dX, torch.stack(dw), None


def _sums(
    X: Float[Tensor, "B N d"],
    weight: Float[Tensor, "B E"],
    which: Int[Tensor, " E"],
    start: Int[Tensor, " N"],
) -> Float[Tensor, "B N d"]:
    """Weighted sums of rows, block by block."""
    if X.is_meta:
        return torch.empty_like(X)
    return torch.stack(
        [
            weighted_sums(x, which, start, w)
            for x, w in zip(X.contiguous(), weight.contiguous(), strict=True)
        ]
    )
