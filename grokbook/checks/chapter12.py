"""Checks of chapter 12, ablation and order."""

from collections.abc import Callable

import numpy as np
import torch

from grokbook.checks import exercise, expect
from grokbook.filters.fourier_kan import FourierKAN


@exercise("ex-interaction")
def _(interaction: Callable) -> None:
    four = {
        "both": [0.90, 0.80, 0.85],
        "attention": [0.70, 0.65, 0.66],
        "filter": [0.80, 0.78, 0.79],
        "neither": [0.69, 0.65, 0.64],
    }
    found = interaction(dict(four))
    apart = {name: [value] * 3 for name, value in
             (("both", 0.8), ("attention", 0.6), ("filter", 0.7),
              ("neither", 0.5))}  # fmt: skip
    expect(
        abs(float(interaction(apart))) < 1e-9,
        "parts that add up have no interaction: 0.8 − 0.6 − 0.7 + 0.5 is 0",
    )
    wanted = np.mean([0.09, 0.02, 0.04])
    expect(
        abs(float(found) - wanted) < 1e-9,
        "add “both” and “neither”, subtract the other two, split by split",
    )
    for name in four:
        three = {key: value for key, value in four.items() if key != name}
        expect(
            np.isnan(interaction(three)),
            f"without “{name}” it cannot be told: return nan",
        )


@exercise("ex-disguise")
def _(disguise: Callable) -> None:
    lam = torch.linspace(0, 2, 41, dtype=torch.float64)
    for K, M, seed in ((1, 2, 0), (2, 1, 1), (4, 3, 2)):
        first = FourierKAN(K, M, generator=torch.Generator().manual_seed(seed))
        with torch.no_grad():
            first.alpha.copy_((-2.0) ** torch.arange(K, 0, -1))
        given = [p.detach().clone() for p in (first.alpha, first.a, first.b)]
        made = disguise(*(p.clone() for p in given))
        expect(made is not None and len(made) == 3, "return alpha, a and b")
        second = FourierKAN(K, M)
        with torch.no_grad():
            for p, value in zip(
                (second.alpha, second.a, second.b), made, strict=True
            ):
                p.copy_(torch.as_tensor(value))
        expect(
            torch.allclose(second(lam), first(lam), atol=1e-9),
            "the response has changed: whatever you do to α_k, undo it in "
            "all of a_k and b_k, the constant a_k0 too",
        )
        expect(
            bool((second.alpha > 0).all()),
            "an α is not positive: a sign can move into a and b as well",
        )
        expect(
            K == 1 or bool((second.alpha[-1] > second.alpha[:-1]).all()),
            "the last order must have the largest α",
        )


@exercise("ex-smallest-order")
def _(smallest: Callable) -> None:
    rng = np.random.default_rng(0)
    base = rng.normal(70, 20, size=10)  # hard splits are hard for all K
    close = {1: base - 3, 2: base - 0.1 + rng.normal(0, 1, 10), 3: base}
    expect(
        smallest({2: base, 5: base - 1}) == 2,
        "K = 2 is best and smallest; it must be chosen",
    )
    expect(
        smallest(close) != 1,
        "K = 1 is 3 points below on every split: subtract split by split, "
        "the spread of the splits themselves does not excuse it",
    )
    d = np.array([-1.0, 1.0, 2.0, 2.0])  # mean 1, error 0.71
    expect(
        smallest({1: base[:4] - d, 4: base[:4]}) == 4,
        "differences −1, 1, 2, 2 have the mean 1 and the standard error "
        "1.41/√4 = 0.71: that is more than one",
    )
    d = np.array([-2.0, 0.0, 1.0, 3.0])  # mean 0.5, error 1.04
    expect(
        smallest({4: base[:4], 1: base[:4] - d}) == 1,
        "differences −2, 0, 1, 3 have the mean 0.5 and the standard error "
        "1.04: K = 1 will do, in whatever order the dict lists them",
    )
    expect(
        smallest({1: base[:4] - d, 2: base[:4] - 3, 3: base[:4]}) == 1,
        "K = 1 will do although K = 2 does not: look at every K",
    )
    d = np.array([-0.7, 0.3, 0.3, 3.3])  # mean 0.8, error 0.87; 0.75 with n
    expect(
        smallest({1: base[:4] - d, 4: base[:4]}) == 1,
        "differences −0.7, 0.3, 0.3, 3.3 have the mean 0.8 and the standard "
        "error 0.87, with n − 1 in the deviation",
    )


@exercise("ex-asleep")
def _(share_of: Callable) -> None:
    X, A = torch.full((4, 2), 1.0), torch.full((4, 2), 2.0)
    pair = share_of(X, A, torch.zeros(4, 2))
    expect(pair is not None and len(pair) == 2, "return a pair of shares")
    expect(
        abs(float(pair[1])) < 1e-6, "a part that gives zeros has the share 0"
    )
    expect(
        abs(float(pair[0]) - 0.8) < 1e-6,
        "entries of 1 and of 2 have energies of 1 to 4: the share is 4/5",
    )
    pair = share_of(X, X, A)
    expect(
        abs(float(pair[0]) - 1 / 6) < 1e-6
        and abs(float(pair[1]) - 4 / 6) < 1e-6,
        "attention first, then the filter, each over the sum of all three "
        "energies",
    )
    one = torch.tensor([[1.0, 1.0], [0.0, 0.0]])  # energy 2
    two = torch.tensor([[1.0, 0.0], [0.0, -1.0]])  # energy 2
    far = torch.tensor([[3.0, 0.0], [0.0, 4.0]])  # energy 25
    pair = share_of(one, two, far)
    expect(
        abs(float(pair[0]) - 2 / 29) < 1e-6
        and abs(float(pair[1]) - 25 / 29) < 1e-6,
        "the energy is the sum of the squares of all entries",
    )
