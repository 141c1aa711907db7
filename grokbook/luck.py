"""Choosing the best of several noisy scores: what luck promises."""

from collections.abc import Sequence

import numpy as np

from grokbook.errors import ScoresError

#: Steps of Simpson's rule; the integrand is smooth and gone at 12.
STEPS = 4000
FURTHEST = 12.0


def expected_best(n: int) -> float:
    r"""The mean of the largest of n independent standard normal numbers.

    .. math:: \beta_n = \int_0^\infty
       \bigl(1 - \Phi(x)^n - \Phi(-x)^n\bigr)\, dx

    Of n settings that are equally good, whose scores have the deviation σ,
    the best is seen σ βₙ above what it is worth. Derived in chapter 10b.

    Args:
        n: how many there are to choose from, one or more.

    Raises:
        ScoresError: there is nothing to choose from.

    Examples:
        >>> round(expected_best(2) * np.pi**0.5, 6)  # β₂ = 1/√π
        1.0
    """
    from scipy.integrate import simpson
    from scipy.stats import norm

    if not n >= 1:
        raise ScoresError(f"The best of {n} is not defined: pass 1 or more.")
    x = np.linspace(0, FURTHEST, STEPS + 1)
    p = norm.cdf(x)
    missed = 1 - p**n - (1 - p) ** n  # exactly 0 for one
    return float(simpson(missed, x=x))


def kept_share(scores: np.ndarray | Sequence[Sequence[float]]) -> float:
    r"""How much of a lead among settings other splits would keep.

    .. math:: 1 - \frac{v}{k s^2}, \qquad
       v = \frac{\sum_{ij} (x_{ij} - \bar x_{i\cdot} - \bar x_{\cdot j}
       + \bar x)^2}{(n - 1)(k - 1)}

    s² is the variance of the n settings' means over k splits, v that of
    what neither a setting nor a split explains. If all settings are equally
    good, k s² is v in the mean, and nothing is kept; estimates below 0 count
    as 0. Hard splits do not count: every setting has the same ones. Derived
    in chapter 10b.

    Args:
        scores: a row for each setting, a column for each split.

    Shapes:
        scores (n, k), n and k at least 2

    Raises:
        ScoresError: too few rows or columns, or one that is not finite.

    Examples:
        >>> kept_share(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
        1.0
        >>> kept_share(np.array([[1.0, 2.0], [2.0, 1.0]]))
        0.0
    """
    x = np.asarray(scores, dtype=np.float64)
    if x.ndim != 2 or min(x.shape) < 2 or not np.isfinite(x).all():
        raise ScoresError(
            f"Scores of shape {x.shape} show no share: pass finite ones, two "
            "rows (settings) and two columns (splits) or more."
        )
    x = x - x[:1]  # rows that are alike become exactly 0
    n, k = x.shape
    settings, splits = x.mean(1, keepdims=True), x.mean(0, keepdims=True)
    rest = x - settings - splits + x.mean()
    v = (rest**2).sum() / ((n - 1) * (k - 1))
    between = k * settings.var(ddof=1)
    if between == 0:
        return 0.0  # all alike: there is no lead
    return float(max(0.0, 1 - v / between))
