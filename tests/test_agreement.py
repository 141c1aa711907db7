"""Shapes of responses are compared as statistics compares them."""

import numpy as np
import pytest
import torch

from grokbook.agreement import agreement, correlations
from grokbook.errors import SignalError


def responses(S: int = 4, n: int = 30, *, seed: int = 0) -> torch.Tensor:
    gen = torch.Generator().manual_seed(seed)
    return torch.randn(S, n, generator=gen, dtype=torch.float64)


def test_without_weights_they_are_numpys() -> None:
    h = responses()
    exact = np.corrcoef(h.numpy())
    np.testing.assert_allclose(correlations(h), exact, atol=1e-12)


def test_a_weight_of_three_counts_as_three_points() -> None:
    h = responses()
    times = torch.arange(30) % 4  # 0 to 3 eigenvalues at a point
    exact = np.corrcoef(h.repeat_interleave(times, dim=1).numpy())
    found = correlations(h, times.double())
    np.testing.assert_allclose(found, exact, atol=1e-12)


def test_size_and_offset_do_not_matter_and_the_sign_does() -> None:
    h = responses(1)[0]
    r = correlations(torch.stack([h, 3 * h - 7, 2 - h]))
    exact = [[1, 1, -1], [1, 1, -1], [-1, -1, 1]]
    np.testing.assert_allclose(r, exact, atol=1e-12)


def test_agreement_is_the_mean_over_pairs() -> None:
    h = responses(3)
    r = np.corrcoef(h.numpy())
    exact = (r[0, 1] + r[0, 2] + r[1, 2]) / 3
    assert agreement(h) == pytest.approx(exact)


def test_a_constant_where_it_counts_is_refused() -> None:
    h = responses(2)
    h[1, :20] = 5
    weights = (torch.arange(30) < 20).double()
    with pytest.raises(SignalError, match="Response 1 is constant"):
        correlations(h, weights)
