"""Checks of chapter 10b, Table 2 examined."""

from collections.abc import Callable

import numpy as np

from grokbook.checks import exercise, expect


@exercise("ex-enough-tries")
def _(tries: Callable) -> None:
    expect(
        tries(0.0, 1.0) == 1,
        "a lead of 0 is promised by one setting alone: start at n = 1",
    )
    expect(
        tries(0.5, 1.0) == 2,
        "with σ = 1 two settings promise 0.56 and one promises nothing, so "
        "a lead of 0.5 takes two",
    )
    expect(
        tries(0.6, 1.0) == 3,
        "two settings promise 0.56, three 0.85: for 0.6 two are not enough",
    )
    expect(
        tries(2.0, 2.0) == 4 and tries(0.5, 0.25) == 28,
        "the promise is σ times β_n: a lead of 2 points takes four settings "
        "where σ is 2, and half a point takes 28 where σ is 1/4",
    )


@exercise("ex-fresh-gap")
def _(fresh_gap: Callable) -> None:
    fresh = [79.0, 81.0, 80.0, 80.0]
    gap, errors = map(float, fresh_gap([70.0, 71.0], fresh, 82.0, 0.0, 10))
    expect(
        abs(gap + 2) < 1e-9,
        "the gap is the mean of the fresh scores alone, 80, less the paper's "
        "82: the scores that picked the set may not testify",
    )
    expect(
        abs(errors + 2 / (np.sqrt(2 / 3) / 2)) < 1e-6,
        "without a deviation of the paper's, the error is that of a mean of "
        "four scores: their deviation, with n − 1, over the root of 4",
    )
    _, errors = map(float, fresh_gap([70.0, 71.0], fresh, 82.0, 1.5, 9))
    expect(
        abs(errors + 2 / np.sqrt(1 / 6 + 1 / 4)) < 1e-6,
        "the paper's mean has an error, too: 1.5 over the root of 9. Add "
        "the squares of both errors, and take the root",
    )


@exercise("ex-on-grid")
def _(on_grid: Callable) -> None:
    asked = []

    def known(points: np.ndarray) -> np.ndarray:
        asked.append(np.asarray(points, dtype=float))
        return np.asarray(points) ** 2

    lam = np.array([0.0, 0.25, 1.0, 1.875, 2.0])
    found = np.asarray(on_grid(lam, 5, known), dtype=float)
    points = np.unique(np.concatenate([np.ravel(a) for a in asked]))
    expect(
        np.isin(points, np.linspace(0, 2, 5)).all(),
        "ask for the response at the five points 0, 1/2, 1, 3/2 and 2 of the "
        "grid only; between them it is not known",
    )
    expect(
        found.shape == lam.shape and np.allclose(found[[0, 2, 4]], [0, 1, 4]),
        "on a point of the grid, 0 and 2 among them, the response is what is "
        "known there",
    )
    expect(
        np.allclose(found[[1, 3]], [0.125, 3.5625]),
        "at λ = 1/4, halfway between 0 and 1/2, it is half of each, and at "
        "1.875 a quarter of what is known at 3/2 and three quarters of "
        "that at 2",
    )
    lam = np.random.default_rng(0).uniform(0.1, 1.8, 20)
    points = np.linspace(0, 2, 9)
    expect(
        np.allclose(
            on_grid(lam, 9, np.square), np.interp(lam, points, points**2)
        ),
        "the grid has as many points as `size` says and spans [0, 2], also "
        "where the eigenvalues do not",
    )
