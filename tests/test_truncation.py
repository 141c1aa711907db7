"""Truncated spectra: the right pairs, whole eigenspaces, honest rests."""

from importlib import import_module

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import edge_lists, edges_of, few, laplacian_of, renumbered, signals
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, eye_array

from grokbook import (
    Spectrum,
    apply_filter,
    deflate,
    laplacian,
    spectrum,
)
from grokbook.errors import (
    ConvergenceError,
    GraphNotice,
    MatrixError,
    SpectrumError,
    UnknownNameError,
)
from grokbook.subspace import largest_by_filtering
from grokbook.truncation import RESIDUAL, largest, truncate

module = import_module("grokbook.truncation")
RING = nx.cycle_graph(8)  # 0, 0.29 twice, 1 twice, 1.71 twice, 2


@pytest.fixture
def iterate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send small graphs down the iterative road, too."""
    monkeypatch.setattr(module, "SMALL", 0)


@pytest.fixture(params=[10**6, 0], ids=["lanczos", "filtered"])
def solver(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    iterate: None,
) -> None:
    """Both solvers, whatever the number of pairs."""
    monkeypatch.setattr(module, "FILTER_FROM", request.param)


def random_graph(N: int = 300, seed: int = 1) -> torch.Tensor:
    """A sparse Laplacian whose eigenvalues repeat only at 0."""
    G = nx.gnm_random_graph(N, 4 * N, seed=seed)
    return laplacian(edges_of(G), N)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize(("ends", "low", "high"), [
    ("both", 7, 6), ("low", 13, 0), ("high", 0, 13),
])  # fmt: skip
def test_the_ends_are_those_of_the_full_spectrum(
    ends: str, low: int, high: int
) -> None:
    L = random_graph()
    full, S = spectrum(L), spectrum(L, 13, ends)
    expected = torch.cat([full.lam[:low], full.lam[300 - high :]])
    torch.testing.assert_close(S.lam, expected, atol=1e-11, rtol=0)
    assert S.truncated


@pytest.mark.usefixtures("solver")
def test_pairs_are_orthonormal_and_have_small_residuals() -> None:
    L = random_graph()
    S = spectrum(L, 20)
    assert (L @ S.U - S.U * S.lam).norm(dim=0).max() <= RESIDUAL
    assert (S.U.T @ S.U - torch.eye(20)).abs().max() <= 1e-10


@pytest.mark.usefixtures("solver")
def test_repeated_eigenvalues_are_found_as_often_as_they_occur() -> None:
    # Thirty triangles: λ = 0 thirty times, λ = 1.5 sixty times.
    copies = nx.disjoint_union_all([nx.cycle_graph(3)] * 30)
    G = nx.disjoint_union(copies, nx.path_graph(200))
    L = laplacian(edges_of(G))
    with pytest.warns(GraphNotice, match="31 eigenpairs are kept instead of"):
        S = spectrum(L, 5, "low")
    assert S.multiplicity(0) == 31
    assert len(S.lam) == 31


@pytest.mark.parametrize("ends", ["both", "low", "high"])
@pytest.mark.parametrize("k", range(1, 8))
@pytest.mark.filterwarnings("ignore::grokbook.errors.GraphNotice")
def test_the_ring_of_eight_is_never_cut_inside_an_eigenspace(
    k: int, ends: str
) -> None:
    full = spectrum(laplacian_of(RING))
    S = spectrum(laplacian_of(RING), k, ends)
    assert len(S.lam) >= k
    for value in S.lam.tolist():
        assert int(S.at(value).sum()) == full.multiplicity(value)
        torch.testing.assert_close(S.projector(value), full.projector(value))


def test_taking_more_than_asked_is_said() -> None:
    with pytest.warns(GraphNotice, match="3 eigenpairs .* instead of k=2"):
        S = spectrum(laplacian_of(RING), 2, "low")
    assert len(S.lam) == 3


def test_k_of_all_nodes_or_more_is_the_full_spectrum() -> None:
    for k in (8, 9, None):
        S = spectrum(laplacian_of(RING), k)
        assert S.rest is None
        assert not S.truncated
        assert len(S.lam) == 8


def test_an_eigenspace_that_is_all_the_rest_makes_the_spectrum_full() -> None:
    with pytest.warns(GraphNotice, match="6 eigenpairs"):
        S = spectrum(laplacian_of(nx.complete_graph(6)), 3)
    assert S.rest is None
    assert S.lam.shape == (6,)


@pytest.mark.usefixtures("iterate")
def test_the_rest_is_the_mean_of_what_is_left_out() -> None:
    L = random_graph()
    full, S = spectrum(L), spectrum(L, 20)
    assert S.rest == pytest.approx(float(full.lam[10:-10].mean()), abs=1e-12)


def heat(lam: torch.Tensor) -> torch.Tensor:
    return torch.exp(-0.7 * lam)


def test_the_mean_keeps_more_of_the_filter_than_zeroing_does() -> None:
    L = random_graph()
    X = signals(300, 3)
    truth = apply_filter(heat, L, X)
    S = spectrum(L, 60)
    mean = apply_filter(heat, S, X)
    zero = apply_filter(heat, S, X, rest="zero")
    assert (mean - truth).norm() < 0.3 * (zero - truth).norm()
    torch.testing.assert_close(
        zero, S.U @ (heat(S.lam)[:, None] * (S.U.T @ X))
    )


def test_a_response_that_is_constant_on_the_rest_is_applied_exactly() -> None:
    L = random_graph()
    S = spectrum(L, 40)
    X = signals(300, 2)
    cut = float(S.lam[19])

    def low(lam: torch.Tensor) -> torch.Tensor:
        return torch.where(lam <= cut, 2 - lam, 0.25)

    truth = apply_filter(low, L, X)
    torch.testing.assert_close(apply_filter(low, S, X), truth)


@few
@given(
    edge_lists(),
    st.integers(1, 6),
    st.sampled_from(["both", "low", "high"]),
    st.randoms(use_true_random=False),
)
@pytest.mark.filterwarnings("ignore::grokbook.errors.GraphNotice")
def test_renumbering_the_nodes_renumbers_a_truncated_filter(
    graph: tuple, k: int, ends: str, random: object
) -> None:
    edges, N, weight = graph
    X = signals(N, 2)
    to, moved = renumbered(X, random)
    for rest in ("mean", "zero"):
        S = spectrum(laplacian(edges, N, weight), k, ends)
        S_moved = spectrum(laplacian(to[edges], N, weight), k, ends)
        Y = apply_filter(heat, S, X, rest=rest)
        Y_moved = apply_filter(heat, S_moved, moved, rest=rest)
        torch.testing.assert_close(Y_moved[to], Y, atol=1e-7, rtol=1e-7)


@pytest.mark.usefixtures("iterate")
def test_many_repeats_send_the_work_to_the_full_decomposition() -> None:
    G = nx.disjoint_union_all([nx.path_graph(3)] * 40)
    L = csr_array(laplacian_of(G).numpy())
    assert truncate(L, 4, "low") is None
    with pytest.warns(GraphNotice, match="40 eigenpairs"):
        assert spectrum(L, 4, "low").multiplicity(0) == 40


def test_a_copy_that_lanczos_missed_is_found(
    monkeypatch: pytest.MonkeyPatch, iterate: None
) -> None:
    whole = module._lanczos

    def forgetful(A, count, avoid, vectors=True):
        found = whole(A, count, avoid, vectors)
        if vectors:  # ARPACK gives the largest last
            return found[0][:-1], found[1][:, :-1]
        return found

    monkeypatch.setattr(module, "_lanczos", forgetful)
    L = random_graph()
    S = spectrum(L, 10, "low")
    torch.testing.assert_close(S.lam, spectrum(L).lam[:10], atol=1e-11, rtol=0)


def test_filtering_avoids_the_subspace_it_is_told_to() -> None:
    L = random_graph()
    full = spectrum(L)
    A = csr_array(eye_array(300) - csr_array(L.to_dense().numpy()))
    theta, U = largest_by_filtering(
        A,
        5,
        full.U[:, :7].numpy(),
        tolerance=RESIDUAL,
        generator=np.random.default_rng(3),
    )
    assert abs(1 - theta - full.lam[7:12].numpy()).max() < 1e-11
    assert abs(full.U[:, :7].numpy().T @ U).max() < 1e-12


def test_an_iteration_that_does_not_converge_says_what_to_do() -> None:
    A = csr_array(eye_array(300) - csr_array(random_graph().to_dense()))
    with pytest.raises(ConvergenceError, match=r"0 of 30 .*\(k=\), or filter"):
        largest_by_filtering(
            A,
            30,
            np.empty((300, 0)),
            tolerance=1e-9,
            generator=np.random.default_rng(0),
            rounds=1,
        )


@pytest.mark.usefixtures("iterate")
def test_bad_pairs_are_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    def sloppy(A, k, avoid):
        theta, U = largest(A, k, avoid)
        return theta, U + 1e-6

    monkeypatch.setattr(module, "largest", sloppy)
    with pytest.raises(ConvergenceError, match=r"miss Lu = λu by .*e-0"):
        spectrum(random_graph(), 6)


@pytest.mark.usefixtures("iterate")
def test_a_matrix_with_larger_eigenvalues_is_refused_here_too() -> None:
    G = nx.gnm_random_graph(300, 1200, seed=1)
    with pytest.raises(MatrixError, match=r"lie in \[0, 2\]"):
        spectrum(nx.laplacian_matrix(G).astype(float), 6)


def test_unknown_ends_are_answered_with_the_list() -> None:
    with pytest.raises(UnknownNameError, match=r"'top'.*both, low, high"):
        spectrum(laplacian_of(RING), 2, "top")


def test_long_work_names_the_cheaper_road_before_it_begins() -> None:
    # Warnings are errors here: the notice comes first or not at all.
    with pytest.raises(GraphNotice, match=r"about .*s and .* smaller k, or"):
        spectrum(csr_array((200_000, 200_000)), 500)


TRUNCATED = Spectrum(
    torch.tensor([0.0, 2.0]).double(),
    torch.eye(5, 2, dtype=torch.float64),
    1.0,
    truncated=True,
)


@pytest.mark.parametrize(
    "question",
    [
        lambda S: S.multiplicity(1.0),
        lambda S: S.projector(0.5),
        lambda S: S.distinct(),
        lambda S: S.eigenvalues(),
    ],
)
def test_what_a_truncated_spectrum_does_not_know_it_does_not_say(
    question: object,
) -> None:
    with pytest.raises(SpectrumError, match=r"2 of 5 eigenpairs.*spectrum"):
        question(TRUNCATED)
    with pytest.raises(SpectrumError, match="Only a full spectrum"):
        deflate(TRUNCATED)


def test_what_a_truncated_spectrum_knows_it_says() -> None:
    assert TRUNCATED.multiplicity(2.0) == 1
    assert float(TRUNCATED.projector(0.0).trace()) == 1
    assert repr(TRUNCATED) == (
        "Spectrum(5 nodes, 2 eigenpairs, the other 3 at their mean 1.0000)"
    )
