"""Checks of chapter 03, polynomial filters."""

from collections.abc import Callable

import networkx as nx
import torch
from torch import Tensor

from grokbook.checks import exercise, expect
from grokbook.checks.chapter01 import edges_of
from grokbook.filters import Polynomial
from grokbook.laplacian import laplacian
from grokbook.spectrum import spectrum

LAM = torch.linspace(0, 2, 41, dtype=torch.float64)


def _numbers(*values: int | float) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


@exercise("ex-to-gpr")
def _(to_gpr: Callable) -> None:
    for theta in (_numbers(0, 0, 1), _numbers(0, 1), _numbers(3, -1, 2, 0.5)):
        found = torch.as_tensor(to_gpr(theta)).double()
        expect(
            found.shape == theta.shape,
            f"{len(theta)} coefficients go in, so {len(theta)} come out",
        )
        expect(
            torch.allclose(
                sum(c * (1 - LAM) ** k for k, c in enumerate(found)),
                sum(c * LAM**k for k, c in enumerate(theta)),
            ),
            f"for {theta.tolist()} the two responses differ; for λ² the "
            "coefficients should be 1, −2, 1",
        )


class _Counted:
    """A matrix that counts the products it takes part in."""

    def __init__(self, L: Tensor) -> None:
        self.L, self.products = L, 0

    def __matmul__(self, other: Tensor) -> Tensor:
        expect(
            isinstance(other, Tensor) and other.dim() == 1,
            "multiply L with signals, not with matrices",
        )
        self.products += 1
        return self.L @ other


@exercise("ex-horner")
def _(horner: Callable) -> None:
    L = laplacian(edges_of(nx.barbell_graph(5, 3)))
    S = spectrum(L)
    x = torch.linspace(-1, 1, 13, dtype=torch.float64) ** 3 + 0.2
    for theta in (_numbers(0, 1), _numbers(1, 0, 2), _numbers(3, -1, 2, 0.5)):
        counted = _Counted(L)
        h = sum(c * S.lam**k for k, c in enumerate(theta))
        y = horner(theta, counted, x.clone())
        expect(
            torch.allclose(y, S.inverse(h * S.fourier(x))),
            f"for {theta.tolist()} the result is not Σ θ_k L^k x",
        )
        expect(
            counted.products <= len(theta) - 1,
            f"degree {len(theta) - 1} took {counted.products} products",
        )


@exercise("ex-pagerank")
def _(pagerank: Callable) -> None:
    for alpha in (0.1, 0.5, 1.0):
        h = pagerank(alpha)
        expect(callable(h), "pagerank(alpha) should return a function of lam")
        expect(
            h(LAM) is not None and h(LAM).shape == LAM.shape,
            "the response should give one number per eigenvalue",
        )
        expect(
            abs(float(h(torch.zeros(1))[0]) - 1) < 1e-6,
            "PageRank keeps what is at frequency 0: h(0) = 1",
        )
        # After 400 steps 0.9^400, below 1e-18, is left of the start.
        steps = Polynomial("appnp", 400, alpha=alpha)
        expect(
            torch.allclose(h(LAM), steps(LAM)),
            f"for alpha = {alpha} it is not what 400 steps come to",
        )


@exercise("ex-degree")
def _(degree_needed: Callable) -> None:
    cases = [
        (lambda lam: lam**3 - lam, 1e-9, 3),
        (lambda lam: 1 + 0 * lam, 1e-9, 1),
        (lambda lam: torch.exp(-10 * lam**2), 1e-3, None),
        (lambda lam: torch.sin(torch.pi * lam).abs(), 0.05, None),
        (lambda lam: torch.exp(-50 * (lam - 1) ** 2), 0.3, None),
        (lambda lam: torch.cos(12 * lam), 1e-6, None),
    ]
    lam = spectrum(laplacian(edges_of(nx.path_graph(60)))).lam
    for h, tolerance, known in cases:
        K = degree_needed(h, lam, tolerance)
        right = known or _degree(h, lam, tolerance)
        expect(
            int(K) == right,
            f"with tolerance {tolerance} you answer {K}; degree {right} is "
            "the first whose largest error is within it",
        )


def _degree(h: Callable, lam: Tensor, tolerance: float) -> int:
    """The first degree whose largest error is within the tolerance."""
    K, gap = 0, torch.inf
    while gap > tolerance:
        K += 1
        p = Polynomial("chebyshev", K).fit(lam, h(lam))
        gap = float((p(lam) - h(lam)).detach().abs().max())
    return K
