"""The spectrum: closed forms, what multiplicities count, projectors."""

from importlib import import_module

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import (
    CLOSED_FORMS,
    PATH,
    edge_lists,
    edges_of,
    few,
    laplacian_of,
    signals,
    spectrum_of,
)
from hypothesis import given
from scipy.sparse import coo_array, csr_array
from torch_geometric.utils import get_laplacian

from grokbook import Spectrum, apply_filter, deflate, laplacian, spectrum
from grokbook.errors import (
    GraphNotice,
    SignalError,
    SizeError,
    SpectrumError,
)

EPS = torch.finfo(torch.float64).eps


def rounding(N: int) -> float:
    """LAPACK's decomposition is exact for a matrix this close to L.

    The bound is a small multiple of N · eps · ‖L‖, and ‖L‖ ≤ 2.
    """
    return 10 * N * EPS


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_known_graphs_have_their_closed_form_spectrum(name: str) -> None:
    G, expected = CLOSED_FORMS[name]
    torch.testing.assert_close(
        spectrum_of(G).lam,
        torch.tensor(sorted(expected), dtype=torch.float64),
        atol=rounding(len(G)),
        rtol=0,
    )


@few
@given(edge_lists())
def test_spectrum_lies_between_zero_and_two_and_ascends(
    graph: tuple,
) -> None:
    edges, N, weight = graph
    for L in (laplacian(edges, N), laplacian(edges, N, weight)):
        lam = spectrum(L).lam
        assert lam.shape == (N,)
        assert lam[0] >= 0
        assert lam[-1] <= 2
        assert (lam.diff() >= 0).all()


@few
@given(edge_lists())
def test_columns_are_orthonormal_eigenvectors(graph: tuple) -> None:
    L = laplacian(*graph).to_dense()
    S = spectrum(L)
    N = S.num_nodes
    assert (L @ S.U - S.U * S.lam).norm() <= rounding(N)
    assert (S.U.T @ S.U - torch.eye(N)).norm() <= rounding(N)


@few
@given(edge_lists())
def test_zero_counts_components_and_two_counts_bipartite_ones(
    graph: tuple,
) -> None:
    edges, N, weight = graph
    G = nx.empty_graph(N)
    G.add_edges_from(edges.T.tolist())
    parts = [G.subgraph(nodes) for nodes in nx.connected_components(G)]
    two_sided = [H for H in parts if H.number_of_edges()]
    for L in (laplacian(edges, N), laplacian(edges, N, weight)):
        S = spectrum(L)
        assert S.multiplicity(0) == len(parts)
        assert S.multiplicity(2) == sum(map(nx.is_bipartite, two_sided))


@few
@given(edge_lists())
def test_one_has_at_least_the_multiplicity_that_twins_give(
    graph: tuple,
) -> None:
    edges, N, _ = graph
    A = torch.zeros(N, N)
    A[edges[0], edges[1]] = 1
    joined = A[A.sum(1) > 0]
    twins = len(joined) - len(torch.unique(joined, dim=0))
    assert spectrum(laplacian(edges, N)).multiplicity(1) >= twins


def test_the_bound_by_twins_is_met_by_a_star() -> None:
    assert spectrum_of(nx.star_graph(5)).multiplicity(1) == 4


def test_lowest_eigenvector_is_the_root_of_the_degrees() -> None:
    G = nx.karate_club_graph()
    root = torch.tensor([d for _, d in G.degree]).double().sqrt()
    u = spectrum_of(G).U[:, 0]
    torch.testing.assert_close(u.abs(), root / root.norm())


def test_with_isolated_one_the_spectrum_moves_from_zero_to_one() -> None:
    S = spectrum(laplacian(PATH, num_nodes=5, isolated=1.0))
    assert [S.multiplicity(v) for v in (0, 1, 2)] == [1, 3, 1]


def test_distinct_lists_each_value_once_with_its_count() -> None:
    value, count = spectrum_of(nx.hypercube_graph(3)).distinct()
    torch.testing.assert_close(
        value, torch.tensor([0, 2 / 3, 4 / 3, 2]).double(), rtol=0, atol=1e-7
    )
    assert count.tolist() == [1, 3, 3, 1]


def test_distinct_joins_only_what_is_closer_than_the_tolerance() -> None:
    lam = torch.tensor([0, 1e-11, 0.5, 0.5 + 3e-10], dtype=torch.float64)
    S = Spectrum(lam, torch.eye(4, dtype=torch.float64))
    assert S.distinct()[1].tolist() == [2, 1, 1]
    assert S.distinct(tol=1e-9)[1].tolist() == [2, 2]
    assert S.distinct()[0][0] == pytest.approx(5e-12)


