"""Plausible wrong answers to the exercises of chapter 04."""

from typing import Any

import torch
from wrong_answers import wrong


def same(z: Any) -> Any:
    return z


def minus(z: Any) -> Any:
    return -z


@wrong("ex-kan-maximum")
def is_the_minimum() -> Any:
    outer = [lambda z: z / 2, lambda z: -abs(z) / 2]
    return [(same, same), (same, minus)], outer


@wrong("ex-kan-maximum")
def forgets_the_halves() -> Any:
    return [(same, same), (same, minus)], [same, abs]


@wrong("ex-kan-maximum")
def forgets_that_the_difference_has_a_sign() -> Any:
    half = [lambda z: z / 2, lambda z: z / 2]
    return [(same, same), (same, minus)], half


@wrong("ex-kan-maximum")
def returns_the_function_itself() -> Any:
    return max


@wrong("ex-kan-interaction")
def adds_all_corners(v: Any, x: Any, y: Any, s: Any, t: Any) -> Any:
    return v(x, y) + v(x, t) + v(s, y) + v(s, t)


@wrong("ex-kan-interaction")
def compares_two_corners(v: Any, x: Any, y: Any, s: Any, t: Any) -> Any:
    return v(x, y) - v(s, t)


@wrong("ex-kan-interaction")
def always_says_zero(v: Any, x: Any, y: Any, s: Any, t: Any) -> Any:
    return 0.0


@wrong("ex-kan-interaction")
def turns_the_sign(v: Any, x: Any, y: Any, s: Any, t: Any) -> Any:
    return v(x, t) + v(s, y) - v(x, y) - v(s, t)


@wrong("ex-kan-count")
def counts_nodes(widths: Any, per_edge: int) -> Any:
    return sum(widths[1:]) * per_edge


@wrong("ex-kan-count")
def multiplies_all_widths(widths: Any, per_edge: int) -> Any:
    return int(torch.tensor(widths).prod()) * per_edge


@wrong("ex-kan-count")
def joins_all_layers_to_each_other(widths: Any, per_edge: int) -> Any:
    pairs = [a * b for i, a in enumerate(widths) for b in widths[i + 1 :]]
    return sum(pairs) * per_edge


@wrong("ex-spline-line")
def takes_the_first_knot_of_each(knots: Any, order: int) -> Any:
    return knots[: -order - 1]


@wrong("ex-spline-line")
def takes_the_middle_of_the_support(knots: Any, order: int) -> Any:
    return (knots[: -order - 1] + knots[order + 1 :]) / 2


@wrong("ex-spline-line")
def averages_the_ends_as_well(knots: Any, order: int) -> Any:
    return knots.unfold(0, order + 2, 1).mean(dim=1)


@wrong("ex-spline-line")
def gives_one_coefficient_per_knot(knots: Any, order: int) -> Any:
    return knots
