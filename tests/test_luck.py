"""What is seen of the best of several settings, and what is kept of it."""

import numpy as np
import pytest

from grokbook.errors import ScoresError
from grokbook.luck import expected_best, kept_share


@pytest.mark.parametrize(
    ("n", "exact"),
    [
        (1, 0.0),
        (2, 1 / np.sqrt(np.pi)),
        (3, 1.5 / np.sqrt(np.pi)),
        (4, 6 / np.pi**1.5 * np.arctan(np.sqrt(2))),
        (5, 5 / (2 * np.sqrt(np.pi)) * (6 / np.pi * np.arctan(2**0.5) - 1)),
    ],
)
def test_the_best_of_a_few_has_its_closed_form(n, exact):
    # Simpson's rule on 4,000 steps of 0.003: far below 1e-9.
    assert expected_best(n) == pytest.approx(exact, abs=1e-9)


def test_the_best_of_many_agrees_with_draws():
    draws = np.random.default_rng(0).normal(size=(40_000, 24)).max(1)
    # The mean of 40,000 maxima has a deviation of 0.0025.
    assert expected_best(24) == pytest.approx(draws.mean(), abs=0.0125)


def test_more_to_choose_from_is_more_luck():
    best = [expected_best(n) for n in (1, 2, 5, 24, 100, 10_000)]
    assert best == sorted(best)
    assert best[-1] < np.sqrt(2 * np.log(10_000))  # the classical bound


def experiment(real: float, noise: float, n: int, k: int, seed: int):
    """Scores of n settings on k splits, and the same on k fresh ones."""
    rng = np.random.default_rng(seed)
    worth = real * rng.normal(size=(n, 1))
    hard = 5 * rng.normal(size=(2, 1, k))
    return worth + hard + noise * rng.normal(size=(2, n, k))


def test_fresh_splits_keep_the_share_of_a_lead():
    promised, kept, shares = [], [], []
    for seed in range(2000):
        tried, fresh = experiment(1.0, 2.0, 24, 4, seed)
        best = tried.mean(1).argmax()
        promised.append(tried.mean(1)[best] - tried.mean())
        kept.append(fresh.mean(1)[best] - fresh.mean())
        shares.append(kept_share(tried))
    # Real variance 1, of noise 4/4: half is kept. Deviations of the means of
    # 2,000: 0.02 of what is kept, 0.004 of the shares. A share that cannot be
    # negative, and whose v has a spread, is off by a few hundredths.
    assert np.mean(kept) / np.mean(promised) == pytest.approx(0.5, abs=0.05)
    assert np.mean(shares) == pytest.approx(0.5, abs=0.06)


def test_what_is_promised_is_what_the_formula_says():
    seen = []
    for seed in range(4000):
        tried, _ = experiment(0.0, 2.0, 24, 4, seed)
        seen.append((tried.mean(1) - tried.mean()).max())
    # σ = 2/√4 = 1. One lead has a deviation of about 0.5.
    assert np.mean(seen) == pytest.approx(
        expected_best(24), abs=5 * 0.5 / np.sqrt(4000)
    )


def test_hard_splits_do_not_count():
    tried, _ = experiment(1.0, 1.0, 6, 3, seed=0)
    harder = tried + np.array([0.0, -30.0, 70.0])
    assert kept_share(harder) == pytest.approx(kept_share(tried), abs=1e-12)


def test_two_settings_by_hand():
    # Means 2 and 4, s² = 2, k s² = 4; the rest is ±1/2 four times: v = 1.
    x = np.array([[1.0, 3.0], [4.0, 4.0]])
    assert kept_share(x) == pytest.approx(0.75)


@pytest.mark.parametrize("n", [2, 3, 5, 24])
def test_settings_all_alike_have_no_lead_to_keep(n):
    for splits in np.random.default_rng(n).normal(80, 1, (200, 3)):
        assert kept_share(np.tile(splits, (n, 1))) == 0.0


def test_one_setting_alone_promises_exactly_nothing():
    assert expected_best(1) == 0.0


@pytest.mark.parametrize(
    "scores",
    [[1.0, 2.0], [[1.0, 2.0]], [[1.0], [2.0]], [[1.0, np.nan], [2.0, 3.0]]],
    ids=["flat", "one setting", "one split", "not finite"],
)
def test_what_shows_no_share_is_refused(scores):
    with pytest.raises(ScoresError, match="rows"):
        kept_share(np.array(scores))


def test_the_best_of_none_is_refused():
    with pytest.raises(ScoresError, match="best of 0"):
        expected_best(0)
