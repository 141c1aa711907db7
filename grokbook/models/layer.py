"""One layer of GrokFormer: attention and filter side by side."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from grokbook.attention import attention as attention_named
from grokbook.attention import join_heads, split_heads
from grokbook.copies import LayerNorm, Linear
from grokbook.errors import check_choice
from grokbook.filters import FourierKAN
from grokbook.models.mlp import Dropout, check_heads
from grokbook.operators import Operator

Nodes = Float[Tensor, "S *B N c"]
Mask = Bool[Tensor, "B N"] | None
PARTS = ("both", "attention", "filter", "neither")


class GrokFormerLayer(nn.Module):
    r"""Attention plus identity plus filter, then a network (Eq. 10).

    .. math:: X' = \operatorname{EMHA}(\operatorname{LN}(X)) + X + h(L) X,
       \qquad \operatorname{FFN}(\operatorname{LN}(X')) + X'

    Derived in chapter 08.

    Args:
        width: channels of the layer.
        K, M, parameterisation: of the filter, see `FourierKAN`.
        heads: of the attention.
        split: whether heads share the channels out among them, as the
            paper says, or each has as many, side by side and never
            separated, as released.
        attention: "softmax", "efficient" or "linear".
        dropout: in the attention and the network.
        filter_dropout: on what the filter gives.
        copies: S.
        parts: which of the two the layer has: "both", "attention", "filter"
            or "neither". What it has not is None: no parameters, nothing
            drawn. X itself and the network stay.

    Shapes:
        X (S, N, c) or (S, B, N, c) → the same
    """

    def __init__(
        self,
        width: int,
        *,
        K: int,
        M: int,
        heads: int,
        split: bool,
        attention: str,
        parameterisation: str,
        dropout: float,
        filter_dropout: float,
        copies: int,
        parts: str = "both",
    ) -> None:
        """Make the parts; `GrokFormer` draws their parameters."""
        super().__init__()
        check_choice("parts", parts, PARTS)
        if split:
            check_heads(width, heads)
        self.heads, self.split = heads, split
        self.mix = attention_named(attention)
        self.p, self.filter_p = dropout, filter_dropout
        self.norm = self.filter = None
        if parts in ("both", "attention"):
            inner = width if split else width * heads
            self.norm = LayerNorm(width, copies)
            self.query = Linear(width, inner, copies)
            self.key = Linear(width, inner, copies)
            self.value = Linear(width, inner, copies)
            self.join = Linear(inner, width, copies)
        if parts in ("both", "filter"):
            self.filter = FourierKAN(
                K,
                M,
                parameterisation=parameterisation,
                copies=copies,
                dtype=torch.get_default_dtype(),
            )
        self.norm_2 = LayerNorm(width, copies)
        self.first = Linear(width, width, copies)
        self.second = Linear(width, width, copies)

    def forward(
        self, X: Nodes, graph: Operator, basis: Tensor | None, drop: Dropout
    ) -> Nodes:
        """Sum the roads there are, then apply the network to each node."""
        attended = filtered = 0
        if self.filter is not None:
            # In float64, so that a copy's response does not depend on how
            # many copies there are.
            h = basis @ self.filter.coefficients().double()  # (points, S)
            filtered = drop(graph(h, X), self.filter_p)
        if self.norm is not None:
            Z = self.attend(self.norm(X), graph.mask, drop)
            attended = drop(Z, self.p)
        X = attended + X + filtered
        Y = nn.functional.gelu(self.first(self.norm_2(X)))
        return drop(self.second(Y), self.p) + X

    def attend(self, Z: Nodes, mask: Mask, drop: Dropout) -> Nodes:
        """Attention over the nodes of each graph."""
        Q, K, V = self.query(Z), self.key(Z), self.value(Z)
        if self.split:
            Q, K, V = (split_heads(part, self.heads) for part in (Q, K, V))
        if mask is not None:
            rows = mask[:, None] if self.split else mask
            mask = rows.expand(K.shape[:-1])
        Y = self.mix(Q, K, V, mask, lambda part: drop(part, self.p))
        return self.join(join_heads(Y) if self.split else Y)
