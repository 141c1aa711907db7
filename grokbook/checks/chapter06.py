"""Checks of chapter 06, what the filter can express."""

import math
from collections.abc import Callable

import networkx as nx
import torch
from torch import Tensor

from grokbook.checks import exercise, expect
from grokbook.checks.chapter01 import edges_of
from grokbook.laplacian import laplacian
from grokbook.spectrum import spectrum

LAM = torch.linspace(0, 2, 2001, dtype=torch.float64)


@exercise("ex-harmonics")
def _(harmonics_for: Callable) -> None:
    for M, G, what in (
        (3, nx.path_graph(7), "a path of 7 nodes, 7 different eigenvalues"),
        (3, nx.path_graph(6), "a path of 6 nodes, 6 different eigenvalues"),
        (2, nx.cycle_graph(8), "a ring of 8 nodes, 5 different eigenvalues"),
        (1, nx.star_graph(9), "a star, whose eigenvalues are 0, 1 and 2"),
        (1, nx.complete_graph(6), "six nodes, all joined: 2 eigenvalues"),
        (0, nx.empty_graph(4), "no edges, a single eigenvalue"),
    ):
        answer = harmonics_for(spectrum(laplacian(edges_of(G), len(G))))
        expect(answer == M, f"{what}: M = {M}, not {answer}")


def _mean_square(slope: float, R: float, phi: float) -> float:
    """How far a sinusoid is from a line."""
    return float(((slope * LAM - R * torch.sin(LAM + phi)) ** 2).mean())


@exercise("ex-sinusoid")
def _(best_sinusoid: Callable) -> None:
    B = torch.stack([LAM.sin(), LAM.cos()], dim=1)
    c = torch.linalg.lstsq(B, LAM[:, None]).solution
    least = float(((LAM[:, None] - B @ c) ** 2).mean())
    for slope in (1.0, 0.5, -2.0):
        pair = tuple(float(value) for value in best_sinusoid(slope))
        expect(len(pair) == 2, "return two numbers, R and φ")
        found = _mean_square(slope, *pair)
        expect(
            found <= least * slope**2 * 1.001,
            f"for the slope {slope:g} your sinusoid has the mean square "
            f"error {found:.4f}; {least * slope**2:.4f} can be had",
        )


@exercise("ex-collision")
def _(collision: Callable) -> None:
    for k in (3, 4, 6):
        first, second = (float(value) for value in collision(k))
        expect(
            min(first, second) >= 0 and max(first, second) <= 2,
            f"for k = {k} a point lies outside [0, 2]",
        )
        expect(abs(first - second) > 1e-6, "the two points are the same")
        turns = (first**k - second**k) / (2 * math.pi)
        expect(
            abs(turns - round(turns)) < 1e-9,
            f"for k = {k} the phases λᵏ differ by {turns:.3f} turns, which "
            "is not a whole number of them",
        )


def _computed(*values: float | int) -> Tensor:
    """Ascending eigenvalues as a solver returns them, a little off."""
    lam = torch.tensor(values, dtype=torch.float64)
    return lam + 1e-15 * torch.arange(len(lam))


@exercise("ex-whole")
def _(whole_cut: Callable) -> None:
    ring = _computed(0, 0.25, 0.25, 1, 1, 1.75, 1.75, 2)
    for q, kept in ((1, 1), (2, 3), (3, 3), (4, 5), (6, 7), (8, 8)):
        answer = whole_cut(ring, q)
        expect(
            answer == kept,
            f"of {ring.round(decimals=2).tolist()}, q = {q} should become "
            f"{kept}, not {answer}",
        )
    star = _computed(0, 1, 1, 1, 1, 2)
    expect(
        whole_cut(star, 2) == 5,
        "on a star with five leaves the eigenvalue 1 occurs four times: "
        "q = 2 should become 5",
    )
    expect(
        whole_cut(_computed(0, 0.5, 0.5001, 2), 2) == 2,
        "0.5 and 0.5001 are two eigenvalues",
    )
    expect(
        whole_cut(_computed(0, 1.2, 1.2, 1.2), 2) == 4,
        "the last eigenspace has no eigenvalue above it",
    )
