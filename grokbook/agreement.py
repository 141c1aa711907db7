"""Do several learned responses have one shape?"""

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.errors import SignalError


def correlations(
    responses: Float[Tensor, "S n"],
    weights: Float[Tensor, " n"] | None = None,
) -> Float[Tensor, "S S"]:
    r"""The correlation of each pair of responses, sampled at n points.

    .. math:: \operatorname{corr}(h, h') =
       \frac{\sum_i w_i (h_i - \bar h)(h'_i - \bar h')}
       {\sqrt{\sum_i w_i (h_i - \bar h)^2 \sum_i w_i (h'_i - \bar h')^2}},
       \qquad \bar h = \sum_i w_i h_i \Big/ \sum_i w_i

    1 is the same shape, whatever the size and the offset. Weights say how
    much a point counts: as many as there are eigenvalues near it, for a
    filter that is to be used on a graph. Derived in chapter 10.

    Args:
        responses: a row for each of two or more responses.
        weights: not negative; by default all alike.

    Raises:
        SignalError: a response is constant where it counts.

    Examples:
        >>> h = torch.tensor([[0.0, 1.0, 2.0], [5.0, 7.0, 9.0]])
        >>> round(correlations(h)[0, 1].item(), 4)
        1.0
    """
    w = torch.ones_like(responses[0]) if weights is None else weights
    centred = responses - ((responses * w).sum(1) / w.sum())[:, None]
    scaled = centred * w.sqrt()
    size = scaled.norm(dim=1, keepdim=True)
    if (size == 0).any():
        flat = int((size[:, 0] == 0).nonzero()[0])
        raise SignalError(
            f"Response {flat} is constant, so its shape cannot be compared. "
            "Leave it out."
        )
    return (scaled / size) @ (scaled / size).T


def agreement(
    responses: Float[Tensor, "S n"],
    weights: Float[Tensor, " n"] | None = None,
) -> float:
    """The mean correlation over all pairs of different responses."""
    r = correlations(responses, weights)
    S = len(r)
    return float((r.sum() - r.trace()) / (S * (S - 1)))
