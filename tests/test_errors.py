"""Bad input raises a named error that says what to do about it."""

import inspect
import math

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import PATH, edges_of, signals, spectrum_of, without_shape_checks
from torch_geometric.data import Data
from torch_geometric.utils import get_laplacian

from grokbook import apply_filter, errors, laplacian, spectrum
from grokbook.errors import (
    EdgeShapeError,
    EdgeWeightError,
    EmptyGraphError,
    MatrixError,
    NodeIndexError,
    ResponseError,
    SignalError,
    UnknownNameError,
)

NAMED = [
    member
    for member in vars(errors).values()
    if inspect.isclass(member) and issubclass(member, Exception)
]
RAISED = [kind for kind in NAMED if not issubclass(kind, Warning)]


@pytest.mark.parametrize("kind", RAISED)
def test_every_error_is_a_value_error_and_a_grokbook_error(
    kind: type[Exception],
) -> None:
    assert issubclass(kind, ValueError)
    assert issubclass(kind, errors.GrokbookError)


def test_the_notice_is_a_warning_and_the_errors_are_not() -> None:
    assert set(NAMED) - set(RAISED) == {errors.GraphNotice}
    assert issubclass(errors.GraphNotice, UserWarning)


@pytest.mark.parametrize("kind", NAMED)
def test_every_error_says_what_it_stands_for(kind: type[Exception]) -> None:
    assert (kind.__doc__ or "").strip().endswith(".")


@pytest.mark.parametrize(
    ("edges", "says"),
    [
        ([0, 1, 2], r"shape \(3,\), not \(2, E\).*2 × E table"),
        ([[0], [1], [2]], r"shape \(3, 1\), not \(2, E\)"),
        ([[0, 1], [1, 2], [2, 3]], "looks transposed: try edge_index.T"),
        (torch.zeros(2, 2, 2).long(), r"shape \(2, 2, 2\)"),
        (3, r"shape \(\), not \(2, E\)"),
        ([[0.0, 1.0], [1.0, 0.0]], "float32, not whole numbers"),
        (np.array(PATH, dtype=float), "float64, not whole numbers"),
        ([[True, False], [False, True]], "bool, not whole numbers"),
        ([[0j, 1j], [1j, 0j]], "complex64, not whole numbers"),
        ("0-1 1-2", "cannot be read as a table of numbers. Pass a 2 × E"),
        ([[0, 1], [1]], "cannot be read as a table of numbers"),
        ([["a", "b"], ["b", "a"]], "cannot be read as a table of numbers"),
        (None, "cannot be read as a table of numbers"),
        (nx.path_graph(3), "cannot be read as a table of numbers"),
        (Data(num_nodes=3), "cannot be read as a table of numbers"),
    ],
)
def test_edges_that_are_no_table_are_refused(edges: object, says: str) -> None:
    with pytest.raises(EdgeShapeError, match=says):
        laplacian(edges)


@pytest.mark.parametrize(
    ("edges", "N", "says"),
    [
        ([[0, 3], [3, 0]], 3, "names node 3, .*0 to 2.* num_nodes=4 or more"),
        ([[0, -1], [-1, 0]], None, "names node -1. Nodes are counted from 0"),
        ([[0, -2], [-2, 0]], 5, "names node -2"),
    ],
)
def test_edges_to_a_node_that_is_not_there_are_refused(
    edges: list, N: int | None, says: str
) -> None:
    with pytest.raises(NodeIndexError, match=says):
        laplacian(edges, N)


@pytest.mark.parametrize("num_nodes", [2.7, "x", float("nan")])
def test_a_number_of_nodes_that_is_no_number_is_refused(
    num_nodes: object,
) -> None:
    with (
        without_shape_checks(),
        pytest.raises(NodeIndexError, match="not a whole number"),
    ):
        laplacian(PATH, num_nodes)


def test_more_nodes_than_can_be_numbered_are_refused() -> None:
    with pytest.raises(NodeIndexError, match="numbered from 0"):
        laplacian([[2**40, 0], [0, 2**40]])


@pytest.mark.parametrize("shape", [(3, 0), (0, 2), (1, 0)])
def test_empty_tables_of_the_wrong_shape_are_refused(
    shape: tuple[int, int],
) -> None:
    with pytest.raises(EdgeShapeError, match=r"not \(2, E\)"):
        laplacian(torch.zeros(shape, dtype=torch.int64), 3)


@pytest.mark.parametrize("N", [None, 0, -1])
def test_a_graph_without_nodes_is_refused(N: int | None) -> None:
    with pytest.raises(EmptyGraphError, match=r"no node.*num_nodes=1 or more"):
        laplacian([[], []], N)


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        ([1, 1, math.nan, 1], r"edge_weight\[2\] is nan.*positive and finite"),
        ([1, math.inf, 1, 1], r"edge_weight\[1\] is inf"),
        ([1, 1, 1, 0], r"edge_weight\[3\] is 0.*drop edges of weight 0"),
        ([-2.5, 1, 1, -1], r"edge_weight\[0\] is -2.5.*negative"),
        ([1, 1, 1], r"shape \(3,\) for 4 edges.*shape \(4,\)"),
        ([[1, 1, 1, 1]], r"shape \(1, 4\) for 4 edges"),
        (2.0, r"shape \(\) for 4 edges"),
        ("abcd", r"cannot be read as real numbers.*shape \(4,\)"),
        ([[1], [1, 2]], "cannot be read as real numbers"),
        (torch.ones(4, dtype=torch.complex64), "cannot be read as real"),
        ([1e308] * 4, "add up to infinity. Divide them all"),
    ],
)
def test_bad_weights_are_named_by_their_place(
    weight: object, says: str
) -> None:
    with pytest.raises(EdgeWeightError, match=says):
        laplacian(PATH, edge_weight=weight)


