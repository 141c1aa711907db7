"""The neighbours of each node, and weighted sums over them."""

from typing import Any
from warnings import catch_warnings, simplefilter

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import embedding_bag, leaky_relu, pad

from grokbook.features import starts, weighted_sums

SLOPE = 0.2  # of LeakyReLU, below 0


class Neighbours:
    """The stored entries of a square matrix, row by row.

    Rows are taken by `index_select`, not by x[...], which takes five times
    as long, and from contiguous tables: from others it takes eight times.

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
        self._all = torch.arange(len(row), device=device)
        self._patterns: dict[torch.dtype, Tensor] = {}

    def softmax(
        self, u: Float[Tensor, "N B"], v: Float[Tensor, "N B"]
    ) -> Float[Tensor, "E B"]:
        """exp LeakyReLU(u_i + v_j), divided by its sum over j."""
        if u.is_meta:
            return (u.sum() + v.sum()).expand(len(self.row), u.shape[1])
        return _Softmax.apply(u.contiguous(), v.contiguous(), self)

    def row_sums(self, e: Float[Tensor, "E B"]) -> Float[Tensor, "N B"]:
        """Sum over the entries of each row."""
        return embedding_bag(self._all, e, self._start, mode="sum")

    def column_sums(self, e: Float[Tensor, "E B"]) -> Float[Tensor, "N B"]:
        """Sum over the entries of each column."""
        return embedding_bag(self._back, e, self._back_start, mode="sum")

    def products(
        self, G: Float[Tensor, "B N d"], X: Float[Tensor, "B N d"]
    ) -> Float[Tensor, "B E"]:
        """The inner product of row i of G with row j of X, for each entry.

        In widths that are multiples of eight, where the sampled product is
        eight times as fast as two tables of rows, and else slower.
        """
        if X.is_meta:
            return X.new_empty(len(X), len(self.row))
        extra, at = (0, -X.shape[-1] % 8), self._pattern(X.dtype)
        return torch.stack(
            [
                torch.sparse.sampled_addmm(at, g, x.mT, beta=0).values()
                for g, x in zip(pad(G, extra), pad(X, extra), strict=True)
            ]
        )

    def _pattern(self, dtype: torch.dtype) -> Tensor:
        """The places of the entries, for `products`; kept for the next."""
        if dtype not in self._patterns:
            end = self._start.new_tensor([len(self.row)])
            with catch_warnings():
                simplefilter("ignore")  # "CSR is in beta state", once
                self._patterns[dtype] = torch.sparse_csr_tensor(
                    torch.cat([self._start, end]),
                    self.column,
                    torch.zeros_like(self.value, dtype=dtype),
                    size=(len(self.count), len(self.count)),
                    check_invariants=False,
                )
        return self._patterns[dtype]

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
        X = X.contiguous()
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
        return dX, graph.products(G, X), None


class _Softmax(torch.autograd.Function):
    r"""w_ij ∝ exp e_ij over each row, with e_ij = LeakyReLU(u_i + v_j).

    .. math:: \partial e_{ij} = w_{ij} \bigl(\partial w_{ij} -
       \textstyle\sum_j w_{ij}\, \partial w_{ij}\bigr)
    """

    @staticmethod
    def forward(ctx: Any, u: Tensor, v: Tensor, graph: Neighbours) -> Tensor:
        e = u.index_select(0, graph.row).add_(v.index_select(0, graph.column))
        ctx.rising = e > 0
        most = embedding_bag(graph.column, v, graph._start, mode="max")
        top = leaky_relu(u + most, SLOPE).index_select(0, graph.row)
        w = leaky_relu(e, SLOPE, inplace=True).sub_(top).exp_()
        w.div_(graph.row_sums(w).index_select(0, graph.row))
        ctx.save_for_backward(w)
        ctx.graph = graph
        return w

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, Tensor, None]:
        (w,), graph = ctx.saved_tensors, ctx.graph
        de = w * G
        de -= w * graph.row_sums(de).index_select(0, graph.row)
        de = torch.where(ctx.rising, de, SLOPE * de)
        return graph.row_sums(de), graph.column_sums(de), None


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
