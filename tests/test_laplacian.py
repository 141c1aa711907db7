"""The Laplacian: its entries, its friends' conventions, its manners."""

import math
import warnings

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import PATH, edge_lists, edges_of, few
from hypothesis import given
from scipy.sparse import coo_array
from scipy.sparse.csgraph import laplacian as scipy_laplacian
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.utils import get_laplacian

from grokbook import laplacian
from grokbook.errors import GraphNotice
from grokbook.laplacian import clean_edges

EPS = torch.finfo(torch.float64).eps
# Each entry is a product of three rounded factors: a few units of rounding.
CLOSE = {"atol": 8 * EPS, "rtol": 0}


def pygs(edges: Tensor, N: int, weight: Tensor | None = None) -> Tensor:
    """PyG's symmetric Laplacian, dense, in float64."""
    index, value = get_laplacian(
        edges, weight, "sym", dtype=torch.float64, num_nodes=N
    )
    dense = torch.zeros(N, N, dtype=torch.float64)
    return dense.index_put_(tuple(index), value, accumulate=True)


def scipys(edges: Tensor, N: int, weight: Tensor) -> Tensor:
    """SciPy's normalised Laplacian, dense."""
    A = coo_array((weight.numpy(), edges.numpy()), shape=(N, N)).toarray()
    return torch.from_numpy(scipy_laplacian(A, normed=True))


def test_every_entry_is_minus_one_over_the_root_of_both_degrees() -> None:
    L = laplacian(edges_of(nx.star_graph(4))).to_dense()
    torch.testing.assert_close(
        L[0], torch.tensor([1.0, -0.5, -0.5, -0.5, -0.5]).double(), **CLOSE
    )
    assert torch.equal(L[1:, 1:], torch.eye(4, dtype=torch.float64))


def test_weights_enter_edges_and_degrees() -> None:
    L = laplacian(PATH, edge_weight=[4.0, 4.0, 5.0, 5.0]).to_dense()
    a, b = 4 / math.sqrt(4 * 9), 5 / math.sqrt(9 * 5)
    expected = torch.tensor([[1, -a, 0], [-a, 1, -b], [0, -b, 1]])
    torch.testing.assert_close(L.float(), expected)


@few
@given(edge_lists())
def test_matrix_equals_the_formula_written_with_dense_matrices(
    graph: tuple,
) -> None:
    edges, N, weight = graph
    A = torch.zeros(N, N, dtype=torch.float64)
    A[edges[0], edges[1]] = weight
    degree = A.sum(1)
    root = torch.where(degree > 0, degree.clamp(min=1e-300) ** -0.5, 0)
    expected = torch.diag((degree > 0).double()) - root[:, None] * A * root
    L = laplacian(edges, N, weight).to_dense()
    torch.testing.assert_close(L, expected, **CLOSE)


@few
@given(edge_lists())
def test_matrix_is_symmetric_to_one_rounding(graph: tuple) -> None:
    L = laplacian(*graph).to_dense()
    # (a·w)·b and (b·w)·a may round apart, by one unit
    assert (L - L.T).abs().max() <= EPS


@few
@given(edge_lists())
def test_scipy_agrees_on_every_graph(graph: tuple) -> None:
    edges, N, weight = graph
    for w in (torch.ones_like(weight), weight):
        L = laplacian(edges, N, w).to_dense()
        torch.testing.assert_close(L, scipys(edges, N, w), **CLOSE)


@few
@given(edge_lists())
def test_pyg_agrees_when_an_isolated_node_gets_one(graph: tuple) -> None:
    edges, N, weight = graph
    for w in (torch.ones_like(weight), weight):
        L = laplacian(edges, N, w, isolated=1.0).to_dense()
        torch.testing.assert_close(L, pygs(edges, N, w), **CLOSE)


def test_pyg_agrees_as_it_is_when_no_node_is_isolated() -> None:
    edges = edges_of(nx.karate_club_graph())
    L = laplacian(edges).to_dense()
    torch.testing.assert_close(L, pygs(edges, 34), **CLOSE)


def test_isolated_nodes_have_a_row_of_zeros() -> None:
    L = laplacian(PATH, num_nodes=5).to_dense()
    assert torch.equal(L[3:], torch.zeros(2, 5, dtype=torch.float64))
    assert torch.equal(L[:, 3:], torch.zeros(5, 2, dtype=torch.float64))
    assert L.diagonal().tolist() == [1, 1, 1, 0, 0]


def test_the_argument_isolated_changes_only_isolated_nodes() -> None:
    usual = laplacian(PATH, num_nodes=5).to_dense()
    other = laplacian(PATH, num_nodes=5, isolated=1.0).to_dense()
    change = torch.diag(torch.tensor([0, 0, 0, 1, 1]).double())
    assert torch.equal(other - usual, change)


@pytest.mark.parametrize("empty", [[], [[], []], torch.zeros(2, 0)])
def test_a_graph_without_edges_is_the_zero_matrix(empty: object) -> None:
    L = laplacian(empty, num_nodes=3).to_dense()
    assert torch.equal(L, torch.zeros(3, 3, dtype=torch.float64))


def test_one_node_is_a_graph() -> None:
    assert laplacian([[], []], num_nodes=1).to_dense().tolist() == [[0.0]]


def test_result_is_sparse_coalesced_and_double() -> None:
    L = laplacian(PATH)
    assert L.layout == torch.sparse_coo
    assert L.is_coalesced()
    assert (L.dtype, L.shape) == (torch.float64, (3, 3))


