"""Loops: in the adjacency matrix and once in their node's degree."""

import networkx as nx
import pytest
import torch
from graphs import PATH, edge_lists, edges_of, few
from hypothesis import given

from grokbook import laplacian
from grokbook.errors import EdgeWeightError
from grokbook.looped import looped_laplacian

EPS = torch.finfo(torch.float64).eps
# Each entry is a product of three rounded factors: a few units of rounding.
CLOSE = {"atol": 8 * EPS, "rtol": 0}


def adjacency(edges: torch.Tensor, N: int) -> torch.Tensor:
    A = torch.zeros(N, N, dtype=torch.float64)
    A[edges[0], edges[1]] = A[edges[1], edges[0]] = 1
    return A.fill_diagonal_(0)


@few
@given(edge_lists())
@pytest.mark.filterwarnings("ignore::grokbook.errors.GraphNotice")
def test_matrix_is_the_formula_with_any_loops(graph: tuple) -> None:
    edges, N = graph[0], graph[1]
    W = torch.arange(N, dtype=torch.float64) % 3  # 0, 1, 2, 0, …
    A = adjacency(torch.as_tensor(edges), N)
    for loops, diagonal in ((W, W), (None, torch.ones_like(W))):
        both = A + diagonal.diag()
        d = both.sum(1)
        scale = torch.where(d > 0, d, 1).rsqrt().diag()
        expected = torch.eye(N).double() - scale @ both @ scale
        L = looped_laplacian(edges, N, loops=loops).to_dense()
        torch.testing.assert_close(L, expected, **CLOSE)


def test_a_loop_counts_once_in_its_nodes_degree() -> None:
    star = edges_of(nx.star_graph(4))
    L = looped_laplacian(star, loops=[1.0, 0, 0, 0, 0]).to_dense()
    assert L[0, 0] == 1 - 1 / 5
    assert torch.equal(L.diagonal()[1:], torch.ones(4, dtype=torch.float64))
    ray = torch.full((4,), -(5**-0.5), dtype=torch.float64)
    torch.testing.assert_close(L[0, 1:], ray, **CLOSE)


def test_without_loops_it_is_the_laplacian() -> None:
    L = looped_laplacian(PATH, 4, loops=torch.zeros(4)).to_dense()
    plain = laplacian(PATH, 4, isolated=1.0).to_dense()
    torch.testing.assert_close(L, plain, **CLOSE)


@pytest.mark.parametrize(
    "loops",
    [[1.0, 1.0], [1.0, -1.0, 0.0], [1.0, float("nan"), 0.0], ["one", 0, 0]],
)
def test_bad_loops_are_refused(loops: list) -> None:
    with pytest.raises(EdgeWeightError, match="one finite number for each"):
        looped_laplacian(PATH, loops=loops)
