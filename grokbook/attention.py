r"""Three operators that are all called attention.

Softmax attention weighs every pair of nodes. Efficient attention and linear
attention multiply in another order, :math:`Q (K^\top V)`, which costs
:math:`N d^2` instead of :math:`N^2 d`; they are different operators, because
a softmax over pairs does not let itself be split.
"""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from grokbook.errors import SignalError, check_choice

Queries = Float[Tensor, "*B N d"]
Keys = Float[Tensor, "*B T d"]
Values = Float[Tensor, "*B T v"]
Mixed = Float[Tensor, "*B N v"]
Mask = Bool[Tensor, "*B T"]


def softmax_attention(
    Q: Queries,
    K: Keys,
    V: Values,
    mask: Mask | None = None,
    drop: Callable[[Tensor], Tensor] = lambda part: part,
) -> Mixed:
    r"""Mix values by the similarity of queries and keys (Eq. 2).

    .. math:: \operatorname{softmax}\!\left(Q K^\top / \sqrt d\right) V

    Args:
        Q: queries.
        K: keys.
        V: values.
        mask: which nodes are real; the others are never attended to.
        drop: dropout, on the weights or, in the cheap order, on Kᵀ V.

    Shapes:
        Q (..., N, d), K (..., T, d), V (..., T, v) → (..., N, v)
    """
    check_fit(Q, K, V)
    score = Q @ K.mT / Q.shape[-1] ** 0.5  # (..., N, N)
    if mask is not None:
        score = score.masked_fill(~mask[..., None, :], float("-inf"))
    return drop(score.softmax(dim=-1)) @ V


def efficient_attention(
    Q: Queries,
    K: Keys,
    V: Values,
    mask: Mask | None = None,
    drop: Callable[[Tensor], Tensor] = lambda part: part,
) -> Mixed:
    r"""Normalise queries and keys apart, then multiply in the cheap order.

    .. math:: \sigma_{\text{feature}}(Q)\,
       \bigl(\sigma_{\text{node}}(K)^\top V\bigr)

    The product of the two softmaxes has rows that sum to one, as softmax
    attention has, but rank at most d.

    Shapes:
        Q (..., N, d), K (..., T, d), V (..., T, v) → (..., N, v)
    """
    check_fit(Q, K, V)
    if mask is not None:
        K = K.masked_fill(~mask[..., None], float("-inf"))
    return Q.softmax(dim=-1) @ drop(K.softmax(dim=-2).mT @ V)


def linear_attention(
    Q: Queries,
    K: Keys,
    V: Values,
    mask: Mask | None = None,
    drop: Callable[[Tensor], Tensor] = lambda part: part,
) -> Mixed:
    r"""Multiply in the cheap order with nothing normalised, as released.

    .. math:: Q\,(K^\top V)

    No softmax and no scale: the output grows with the number of nodes.

    Shapes:
        Q (..., N, d), K (..., T, d), V (..., T, v) → (..., N, v)
    """
    check_fit(Q, K, V)
    if mask is not None:
        K = K.masked_fill(~mask[..., None], 0.0)
    return Q @ drop(K.mT @ V)


#: By name, for models that take the kind as an argument.
ATTENTION = {
    "softmax": softmax_attention,
    "efficient": efficient_attention,
    "linear": linear_attention,
}


def attention(kind: str) -> Callable[..., Tensor]:
    """Look an attention up by its name.

    Examples:
        >>> attention("linear").__name__
        'linear_attention'
    """
    check_choice("attention", kind, ATTENTION)
    return ATTENTION[kind]


def split_heads(
    X: Float[Tensor, "*B N c"], heads: int
) -> Float[Tensor, "*B h N d"]:
    """Cut the channels into heads: (..., N, h·d) → (..., h, N, d)."""
    if heads < 1 or X.shape[-1] % heads:
        raise SignalError(
            f"{X.shape[-1]} channels cannot be cut into {heads} equal "
            "heads. Choose a number of heads that divides the channels."
        )
    return X.unflatten(-1, (heads, -1)).movedim(-2, -3)


def join_heads(X: Float[Tensor, "*B h N d"]) -> Float[Tensor, "*B N c"]:
    """Put the heads side by side again: (..., h, N, d) → (..., N, h·d)."""
    return X.movedim(-3, -2).flatten(-2)


def check_fit(Q: Tensor, K: Tensor, V: Tensor) -> None:
    """Queries and keys must meet in d, keys and values in N."""
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise SignalError(
            f"Q {tuple(Q.shape)}, K {tuple(K.shape)} and V {tuple(V.shape)} "
            "do not fit: Q and K need the same width, K and V the same "
            "number of nodes."
        )


def attention_matrix(
    kind: str, Q: Queries, K: Keys
) -> Float[Tensor, "*B N T"]:
    """The N × T matrix that an attention multiplies the values with."""
    T = K.shape[-2]
    eye = torch.eye(T, dtype=K.dtype, device=K.device)
    return attention(kind)(Q, K, eye.expand(*K.shape[:-2], T, T))
