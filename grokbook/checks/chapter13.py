"""Checks of the exercises of chapter 13."""

from collections.abc import Callable
from typing import Any

import torch

from grokbook.checks import exercise, expect
from grokbook.laplacian import laplacian
from grokbook.spectrum import spectrum


@exercise("ex-balance")
def _(columns: Callable[[float, float], Any]) -> None:
    expect(
        abs(float(columns(100e9, 20e9)) - 10) < 0.01,
        "at 100 GFLOP/s and 20 GB/s, an entry of U takes 4/20 ns to read and "
        "2c/100 ns to use: equal at c = 10",
    )
    expect(
        abs(float(columns(40e9, 20e9)) - 4) < 0.01,
        "a machine that computes less needs fewer columns",
    )
    expect(
        abs(float(columns(100e9, 40e9)) - 5) < 0.01,
        "a machine that reads faster needs fewer columns",
    )


@exercise("ex-road")
def _(road: Callable[..., Any]) -> None:
    cases = [
        ((1000, 2000, 10, 5.0), "series", "four dense products of N² each "
         "against two series of P products with 2E entries"),
        ((1000, 50_000, 100, 5.0), "exact", "each edge is stored twice, and "
         "a series runs forward and backward"),
        ((1000, 20_000, 18, 2.0), "series", "2 · 18 · 40,000 · 2 is below "
         "4 · 1000²"),
        ((1000, 20_000, 30, 2.0), "exact", "a stored entry costs s times as "
         "much as an entry of U"),
    ]  # fmt: skip
    for (N, E, P, s), right, why in cases:
        expect(
            road(N, E, P, s) == right,
            f"N = {N}, E = {E}, P = {P}, s = {s:g} is {right!r}: {why}",
        )


@exercise("ex-kept-energy")
def _(kept: Callable[..., Any]) -> None:
    n = torch.arange(6)
    ring = torch.stack([n, (n + 1) % 6])
    ring = torch.cat([ring, ring.flip(0)], dim=1)
    S = spectrum(laplacian(ring, 6))
    x = S.U @ torch.tensor([3.0, 2, 2, 1, 1, 1]).double()
    expect(abs(float(kept(S, x, 6)) - 1) < 1e-9, "all six keep all the energy")
    expect(
        abs(float(kept(S, x, 2)) - 10 / 20) < 1e-9,
        "k = 2 keeps one eigenvector at each end: 9 + 1 of 20",
    )
    expect(
        abs(float(kept(S, x, 1)) - 9 / 20) < 1e-9,
        "of an odd k the larger half is low",
    )
    expect(
        abs(float(kept(S, x, 3)) - 14 / 20) < 1e-9,
        "k = 3 keeps two at the low end and one at the high: 9 + 4 + 1 of 20",
    )
    expect(
        abs(float(kept(S, 2 * x, 2)) - 10 / 20) < 1e-9,
        "a share does not change when the signal is doubled",
    )


@exercise("ex-in-turn")
def _(ratio: Callable[..., Any]) -> None:
    steady = ratio([4.0, 4.0, 4.0], [2.0, 2.0, 2.0])
    expect(abs(float(steady) - 2) < 1e-9, "4 s against 2 s is a ratio of 2")
    # round two: the machine was ten times slower, for both
    slow = ratio([4.0, 40.0, 6.0], [2.0, 20.0, 2.0])
    expect(
        abs(float(slow) - 2) < 1e-9,
        "divide round by round: the rounds give 2, 2 and 3",
    )
    burst = ratio([4.0, 4.0, 90.0, 4.0, 4.0], [2.0, 2.0, 2.0, 2.0, 1.0])
    expect(
        abs(float(burst) - 2) < 1e-9,
        "two disturbed rounds of five, 45 and 4, must not move the answer",
    )
    other = ratio([4.0, 4.2, 4.1, 4.4, 4.0], [2.0, 2.0, 41.0, 2.0, 2.0])
    expect(
        abs(float(other) - 2) < 0.15,
        "nor a disturbed run of the fast program: the rounds give 2, 2.1, "
        "0.1, 2.2 and 2",
    )
