"""SGFormer: one layer of linear attention beside a GCN."""

import math

import torch
from torch import Tensor

from grokbook.copies import Linear
from grokbook.draws import Generators
from grokbook.errors import LayerError
from grokbook.features import SparseFeatures
from grokbook.models.baseline import Baseline, Scores
from grokbook.models.mlp import Dropout, check_sizes, from_features, share
from grokbook.operators import Operator


class SGFormer(Baseline):
    r"""The simplified graph transformer of Wu et al. (2023).

    .. math::
       Z_0 &= \operatorname{relu}(X W + b), \qquad
       Q, K, V = f_Q(Z_0), f_K(Z_0), f_V(Z_0) \\
       Z &= \tfrac12 D^{-1} \Bigl(V + \tfrac1N \tilde Q
          (\tilde K^\top V)\Bigr) + \tfrac12 Z_0, \qquad
       D = \operatorname{diag}\Bigl(1 + \tfrac1N \tilde Q
          (\tilde K^\top 1)\Bigr) \\
       Y &= f_O\bigl((1 - g)\, Z + g \operatorname{GCN}(Z_0)\bigr)

    where a tilde divides by the Frobenius norm. No node is compared with
    another, so the cost is linear in N. Written from the paper's
    equations, without the batch normalisation of its code.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        num_layers: of the GCN.
        graph_weight: g, from 0 to 1.
        dropout: on the features and in the GCN.
        attention_dropout: on Z₀ and Z.
        copies, generator: see `Baseline`.

    Examples:
        >>> from grokbook.looped import looped_laplacian
        >>> path = looped_laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> SGFormer(4, 8, 2)(torch.eye(3, 4), path).shape
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
        graph_weight: float = 0.8,
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        F, H, C = sizes = (in_channels, hidden_channels, out_channels)
        super().__init__(sizes, dropout, copies)
        check_sizes(num_layers)
        if not 0 <= graph_weight <= 1:
            raise LayerError(
                f"graph_weight is {graph_weight}; it is a share, from 0 to 1."
            )
        self.graph_weight = graph_weight
        self.attention_p = share(attention_dropout)
        self.enter = Linear(F, H, self.S)
        self.query, self.key, self.value = (
            Linear(H, H, self.S) for _ in range(3)
        )
        self.layers = torch.nn.ModuleList(
            Linear(H, H, self.S) for _ in range(num_layers)
        )
        self.leave = Linear(H, C, self.S)
        self.reset_parameters(generator=generator)

    def score(
        self, x: Tensor | SparseFeatures, graph: Operator, drop: Dropout
    ) -> Scores:
        """Attention and GCN side by side."""
        start = from_features(self.enter, x, drop, self.p).relu()
        Z = drop(start, self.attention_p)
        Z = drop((self.attend(Z) + Z) / 2, self.attention_p)
        X = start
        for layer in self.layers:
            X = drop(graph.mixed(layer(X)).relu(), self.p)
        g = self.graph_weight
        return self.leave((1 - g) * Z + g * X)

    def attend(self, Z: Scores) -> Scores:
        """Attention without a softmax, in the cheap order.

        The norms divide what is small: Kᵀ V, not all of Q and K.
        """
        Q, K, V = self.query(Z), self.key(Z), self.value(Z)
        norms = (torch.linalg.matrix_norm(X, keepdim=True) for X in (Q, K))
        scale = 1 / (Z.shape[1] * math.prod(norms))  # (S, 1, 1)
        above = torch.baddbmm(V, Q, scale * (K.mT @ V))
        below = 1 + Q @ (scale * K.sum(1)[..., None])  # (S, N, 1)
        return above / below
