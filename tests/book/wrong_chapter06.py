"""Plausible wrong answers to the exercises of chapter 06."""

import math
from typing import Any

import torch
from wrong_answers import wrong


@wrong("ex-harmonics")
def counts_nodes_not_eigenvalues(S: Any) -> Any:
    return len(S.lam) // 2


@wrong("ex-harmonics")
def rounds_down(S: Any) -> Any:
    return (len(S.distinct()[0]) - 1) // 2


@wrong("ex-harmonics")
def forgets_the_constant(S: Any) -> Any:
    return math.ceil(len(S.distinct()[0]) / 2)


@wrong("ex-harmonics")
def forgets_the_sines(S: Any) -> Any:
    return len(S.distinct()[0]) - 1


@wrong("ex-sinusoid")
def takes_the_tangent_at_zero(slope: float) -> Any:
    return slope, 0.0


@wrong("ex-sinusoid")
def forgets_the_slope(slope: float) -> Any:
    return 1.5997, -0.1914


@wrong("ex-sinusoid")
def exchanges_sine_and_cosine(slope: float) -> Any:
    return 1.5997 * slope, math.atan2(1.5705, -0.3043)


@wrong("ex-sinusoid")
def makes_the_largest_gap_least(slope: float) -> Any:
    return 1.7539 * slope, -0.1737


@wrong("ex-collision")
def shifts_the_frequency_not_its_power(k: int) -> Any:
    return 2.0, 2 * math.pi - 2


@wrong("ex-collision")
def turns_by_half(k: int) -> Any:
    return 2.0, (2**k - math.pi) ** (1 / k)


@wrong("ex-collision")
def forgets_the_root(k: int) -> Any:
    return 2.0, (2**k - 2 * math.pi) / k


@wrong("ex-collision")
def gives_the_same_point_twice(k: int) -> Any:
    return 1.0, 1.0


@wrong("ex-whole")
def cuts_where_it_was_told(lam: Any, q: int) -> Any:
    return q


@wrong("ex-whole")
def takes_one_more_at_most(lam: Any, q: int) -> Any:
    return q + int(q < len(lam) and lam[q] - lam[q - 1] < 1e-10)


@wrong("ex-whole")
def compares_exactly(lam: Any, q: int) -> Any:
    while q < len(lam) and lam[q] == lam[q - 1]:
        q += 1
    return q


@wrong("ex-whole")
def keeps_fewer_instead_of_more(lam: Any, q: int) -> Any:
    while q < len(lam) and lam[q] - lam[q - 1] < 1e-10:
        q -= 1
    return q


@wrong("ex-whole")
def takes_near_for_equal(lam: Any, q: int) -> Any:
    return int(torch.searchsorted(lam, lam[q - 1] + 0.01))
