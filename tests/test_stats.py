"""Intervals and tests agree with SciPy, with formulas and with the paper."""

import csv
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from graphs import few
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from grokbook.errors import ScoresError
from grokbook.stats import (
    bootstrap,
    holm,
    paired_interval,
    paired_t,
    sign_flip,
    welch,
)

TABLE2 = Path(__file__).parents[1] / "data" / "paper" / "table2.csv"
scores = st.lists(st.floats(0, 1), min_size=3, max_size=10)


def draws(n: int, mean: float = 0.0, *, seed: int = 0) -> np.ndarray:
    """Normal numbers of deviation 1."""
    return np.random.default_rng(seed).normal(mean, size=n)


@few
@given(scores, st.integers(0, 10))
def test_the_interval_holds_the_mean_within_the_scores(
    x: list[float], seed: int
) -> None:
    mean, low, high = bootstrap(x, seed=seed)
    slack = 1e-12  # rounding of sums of ten numbers of at most 1
    assert mean == pytest.approx(np.mean(x))
    assert min(x) - slack <= low <= high <= max(x) + slack


def test_the_same_seed_gives_the_same_interval_whatever_came_before() -> None:
    x = draws(10)
    first = bootstrap(x, seed=3)
    np.random.seed(0)  # noqa: NPY002 - the global state is the point
    assert bootstrap(x, seed=3) == first
    assert bootstrap(x, seed=4) != first


def test_with_many_scores_the_interval_is_the_normal_one() -> None:
    x = draws(2000)
    mean, low, high = bootstrap(x)
    half = 1.96 * x.std(ddof=1) / np.sqrt(2000)
    # the ends of 10,000 resamples are known to 2% of the half width
    assert high - mean == pytest.approx(half, rel=0.06)
    assert mean - low == pytest.approx(half, rel=0.06)


def test_with_ten_scores_it_covers_nine_times_in_ten() -> None:
    held = 0
    for seed in range(100):
        _, low, high = bootstrap(draws(10, seed=seed))
        held += low <= 0 <= high
    # 100 draws at 0.90: a deviation of 3
    assert 81 <= held <= 97


def test_a_wider_level_gives_a_wider_interval() -> None:
    x = draws(10)
    _, low, high = bootstrap(x, level=0.8)
    _, lower, higher = bootstrap(x, level=0.99)
    assert lower < low < high < higher


def test_equal_scores_have_an_interval_of_one_point() -> None:
    assert bootstrap([0.5] * 10) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("bad", [[], [1.0], [0.5, np.nan], [[1.0, 2.0]]])
def test_scores_that_are_none_are_refused(bad: list) -> None:
    with pytest.raises(ScoresError, match="two or more finite scores"):
        bootstrap(np.array(bad))
    with pytest.raises(ScoresError):
        paired_t(np.array(bad), np.array(bad))


def test_paired_t_is_scipys() -> None:
    a, b = draws(10, 0.3, seed=1), draws(10, seed=2)
    ours, theirs = paired_t(a, b), stats.ttest_rel(a, b)
    assert ours.t == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue)
    assert ours.df == 9


def test_the_correction_shrinks_t_by_the_factor_of_nadeau_and_bengio() -> None:
    a, b = draws(10, 0.3, seed=1), draws(10, seed=2)
    plain, fair = paired_t(a, b), paired_t(a, b, test_over_train=1 / 3)
    factor = np.sqrt((1 / 10) / (1 / 10 + 1 / 3))
    assert fair.t == pytest.approx(plain.t * factor)
    assert fair.p > plain.p


def test_the_correction_is_right_where_splits_overlap() -> None:
    # Two methods that are equally good, on 90 nodes they get right or wrong
    # at random; ten splits of 60 to train and 30 to test. With no learning
    # the test parts overlap, and that alone fools the plain test.
    fooled = {0.0: 0, 0.5: 0}
    for seed in range(200):
        rng = np.random.default_rng(seed)
        gain = rng.integers(-1, 2, size=90)  # right minus wrong, per node
        d = [gain[rng.permutation(90)[:30]].mean() for _ in range(10)]
        for ratio in fooled:
            p = paired_t(d, np.zeros(10), test_over_train=ratio).p
            fooled[ratio] += p < 0.05
    assert fooled[0.0] > 40  # more than 20% where 5% are allowed
    assert fooled[0.5] < 20  # 5% is 10, deviation 3; 3 deviations


def test_sign_flip_tries_every_pattern_of_ten_splits() -> None:
    a, b = draws(10, 0.5, seed=1), draws(10, seed=2)
    d = a - b
    means = [abs(np.mean(d * s)) for s in product((1, -1), repeat=10)]
    # patterns that tie with the observed one up to rounding count
    expected = np.mean(np.array(means) >= abs(d.mean()) * (1 - 1e-9))
    assert sign_flip(a, b) == pytest.approx(expected)
    assert sign_flip(b, a) == pytest.approx(expected)


