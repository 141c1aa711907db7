"""Plausible wrong answers to the exercises of chapter 12."""

from typing import Any

import numpy as np
import torch
from wrong_answers import wrong


@wrong("ex-interaction")
def forgets_the_row_with_neither(scores: Any) -> Any:
    if len(scores) < 4:
        return np.nan
    both, att, fil = (
        np.mean(scores[name]) for name in ("both", "attention", "filter")
    )
    return both - max(att, fil)


@wrong("ex-interaction")
def subtracts_neither_too(scores: Any) -> Any:
    if len(scores) < 4:
        return np.nan
    s = {name: np.mean(value) for name, value in scores.items()}
    return s["both"] - s["attention"] - s["filter"] - s["neither"]


@wrong("ex-interaction")
def takes_what_is_missing_for_zero(scores: Any) -> Any:
    s = {
        name: np.mean(scores.get(name, [0.0]))
        for name in ("both", "attention", "filter", "neither")
    }
    return s["both"] - s["attention"] - s["filter"] + s["neither"]


@wrong("ex-disguise")
def forgets_to_undo_it(alpha: Any, a: Any, b: Any) -> Any:
    return torch.arange(1, len(alpha) + 1).to(alpha), a, b


@wrong("ex-disguise")
def leaves_the_constant(alpha: Any, a: Any, b: Any) -> Any:
    wanted = torch.arange(1, len(alpha) + 1).to(alpha)
    scale = (alpha / wanted)[:, None]
    moved = a * scale
    moved[:, 0] = a[:, 0]
    return wanted, moved, b * scale


@wrong("ex-disguise")
def keeps_the_signs(alpha: Any, a: Any, b: Any) -> Any:
    scale = torch.arange(1, len(alpha) + 1).to(alpha) * 100
    scale = scale / alpha.abs()
    return alpha * scale, a / scale[:, None], b / scale[:, None]


@wrong("ex-disguise")
def changes_nothing(alpha: Any, a: Any, b: Any) -> Any:
    sign = alpha.sign()[:, None]
    return alpha.abs(), a * sign, b * sign


def _best(scores: Any) -> Any:
    return max(scores, key=lambda K: np.mean(scores[K]))


@wrong("ex-smallest-order")
def takes_the_best(scores: Any) -> Any:
    return _best(scores)


@wrong("ex-smallest-order")
def throws_the_pairing_away(scores: Any) -> Any:
    best = np.asarray(scores[_best(scores)])
    error = best.std(ddof=1) / np.sqrt(len(best))
    return min(K for K in scores if np.mean(scores[K]) >= best.mean() - error)


@wrong("ex-smallest-order")
def takes_the_deviation_for_the_error(scores: Any) -> Any:
    best = np.asarray(scores[_best(scores)])
    for K in sorted(scores):
        d = best - np.asarray(scores[K])
        if d.mean() <= d.std(ddof=1):
            return K
    return None


@wrong("ex-smallest-order")
def divides_by_n(scores: Any) -> Any:
    best = np.asarray(scores[_best(scores)])
    for K in sorted(scores):
        d = best - np.asarray(scores[K])
        if d.mean() <= d.std() / np.sqrt(len(d)):
            return K
    return None


@wrong("ex-smallest-order")
def takes_the_first_of_the_dict(scores: Any) -> Any:
    best = np.asarray(scores[_best(scores)])
    for K in scores:
        d = best - np.asarray(scores[K])
        if d.mean() <= d.std(ddof=1) / np.sqrt(len(d)):
            return K
    return None


@wrong("ex-asleep")
def compares_lengths(X: Any, attended: Any, filtered: Any) -> Any:
    size = torch.stack([p.norm() for p in (X, attended, filtered)])
    return tuple(size[1:] / size.sum())


@wrong("ex-asleep")
def leaves_the_input_out(X: Any, attended: Any, filtered: Any) -> Any:
    energy = torch.stack([p.square().sum() for p in (attended, filtered)])
    return tuple(energy / energy.sum())


@wrong("ex-asleep")
def swaps_the_two(X: Any, attended: Any, filtered: Any) -> Any:
    energy = torch.stack([p.square().sum() for p in (X, attended, filtered)])
    return energy[2] / energy.sum(), energy[1] / energy.sum()


@wrong("ex-asleep")
def takes_the_largest_singular_value(
    X: Any, attended: Any, filtered: Any
) -> Any:
    parts = (X, attended, filtered)
    size = torch.stack([torch.linalg.norm(p, 2) ** 2 for p in parts])
    return tuple(size[1:] / size.sum())


@wrong("ex-smallest-order")
def walks_down_and_stops_too_early(scores: Any) -> Any:
    found = _best(scores)
    best = np.asarray(scores[found])
    for K in sorted((K for K in scores if found > K), reverse=True):
        d = best - np.asarray(scores[K])
        if d.mean() > d.std(ddof=1) / np.sqrt(len(d)):
            break
        found = K
    return found
