"""Scores of splits → intervals and tests, with what they do not know.

Random splits of one graph share nodes. A plain interval or test of their
scores speaks of *another split of this graph*; one corrected for the overlap
of *other nodes from the same source*. Neither speaks of another graph.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grokbook.errors import ScoresError

Scores = Sequence[float | int] | np.ndarray


class Interval(NamedTuple):
    """A mean with the ends of its interval."""

    mean: float
    low: float
    high: float


class TTest(NamedTuple):
    """Student's t, its degrees of freedom, a two-sided p-value."""

    t: float
    df: float
    p: float


def bootstrap(
    scores: Scores, *, seed: int = 0, level: float = 0.95
) -> Interval:
    """The mean of the scores, with a bootstrap interval.

    The scores are drawn again, with replacement, 10,000 times; the interval
    holds the middle 95% of the means, corrected for bias and skewness
    (BCa). The same seed gives the same interval. With ten scores it is
    short: it covers the mean about nine times in ten, not 95 in 100.

    Raises:
        ScoresError: fewer than two scores, or one that is not finite.

    Examples:
        >>> mean, low, high = bootstrap([0.80, 0.84, 0.86, 0.90])
        >>> round(mean, 2), round(low, 2), round(high, 2)
        (0.85, 0.81, 0.89)
    """
    from scipy.stats import bootstrap as resample

    x = _as_scores(scores)
    mean = float(x.mean())
    if np.ptp(x) == 0:
        return Interval(mean, mean, mean)  # nothing varies: BCa is 0/0
    rng = np.random.default_rng(seed)
    found = resample(
        (x,), np.mean, confidence_level=level, n_resamples=10_000, rng=rng
    ).confidence_interval
    return Interval(mean, float(found.low), float(found.high))


def paired_t(a: Scores, b: Scores, *, test_over_train: float = 0.0) -> TTest:
    r"""Student's t of the differences of two methods on the same splits.

    .. math:: t = \bar d \Big/ \sqrt{\left(\frac1n +
       \frac{n_\text{test}}{n_\text{train}}\right) s_d^2}

    The second term is 0 in the textbook test. Repeated splits reuse nodes,
    so n scores hold less than n scores' worth of evidence; Nadeau and
    Bengio (2003) add the ratio of the sizes of the test and training parts
    to allow for it. At 60/20/20 it is 1/3, and ten splits count for about
    two. Pass it: the uncorrected test finds differences that are not there.

    Examples:
        >>> a, b = [0.81, 0.85, 0.90], [0.80, 0.83, 0.87]
        >>> round(paired_t(a, b).t, 2)
        3.46
        >>> round(paired_t(a, b, test_over_train=1 / 3).t, 2)
        2.45
    """
    from scipy.stats import t as student

    d = _differences(a, b)
    spread = d.std(ddof=1) * np.sqrt(1 / len(d) + test_over_train)
    if np.ptp(d) < 1e-12:  # equal but for rounding
        raise ScoresError(
            "All differences are equal, so t is not defined. Use sign_flip."
        )
    t, df = float(d.mean() / spread), float(len(d) - 1)
    return TTest(t, df, float(2 * student.sf(abs(t), df)))


def paired_interval(
    a: Scores,
    b: Scores,
    *,
    test_over_train: float = 0.0,
    level: float = 0.95,
) -> Interval:
    r"""The mean difference on the same splits, with its interval.

    .. math:: \bar d \pm t_{n-1} \sqrt{\left(\frac1n +
       \frac{n_\text{test}}{n_\text{train}}\right) s_d^2}

    It holds 0 exactly when `paired_t`, given the same ratio, finds no
    difference at this level. Derived in chapter 10.

    Examples:
        >>> a, b = [0.81, 0.85, 0.90], [0.80, 0.83, 0.87]
        >>> [round(end, 3) for end in paired_interval(a, b)]
        [0.02, -0.005, 0.045]
    """
    from scipy.stats import t as student

    d = _differences(a, b)
    spread = d.std(ddof=1) * np.sqrt(1 / len(d) + test_over_train)
    half = float(student.ppf((1 + level) / 2, len(d) - 1) * spread)
    mean = float(d.mean())
    return Interval(mean, mean - half, mean + half)


def holm(p: Scores) -> np.ndarray:
    r"""p-values of several tests, adjusted for their number.

    .. math:: \tilde p_{(i)} = \max_{j \le i}
       \min\bigl(1, (n - j + 1)\, p_{(j)}\bigr)

    with p sorted from the smallest (Holm, 1979). Whoever believes those
    below 0.05 is wrong about even one of them in at most 5 of 100 tables,
    however the tests depend on each other. Derived in chapter 10.

    Examples:
        >>> holm([0.04, 0.01, 0.03]).tolist()
        [0.06, 0.03, 0.06]
    """
    p = np.asarray(p, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ScoresError(f"Pass p-values from 0 to 1, not {p.tolist()}.")
    order = np.argsort(p, kind="stable")
    times = len(p) - np.arange(len(p))
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(times * p[order])
    return adjusted.clip(max=1)


def sign_flip(a: Scores, b: Scores, *, seed: int = 0) -> float:
    """Two-sided p-value of a paired difference, by flipping its signs.

    If the methods do not differ, each difference is as likely to have the
    other sign. With up to 13 splits all sign patterns are tried (1,024 at
    ten splits, so p is at least 2/1,024); above that 10,000 random ones.

    Examples:
        >>> sign_flip([0.9] * 5, [0.8] * 5)
        0.0625
    """
    from scipy.stats import permutation_test

    d = _differences(a, b)
    found = permutation_test(
        (d, np.zeros_like(d)),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=10_000,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def welch(a: tuple[float, float, int], b: tuple[float, float, int]) -> TTest:
    r"""Welch's t of two printed results (mean, deviation, n).

    .. math:: t = (\bar a - \bar b) \Big/ \sqrt{s_a^2/n_a + s_b^2/n_b}

    Examples:
        >>> round(welch((91.39, 0.51, 10), (90.68, 0.31, 10)).t, 1)
        3.8
    """
    from scipy.stats import ttest_ind_from_stats

    (_, s_a, n_a), (_, s_b, n_b) = a, b
    if min(s_a, s_b) < 0 or max(s_a, s_b) == 0 or min(n_a, n_b) < 2:
        raise ScoresError(
            f"Deviations {s_a:g} and {s_b:g} of {n_a} and {n_b} scores "
            "give no t. Deviations must be positive, counts 2 or more."
        )
    found = ttest_ind_from_stats(*a, *b, equal_var=False)
    u, v = s_a**2 / n_a, s_b**2 / n_b
    df = (u + v) ** 2 / (u**2 / (n_a - 1) + v**2 / (n_b - 1))
    return TTest(float(found.statistic), df, float(found.pvalue))


def _as_scores(scores: Scores) -> np.ndarray:
    """Read scores, or say how many and what they must be."""
    x = np.asarray(scores, dtype=np.float64)
    if x.ndim != 1 or len(x) < 2 or not np.isfinite(x).all():
        raise ScoresError(f"Pass two or more finite scores, not {x.tolist()}.")
    return x


def _differences(a: Scores, b: Scores) -> np.ndarray:
    """Subtract scores split by split."""
    x, y = _as_scores(a), _as_scores(b)
    if len(x) != len(y):
        raise ScoresError(
            f"{len(x)} scores against {len(y)}: a paired test needs both "
            "methods on the same splits, in the same order."
        )
    return x - y
