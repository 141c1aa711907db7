r"""The six designed frequency responses of the paper (its Table 4).

Each takes eigenvalues in [0, 2] and returns the response at each of them.
"""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

Lam = Float[Tensor, "*any"]


def low_pass(lam: Lam) -> Lam:
    """Keep what varies slowly: exp(−10 λ²)."""
    return torch.exp(-10 * lam**2)


def high_pass(lam: Lam) -> Lam:
    """Keep what varies quickly: 1 − exp(−10 λ²)."""
    return 1 - torch.exp(-10 * lam**2)


def band_pass(lam: Lam) -> Lam:
    """Keep the middle of the spectrum: exp(−10 (λ − 1)²)."""
    return torch.exp(-10 * (lam - 1) ** 2)


def band_rejection(lam: Lam) -> Lam:
    """Remove the middle of the spectrum: 1 − exp(−10 (λ − 1)²)."""
    return 1 - torch.exp(-10 * (lam - 1) ** 2)


def comb(lam: Lam) -> Lam:
    """Keep two bands and their slopes: |sin πλ|."""
    return torch.sin(math.pi * lam).abs()


def low_comb(lam: Lam) -> Lam:
    """Keep [0, ½] whole, then teeth: |sin πλ| to 1, |sin 2πλ| from 1."""
    slow = torch.sin(math.pi * lam).abs()
    fast = torch.sin(2 * math.pi * lam).abs()
    teeth = torch.where(lam < 1, slow, fast)
    return torch.where(lam <= 0.5, torch.ones_like(lam), teeth)


#: The six by the names of the paper's Table 4, in its order.
TARGETS: dict[str, Callable[[Tensor], Tensor]] = {
    "low-pass": low_pass,
    "high-pass": high_pass,
    "band-pass": band_pass,
    "band-rejection": band_rejection,
    "comb": comb,
    "low-comb": low_comb,
}
