"""Fejér's averages: filters with K = 1 that approach any response."""

import math

import pytest
import torch
from graphs import without_shape_checks
from torch import Tensor

from grokbook import TARGETS
from grokbook.errors import FilterError, ResponseError
from grokbook.filters.fejer import extend, fejer_filter

LAM = torch.linspace(0, 2, 1001, dtype=torch.float64)


def kernel(t: Tensor, M: int) -> Tensor:
    """|1 + e^{it} + … + e^{iMt}|² / (M + 1), straight from the proof."""
    waves = torch.exp(1j * torch.arange(M + 1) * t[..., None])
    return waves.sum(-1).abs() ** 2 / (M + 1)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("M", [0, 1, 7])
def test_the_filter_is_the_average_of_samples_under_the_kernel(name, M):
    n = 8 * (M + 1)
    theta = 2 * math.pi * torch.arange(n, dtype=torch.float64) / n
    weights = kernel(LAM[:, None] - theta, M) / n
    assert weights.min() >= 0
    ones = torch.ones_like(LAM)
    torch.testing.assert_close(weights.sum(1), ones, atol=1e-12, rtol=0)
    expected = weights @ extend(TARGETS[name], theta)
    found = fejer_filter(TARGETS[name], M)(LAM).detach()
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", TARGETS)
def test_the_error_falls_below_the_bound_of_the_theorem(name):
    f = TARGETS[name]
    slope = float((f(LAM).diff() / LAM.diff()).abs().max()) + 0.1
    size = float(f(LAM).abs().max())
    for M in (16, 64, 256):
        error = (fejer_filter(f, M)(LAM) - f(LAM)).detach().abs().max()
        bound = min(
            slope * delta + 2 * size / ((M + 1) * math.sin(delta / 2) ** 2)
            for delta in torch.linspace(0.01, 3, 300).tolist()
        )
        assert error <= bound
    assert error < 0.1  # low-comb, the worst of the six, is at 0.08


def test_the_filter_never_leaves_the_range_of_the_response():
    for f in TARGETS.values():
        h = fejer_filter(f, 12)(torch.linspace(-9, 9, 500).double())
        assert h.min() >= f(LAM).min() - 1e-12
        assert h.max() <= f(LAM).max() + 1e-12


def test_the_extension_meets_the_response_and_closes_the_period():
    theta = torch.linspace(0, 2 * math.pi, 4001, dtype=torch.float64)
    closed = extend(torch.exp, theta)
    inside = theta <= 2
    assert torch.equal(closed[inside], torch.exp(theta[inside]))
    assert closed[-1] == pytest.approx(1.0)
    # No jump: a step of 0.0016 times the largest slope, e².
    assert closed.diff().abs().max() < 0.0016 * math.exp(2) + 1e-3


def test_bad_responses_and_sizes_are_refused():
    with pytest.raises(FilterError, match="M is -1"):
        fejer_filter(torch.exp, -1)
    with pytest.raises(ResponseError, match="finite"):
        fejer_filter(torch.log, 4)
    with without_shape_checks(), pytest.raises(ResponseError, match="shape"):
        fejer_filter(lambda lam: lam[:3], 4)
