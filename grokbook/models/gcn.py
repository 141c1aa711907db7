"""GCN: mix with the neighbours, then map, layer after layer."""

from itertools import pairwise

import torch
from torch import Tensor, nn

from grokbook.copies import Linear
from grokbook.draws import Generators
from grokbook.features import SparseFeatures
from grokbook.models.baseline import Baseline, Scores, glorot
from grokbook.models.mlp import Dropout, check_sizes, from_features
from grokbook.operators import Operator


class GCN(Baseline):
    r"""The graph convolutional network of Kipf and Welling (2017).

    .. math:: X^{(l)} = \operatorname{relu}\bigl((I - \tilde L)\,
       X^{(l-1)} W_l + b_l\bigr)

    with :math:`\tilde L` of `looped_laplacian` and no relu at the end: the
    response 1 − λ, the same in each layer, whatever the data say.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        num_layers: 1 or more.
        dropout: on the features and between layers.
        copies, generator: see `Baseline`.

    Examples:
        >>> from grokbook.looped import looped_laplacian
        >>> path = looped_laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> GCN(4, 8, 2)(torch.eye(3, 4), path).shape
        torch.Size([3, 2])
    """

    loops = True

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        num_layers: int = 2,
        dropout: float = 0.0,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        super().__init__(
            (in_channels, hidden_channels, out_channels), dropout, copies
        )
        check_sizes(num_layers)
        hidden = [hidden_channels] * (num_layers - 1)
        self.layers = convolutions(
            [in_channels, *hidden, out_channels], self.S
        )
        self.biases = biases([*hidden, out_channels], self.S)
        self.reset_parameters(generator=generator)

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw the weights as Glorot and Bengio do; biases start at 0."""
        for layer, bias in zip(self.layers, self.biases, strict=True):
            glorot(layer, generator)
            nn.init.zeros_(bias)

    def score(
        self, x: Tensor | SparseFeatures, graph: Operator, drop: Dropout
    ) -> Scores:
        """Map, then mix: the two commute, and mapping first is cheaper."""
        X = from_features(self.layers[0], x, drop, self.p)
        for layer, bias in zip(self.layers[1:], self.biases, strict=False):
            X = (graph.mixed(X) + bias[:, None]).relu()
            X = layer(drop(X, self.p))
        return graph.mixed(X) + self.biases[-1][:, None]


def convolutions(widths: list[int], copies: int) -> nn.ModuleList:
    """Linear maps from each width to the next, without bias."""
    return nn.ModuleList(
        Linear(a, b, copies, bias=False) for a, b in pairwise(widths)
    )


def biases(widths: list[int], copies: int) -> nn.ParameterList:
    """What is added after the nodes have mixed."""
    return nn.ParameterList(
        nn.Parameter(torch.zeros(copies, width)) for width in widths
    )