def test_at_marks_the_places_of_an_eigenvalue() -> None:
    S = spectrum_of(nx.star_graph(4))
    assert S.at(1.0).tolist() == [False, True, True, True, False]
    assert S.at(0.3).sum() == 0
    assert S.at(0.9, tol=0.2).tolist() == S.at(1.0).tolist()
    assert S.multiplicity(1) == 3


def test_projectors_are_projections_of_the_right_rank() -> None:
    S = spectrum_of(nx.hypercube_graph(3))
    for value, count in zip(*S.distinct(), strict=True):
        P = S.projector(float(value))
        torch.testing.assert_close(P @ P, P)
        assert torch.equal(P, P.T)
        assert float(P.trace()) == pytest.approx(int(count))


def test_projectors_sum_to_the_identity_and_rebuild_the_matrix() -> None:
    G = nx.petersen_graph()
    S = spectrum_of(G)
    values = S.distinct()[0].tolist()
    P = torch.stack([S.projector(value) for value in values])
    torch.testing.assert_close(P.sum(0), torch.eye(10, dtype=torch.float64))
    L = torch.einsum("v,vij->ij", torch.tensor(values).double(), P)
    torch.testing.assert_close(L, laplacian_of(G))


def test_projector_of_a_value_that_is_not_there_is_zero() -> None:
    P = spectrum_of(nx.star_graph(4)).projector(0.4)
    assert torch.equal(P, torch.zeros(5, 5, dtype=torch.float64))


@pytest.mark.parametrize("F", [(), (1,), (4,)])
def test_transform_and_inverse_give_the_signal_back(F: tuple) -> None:
    S = spectrum_of(nx.karate_club_graph())
    x = signals(34, *F)
    torch.testing.assert_close(S.inverse(S.fourier(x)), x)
    torch.testing.assert_close(S.fourier(S.inverse(x)), x)


def test_transform_keeps_the_energy() -> None:
    x = signals(34)
    x_hat = spectrum_of(nx.karate_club_graph()).fourier(x)
    assert float(x_hat @ x_hat) == pytest.approx(float(x @ x), rel=1e-13)


def test_coordinates_of_an_eigenvector_are_a_unit_vector() -> None:
    S = spectrum_of(nx.path_graph(6))
    unit = torch.eye(6, dtype=torch.float64)
    for k in range(6):
        torch.testing.assert_close(S.fourier(S.U[:, k]), unit[k])
        assert torch.equal(S.inverse(unit[k]), S.U[:, k])


@pytest.mark.parametrize("shape", [(33,), (35, 2), (2, 34), (34, 1, 1)])
@pytest.mark.parametrize("way", ["fourier", "inverse"])
def test_signals_of_the_wrong_shape_are_refused(
    shape: tuple, way: str
) -> None:
    S = spectrum_of(nx.karate_club_graph())
    with pytest.raises(SignalError, match=r"34 nodes, so pass \(34,\)"):
        getattr(S, way)(signals(*shape))


L = laplacian(PATH)
DENSE = L.to_dense()


@pytest.mark.parametrize(
    "matrix",
    [
        L,
        DENSE,
        DENSE.numpy(),
        DENSE.tolist(),
        coo_array(DENSE.numpy()),
        csr_array(DENSE.numpy()),
        np.asfortranarray(DENSE.numpy()),
    ],
    ids=lambda matrix: type(matrix).__name__,
)
def test_every_kind_of_matrix_has_the_same_spectrum(matrix: object) -> None:
    S = spectrum(matrix)
    expected = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64)
    torch.testing.assert_close(S.lam, expected, atol=1e-14, rtol=0)
    assert S.lam.dtype == S.U.dtype == torch.float64


@pytest.mark.parametrize("G", [nx.star_graph(7), nx.karate_club_graph()])
@pytest.mark.parametrize("weighted", [False, True])
def test_matrices_of_pyg_in_float32_are_accepted(
    G: nx.Graph, weighted: bool
) -> None:
    edges = edges_of(G)
    E = edges.shape[1] // 2
    weight = torch.linspace(0.1, 3, E).repeat(2) if weighted else None
    index, value = get_laplacian(edges, weight, "sym")
    matrix = torch.zeros(len(G), len(G)).index_put_(tuple(index), value)
    truth = spectrum(laplacian(edges, edge_weight=weight)).lam
    lam = spectrum(matrix).lam
    # An entry in float32 is off by about 1e-7 of its size.
    torch.testing.assert_close(lam, truth, atol=5e-7, rtol=0)
    assert lam[0] >= 0
    assert lam[-1] <= 2


