"""JacobiConv: a linear map, then a Jacobi polynomial for each class."""

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


class JacobiConv(Baseline):
    r"""The network of Wang and Zhang (2022), without a nonlinearity.

    .. math:: Y_{:c} = \sum_{k=0}^{K} \theta_{kc} \Bigl(\prod_{i=1}^{k}
       \alpha \tanh \eta_i\Bigr) P_k^{(\beta, \gamma)}(I - L)\,
       (X W + b)_{:c}

    Args:
        in_channels, out_channels: F and C; hidden_channels is not used.
        K: the degree.
        alpha: the largest factor from one degree to the next.
        beta, gamma: of the Jacobi polynomials, above −1.
        dropout, filter_dropout: on the features; on what is filtered.
        filter_lr, filter_weight_decay: of θ; by default those of all.
        factor_lr, factor_weight_decay: of η; by default those of all.
        copies, generator: see `Baseline`.

    Examples:
        >>> from grokbook import laplacian
        >>> path = laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> JacobiConv(4, 1, 2)(torch.eye(3, 4), path).shape
        torch.Size([3, 2])
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        K: int = 10,
        alpha: float = 1.0,
        beta: float = 1.0,
        gamma: float = 1.0,
        dropout: float = 0.0,
        filter_dropout: float = 0.0,
        filter_lr: float | None = None,
        filter_weight_decay: float | None = None,
        factor_lr: float | None = None,
        factor_weight_decay: float | None = None,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layer and draw its parameters."""
        sizes = (in_channels, hidden_channels, out_channels)
        super().__init__(sizes, dropout, copies)
        self.degree = check_size("K", K, 1)
        self.alpha, self.jacobi = alpha, {"beta": beta, "gamma": gamma}
        self.filter_p = share(filter_dropout)
        self.rates = {
            "theta": (filter_lr, filter_weight_decay),
            "eta": (factor_lr, factor_weight_decay),
        }
        self.first = Linear(in_channels, out_channels, self.S)
        self.theta = nn.Parameter(torch.empty(self.S, K + 1, out_channels))
        self.eta = nn.Parameter(torch.empty(self.S, K))
        self.reset_parameters(generator=generator)

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw the map anew; θ starts at 1 and η at 1/α, at most 1."""
        super().reset_parameters(generator=generator)
        nn.init.ones_(self.theta)
        nn.init.constant_(self.eta, min(1 / self.alpha, 1.0))

    def groups(self) -> list[dict[str, Any]]:
        """Map, coefficients and factors, each with rates of its own."""
        groups: list[dict[str, Any]] = [
            {"params": list(self.first.parameters())}
        ]
        for name, rates in self.rates.items():
            own = dict(zip(("lr", "weight_decay"), rates, strict=True))
            own = {key: rate for key, rate in own.items() if rate is not None}
            groups.append({"params": [getattr(self, name)], **own})
        return groups

    def score(
        self, x: Tensor | SparseFeatures, graph: Operator, drop: Dropout
    ) -> Scores:
        """Map to classes, then filter each class by its own response."""
        X = drop(from_features(self.first, x, drop, self.p), self.filter_p)
        rows = X.mT.flatten(0, 1)[..., None]  # (S·C, N, 1)
        h = self.responses(graph.points).flatten(1)  # (n, S·C)
        return graph(h, rows)[..., 0].unflatten(0, (len(X), -1)).mT

    def responses(self, lam: Float[Tensor, " n"]) -> Float[Tensor, "n S C"]:
        """The learned filter of each copy and class, in float64."""
        factor = (self.alpha * self.eta.double().tanh()).cumprod(1)
        factor = torch.cat([torch.ones_like(factor[:, :1]), factor], dim=1)
        P = design("jacobi", self.degree, lam, **self.jacobi)
        theta = factor[..., None] * self.theta.double()  # (S, K + 1, C)
        return torch.einsum("nk,skc->nsc", P, theta)
