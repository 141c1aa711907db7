"""GAT: each node weighs its neighbours by what they are."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import elu

from grokbook.copies import Linear
from grokbook.draws import Generators, draw_uniform
from grokbook.errors import SignalError
from grokbook.features import SparseFeatures
from grokbook.models.baseline import Baseline, Scores, glorot
from grokbook.models.mlp import (
    Dropout,
    check_heads,
    check_sizes,
    from_features,
)
from grokbook.models.neighbours import Neighbours


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
        >>> from grokbook.looped import looped_laplacian
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
        check_heads(hidden_channels, heads)
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

    def prepare(self, graph: Any) -> Neighbours:
        """The neighbours in a looped Laplacian."""
        if isinstance(graph, Neighbours):
            return graph
        return Neighbours(graph, self.bias.device)

    def score(
        self,
        x: Tensor | SparseFeatures,
        graph: Neighbours,
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
        graph: Neighbours,
        drop: Dropout,
    ) -> Float[Tensor, "S N D"]:
        """Mix neighbours, each head with its own weights."""
        S, _, heads, each = ask.shape
        parts = X.unflatten(-1, (heads, each))  # (S, N, H, d)
        u, v = torch.einsum("snhd,sphd->pnsh", parts, ask).flatten(2)
        weight = graph.softmax(u, v)  # (E, S·H)
        weight = drop(weight.T.unflatten(0, (S, heads)), self.p).flatten(0, 1)
        blocks = parts.movedim(2, 1).flatten(0, 1)  # (S·H, N, d)
        Y = graph.mix(blocks, weight).unflatten(0, (S, heads))
        return Y.movedim(1, 2).flatten(2)
