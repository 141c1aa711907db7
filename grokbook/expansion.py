"""A response on [0, 2] → the coefficients of its Chebyshev series."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.errors import DegreeError, ResponseError

Response = Callable[[Tensor], Tensor]
LARGEST_DEGREE = 4096
FIRST_NODES = 64  # enough to see a bump of width 0.1


def coefficients(
    response: Response | Any,
    degree: int | None = None,
    tolerance: float = 1e-6,
    device: torch.device | str = "cpu",
) -> Float[Tensor, "P *F"]:
    r"""Expand a response on [0, 2] in Chebyshev polynomials of λ − 1.

    .. math:: c_r = \frac{2 - \delta_{r0}}{n} \sum_{j=1}^{n} h(1 + x_j)\,
       T_r(x_j), \qquad x_j = \cos\frac{(j - \frac12)\,\pi}{n}

    Derived in chapter 14. Differentiable in the response's parameters.
    Without a degree, n is doubled until the last half of the coefficients
    is below the tolerance; since |T_r| ≤ 1, the sum of those left out bounds
    the error.

    Returns:
        R + 1 coefficients, in float64; a column for each response.

    Raises:
        DegreeError: the tolerance would take more than 4096.
        ResponseError

    Examples:
        >>> c = coefficients(lambda lam: lam**2)  # (1 + x)² = 1.5 + 2x + …
        >>> [round(value, 6) for value in c.tolist()]
        [1.5, 2.0, 0.5]
    """
    h = getattr(response, "response", response)
    if degree is not None:
        values = _at_nodes(h, 2 * (degree + 1), device)
        return cosine_transform(values)[: degree + 1]
    n = FIRST_NODES
    while n <= 2 * LARGEST_DEGREE:
        values = _at_nodes(h, n, device)
        c = cosine_transform(values)
        if c.is_meta:
            return c
        tail, noise = _tails(c, values)
        allowed = max(tolerance, noise)
        if tail[n // 2] <= allowed:
            return c[: max(1, int((tail > allowed).sum()))]
        n *= 2
    raise DegreeError(
        f"Degree {LARGEST_DEGREE} is not enough: what it leaves out of this "
        f"response adds up to {tail[n // 4]:.1g} of its size, and the "
        f"tolerance is {tolerance:g}. It has a corner, a jump or fast "
        "oscillations. Pass a larger tolerance=, a degree= to accept what it "
        "gives, or use method='exact'."
    )


def _tails(
    c: Float[Tensor, "n *F"], values: Float[Tensor, "n *F"]
) -> tuple[Float[Tensor, " n"], float]:
    """The sum of |c| from each coefficient on, relative to the response.

    Of several responses, the largest. Also gives the part of such a sum
    that may be the rounding of the response itself.
    """
    size = values.detach().abs().amax(0).double().clamp(min=1e-300)
    tail = c.detach().abs().flip(0).cumsum(0).flip(0) / size
    noise = len(c) * torch.finfo(values.dtype).eps
    return tail.reshape(len(c), -1).amax(1), noise


def cosine_transform(values: Float[Tensor, "n *F"]) -> Float[Tensor, "n *F"]:
    """Chebyshev coefficients from values at the nodes, by an FFT."""
    n = len(values)
    r = torch.arange(n, dtype=torch.float64, device=values.device)
    both_ways = torch.cat([values, values.flip(0)]).double()
    turn = torch.polar(torch.ones_like(r), -r * torch.pi / (2 * n)) / n
    turn = torch.where(r == 0, turn / 2, turn)
    waves = torch.fft.fft(both_ways, dim=0)[:n]
    return torch.einsum("r,r...->r...", turn, waves).real


def nodes(n: int, device: torch.device | str) -> Float[Tensor, " n"]:
    """The n Chebyshev nodes of [0, 2], largest first."""
    j = torch.arange(n, dtype=torch.float64, device=device)
    return 1 + torch.cos((j + 0.5) * torch.pi / n)


def _at_nodes(
    h: Response, n: int, device: torch.device | str
) -> Float[Tensor, "n *F"]:
    """Ask the response at the nodes: one number, or one row, for each."""
    lam = nodes(n, device)
    values = h(lam)
    fits = isinstance(values, Tensor) and not values.is_complex()
    if not fits or values.dim() not in (1, 2) or len(values) != len(lam):
        raise ResponseError(
            f"The response did not return one real number for each of "
            f"{len(lam)} eigenvalues; a constant response is "
            "`lambda lam: torch.ones_like(lam)`."
        )
    if not values.is_meta and not torch.isfinite(values).all():
        raise ResponseError(
            "The response is not finite everywhere on [0, 2], as a series "
            "needs it to be."
        )
    return values if values.is_floating_point() else values.to(lam)
