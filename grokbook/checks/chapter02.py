"""Checks of chapter 02, graph filters."""

from collections.abc import Callable

import networkx as nx
import torch
from torch import Tensor

from grokbook.apply import apply_filter
from grokbook.checks import exercise, expect
from grokbook.checks.chapter01 import edges_of
from grokbook.laplacian import laplacian
from grokbook.spectrum import Spectrum, spectrum

LAM = torch.linspace(0, 2, 41, dtype=torch.float64)


def _barbell() -> tuple[Tensor, Spectrum, Tensor]:
    """Two clubs and a bridge, and a signal on them."""
    L = laplacian(edges_of(nx.barbell_graph(5, 3)))
    x = torch.linspace(-1, 1, 13, dtype=torch.float64) ** 3 + 0.2
    return L, spectrum(L), x


@exercise("ex-heat")
def _(heat: Callable) -> None:
    h = heat(0.5)
    expect(callable(h), "heat(t) should return a function of lam")
    expect(
        h(LAM) is not None and h(LAM).shape == LAM.shape,
        "the response should give one number per eigenvalue",
    )
    expect(
        abs(float(h(torch.zeros(1))[0]) - 1) < 1e-9,
        "heat never changes frequency 0: h(0) = 1",
    )
    expect(
        (heat(2.0)(LAM)[1:] < h(LAM)[1:]).all(),
        "after a longer time less should be left",
    )
    expect(
        torch.allclose(heat(0.3)(LAM) * heat(1.1)(LAM), heat(1.4)(LAM)),
        "flowing for 0.3 and then 1.1 should equal flowing for 1.4",
    )
    expect(
        torch.allclose(heat(1.0)(LAM), torch.exp(-LAM)),
        "heat(1) should be exp(−λ)",
    )


@exercise("ex-energy")
def _(energy_below: Callable) -> None:
    _, S, x = _barbell()
    expect(
        abs(float(energy_below(S, x, 2.0)) - 1) < 1e-9,
        "all of the energy is below λ = 2, so the share there is 1",
    )
    wave = S.U[:, 4]
    cut = float(S.lam[4])
    expect(
        abs(float(energy_below(S, wave, cut)) - 1) < 1e-9,
        "an eigenvector's energy is all at its own frequency; is the cut "
        "itself included?",
    )
    mixed = 3 * S.U[:, 0] + 4 * S.U[:, -1]
    expect(
        abs(float(energy_below(S, mixed, 1.0)) - 9 / 25) < 1e-9,
        "for 3 parts of the lowest and 4 of the highest wave, 9/25 of the "
        "energy is low; did you square the coordinates?",
    )
    expect(
        abs(
            float(energy_below(S, x, 0.5))
            - float((S.fourier(x)[S.lam <= 0.5] ** 2).sum() / (x @ x))
        )
        < 1e-9,
        "on another signal the share is not right",
    )


@exercise("ex-undo")
def _(undo: Callable) -> None:
    _, S, x = _barbell()
    for h in (lambda lam: torch.exp(-lam), lambda lam: 0.5 + lam**2):
        inverse = undo(h)
        expect(callable(inverse), "undo(h) should return a function of lam")
        y = apply_filter(h, S, x)
        expect(
            torch.allclose(apply_filter(inverse, S, y), x),
            "after the filter and its undoing the signal is not back",
        )


class _Products:
    """A matrix that can do nothing but multiply a signal."""

    def __init__(self, L: Tensor) -> None:
        self._L = L

    def __matmul__(self, x: Tensor) -> Tensor:
        return self._L @ x


@exercise("ex-lazy-walk")
def _(smooth: Callable) -> None:
    L, S, x = _barbell()
    for k in (0, 1, 2, 7):
        truth = apply_filter(lambda lam, k=k: (1 - lam / 2) ** k, S, x)
        expect(
            torch.allclose(smooth(_Products(L), x, k), truth),
            f"for k = {k} the result is not that of (1 − λ/2)^{k}",
        )
    expect(torch.equal(x, _barbell()[2]), "your function changed x in place")
