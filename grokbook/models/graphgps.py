"""GraphGPS: a graph convolution and attention in every layer."""

from typing import Any

from jaxtyping import Float
from torch import Tensor, nn

from grokbook.copies import LayerNorm, Linear
from grokbook.features import SparseFeatures
from grokbook.models.baseline import Scores
from grokbook.models.mlp import Dropout, from_features
from grokbook.models.transformer import Attention, Encoder, Network
from grokbook.operators import Operator


class GraphGPS(Encoder):
    r"""The recipe of Rampášek et al. (2022), with GCN inside.

    .. math::
       X_M &= \operatorname{LN}\bigl(X + (I - \tilde L) X W\bigr), \qquad
       X_A = \operatorname{LN}\bigl(X + \operatorname{MHA}(X)\bigr) \\
       X &\leftarrow \operatorname{LN}\bigl(X_M + X_A +
          \operatorname{FFN}(X_M + X_A)\bigr)

    Layers are normalised where the authors' code normalises batches, and
    there is no positional encoding, of which the recipe leaves the choice.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        num_layers: the depth.
        heads: of the attention; they divide H.
        dropout: on the features and on what each part of a layer adds.
        copies, generator: see `Baseline`.

    Examples:
        >>> import torch
        >>> from grokbook.looped import looped_laplacian
        >>> path = looped_laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> GraphGPS(4, 8, 2)(torch.eye(3, 4), path).shape
        torch.Size([3, 2])
    """

    loops = True

    def __init__(self, *sizes: int, **options: Any) -> None:
        """Make the layers and draw their parameters."""
        self.layer = GPSLayer
        super().__init__(*sizes, **options)

    def score(
        self, x: Tensor | SparseFeatures, graph: Operator, drop: Dropout
    ) -> Scores:
        """Embed, then layer after layer."""
        X = from_features(self.enter, x, drop, self.p)
        for layer in self.layers:
            X = layer(X, graph, drop)
        return self.leave(X)


class GPSLayer(nn.Module):
    """Neighbours and all nodes side by side, then a network.

    Shapes:
        X (S, N, H) → the same
    """

    def __init__(self, width: int, heads: int, p: float, copies: int) -> None:
        """Make the parts; their owner draws the parameters."""
        super().__init__()
        self.p = p
        self.convolve = Linear(width, width, copies)
        self.attention = Attention(width, heads, copies)
        self.network = Network(width, copies)
        self.norms = nn.ModuleList(LayerNorm(width, copies) for _ in range(3))

    def forward(
        self, X: Float[Tensor, "S N H"], graph: Operator, drop: Dropout
    ) -> Float[Tensor, "S N H"]:
        """Add the two views, then bend."""
        local, wide, last = self.norms
        near = graph.mixed(self.convolve(X)).relu()
        X_M = local(X + drop(near, self.p))
        X_A = wide(X + drop(self.attention(X), self.p))
        X = X_M + X_A
        return last(X + drop(self.network(X), self.p))
