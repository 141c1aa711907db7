"""GrokFormer as its equations are written: the benchmark's slower side.

Dense features, the harmonics computed anew at every step, the eigenvectors
multiplied in the order of Eq. 8, one split at a time. It computes the same
function as `GrokFormer(reading="released")`, which a test holds it to.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu, relu

from grokbook.models import GrokFormer


class LiteralGrokFormer(nn.Module):
    r"""One layer of Eq. 10 at the width of the classes.

    .. math:: X' = Q (K^\top V) W + X + U \operatorname{diag}(h(\lambda))
       U^\top X, \qquad \operatorname{FFN}(\operatorname{LN}(X')) + X'

    Args:
        model: a released GrokFormer of one layer; its first copy's
            parameters and rates are taken over.

    Shapes:
        x (N, F), lam (N,), U (N, N) → (N, C)
    """

    def __init__(self, model: GrokFormer) -> None:
        """Take the parameters over."""
        super().__init__()
        layer = model.layers[0]
        self.embed_1 = _linear(model.embed.first)
        self.embed_2 = _linear(model.embed.second)
        self.query, self.key = _linear(layer.query), _linear(layer.key)
        self.value, self.join = _linear(layer.value), _linear(layer.join)
        self.first, self.second = _linear(layer.first), _linear(layer.second)
        self.norm_1 = nn.LayerNorm(model.sizes[2])
        self.norm_2 = nn.LayerNorm(model.sizes[2])
        self.alpha = nn.Parameter(layer.filter.alpha[0].detach().clone())
        self.a = nn.Parameter(layer.filter.a[0].detach().clone())
        self.b = nn.Parameter(layer.filter.b[0].detach().clone())
        self.rates = (model.embed.p, layer.p, layer.filter_p)

    def forward(
        self,
        x: Float[Tensor, "N F"],
        lam: Float[Tensor, " N"],
        U: Float[Tensor, "N N"],
    ) -> Float[Tensor, "N C"]:
        """Score the nodes."""
        of_features, p, of_filter = self.rates
        on = self.training
        X = self.embed_1(dropout(x, of_features, on))
        X = dropout(self.embed_2(relu(X)), of_features, on)
        Z = self.norm_1(X)
        KV = dropout(self.key(Z).T @ self.value(Z), p, on)
        A = dropout(self.join(self.query(Z) @ KV), p, on)
        X_F = U @ (self.response(lam)[:, None] * (U.T @ X))
        X = A + X + dropout(X_F, of_filter, on)
        Y = self.second(gelu(self.first(self.norm_2(X))))
        return dropout(Y, p, on) + X

    def response(self, lam: Float[Tensor, " N"]) -> Float[Tensor, " N"]:
        """Eq. 9."""
        K, terms = self.a.shape
        m = torch.arange(terms, device=lam.device)
        h = torch.zeros_like(lam)
        for k in range(1, K + 1):
            phase = lam[:, None] ** k * m
            cosines = torch.cos(phase) @ self.a[k - 1]
            sines = torch.sin(phase[:, 1:]) @ self.b[k - 1]
            h = h + self.alpha[k - 1] * (cosines + sines)
        return h


def _linear(layer: nn.Module) -> nn.Linear:
    """The first copy of a layer as PyTorch's own."""
    _, c_in, c_out = layer.weight.shape
    twin = nn.Linear(c_in, c_out)
    with torch.no_grad():
        twin.weight.copy_(layer.weight[0].T)
        twin.bias.copy_(layer.bias[0])
    return twin
