"""Fejér's theorem as a program: a Fourier filter for any response."""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.filters import fitting
from grokbook.filters.fourier_kan import FourierKAN

Response = Callable[[Tensor], Tensor]


def fejer_filter(f: Response, M: int) -> FourierKAN:
    r"""Average a continuous response into a filter with K = 1.

    .. math:: h(\lambda) = \sum_{m=-M}^{M} \Bigl(1 - \frac{|m|}{M+1}\Bigr)
       \hat c_m\, e^{im\lambda}, \qquad
       \hat c_m = \frac1n \sum_{j=0}^{n-1} \tilde f(\theta_j)\,
       e^{-im\theta_j}, \qquad \theta_j = \frac{2\pi j}{n}

    Derived in chapter 06. f̃ is `extend`. At every λ the value is an average
    of samples of f̃ with weights that are not negative and add up to 1, so
    it never leaves their range; as M grows it tends to f everywhere on
    [0, 2]. The proof takes any n above M; here n = 8(M + 1).

    Args:
        f: a continuous function of eigenvalues on [0, 2].
        M: the highest harmonic, 0 or more.

    Raises:
        FilterError, ResponseError

    Examples:
        >>> lam = torch.linspace(0, 2, 50, dtype=torch.float64)
        >>> h = fejer_filter(torch.exp, M=400)
        >>> bool((h(lam) - torch.exp(lam)).abs().max() < 0.1)
        True
    """
    h = FourierKAN(K=1, M=M)
    n = 8 * (M + 1)
    theta = 2 * math.pi * torch.arange(n, dtype=torch.float64) / n
    c = torch.fft.rfft(extend(f, theta))[: M + 1] / n
    c = c * (1 - torch.arange(M + 1) / (M + 1)).double()
    cosines, sines = 2 * c.real[1:], -2 * c.imag[1:]
    h.set_coefficients(torch.cat([c.real[:1], cosines, sines]))
    return h


def extend(f: Response, theta: Float[Tensor, " n"]) -> Float[Tensor, " n"]:
    """Close a response to a period: f up to 2, then a line to f(0) at 2π.

    Derived in chapter 06.

    Shapes:
        theta (n,), in [0, 2π] → (n,)
    """
    inside = theta.clamp(max=2.0)
    values, _ = fitting.checked(inside, f(inside), None)
    first, last = f(theta.new_tensor([0.0, 2.0]))
    share = (theta - 2) / (2 * math.pi - 2)
    return torch.where(theta <= 2, values, last + share * (first - last))
