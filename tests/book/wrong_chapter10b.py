"""Plausible wrong answers to the exercises of chapter 10b."""

from typing import Any

import numpy as np
from wrong_answers import wrong

from grokbook.luck import expected_best


def _least(enough: Any, first: int = 1) -> int:
    n = first
    while not enough(n):
        n += 1
    return n


@wrong("ex-enough-tries")
def forgets_the_noise(lead: Any, sigma: Any) -> Any:
    return _least(lambda n: expected_best(n) >= lead)


@wrong("ex-enough-tries")
def stops_one_too_late(lead: Any, sigma: Any) -> Any:
    return _least(lambda n: sigma * expected_best(n) >= lead) + 1


@wrong("ex-enough-tries")
def stops_one_too_early(lead: Any, sigma: Any) -> Any:
    return max(1, _least(lambda n: sigma * expected_best(n) >= lead) - 1)


@wrong("ex-enough-tries")
def starts_with_two(lead: Any, sigma: Any) -> Any:
    return _least(lambda n: sigma * expected_best(n) >= lead, first=2)


@wrong("ex-enough-tries")
def takes_the_classical_bound(lead: Any, sigma: Any) -> Any:
    return _least(lambda n: sigma * np.sqrt(2 * np.log(n)) >= lead)


@wrong("ex-enough-tries")
def divides_the_noise_by_the_settings(lead: Any, sigma: Any) -> Any:
    n = 1
    while sigma / n**0.5 * expected_best(n) < lead and n < 100:
        n += 1
    return n


def _error(x: Any) -> Any:
    return np.std(x, ddof=1) / np.sqrt(len(x))


@wrong("ex-fresh-gap")
def pools_all_seeds(picked: Any, fresh: Any, mean: Any, std: Any, n: Any):
    scores = [*picked, *fresh]
    gap = np.mean(scores) - mean
    return gap, gap / np.hypot(_error(scores), std / np.sqrt(n))


@wrong("ex-fresh-gap")
def trusts_the_paper_s_mean(
    picked: Any, fresh: Any, mean: Any, std: Any, n: Any
):
    gap = np.mean(fresh) - mean
    return gap, gap / _error(fresh)


@wrong("ex-fresh-gap")
def divides_by_a_deviation(
    picked: Any, fresh: Any, mean: Any, std: Any, n: Any
):
    gap = np.mean(fresh) - mean
    return gap, gap / np.hypot(np.std(fresh, ddof=1), std)


@wrong("ex-fresh-gap")
def adds_the_errors(picked: Any, fresh: Any, mean: Any, std: Any, n: Any):
    gap = np.mean(fresh) - mean
    return gap, gap / (_error(fresh) + std / np.sqrt(n))


@wrong("ex-fresh-gap")
def turns_the_sign(picked: Any, fresh: Any, mean: Any, std: Any, n: Any):
    gap = mean - np.mean(fresh)
    return gap, gap / np.hypot(_error(fresh), std / np.sqrt(n))


@wrong("ex-fresh-gap")
def divides_by_n(picked: Any, fresh: Any, mean: Any, std: Any, n: Any):
    gap = np.mean(fresh) - mean
    error = np.std(fresh) / np.sqrt(len(fresh))
    return gap, gap / np.hypot(error, std / np.sqrt(n))


def _below(lam: Any, size: int) -> Any:
    step = 2 / (size - 1)
    left = np.minimum((np.asarray(lam) / step).astype(int), size - 2)
    return step, left, np.asarray(lam) / step - left


@wrong("ex-on-grid")
def takes_the_nearest_point(lam: Any, size: Any, response: Any) -> Any:
    step = 2 / (size - 1)
    return response(np.round(np.asarray(lam) / step) * step)


@wrong("ex-on-grid")
def takes_the_point_below(lam: Any, size: Any, response: Any) -> Any:
    step, left, _ = _below(lam, size)
    return response(left * step)


@wrong("ex-on-grid")
def swaps_the_weights(lam: Any, size: Any, response: Any) -> Any:
    step, left, t = _below(lam, size)
    low, high = response(left * step), response((left + 1) * step)
    return t * low + (1 - t) * high


@wrong("ex-on-grid")
def leaves_the_grid_at_two(lam: Any, size: Any, response: Any) -> Any:
    points = np.linspace(0, 2, size)
    left = (np.asarray(lam) / points[1]).astype(int)
    t = np.asarray(lam) / points[1] - left
    h = response(points)
    return (1 - t) * h[left] + t * h[left + 1]


@wrong("ex-on-grid")
def takes_as_many_steps_as_points(lam: Any, size: Any, response: Any) -> Any:
    points = np.linspace(0, 2, size + 1)
    return np.interp(lam, points, response(points))


@wrong("ex-on-grid")
def spans_the_eigenvalues_only(lam: Any, size: Any, response: Any) -> Any:
    points = np.linspace(0, np.max(lam), size)
    return np.interp(lam, points, response(points))


@wrong("ex-on-grid")
def has_five_points_always(lam: Any, size: Any, response: Any) -> Any:
    points = np.linspace(0, 2, 5)
    return np.interp(lam, points, response(points))


@wrong("ex-on-grid")
def asks_for_every_eigenvalue(lam: Any, size: Any, response: Any) -> Any:
    return response(np.asarray(lam))
