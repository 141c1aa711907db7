"""PolyFormer: attention among the Chebyshev polynomials of one node."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.copies import LayerNorm, Linear
from grokbook.draws import Generators, draw_uniform
from grokbook.features import SparseFeatures
from grokbook.filters.filter import check_size
from grokbook.models.baseline import Baseline, Scores, design, filtered
from grokbook.models.mlp import (
    Dropout,
    check_heads,
    check_sizes,
    from_features,
)
from grokbook.operators import Operator, SeriesOperator

Tokens = Float[Tensor, "S P N H"]


class PolyFormer(Baseline):
    r"""The network of Ma et al. (2024), with Chebyshev polynomials.

    .. math::
       H_k &= T_k(L - I)\, X W + b, \qquad k = 0, \dots, K \\
       Z &= \operatorname{LN}(H), \qquad
       \mathsf Q_k, \mathsf K_k = f_k(Z_k)\, W_{\mathsf Q},
          f_k(Z_k)\, W_{\mathsf K} \\
       H_k &\leftarrow H_k + \sum_{j=0}^{K} \beta_j \tanh\bigl(\mathsf Q_k
          \cdot \mathsf K_j / \sqrt w\bigr)\, Z_j, \qquad
       H \leftarrow H + \operatorname{FFN}(\operatorname{LN}(H)) \\
       Y &= f_O\Bigl(\sum_{k=0}^{K} H_k\Bigr)

    The K + 1 tokens of a node look at each other and at nobody else's, so
    each node has a filter of its own. A head looks with w channels, and
    each order k has a network f_k of its own. Without dropout a linear map
    commutes with the polynomials: mapping the features to H channels first
    and then filtering gives the same as the authors' order, tokens of all
    F features computed once and mapped at every step, and is cheaper.
    Pass `tokens(x, graph)` instead of x for theirs.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        K: the highest order.
        num_layers: how often the tokens look at each other.
        heads: of the attention; they share the channels out among them.
        dropout: on the features and on what a layer adds.
        copies, generator: see `Baseline`.

    Shapes:
        x (N, F), dense or `SparseFeatures`, or tokens (K + 1, N, F) →
        (N, C), with copies (S, N, C)

    Examples:
        >>> from grokbook import laplacian
        >>> path = laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> PolyFormer(4, 8, 2)(torch.eye(3, 4), path).shape
        torch.Size([3, 2])
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        K: int = 10,
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
        check_heads(H, heads)
        self.degree = check_size("K", K, 1)
        self.enter = Linear(F, H, self.S, bias=False)
        self.shift = nn.Parameter(torch.empty(self.S, H))
        self.layers = nn.ModuleList(
            _Layer(H, self.degree, heads, self.S) for _ in range(num_layers)
        )
        self.first, self.second = Linear(H, H, self.S), Linear(H, C, self.S)
        self.reset_parameters(generator=generator)

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw all parameters anew; β starts at 1."""
        super().reset_parameters(generator=generator)
        draw_uniform(self.shift, self.sizes[0] ** -0.5, generator)
        for module in self.modules():
            if isinstance(module, _PerOrder):
                module.reset_parameters(generator)
            elif isinstance(module, _Layer):
                nn.init.ones_(module.beta)

    def tokens(self, x: Tensor, graph: Any) -> Float[Tensor, "P N F"]:
        """The polynomials of all features, to be computed once."""
        return polynomials(self.prepare(graph), x[None], self.degree)[0]

    def score(
        self, x: Tensor | SparseFeatures, graph: Operator, drop: Dropout
    ) -> Scores:
        """Let the tokens of each node look at each other, then add them."""
        H = from_features(self.enter, x, drop, self.p)
        if H.dim() == 3:  # features, not yet tokens
            H = polynomials(graph, H, self.degree)
        H = H + self.shift[:, None, None]  # (S, K + 1, N, H)
        for layer in self.layers:
            H = layer(H, lambda part: drop(part, self.p))
        return self.second(self.first(H.sum(1)).relu())


def polynomials(
    graph: Operator, X: Float[Tensor, "S N c"], K: int
) -> Float[Tensor, "S P N c"]:
    """T_k(L − I) X for k = 0 to K."""
    if isinstance(graph, SeriesOperator):
        return graph.terms(X, K)
    T = design("chebyshev", K, graph.points)
    terms = [filtered(graph, T[:, k], X) for k in range(K + 1)]
    return torch.stack(terms, dim=1)


class _Layer(nn.Module):
    """Attention among the tokens of a node, then a network on each."""

    def __init__(self, H: int, K: int, heads: int, copies: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm, self.norm_2 = LayerNorm(H, copies), LayerNorm(H, copies)
        self.own = nn.ModuleList(_PerOrder(H, K, copies) for _ in range(2))
        self.query = Linear(H, H, copies, bias=False)
        self.key = Linear(H, H, copies, bias=False)
        self.beta = nn.Parameter(torch.empty(copies, heads, K + 1))
        self.first, self.second = Linear(H, H, copies), Linear(H, H, copies)

    def forward(self, H: Tokens, drop: Callable[[Tensor], Tensor]) -> Tokens:
        H = H + drop(self.attend(self.norm(H)))
        Y = self.second(self.first(self.norm_2(H)).relu())
        return H + drop(Y)

    def attend(self, Z: Tokens) -> Tokens:
        """Mix the tokens of each node; no node sees another's."""
        own = self.own[1](self.own[0](Z).relu())
        Q, K, V = map(self._by_node, (self.query(own), self.key(own), Z))
        A = torch.tanh(Q @ K.mT / Q.shape[-1] ** 0.5)  # (S, N, r, P, P)
        A = A * self.beta[:, None, :, None]
        return (A @ V).permute(0, 3, 1, 2, 4).flatten(3)

    def _by_node(self, H: Tokens) -> Float[Tensor, "S N r P w"]:
        """The tokens of a node and head side by side."""
        return H.unflatten(-1, (self.heads, -1)).permute(0, 2, 3, 1, 4)


class _PerOrder(nn.Module):
    """A linear layer for each copy and each order of the tokens."""

    def __init__(self, H: int, K: int, copies: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(copies, K + 1, H, H))
        self.bias = nn.Parameter(torch.empty(copies, K + 1, 1, H))

    def reset_parameters(self, generator: Generators = None) -> None:
        for parameter in self.parameters():
            draw_uniform(parameter, self.weight.shape[-1] ** -0.5, generator)

    def forward(self, H: Tokens) -> Tokens:
        return H @ self.weight + self.bias
