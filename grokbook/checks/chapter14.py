"""Checks of chapter 14, without eigenvectors."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from grokbook.checks import exercise, expect
from grokbook.expansion import coefficients


def _same(found: Any, wanted: Tensor, what: str) -> None:
    expect(
        torch.is_tensor(found) and found.shape == wanted.shape,
        f"give a tensor with the {len(wanted)} coefficients of {what}, "
        "from c_0 to c_R",
    )
    near = (found.double() - wanted).abs() <= 1e-5  # not so for NaN
    wrong = (~near).nonzero().flatten()
    if len(wrong):
        r = int(wrong[0])
        expect(
            False,
            f"c_{r} of {what} is {float(wanted[r]):.4f}, not "
            f"{float(found[r]):.4f}",
        )


@exercise("ex-sine-series")
def _(sine_series: Callable) -> None:
    for m, R in ((1, 6), (5, 16)):
        wanted = coefficients(
            lambda lam, m=m: torch.sin(m * lam), degree=R + 40
        )
        _same(sine_series(m, R), wanted[: R + 1], f"sin {m}λ")


@exercise("ex-heat-series")
def _(heat_series: Callable) -> None:
    for t, R in ((1.0, 5), (4.0, 12)):
        wanted = coefficients(
            lambda lam, t=t: torch.exp(-t * lam), degree=R + 40
        )
        _same(heat_series(t, R), wanted[: R + 1], f"exp(−{t:g}λ)")


class _Counting:
    """A matrix that counts its products, and those of its multiples."""

    def __init__(self, A: Tensor, log: list | None = None) -> None:
        self.A, self.log = A, [] if log is None else log

    @property
    def products(self) -> int:
        return len(self.log)

    def __matmul__(self, X: Tensor) -> Tensor:
        self.log.append(1)
        return self.A @ X

    def __mul__(self, factor: float) -> "_Counting":
        return _Counting(factor * self.A, self.log)

    __rmul__ = __mul__


@exercise("ex-clenshaw")
def _(clenshaw: Callable) -> None:
    seed = torch.Generator().manual_seed(0)
    half = torch.randn(7, 7, generator=seed, dtype=torch.float64)
    A = (half + half.T) / 20
    X = torch.randn(7, 2, generator=seed, dtype=torch.float64)
    for R in (1, 2, 6):
        c = torch.randn(R + 1, generator=seed, dtype=torch.float64)
        terms = [X, A @ X]
        while len(terms) <= R:
            terms.append(2 * A @ terms[-1] - terms[-2])
        wanted = sum(c_r * T_r for c_r, T_r in zip(c, terms, strict=True))
        counting = _Counting(A)
        found = clenshaw(c, counting, X)
        expect(
            torch.is_tensor(found) and found.shape == X.shape,
            "give a table of the shape of X",
        )
        expect(
            torch.allclose(found, wanted),
            f"with R = {R} the sum is another one; are the last line's "
            "factors those of the exercise?",
        )
        expect(
            counting.products <= R,
            f"with R = {R} there were {counting.products} products with A; "
            f"{R} are enough",
        )


@exercise("ex-crossover")
def _(series_pays: Callable) -> None:
    sizes = {"N": 1000, "E": 10_000, "C": 7, "s": 5.0, "b": 10.0}
    expect(
        bool(series_pays(**sizes, R=34, steps=1)),
        "for a single step a decomposition of 1,000 nodes never pays",
    )
    expect(
        not series_pays(**sizes, R=34, steps=10_000),
        "10,000 steps at degree 34: here eigenvectors are cheaper, since "
        "4N² is less than 4·R·E·s",
    )
    # exact: 1e10 + 2.8e7·steps; series: 5.6e7·steps; equal at 357.14 steps
    near = sizes | {"R": 40, "s": 5.0}
    expect(
        bool(series_pays(**near, steps=357))
        and not series_pays(**near, steps=358),
        "the decomposition should have paid for itself at 358 steps and "
        "not at 357: are its cost, the factor 4 on both sides and the "
        "number of columns in your sum?",
    )