def test_bad_weights_inside_a_data_object_are_found() -> None:
    data = Data(
        edge_index=torch.tensor(PATH),
        edge_weight=torch.tensor([1.0, 1.0, -1.0, 1.0]),
        num_nodes=3,
    )
    with pytest.raises(EdgeWeightError, match=r"edge_weight\[2\] is -1"):
        laplacian(data)


def random_walk() -> torch.Tensor:
    """PyG's other normalisation, I − D⁻¹A."""
    index, value = get_laplacian(edges_of(nx.star_graph(4)), None, "rw")
    return torch.zeros(5, 5).index_put_(tuple(index), value)


HOLED = torch.eye(3).index_put((torch.tensor([1]),) * 2, torch.tensor(1e999))


@pytest.mark.parametrize(
    ("matrix", "says"),
    [
        (torch.tensor(PATH), r"shape \(2, 4\). Did you pass edge_index\?"),
        (torch.tensor([[0, 1], [1, 0]]), "from -1 to 1; .* grokbook.laplac"),
        (torch.ones(3), r"shape \(3,\)"),
        (torch.zeros(0, 0), "N × N with N ≥ 1"),
        (torch.full((2, 2), math.nan), "NaN or infinity.*isolated nodes"),
        (HOLED, "NaN or infinity"),
        (random_walk(), r"not symmetric \(largest difference 0.75\).*random"),
        (nx.laplacian_matrix(nx.star_graph(4)), r"to 5; .* in \[0, 2\]"),
        (-torch.eye(2), "from -1 to -1"),
        (torch.eye(2) * 2.00001, r"a normalised Laplacian's lie in \[0, 2\]"),
        (torch.eye(2, dtype=torch.complex64), "matrix of real numbers"),
        ([[1.0, 0.0], [0.0]], "cannot be read as a matrix"),
        ("L", "cannot be read as a matrix"),
        (None, "cannot be read as a matrix"),
        (Data(edge_index=torch.tensor(PATH)), "Build it with grokbook.lap"),
    ],
)
def test_matrices_that_are_no_normalised_laplacian_are_refused(
    matrix: object, says: str
) -> None:
    with pytest.raises(MatrixError, match=says):
        spectrum(matrix)


def test_a_laplacian_in_double_is_held_to_double_precision() -> None:
    nearly = spectrum_of(nx.star_graph(4)).projector(1.0)
    nearly[0, 1] += 1e-7
    with pytest.raises(MatrixError, match="not symmetric"):
        spectrum(nearly)


STAR = spectrum_of(nx.star_graph(4))


@pytest.mark.parametrize(
    ("response", "says"),
    [
        (lambda lam: 1.0, "returned float for 5 .*torch.ones_like"),
        (lambda lam: None, "returned NoneType for 5 eigenvalues"),
        (lambda lam: lam[:-1], r"of shape \(4,\) for 5 eigenvalues"),
        (lambda lam: lam[:, None], r"of shape \(5, 1\) for 5"),
        (lambda lam: lam.sum(), r"of shape \(\) for 5"),
        (lambda lam: torch.exp(1j * lam), "complex128 .*one real number"),
        (lambda lam: 1 / (lam - lam[-1]), "not finite at λ = 2.*Define"),
        (lambda lam: (lam - lam[1]).sqrt(), "not finite at λ = "),
    ],
)
def test_responses_without_a_number_per_eigenvalue_are_refused(
    response: object, says: str
) -> None:
    with pytest.raises(ResponseError, match=says):
        apply_filter(response, STAR, signals(5))


@pytest.mark.parametrize(
    ("X", "says"),
    [
        (torch.arange(5), r"holds torch.int64.*x.double\(\)"),
        (np.ones(5), r"is a ndarray, not a tensor.*torch.as_tensor"),
        ([1.0] * 5, r"is a list, not a tensor"),
        (torch.tensor(1.0), r"shape \(\); this graph has 5 nodes"),
        (signals(4), r"shape \(4,\); this graph has 5 nodes"),
        (signals(2, 5), r"shape \(2, 5\).*pass \(5,\) or \(5, F\)"),
        (signals(5, 1, 1), r"shape \(5, 1, 1\)"),
        (signals(5) * math.nan, "NaN or infinity.*every node"),
        (signals(5) / 0.0, "NaN or infinity.*Fill or drop"),
    ],
)
def test_signals_that_do_not_fit_are_refused(X: object, says: str) -> None:
    with without_shape_checks(), pytest.raises(SignalError, match=says):
        apply_filter(torch.sin, STAR, X)


def test_a_name_in_place_of_a_response_is_explained() -> None:
    with (
        without_shape_checks(),
        pytest.raises(ResponseError, match="'low-pass', not a function"),
    ):
        apply_filter("low-pass", STAR, signals(5))


def test_unknown_methods_are_answered_with_the_list() -> None:
    with pytest.raises(UnknownNameError, match=r"'magic'.*from: exact"):
        apply_filter(torch.sin, STAR, signals(5), method="magic")
