"""Checks of chapter 01, the spectrum of a graph."""

from collections.abc import Callable

import networkx as nx
import torch
from torch import Tensor

from grokbook.checks import exercise, expect
from grokbook.laplacian import laplacian
from grokbook.spectrum import spectrum


def edges_of(G: nx.Graph) -> Tensor:
    """List the edges of a NetworkX graph in both directions."""
    once = torch.tensor(list(G.edges), dtype=torch.int64).reshape(-1, 2).T
    return torch.cat([once, once.flip(0)], dim=1)


@exercise("ex-variation")
def _(variation: Callable) -> None:
    single = torch.tensor([[0, 1], [1, 0]])
    expect(
        abs(float(variation(torch.tensor([1.0, 0.0]), single)) - 1) < 1e-6,
        "on a single edge with the values 1 and 0 the variation is 1; do "
        "you count each edge once?",
    )
    star = edges_of(nx.star_graph(4))
    null = torch.tensor([2.0, 1.0, 1.0, 1.0, 1.0])
    expect(
        abs(float(variation(null, star))) < 1e-6,
        "on a star, the square roots of the degrees do not vary; do you "
        "divide by them?",
    )
    G = nx.karate_club_graph()
    x = torch.linspace(-1, 2, 34, dtype=torch.float64)
    truth = x @ laplacian(edges_of(G)).to_dense() @ x
    expect(
        abs(float(variation(x, edges_of(G))) - truth) < 1e-5 * truth,
        "on the karate club the number is not xᵀLx",
    )


@exercise("ex-ring")
def _(ring_spectrum: Callable) -> None:
    for n in (3, 4, 8, 9):
        lam = torch.as_tensor(ring_spectrum(n), dtype=torch.float64)
        expect(len(lam) == n, f"a ring of {n} has {n} eigenvalues")
        expect(
            (lam.diff() >= -1e-12).all(), "the eigenvalues are not ascending"
        )
        truth = spectrum(laplacian(edges_of(nx.cycle_graph(n)))).lam
        expect(
            torch.allclose(lam, truth, atol=1e-6),
            f"for n = {n} they should be {truth.round(decimals=3).tolist()}",
        )


@exercise("ex-components")
def _(components: Callable) -> None:
    for count, G in (
        (1, nx.path_graph(3)),
        (3, nx.disjoint_union_all([nx.cycle_graph(n) for n in (3, 7, 40)])),
        (4, nx.disjoint_union(nx.path_graph(400), nx.empty_graph(3))),
    ):
        lam = spectrum(laplacian(edges_of(G), len(G))).lam
        expect(
            components(lam) == count,
            f"a graph of {count} component(s) whose smallest eigenvalues "
            f"are {[f'{v:.1g}' for v in lam[: count + 1].tolist()]} was "
            f"counted as {components(lam)}",
        )


@exercise("ex-bipartite")
def _(two_colourable: Callable) -> None:
    odd, even = nx.cycle_graph(51), nx.cycle_graph(10)
    for answer, G, what in (
        (True, even, "an even ring"),
        (True, nx.path_graph(5), "a path of five nodes"),
        (False, nx.complete_graph(4), "four nodes, all joined"),
        (False, odd, "a long odd ring, whose largest eigenvalue is near 2"),
        (False, nx.disjoint_union(even, odd), "an even and an odd ring"),
        (
            True,
            nx.disjoint_union(even, nx.path_graph(4)),
            "an even ring and a path",
        ),
        (
            True,
            nx.disjoint_union(even, nx.empty_graph(2)),
            "an even ring and two isolated nodes",
        ),
    ):
        expect(
            two_colourable(edges_of(G), len(G)) == answer,
            f"{what}: the answer is {answer}",
        )
