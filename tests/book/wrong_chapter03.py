"""Wrong answers to the exercises of chapter 03."""

from collections.abc import Callable
from math import comb
from typing import Any

import torch
from wrong_answers import wrong

from grokbook.filters import Polynomial


@wrong("ex-to-gpr")
def only_flips_signs(theta: Any) -> Any:
    return theta * (-1.0) ** torch.arange(len(theta))


@wrong("ex-to-gpr")
def forgets_the_signs(theta: Any) -> Any:
    K = len(theta) - 1
    return torch.stack(
        [
            sum(theta[k] * comb(k, j) for k in range(j, K + 1))
            for j in range(K + 1)
        ]
    )


@wrong("ex-to-gpr")
def mixes_up_rows_and_columns(theta: Any) -> Any:
    return torch.stack(
        [
            sum(theta[k] * comb(j, k) * (-1) ** k for k in range(j + 1))
            for j in range(len(theta))
        ]
    )


@wrong("ex-horner")
def reads_the_coefficients_backwards(theta: Any, L: Any, x: Any) -> Any:
    y = theta[0] * x
    for c in theta[1:].tolist():
        y = L @ y + c * x
    return y


@wrong("ex-horner")
def begins_each_power_anew(theta: Any, L: Any, x: Any) -> Any:
    y = theta[0] * x
    for k in range(1, len(theta)):
        power = x
        for _ in range(k):
            power = L @ power
        y = y + theta[k] * power
    return y


@wrong("ex-horner")
def adds_numbers_where_signals_belong(theta: Any, L: Any, x: Any) -> Any:
    y = theta[-1] * x
    for c in reversed(theta[:-1].tolist()):
        y = L @ y + c
    return y


@wrong("ex-horner")
def takes_one_product_too_many(theta: Any, L: Any, x: Any) -> Any:
    y = torch.zeros_like(x)
    for c in reversed(theta.tolist()):
        y = L @ y + c * x
    return y


@wrong("ex-pagerank")
def divides_as_the_table_does(alpha: float) -> Any:
    return lambda lam: 1 / (alpha * (1 - (1 - alpha) * (1 - lam)))


@wrong("ex-pagerank")
def forgets_the_return(alpha: float) -> Any:
    return lambda lam: 1 / (1 - (1 - alpha) * (1 - lam))


@wrong("ex-pagerank")
def swaps_stay_and_return(alpha: float) -> Any:
    return lambda lam: (1 - alpha) / (1 - alpha * (1 - lam))


@wrong("ex-pagerank")
def is_the_combinatorial_one(alpha: float) -> Any:
    return lambda lam: alpha / (alpha + lam)


@wrong("ex-pagerank")
def stops_after_ten_steps(alpha: float) -> Any:
    return Polynomial("appnp", 10, alpha=alpha)


def _first(h: Callable, lam: Any, within: Callable, basis: str) -> int:
    """The first degree up to 60 whose errors please."""
    for K in range(1, 61):
        gap = Polynomial(basis, K).fit(lam, h(lam))(lam) - h(lam)
        if within(gap):
            return K
    return 61


@wrong("ex-degree")
def takes_the_mean_for_the_largest(h: Any, lam: Any, tolerance: float) -> Any:
    return _first(
        h, lam, lambda gap: gap.abs().mean() <= tolerance, "chebyshev"
    )


@wrong("ex-degree")
def forgets_the_root(h: Any, lam: Any, tolerance: float) -> Any:
    return _first(
        h, lam, lambda gap: gap.square().max() <= tolerance, "chebyshev"
    )


@wrong("ex-degree")
def forgets_the_absolute_value(h: Any, lam: Any, tolerance: float) -> Any:
    return _first(h, lam, lambda gap: gap.max() <= tolerance, "chebyshev")


@wrong("ex-degree")
def counts_coefficients(h: Any, lam: Any, tolerance: float) -> Any:
    return 1 + _first(
        h, lam, lambda gap: gap.abs().max() <= tolerance, "chebyshev"
    )


@wrong("ex-degree")
def fits_powers(h: Any, lam: Any, tolerance: float) -> Any:
    return _first(h, lam, lambda gap: gap.abs().max() <= tolerance, "monomial")
