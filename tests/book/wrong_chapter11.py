"""Plausible wrong answers to the exercises of chapter 11."""

from typing import Any

import numpy as np
import torch
from scipy.stats import binom
from wrong_answers import wrong


@wrong("ex-masked-std")
def ignores_the_mask(X: Any, mask: Any) -> Any:
    return X.std(1, correction=0)


@wrong("ex-masked-std")
def masks_before_the_mean_only(X: Any, mask: Any) -> Any:
    count = mask.sum(1)[:, None]
    X = X.masked_fill(~mask[..., None], 0)
    mean = X.sum(1) / count
    return (((X - mean[:, None]) ** 2).sum(1) / count).sqrt()


@wrong("ex-masked-std")
def divides_by_the_padded_size(X: Any, mask: Any) -> Any:
    real = mask[..., None]
    mean = (X * real).sum(1) / real.sum(1)
    return (((X - mean[:, None]) ** 2 * real).mean(1)).sqrt()


@wrong("ex-masked-std")
def divides_by_one_less(X: Any, mask: Any) -> Any:
    rows = [x[m].std(0) for x, m in zip(X, mask, strict=True)]
    return torch.stack(rows)


@wrong("ex-nested-choice")
def takes_the_best_test_score(val: Any, test: Any) -> Any:
    return test.flatten(0, 1).amax(0).mean()


@wrong("ex-nested-choice")
def chooses_one_option_for_all_folds(val: Any, test: Any) -> Any:
    option = val.amax(1).mean(1).argmax()
    best = val[option].argmax(0)
    return test[option].gather(0, best[None]).mean()


@wrong("ex-nested-choice")
def chooses_one_epoch_for_all_folds(val: Any, test: Any) -> Any:
    best = val.flatten(0, 1).mean(1).argmax()
    return test.flatten(0, 1)[best].mean()


@wrong("ex-nested-choice")
def reports_the_inner_score(val: Any, test: Any) -> Any:
    return val.flatten(0, 1).amax(0).mean()


@wrong("ex-expected-best")
def multiplies_instead_of_raising(n: int, epochs: int) -> Any:
    return 1 - (binom.cdf(np.arange(n), n, 0.5) * epochs).mean()


@wrong("ex-expected-best")
def sums_one_term_too_many(n: int, epochs: int) -> Any:
    return 1 - (binom.cdf(np.arange(n + 1), n, 0.5) ** epochs).sum() / n


@wrong("ex-expected-best")
def takes_the_largest_of_normals(n: int, epochs: int) -> Any:
    return 0.5 + 0.5 / np.sqrt(n) * np.sqrt(2 * np.log(epochs))


@wrong("ex-expected-best")
def draws_instead_of_computing(n: int, epochs: int) -> Any:
    tossed = np.random.default_rng(0).binomial(n, 0.5, (1000, epochs))
    return tossed.max(1).mean() / n


def _loop(make: Any, X: Any, y: Any, parts: Any, epochs: int, **how: Any):
    """The solution, but for what is asked."""
    scores, model = [], make() if how.get("carry") else None
    for part in parts:
        known = X if how.get("of_all") else X[part.train]
        Z = (X - known.mean(0)) / known.std(0)
        model = model if how.get("carry") else make()
        if not scores or not how.get("keep_best"):
            best, score = -1.0, None
        seen = X if how.get("scores_raw") else Z
        for _ in range(epochs):
            model.fit(Z[part.train], y[part.train])
            test = model.score(seen[part.test], y[part.test])
            val = model.score(seen[part.val], y[part.val])
            chooser = test if how.get("by_test") else val
            if chooser > best or (how.get("late") and chooser == best):
                best, score = chooser, test
        scores.append(score)
    return scores


@wrong("ex-find-the-leaks")
def carries_the_model(make: Any, X: Any, y: Any, parts: Any, epochs: int):
    return _loop(make, X, y, parts, epochs, carry=True)


@wrong("ex-find-the-leaks")
def selects_by_the_test_part(
    make: Any, X: Any, y: Any, parts: Any, epochs: int
):
    return _loop(make, X, y, parts, epochs, by_test=True)


@wrong("ex-find-the-leaks")
def scales_by_all_graphs(make: Any, X: Any, y: Any, parts: Any, epochs: int):
    return _loop(make, X, y, parts, epochs, of_all=True)


@wrong("ex-find-the-leaks")
def scores_what_was_not_scaled(
    make: Any, X: Any, y: Any, parts: Any, epochs: int
):
    return _loop(make, X, y, parts, epochs, scores_raw=True)


@wrong("ex-find-the-leaks")
def keeps_the_best_of_the_fold_before(
    make: Any, X: Any, y: Any, parts: Any, epochs: int
):
    return _loop(make, X, y, parts, epochs, keep_best=True)


@wrong("ex-find-the-leaks")
def takes_the_last_of_equals(
    make: Any, X: Any, y: Any, parts: Any, epochs: int
):
    return _loop(make, X, y, parts, epochs, late=True)
