"""Plausible wrong answers to the exercises of chapter 14."""

import math
from typing import Any

import torch
from scipy.special import iv, jv
from wrong_answers import wrong


def _series(c: Any, R: int) -> Any:
    return torch.tensor([(1 if r == 0 else 2) * c(r) for r in range(R + 1)])


@wrong("ex-sine-series")
def is_the_cosine(m: int, R: int) -> Any:
    return _series(lambda r: math.cos(m + r * math.pi / 2) * jv(r, m), R)


@wrong("ex-sine-series")
def forgets_that_the_middle_is_at_one(m: int, R: int) -> Any:
    return _series(lambda r: math.sin(r * math.pi / 2) * jv(r, m), R)


@wrong("ex-sine-series")
def forgets_the_two(m: int, R: int) -> Any:
    return torch.tensor(
        [math.sin(m + r * math.pi / 2) * jv(r, m) for r in range(R + 1)]
    )


@wrong("ex-heat-series")
def forgets_the_signs(t: float, R: int) -> Any:
    return _series(lambda r: math.exp(-t) * iv(r, t), R)


@wrong("ex-heat-series")
def forgets_the_shift(t: float, R: int) -> Any:
    return _series(lambda r: (-1) ** r * iv(r, t), R)


@wrong("ex-heat-series")
def uses_the_unmodified_bessel_function(t: float, R: int) -> Any:
    return _series(lambda r: math.exp(-t) * (-1) ** r * jv(r, t), R)


@wrong("ex-clenshaw")
def ends_like_the_other_steps(c: Any, A: Any, X: Any) -> Any:
    one, two = torch.zeros_like(X), torch.zeros_like(X)
    for r in range(len(c) - 1, -1, -1):
        one, two = c[r] * X + 2 * (A @ one) - two, one
    return one


@wrong("ex-clenshaw")
def multiplies_by_zero_once_too_often(c: Any, A: Any, X: Any) -> Any:
    one, two = torch.zeros_like(X), torch.zeros_like(X)
    for r in range(len(c) - 1, 0, -1):
        one, two = c[r] * X + 2 * (A @ one) - two, one
    return c[0] * X + A @ one - two


@wrong("ex-clenshaw")
def is_horners_rule(c: Any, A: Any, X: Any) -> Any:
    Y = c[-1] * X
    for r in range(len(c) - 2, -1, -1):
        Y = A @ Y + c[r] * X
    return Y


@wrong("ex-crossover")
def forgets_the_decomposition(
    N: int, E: int, R: int, C: int, s: float, b: float, steps: int
) -> Any:
    return R * E * s < N**2


@wrong("ex-crossover")
def forgets_the_columns(
    N: int, E: int, R: int, C: int, s: float, b: float, steps: int
) -> Any:
    return b * N**3 + steps * 4 * N**2 > steps * 4 * R * E * s


@wrong("ex-crossover")
def decomposes_at_every_step(
    N: int, E: int, R: int, C: int, s: float, b: float, steps: int
) -> Any:
    return steps * (b * N**3 + 4 * N**2 * C) > steps * 4 * R * E * s * C


@wrong("ex-crossover")
def counts_each_edge_twice_more(
    N: int, E: int, R: int, C: int, s: float, b: float, steps: int
) -> Any:
    return b * N**3 + steps * 4 * N**2 * C > steps * 8 * R * E * s * C
