"""What the models by others have in common."""

from abc import ABC, abstractmethod
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.copies import Copied, LayerNorm, Linear
from grokbook.draws import Generators, draw_uniform
from grokbook.features import SparseFeatures
from grokbook.filters.bases import BASES
from grokbook.models.mlp import Dropout, check_sizes, dropping, share
from grokbook.operators import EigenOperator, Operator, SeriesOperator
from grokbook.spectrum import Spectrum

Scores = Float[Tensor, "S N C"]


class Baseline(Copied, ABC):
    """A model by others: a subclass makes its layers and scores the nodes.

    Each is written from the equations of its paper, and takes copies, so
    that ten splits train in one pass.

    Attributes:
        loops: whether each node is its own neighbour. The model then takes
            `looped_laplacian(...)` as its graph, else `laplacian(...)`.
        degree: of its polynomials in the Laplacian.

    Args:
        sizes: the numbers of features, hidden channels and classes.
        dropout: on the features and between layers.
        copies: S models with their own parameters, trained together.

    Shapes:
        x (N, F), dense or `SparseFeatures` → (N, C), with copies (S, N, C)
    """

    loops = False
    degree = 1

    def __init__(
        self, sizes: tuple[int, int, int], dropout: float, copies: int | None
    ) -> None:
        """Check and keep the sizes."""
        super().__init__()
        self.copies = copies
        check_sizes(*sizes, self.S)
        self.sizes, self.p = sizes, share(dropout)

    @property
    def S(self) -> int:
        """The length of the leading axis of each parameter."""
        return 1 if self.copies is None else self.copies

    def prepare(self, graph: Any) -> Operator:
        """A Laplacian or its spectrum, made ready for this model."""
        if isinstance(graph, Operator):
            return graph
        weight = next(self.parameters())
        if isinstance(graph, Spectrum):
            return EigenOperator(graph, weight.device, weight.dtype)
        return SeriesOperator(graph, self.degree, weight.device)

    def forward(
        self,
        x: Tensor | SparseFeatures,
        graph: Any,
        *,
        generator: Generators = None,
    ) -> Float[Tensor, "*S N C"]:
        """Score the nodes.

        Args:
            x: the features.
            graph: what `prepare` takes or gives.
            generator: the source of dropout, while training; with copies,
                one for each.
        """
        drop = dropping(self.training, generator)
        Y = self.score(x, self.prepare(graph), drop)
        return Y if self.copies else Y[0]

    @abstractmethod
    def score(
        self, x: Tensor | SparseFeatures, graph: Operator, drop: Dropout
    ) -> Scores:
        """The scores of all copies."""

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw all parameters anew, as PyTorch draws those of its layers."""
        for module in self.modules():
            if isinstance(module, Linear | LayerNorm):
                module.reset_parameters(generator)


def glorot(
    layer: Linear, generator: Generators = None, *, parts: int = 1
) -> None:
    r"""Draw weights as Glorot and Bengio do; a bias starts at 0.

    .. math:: W_{ij} \sim \mathcal U(-b, b), \qquad
       b = \sqrt{6 / (c_\text{in} + c_\text{out})}

    Args:
        layer: whose weights; nothing else in it is drawn.
        generator: one for each copy.
        parts: how many matrices stand side by side in the weights.
    """
    _, rows, columns = layer.weight.shape
    bound = (6 / (rows + columns // parts)) ** 0.5
    draw_uniform(layer.weight, bound, generator)
    if layer.bias is not None:
        layer.bias.data.zero_()


def design(
    basis: str, K: int, lam: Float[Tensor, " n"], **options: float
) -> Float[Tensor, "n P"]:
    """The polynomials of a basis at eigenvalues, a column for each."""
    terms = BASES[basis](lambda v: lam * v, torch.ones_like(lam), K, **options)
    return torch.stack(list(terms), dim=1)


def filtered(
    graph: Operator, response: Float[Tensor, " n"], X: Scores
) -> Scores:
    """Filter the signals of all copies by one response."""
    return graph(response[:, None].expand(-1, len(X)), X)
