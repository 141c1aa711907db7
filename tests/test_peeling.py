"""A spectrum after peeling filters as the full one does."""

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import edge_lists, few, laplacian_of, signals
from hypothesis import given

from grokbook import apply_filter, deflate, laplacian, spectrum
from grokbook.matrix import as_csr
from grokbook.peeling import peeled_spectrum, unjoined


def h(lam: torch.Tensor) -> torch.Tensor:
    return torch.cos(3 * lam**2)


@few
@given(graph=edge_lists())
def test_it_filters_as_the_full_spectrum_does(graph: tuple) -> None:
    edges, N, weight = graph
    L = laplacian(edges, N, weight)
    S, X = peeled_spectrum(L), signals(N, 2)
    full = apply_filter(h, spectrum(L), X)
    # cos 3λ² turns by 12 per unit λ: rounding of λ is magnified so
    torch.testing.assert_close(apply_filter(h, S, X), full, atol=1e-9, rtol=0)


@pytest.mark.parametrize(
    "G", [nx.star_graph(6), nx.karate_club_graph(), nx.cycle_graph(6)]
)
def test_it_leaves_out_the_eigenvectors_of_one_and_no_others(
    G: nx.Graph,
) -> None:
    L = laplacian_of(G)
    full, S = spectrum(L), peeled_spectrum(L)
    ones = full.multiplicity(1.0)
    assert len(S.lam) == len(G) - ones
    rest = deflate(full, 1.0) if ones else full
    torch.testing.assert_close(S.lam, rest.lam)
    eye = torch.eye(len(S.lam), dtype=torch.float64)
    torch.testing.assert_close(S.U.T @ S.U, eye, atol=1e-12, rtol=0)


def test_no_two_of_the_nodes_put_last_are_joined() -> None:
    rows, _ = as_csr(laplacian_of(nx.karate_club_graph()))
    last = np.flatnonzero(unjoined(rows))
    block = rows[last][:, last].toarray()
    np.testing.assert_array_equal(block, np.eye(len(last)))
    assert len(last) > 17  # more than half: worth the trouble


def test_isolated_nodes_keep_their_eigenvalue() -> None:
    path = [[0, 1, 1, 2], [1, 0, 2, 1]]
    S = peeled_spectrum(laplacian(path, 5))  # two isolated nodes at 0
    assert S.multiplicity(0.0) == 3
    S = peeled_spectrum(laplacian(path, 5, isolated=1.0))
    assert S.multiplicity(1.0) == 3
