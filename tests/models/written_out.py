"""The forward pass of GrokFormer, written out for one copy and one graph.

Plain tensors, no layers: what the model must compute, with dropout off.
"""

import torch
from torch import Tensor, nn

from grokbook.models import GrokFormer


def forward(model: GrokFormer, x: Tensor, L: Tensor, copy: int = 0) -> Tensor:
    """Eqs. 8 and 10 with the parameters of one copy."""

    def linear(layer: nn.Module, X: Tensor) -> Tensor:
        return X @ layer.weight[copy] + layer.bias[copy]

    def norm(layer: nn.Module, X: Tensor) -> Tensor:
        Y = X - X.mean(1, keepdim=True)
        Y = Y / (Y.square().mean(1, keepdim=True) + 1e-5).sqrt()
        return Y * layer.weight[copy] + layer.bias[copy]

    lam, U = torch.linalg.eigh(L.to(x))
    X = linear(model.embed.second, linear(model.embed.first, x).relu())
    for number in range(model.num_layers):
        layer = model.layers[number % len(model.layers)]
        h = response(layer.filter, lam, copy)
        Z = norm(layer.norm, X)
        Q, K, V = (linear(p, Z) for p in (layer.query, layer.key, layer.value))
        A = linear(layer.join, attend(model, layer.heads, Q, K, V))
        X = A + X + U @ torch.diag(h) @ U.T @ X
        Y = linear(layer.first, norm(layer.norm_2, X))
        X = linear(layer.second, nn.functional.gelu(Y)) + X
    return X if model.score is None else linear(model.score, X)


def response(filter: nn.Module, lam: Tensor, copy: int) -> Tensor:
    """Eq. 9, term by term."""
    h = torch.zeros_like(lam)
    for k in range(1, filter.K + 1):
        for m in range(filter.M + 1):
            term = filter.a[copy, k - 1, m] * torch.cos(m * lam**k)
            if m > 0:
                sine = torch.sin(m * lam**k)
                term = term + filter.b[copy, k - 1, m - 1] * sine
            h = h + filter.alpha[copy, k - 1] * term
    return h


def attend(
    model: GrokFormer, heads: int, Q: Tensor, K: Tensor, V: Tensor
) -> Tensor:
    """Attention with the N × N matrix formed, head by head."""
    if model.reading == "released":
        return (Q @ K.T) @ V
    parts = []
    for q, k, v in zip(
        *(t.chunk(heads, dim=1) for t in (Q, K, V)), strict=True
    ):
        parts.append((q.softmax(1) @ k.softmax(0).T) @ v)
    return torch.cat(parts, dim=1)
