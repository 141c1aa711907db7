"""Harmonics are orthogonal on a period, and nearly dependent on [0, 2]."""

import math

import numpy as np
import pytest
import torch

from grokbook.filters import FourierKAN


@pytest.mark.parametrize(("M", "published"), [(4, 4e4), (8, 2e9), (16, 1e16)])
def test_harmonics_on_the_spectrum_are_as_ill_conditioned_as_said(
    M: int, published: float
) -> None:
    lam = torch.linspace(0, 2, 2001, dtype=torch.float64)
    kappa = np.linalg.cond(FourierKAN(1, M).basis(lam).numpy())
    # At 1e16 singular values are rounding; only the size is meaningful.
    assert abs(math.log10(kappa / published)) < (0.5 if M < 16 else 2)


def test_harmonics_on_a_whole_period_are_well_conditioned() -> None:
    lam = torch.arange(2000, dtype=torch.float64) * 2 * math.pi / 2000
    kappa = np.linalg.cond(FourierKAN(1, 16).basis(lam).numpy())
    assert kappa == pytest.approx(math.sqrt(2), rel=1e-6)
