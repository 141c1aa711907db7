"""What a learned filter loses with an order: at once, and at best."""

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.filters.fitting import least_squares
from grokbook.filters.fourier_kan import design_matrix

RCOND = 1e-6  # what float32 training could have found


def lost_without(
    c: Float[Tensor, " P"],
    K: int,
    M: int,
    lam: Float[Tensor, " n"],
    weights: Float[Tensor, " n"],
) -> tuple[Float[Tensor, " K"], Float[Tensor, " K"]]:
    r"""How much of a response goes with each order.

    .. math:: z_k = \frac{\lVert \alpha_k g_k \rVert}{\lVert h \rVert},
       \qquad z^*_k = \min_{c'} \frac{\lVert h - \sum_{j \ne k} \alpha'_j g'_j
       \rVert}{\lVert h \rVert}

    where ‖·‖ is the deviation over the points, so that constants, which
    belong to every order, do not count. z is the change when the order is
    set to zero, z* what is left of it when the others are fitted anew.
    Derived in chapter 12.

    Args:
        c: coefficients, in the order of `design_matrix`.
        K, M: the highest order and harmonic.
        lam: the points, such as a graph's eigenvalues.
        weights: how much each counts; not negative.

    Shapes:
        c (1 + 2KM,), lam (n,), weights (n,) → z (K,), z* (K,)

    Examples:
        >>> lam = torch.linspace(0, 2, 50, dtype=torch.float64)
        >>> c = torch.tensor([0.0, 1, 0, 0, 0], dtype=torch.float64)
        >>> z, best = lost_without(c, 2, 1, lam, torch.ones_like(lam))
        >>> [round(v, 2) for v in (*z.tolist(), *best.tolist())]
        [1.0, 0.0, 0.22, 0.0]
    """
    B = design_matrix(lam, K, M)
    h = B @ c
    order = (torch.arange(len(c)) - 1) // (2 * M) + 1
    order[0] = 0  # the constant: of no order
    z, best = torch.zeros(2, K, dtype=c.dtype)
    for k in range(1, K + 1):
        mine, rest = B[:, order == k], B[:, order != k]
        z[k - 1] = deviation(mine @ c[order == k], weights)
        fit = rest @ least_squares(rest, h, weights, rcond=RCOND)
        best[k - 1] = deviation(h - fit, weights)
    size = deviation(h, weights)
    return z / size, best / size


def deviation(
    h: Float[Tensor, " n"], weights: Float[Tensor, " n"]
) -> Float[Tensor, ""]:
    """The root of the weighted mean square about the weighted mean."""
    share = weights / weights.sum()
    return (share * (h - (share * h).sum()) ** 2).sum().sqrt()
