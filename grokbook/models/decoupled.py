"""A network on each node's features, then one polynomial filter."""

from abc import abstractmethod
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.copies import Linear
from grokbook.draws import Generators
from grokbook.features import SparseFeatures
from grokbook.filters.filter import check_size
from grokbook.models.baseline import Baseline, Scores, design
from grokbook.models.mlp import Dropout, from_features, share
from grokbook.operators import Operator


class Decoupled(Baseline):
    r"""Features first, then the graph.

    .. math:: Y = h(L)\, f_\theta(X), \qquad
       h(\lambda) = \sum_{k=0}^{K} \theta_k\, p_k(\lambda)

    A subclass names the basis p and says how θ starts.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        K: the degree.
        dropout: on the features and the hidden channels.
        filter_dropout: on what goes into the filter.
        filter_lr: the rate of θ; by default that of all.
        copies, generator: see `Baseline`.
    """

    basis: str

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        K: int = 10,
        dropout: float = 0.0,
        filter_dropout: float = 0.0,
        filter_lr: float | None = None,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        F, H, C = sizes = (in_channels, hidden_channels, out_channels)
        super().__init__(sizes, dropout, copies)
        self.degree = check_size("K", K, 1)
        self.filter_p, self.filter_lr = share(filter_dropout), filter_lr
        self.first, self.second = Linear(F, H, self.S), Linear(H, C, self.S)
        self.theta = nn.Parameter(torch.empty(self.S, K + 1))
        self.reset_parameters(generator=generator)

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw the layers' parameters anew; θ starts where it starts."""
        super().reset_parameters(generator=generator)
        self.theta.data.copy_(self.start())

    @abstractmethod
    def start(self) -> Float[Tensor, " P"]:
        """The coefficients at the start, the same for all copies."""

    def weights(self) -> Float[Tensor, "S P"]:
        """What the polynomials are multiplied with, by θ."""
        return self.theta

    def coefficients(self) -> Float[Tensor, "P *S"]:
        """What is behind `response`; with copies, a column for each."""
        return self.weights().T if self.copies else self.weights()[0]

    def groups(self) -> list[dict[str, Any]]:
        """θ does not decay, and may have a rate of its own."""
        layers = [*self.first.parameters(), *self.second.parameters()]
        own = {} if self.filter_lr is None else {"lr": self.filter_lr}
        theta = {"params": [self.theta], "weight_decay": 0.0}
        return [{"params": layers}, theta | own]

    def score(
        self, x: Tensor | SparseFeatures, graph: Operator, drop: Dropout
    ) -> Scores:
        """Score by features, then filter the scores."""
        X = from_features(self.first, x, drop, self.p).relu()
        X = drop(self.second(drop(X, self.p)), self.filter_p)
        return graph(self._responses(graph.points), X)

    def response(self, lam: Float[Tensor, " n"]) -> Float[Tensor, "n *S"]:
        """The learned filter; with copies, a column for each."""
        h = self._responses(lam)
        return h if self.copies else h[:, 0]

    def _responses(self, lam: Tensor) -> Float[Tensor, "n S"]:
        """In float64, so that copies do not depend on their number."""
        P = design(self.basis, self.degree, lam)
        return P @ self.weights().double().T