@pytest.mark.parametrize(
    "edges",
    [
        PATH,
        tuple(map(tuple, PATH)),
        np.array(PATH),
        np.array(PATH, dtype=np.int32),
        torch.tensor(PATH),
        torch.tensor(PATH, dtype=torch.int32),
        torch.tensor(PATH, dtype=torch.uint8),
        torch.tensor(PATH).T.contiguous().T,
        Data(edge_index=torch.tensor(PATH), num_nodes=3),
    ],
)
def test_every_usual_kind_of_edge_list_is_read(edges: object) -> None:
    expected = laplacian(torch.tensor(PATH)).to_dense()
    assert torch.equal(laplacian(edges).to_dense(), expected)


def test_data_brings_its_weights_and_its_isolated_nodes() -> None:
    weight = torch.tensor([4.0, 4.0, 5.0, 5.0])
    data = Data(edge_index=torch.tensor(PATH), edge_weight=weight, num_nodes=5)
    expected = laplacian(PATH, 5, weight).to_dense()
    assert torch.equal(laplacian(data).to_dense(), expected)


def test_node_count_beside_a_data_object_is_not_ignored() -> None:
    data = Data(edge_index=torch.tensor(PATH), num_nodes=3)
    assert laplacian(data, num_nodes=6).shape == (6, 6)


def test_weights_in_a_list_keep_their_full_precision() -> None:
    _, weight, _ = clean_edges([[0, 1], [1, 0]], edge_weight=[0.1, 0.1])
    assert weight.tolist() == [0.1, 0.1]


def test_smallest_weights_give_the_matrix_of_ones() -> None:
    L = laplacian(PATH, edge_weight=[5e-324] * 4).to_dense()
    torch.testing.assert_close(L, laplacian(PATH).to_dense(), **CLOSE)


def test_scaling_all_weights_changes_nothing() -> None:
    edges = edges_of(nx.karate_club_graph())
    weight = torch.linspace(1, 2, edges.shape[1] // 2).double().repeat(2)
    torch.testing.assert_close(
        laplacian(edges, edge_weight=weight * 1e6).to_dense(),
        laplacian(edges, edge_weight=weight).to_dense(),
        **CLOSE,
    )


def cleaned(edges: list, weight: list | None = None) -> tuple[Tensor, str]:
    """The dense Laplacian of an untidy graph, and what was said about it."""
    with pytest.warns(GraphNotice) as said:
        L = laplacian(edges, edge_weight=weight)
    assert len(said) == 1
    return L.to_dense(), str(said[0].message)


@pytest.mark.parametrize(
    ("edges", "notice"),
    [
        ([[0, 1], [1, 2]], "2 one-way edge(s) made two-way."),
        (
            [[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 2, 0]],
            "2 self-loop(s) dropped.",
        ),
        (
            [[0, 1, 1, 2, 0, 0], [1, 0, 2, 1, 1, 1]],
            "2 repeated edge(s) counted once.",
        ),
        (
            [[0, 0, 1, 2, 2], [1, 1, 2, 1, 2]],
            "1 self-loop(s) dropped; 1 repeated edge(s) counted once; "
            "1 one-way edge(s) made two-way.",
        ),
    ],
)
def test_untidy_edges_give_the_simple_graph_and_one_notice(
    edges: list, notice: str
) -> None:
    L, said = cleaned(edges)
    assert said == notice
    assert torch.equal(L, laplacian(PATH).to_dense())


def test_of_two_weights_of_one_edge_the_larger_is_kept() -> None:
    L, said = cleaned(PATH, [2.0, 7.0, 3.0, 3.0])
    assert said == (
        "1 weight(s) differed from the same edge's: the larger kept."
    )
    expected = laplacian(PATH, edge_weight=[7.0, 7.0, 3.0, 3.0])
    assert torch.equal(L, expected.to_dense())


def test_weights_follow_their_edges_through_cleaning() -> None:
    untidy = [[2, 1, 1], [1, 0, 1]]
    with pytest.warns(GraphNotice):
        edges, weight, N = clean_edges(untidy, edge_weight=[5.0, 4.0, 9.0])
    assert edges.tolist() == [[0, 1, 1, 2], [1, 0, 2, 1]]
    assert weight.tolist() == [4.0, 4.0, 5.0, 5.0]
    assert N == 3


@few
@given(edge_lists())
def test_clean_input_is_not_commented_on_and_cleaning_twice_is_once(
    graph: tuple,
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        once = clean_edges(*graph)
        twice = clean_edges(once[0], once[2], once[1])
    assert torch.equal(once[0], twice[0])
    assert torch.equal(once[1], twice[1])


def test_cleaning_leaves_the_callers_tensors_alone() -> None:
    edges = torch.tensor([[2, 0, 0, 1], [1, 1, 1, 1]])
    weight = torch.tensor([3.0, 1.0, 2.0, 5.0], dtype=torch.float64)
    before = edges.clone(), weight.clone()
    with pytest.warns(GraphNotice):
        laplacian(edges, 4, weight)
    assert torch.equal(edges, before[0])
    assert torch.equal(weight, before[1])


def test_result_does_not_share_memory_with_the_weights() -> None:
    weight = torch.ones(4, dtype=torch.float64)
    _, cleaned_weight, _ = clean_edges(PATH, edge_weight=weight)
    cleaned_weight.zero_()
    assert weight.tolist() == [1, 1, 1, 1]