def test_sign_flip_cannot_go_below_two_patterns() -> None:
    assert sign_flip([0.9] * 10, [0.8] * 10) == 2 / 1024


def test_sign_flip_of_many_splits_is_repeatable() -> None:
    a, b = draws(30, 0.3, seed=1), draws(30, seed=2)
    assert sign_flip(a, b, seed=5) == sign_flip(a, b, seed=5)
    # close to Student's p; 10,000 patterns give it within 0.005
    assert sign_flip(a, b) == pytest.approx(paired_t(a, b).p, abs=0.02)


def test_scores_of_different_splits_are_not_paired() -> None:
    with pytest.raises(ScoresError, match="3 scores against 2"):
        paired_t([1, 2, 3], [1, 2])
    with pytest.raises(ScoresError, match="Use sign_flip"):
        paired_t([0.9, 0.8], [0.8, 0.7])


@few
@given(st.integers(0, 1000), st.integers(2, 12), st.integers(2, 12))
def test_welch_from_summaries_is_welch_from_scores(
    seed: int, n: int, m: int
) -> None:
    a, b = draws(n, 0.3, seed=seed), draws(m, seed=seed + 1)
    ours = welch((a.mean(), a.std(ddof=1), n), (b.mean(), b.std(ddof=1), m))
    theirs = stats.ttest_ind(a, b, equal_var=False)
    assert ours.t == pytest.approx(theirs.statistic)
    assert ours.df == pytest.approx(theirs.df)
    assert ours.p == pytest.approx(theirs.pvalue)


def test_summaries_without_spread_give_no_t() -> None:
    with pytest.raises(ScoresError, match="give no t"):
        welch((1.0, 0.0, 10), (2.0, 0.0, 10))
    with pytest.raises(ScoresError, match="counts 2 or more"):
        welch((1.0, 0.5, 1), (2.0, 0.1, 10))


def test_two_of_the_papers_ten_wins_exceed_two_standard_errors() -> None:
    lines = TABLE2.read_text().splitlines()[1:]
    printed: dict[str, dict[str, tuple]] = {}
    for row in csv.DictReader(lines):
        if row["mean"]:
            result = float(row["mean"]), float(row["std"]), int(row["n"])
            printed.setdefault(row["dataset"], {})[row["model"]] = result
    t = {}
    for dataset, models in printed.items():
        ours = models.pop("GrokFormer")
        best = max(models.values())
        if ours > best:
            t[dataset] = round(welch(ours, best).t, 1)
    assert len(t) == 10
    assert {name for name, value in t.items() if value > 2} == {
        "Pubmed",
        "Physics",
    }
    some = [t[name] for name in ("Pubmed", "Physics", "Cora", "Citeseer")]
    assert some == [3.8, 2.2, 0.7, 0.3]
    assert t["Photo"] == 0.2


def test_the_paired_interval_holds_zero_when_the_test_finds_nothing() -> None:
    for seed in range(20):
        a, b = draws(10, 0.5, seed=seed), draws(10, seed=seed + 50)
        for ratio in (0.0, 1 / 3):
            p = paired_t(a, b, test_over_train=ratio).p
            found = paired_interval(a, b, test_over_train=ratio, level=1 - p)
            # at the level of its own p-value, one end is exactly 0
            assert min(abs(found.low), abs(found.high)) < 1e-9
            mean, low, high = paired_interval(a, b, test_over_train=ratio)
            assert (low <= 0 <= high) == (p >= 0.05)
            assert mean == pytest.approx(np.mean(a - b))


def test_without_a_ratio_the_paired_interval_is_students() -> None:
    a, b = draws(10, seed=1), draws(10, seed=2)
    exact = stats.ttest_rel(a, b).confidence_interval()
    assert paired_interval(a, b)[1:] == pytest.approx(exact)


def test_equal_differences_have_an_interval_without_length() -> None:
    mean, low, high = paired_interval([2, 3, 5], [1, 2, 4])
    assert mean == low == high == 1


def test_holm_multiplies_the_smallest_by_their_number() -> None:
    assert holm([0.01, 0.02, 0.9]).tolist() == pytest.approx([0.03, 0.04, 0.9])
    assert holm([]).tolist() == []
    assert holm([0.5, 0.5]).tolist() == [1, 1]


@few
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_what_the_step_down_procedure_rejects(
    p: list[float],
) -> None:
    adjusted = holm(p)
    assert (adjusted >= p).all()
    left, rejected = sorted(p), 0
    while left and len(left) * left[0] <= 0.05:
        left, rejected = left[1:], rejected + 1
    assert (adjusted <= 0.05).sum() == rejected


@pytest.mark.parametrize("p", [[-0.1], [1.1], [float("nan")]])
def test_what_is_no_p_value_is_refused(p: list) -> None:
    with pytest.raises(ScoresError, match="p-values from 0 to 1"):
        holm(p)
