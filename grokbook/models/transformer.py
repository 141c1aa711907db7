"""A transformer on the features of the nodes; no graph."""

from typing import Any

from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention

from grokbook.attention import join_heads, split_heads
from grokbook.copies import LayerNorm, Linear
from grokbook.draws import Generators
from grokbook.features import SparseFeatures
from grokbook.models.baseline import Baseline, Scores
from grokbook.models.mlp import (
    Dropout,
    check_heads,
    check_sizes,
    from_features,
)


class Encoder(Baseline):
    """A linear map, layers that attend, and a linear map to scores.

    A subclass names the kind of its layers and sends the nodes through.
    """

    layer: type[nn.Module]  # called with width, heads, dropout, copies

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        num_layers: int = 1,
        heads: int = 1,
        dropout: float = 0.0,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        F, H, C = sizes = (in_channels, hidden_channels, out_channels)
        super().__init__(sizes, dropout, copies)
        check_sizes(num_layers, heads)
        self.enter = Linear(F, H, self.S)
        self.layers = nn.ModuleList(
            self.layer(H, heads, self.p, self.S) for _ in range(num_layers)
        )
        self.leave = Linear(H, C, self.S)
        self.reset_parameters(generator=generator)


class Transformer(Encoder):
    r"""The encoder of Vaswani et al. (2017), over all nodes at once.

    .. math::
       X^{(0)} &= X W + b \\
       X' &= \operatorname{MHA}(\operatorname{LN}(X)) + X, \qquad
       X \leftarrow \operatorname{FFN}(\operatorname{LN}(X')) + X' \\
       Y &= \operatorname{LN}(X)\, W' + b'

    It never sees an edge. Its cost grows with N².

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        num_layers: the depth.
        heads: of the attention; they divide H.
        dropout: on the features and on what each half of a layer adds.
        copies, generator: see `Baseline`.

    Examples:
        >>> import torch
        >>> Transformer(4, 8, 2)(torch.eye(3, 4), None).shape
        torch.Size([3, 2])
    """

    def __init__(self, *sizes: int, **options: Any) -> None:
        """Make the layers and draw their parameters."""
        self.layer = EncoderLayer
        super().__init__(*sizes, **options)
        self.norm = LayerNorm(sizes[1], self.S)
        self.norm.reset_parameters()

    def prepare(self, graph: Any) -> None:
        """No graph is looked at."""

    def score(
        self, x: Tensor | SparseFeatures, graph: None, drop: Dropout
    ) -> Scores:
        """Let every node look at every other, layer after layer."""
        X = from_features(self.enter, x, drop, self.p)
        for layer in self.layers:
            X = layer(X, drop)
        return self.leave(self.norm(X))


class EncoderLayer(nn.Module):
    """Attention, then a network on each node, each added to what goes in.

    Shapes:
        X (S, N, H) → the same
    """

    def __init__(self, width: int, heads: int, p: float, copies: int) -> None:
        """Make the parts; their owner draws the parameters."""
        super().__init__()
        self.p = p
        self.norm = LayerNorm(width, copies)
        self.attention = Attention(width, heads, copies)
        self.norm_2 = LayerNorm(width, copies)
        self.network = Network(width, copies)

    def forward(
        self, X: Float[Tensor, "S N H"], drop: Dropout
    ) -> Float[Tensor, "S N H"]:
        """Both halves."""
        X = X + drop(self.attention(self.norm(X)), self.p)
        return X + drop(self.network(self.norm_2(X)), self.p)


class Attention(nn.Module):
    """Softmax attention of several heads over all nodes of a graph."""

    def __init__(self, width: int, heads: int, copies: int) -> None:
        """Make the maps; their owner draws the parameters."""
        super().__init__()
        check_heads(width, heads)
        self.heads = heads
        self.maps = nn.ModuleList(
            Linear(width, width, copies) for _ in range(3)
        )
        self.join = Linear(width, width, copies)

    def forward(self, X: Float[Tensor, "S N H"]) -> Float[Tensor, "S N H"]:
        """Without ever holding all N² scores."""
        Q, K, V = (split_heads(map(X), self.heads) for map in self.maps)
        mixed = scaled_dot_product_attention(Q, K, V)  # (S, heads, N, d)
        return self.join(join_heads(mixed))


class Network(nn.Module):
    """Two layers on each node by itself."""

    def __init__(self, width: int, copies: int) -> None:
        """Make the layers; their owner draws the parameters."""
        super().__init__()
        self.first = Linear(width, width, copies)
        self.second = Linear(width, width, copies)

    def forward(self, X: Float[Tensor, "S N H"]) -> Float[Tensor, "S N H"]:
        """Map, bend, map."""
        return self.second(gelu(self.first(X)))