def test_the_callers_matrix_is_left_alone() -> None:
    matrix = laplacian_of(nx.karate_club_graph())
    before = matrix.clone()
    spectrum(matrix)
    assert torch.equal(matrix, before)


def test_spectrum_names_its_size_and_its_ends() -> None:
    S = spectrum_of(nx.complete_graph(5))
    assert repr(S) == (
        "Spectrum(5 nodes, 2 distinct eigenvalues in [0.0000, 1.2500])"
    )
    assert S.num_nodes == 5


class Reached(Exception):
    """The decomposition would have begun."""


def decompose_later(N: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for N nodes, with the costly part of the work taken out."""

    def eigh(*_: object) -> None:
        raise Reached

    module = import_module("grokbook.decomposition")
    monkeypatch.setattr(module, "_eigh", eigh)
    spectrum(csr_array((N, N)))


def test_long_work_is_announced_before_it_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Warnings are errors here: the notice comes first or not at all.
    with pytest.raises(
        GraphNotice, match=r"about 3 minutes and 3 GB.*k=200.*cheb"
    ):
        decompose_later(10_000, monkeypatch)


def test_short_work_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Reached):
        decompose_later(5_000, monkeypatch)


def test_a_graph_too_large_for_lapack_is_refused_with_another_road() -> None:
    with pytest.raises(SizeError, match=r"40000 nodes .*k=200.*chebyshev"):
        spectrum(csr_array((40_000, 40_000)))


def test_long_work_is_done_with_a_bar_and_gives_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    G = nx.karate_club_graph()
    monkeypatch.setattr(import_module("grokbook.decomposition"), "LONG", 0)
    with pytest.warns(GraphNotice, match="34 nodes takes about 0 seconds"):
        S = spectrum_of(G)
    assert "decomposing 34 nodes" in capsys.readouterr().err
    monkeypatch.undo()
    torch.testing.assert_close(S.lam, spectrum_of(G).lam, atol=1e-14, rtol=0)


def test_deflation_leaves_out_the_largest_eigenspace_alone() -> None:
    S = spectrum_of(nx.star_graph(6))
    D = deflate(S)
    assert D.lam.shape == (2,)
    assert D.U.shape == (7, 2)
    assert D.rest == pytest.approx(1, abs=1e-14)
    assert not D.truncated
    assert repr(D) == (
        "Spectrum(7 nodes, 3 distinct eigenvalues in [0.0000, 2.0000], "
        "5 deflated)"
    )


@pytest.mark.parametrize("value", [None, 0, 2 / 3, 2])
def test_a_deflated_spectrum_answers_as_the_full_one(
    value: float | None,
) -> None:
    S = spectrum_of(nx.hypercube_graph(3))
    D = deflate(S, value)
    assert len(D.lam) < 8
    torch.testing.assert_close(D.eigenvalues(), S.lam)
    assert D.distinct()[1].tolist() == S.distinct()[1].tolist()
    for known in (0, 2 / 3, 4 / 3, 2, 0.1):
        assert D.multiplicity(known) == S.multiplicity(known)
        torch.testing.assert_close(D.projector(known), S.projector(known))


@few
@given(edge_lists())
def test_deflation_changes_no_filter(graph: tuple) -> None:
    S = spectrum(laplacian(*graph))
    X = signals(S.num_nodes, 2)
    D = deflate(S)
    torch.testing.assert_close(
        apply_filter(torch.cos, D, X), apply_filter(torch.cos, S, X)
    )


def test_nothing_is_deflated_where_nothing_repeats() -> None:
    S = spectrum_of(nx.path_graph(6))
    assert deflate(S) is S


def test_only_an_eigenvalue_and_only_once_can_be_deflated() -> None:
    S = spectrum_of(nx.star_graph(6))
    with pytest.raises(SpectrumError, match=r"0.3 is no eigenvalue"):
        deflate(S, 0.3)
    with pytest.raises(SpectrumError, match="only once"):
        deflate(deflate(S))


def test_transforms_of_a_deflated_spectrum_have_a_row_per_eigenvector() -> (
    None
):
    D = deflate(spectrum_of(nx.star_graph(6)))
    assert D.fourier(signals(7, 3)).shape == (2, 3)
    assert D.inverse(signals(2, 3)).shape == (7, 3)
    with pytest.raises(SignalError, match="2 eigenvectors, so pass"):
        D.inverse(signals(7, 3))
