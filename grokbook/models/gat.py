"""GAT: each node weighs its neighbours by what they are."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn.functional import elu, leaky_relu

from grokbook.copies import Generators, Linear, draw_uniform
from grokbook.errors import LayerError, SignalError
from grokbook.features import SparseFeatures, weighted_sums
from grokbook.models.baseline import Baseline, Scores, glorot
from grokbook.models.mlp import Dropout, check_sizes, from_features


class GAT(Baseline):
    r"""The graph attention network of Veličković et al. (2018).

    .. math::
       w_{ij} &\propto \exp \operatorname{LeakyReLU}\bigl(
          u^\top W^\top X_i + v^\top W^\top X_j\bigr),
          \qquad j \in \mathcal N_i \cup \{i\} \\
       X_i &\leftarrow \operatorname{elu}\Bigl(\sum_j w_{ij} W^\top X_j
          + b\Bigr)

    Two layers: the first has several heads side by side, the second one
    head and no elu.

    Args:
        in_channels, hidden_channels, out_channels: F, the channels of all
            heads of the first layer, and C.
        heads: of the first layer.
        dropout: on the features, between layers and on the weights w.
        copies, generator: see `Baseline`.

    Examples:
        >>> from grokbook.laplacian import looped_laplacian
        >>> path = looped_laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> GAT(4, 8, 2, heads=2)(torch.eye(3, 4), path).shape
        torch.Size([3, 2])
    """

    loops = True

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        heads: int = 8,
        dropout: float = 0.0,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        sizes = (in_channels, hidden_channels, out_channels)
        super().__init__(sizes, dropout, copies)
        check_sizes(heads)
        if hidden_channels % heads:
            raise LayerError(
                f"{hidden_channels} channels cannot be split among {heads} "
                "heads. Choose hidden_channels that the heads divide."
            )
        each = hidden_channels // heads
        self.first = Linear(in_channels, heads * each, self.S, bias=False)
        self.second = Linear(heads * each, out_channels, self.S, bias=False)
        # u and v of each head
        self.ask = nn.Parameter(torch.empty(self.S, 2, heads, each))
        self.ask_2 = nn.Parameter(torch.empty(self.S, 2, 1, out_channels))
        self.bias = nn.Parameter(torch.empty(self.S, heads * each))
        self.bias_2 = nn.Parameter(torch.empty(self.S, out_channels))
        self.reset_parameters(generator=generator)

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw the weights as Glorot and Bengio do; biases start at 0."""
        for layer, ask in ((self.first, self.ask), (self.second, self.ask_2)):
            glorot(layer, generator)
            _, _, heads, each = ask.shape
            draw_uniform(ask, (6 / (heads + each)) ** 0.5, generator)
        nn.init.zeros_(self.bias)
        nn.init.zeros_(self.bias_2)

    def prepare(self, graph: Any) -> "Neighbours":
        """The neighbours in a looped Laplacian."""
        if isinstance(graph, Neighbours):
            return graph
        return Neighbours(graph, self.bias.device)

    def score(
        self,
        x: Tensor | SparseFeatures,
        graph: "Neighbours",
        drop: Dropout,
    ) -> Scores:
        """Two layers of attention."""
        X = from_features(self.first, x, drop, self.p)
        if X.shape[1] != len(graph.count):
            raise SignalError(
                f"There are features of {X.shape[1]} nodes; this graph has "
                f"{len(graph.count)}."
            )
        X = self._attend(X, self.ask, graph, drop) + self.bias[:, None]
        X = self.second(drop(elu(X), self.p))
        X = self._attend(X, self.ask_2, graph, drop)
        return X + self.bias_2[:, None]

    def _attend(
        self,
        X: Float[Tensor, "S N D"],
        ask: Float[Tensor, "S 2 H d"],
        graph: "Neighbours",
        drop: Dropout,
    ) -> Float[Tensor, "S N D"]:
        """Mix neighbours, each head with its own weights."""
        S, _, heads, each = ask.shape
        parts = X.unflatten(-1, (heads, each))  # (S, N, H, d)
        u, v = torch.einsum("snhd,sphd->pnsh", parts, ask).flatten(2)
        weight = graph.softmax(u, v)  # (E, S·H)
        weight = drop(weight.T.unflatten(0, (S, heads)), self.p).flatten(0, 1)
        blocks = parts.movedim(2, 1).flatten(0, 1)  # (S·H, N, d)
        Y = _Mix.apply(blocks, weight, graph).unflatten(0, (S, heads))
        return Y.movedim(1, 2).flatten(2)


class Neighbours:
    """The edges of a graph, sorted by the node that looks.

    Args:
        L: a Laplacian, sparse; its stored entries are the edges.
        device: where the model lives.
    """

    def __init__(self, L: Tensor, device: torch.device | str) -> None:
        """List the edges of each node, and those that end at it."""
        row, column = L.coalesce().indices()
        degree = torch.bincount(row, minlength=len(L))
        self.row, self.column = row.to(device), column.to(device)
        self.count = degree.to(device)
        # The graph is undirected: edges sorted by their other end have the
        # same starts.
        self.start = (degree.cumsum(0) - degree).to(device)
        self.back = torch.argsort(column, stable=True).to(device)

    def softmax(
        self, u: Float[Tensor, "N B"], v: Float[Tensor, "N B"]
    ) -> Float[Tensor, "E B"]:
        """exp LeakyReLU(u_i + v_j), divided by its sum over j."""
        if u.is_meta:
            return u.new_empty(len(self.row), u.shape[1])
        most = torch.segment_reduce(
            v.detach()[self.column], "max", lengths=self.count
        )
        u_row = u[self.row]
        top = leaky_relu(u.detach() + most, 0.2)[self.row]
        e = (leaky_relu(u_row + v[self.column], 0.2) - top).exp()
        total = torch.zeros_like(u).index_add(0, self.row, e)
        return e / total[self.row]


class _Mix(torch.autograd.Function):
    """Y_i = Σ_j w_ij X_j, block by block, each over the same edges."""

    @staticmethod
    def forward(
        ctx: Any,
        X: Float[Tensor, "B N d"],
        weight: Float[Tensor, "B E"],
        graph: Neighbours,
    ) -> Tensor:
        ctx.save_for_backward(X, weight)
        ctx.graph = graph
        return _sums(X, weight, graph.column, graph.start)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, Tensor, None]:
        X, weight = ctx.saved_tensors
        graph = ctx.graph
        G = G.contiguous()
        back = graph.back
        dX = _sums(G, weight[:, back], graph.row[back], graph.start)
        dw = torch.stack(
            [
                (g[graph.row] * x[graph.column]).sum(-1)
                for g, x in zip(G, X, strict=True)
            ]
        )
        return dX, dw, None


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
