"""A two-layer network: how GrokFormer begins, and the graph-blind baseline."""

from collections.abc import Callable
from functools import partial
from typing import Any

from jaxtyping import Float
from torch import Tensor, nn

from grokbook.copies import Copied, Linear
from grokbook.draws import Generators, dropout
from grokbook.errors import LayerError, SignalError
from grokbook.features import SparseFeatures

Dropout = Callable[[Tensor, float], Tensor]


class Embedding(nn.Module):
    r"""The two-layer network :math:`f_\theta` of the paper.

    .. math:: f_\theta(X) = \operatorname{relu}(X W_1 + b_1)\, W_2 + b_2

    Args:
        in_channels, hidden_channels, out_channels: the widths.
        p: dropout on the features and on what comes out.
        copies: S.

    Shapes:
        x (..., N, F), dense or `SparseFeatures` → (S, ..., N, c)
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        p: float,
        copies: int,
    ) -> None:
        """Make the two layers; their owner draws the parameters."""
        super().__init__()
        self.p = share(p)
        self.first = Linear(in_channels, hidden_channels, copies)
        self.second = Linear(hidden_channels, out_channels, copies)

    def forward(
        self, x: Tensor | SparseFeatures, drop: Dropout
    ) -> Float[Tensor, "S *B N c"]:
        """Embed each node; dropout is a function of a table and a rate."""
        if isinstance(x, SparseFeatures):
            check_columns(self.first, x)
            first, second = (
                (layer.weight, layer.bias)
                for layer in (self.first, self.second)
            )
            Y = x.perceptron(first, second, lambda v: drop(v, self.p))
        else:
            Y = from_features(self.first, x, drop, self.p)
            Y = self.second(Y.relu())
        return drop(Y, self.p)


def from_features(
    layer: Linear, x: Tensor | SparseFeatures, drop: Dropout, p: float
) -> Float[Tensor, "S *B N c"]:
    """A model's first layer, with dropout on the features.

    All copies are given the same features, dense or sparse.
    """
    check_columns(layer, x)
    if isinstance(x, SparseFeatures):
        return x.linear(layer.weight, layer.bias, lambda v: drop(v, p))
    x = x.to(layer.weight.dtype).expand(len(layer.weight), *x.shape)
    return layer(drop(x, p))


def check_columns(layer: Linear, x: Tensor | SparseFeatures) -> None:
    """Refuse features that a first layer was not made for."""
    channels = layer.weight.shape[1]
    if x.shape[-1] != channels:
        raise SignalError(
            f"The features have {x.shape[-1]} columns; this model was "
            f"made for in_channels={channels}."
        )


class MLP(Copied):
    """A two-layer network on the features of each node; no graph.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        dropout: on the features.
        copies: S models with their own parameters, trained together.
        generator: the source of randomness; with copies, one for each.

    Shapes:
        x (N, F), dense or `SparseFeatures` → (N, C), with copies (S, N, C)

    Examples:
        >>> import torch
        >>> MLP(4, 16, 2)(torch.eye(3, 4)).shape
        torch.Size([3, 2])
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        dropout: float = 0.0,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        super().__init__()
        sizes = (in_channels, hidden_channels, out_channels)
        self.copies, S = copies, 1 if copies is None else copies
        check_sizes(*sizes, S)
        self.embed = Embedding(*sizes, dropout, S)
        self.reset_parameters(generator=generator)

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw all parameters anew, each copy's from its own generator."""
        self.embed.first.reset_parameters(generator)
        self.embed.second.reset_parameters(generator)

    def prepare(self, graph: Any) -> None:
        """No graph is looked at."""

    def forward(
        self,
        x: Tensor | SparseFeatures,
        graph: Any = None,
        *,
        generator: Generators = None,
    ) -> Float[Tensor, "*S N C"]:
        """Score the nodes."""
        Y = self.embed(x, dropping(self.training, generator))
        return Y if self.copies else Y[0]


def dropping(training: bool, generator: Generators) -> Dropout:
    """Dropout while training; otherwise everything stays."""
    if training:
        return partial(dropout, generator=generator)
    return lambda X, p: X


def share(p: float) -> float:
    """A dropout rate: a share of what there is, not all of it."""
    if not 0 <= p < 1:
        raise LayerError(
            f"A dropout rate of {p} is not possible. Choose one from 0 up "
            "to, but not including, 1."
        )
    return float(p)


def check_sizes(*sizes: int) -> None:
    """Refuse channels, layers, heads or copies of which there are none."""
    if min(sizes) < 1:
        raise LayerError(
            "Channels, num_layers, heads and copies are whole numbers, 1 or "
            f"more; among those given is {min(sizes)}."
        )


def check_heads(channels: int, heads: int) -> None:
    """Refuse heads that cannot share the channels out among them."""
    if channels % heads:
        raise LayerError(
            f"{channels} channels cannot be split among {heads} heads. "
            "Choose hidden_channels that the heads divide."
        )
