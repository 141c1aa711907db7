"""A transformer on the nodes of a graph, which has no filter."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.models.grokformer import GrokFormer
from grokbook.operators import Operator


class GraphTransformer(GrokFormer):
    r"""GrokFormer's layers without their filter: edges are not seen.

    .. math:: X' = \operatorname{MHA}(\operatorname{LN}(X)) + X, \qquad
       \operatorname{FFN}(\operatorname{LN}(X')) + X'

    Vaswani et al. (2017), with the normalisation before each part. Args
    and Shapes are those of `GrokFormer`, but for K and M.

    Examples:
        >>> from grokbook import laplacian, spectrum
        >>> S = spectrum(laplacian([[0, 1, 1, 2], [1, 0, 2, 1]]))
        >>> GraphTransformer(4, 16, 2)(torch.eye(3, 4), S).shape
        torch.Size([3, 2])
    """

    def __init__(self, *sizes: int, **options: Any) -> None:
        """Make the layers; of their filters the smallest there is."""
        given = {"attention": "softmax"} | options
        super().__init__(*sizes, K=1, M=1, **given)
        for layer in self.layers:
            layer.filter.requires_grad_(False)

    def prepare(self, graph: Any) -> Operator:
        """A graph of which only the number of nodes is known."""
        found = super().prepare(graph)
        return found if isinstance(found, NoFilter) else NoFilter(found)


class NoFilter(Operator):
    """What every response makes of a signal here: nothing.

    Shapes:
        points (1,), X (S, ..., N, C) → zeros of that shape
    """

    def __init__(self, graph: Operator) -> None:
        """Keep which nodes are real."""
        self.mask = graph.mask
        self.points = graph.points[:1]

    def __call__(
        self, responses: Float[Tensor, "n S"], X: Float[Tensor, "S *B N C"]
    ) -> Float[Tensor, "S *B N C"]:
        """Nothing, in the shape of the signals."""
        return torch.zeros_like(X)
