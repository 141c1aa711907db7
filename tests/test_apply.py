"""Filtering: h(L)X is a function of L, whatever the eigenvectors."""

import os
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import torch
from graphs import (
    PATH,
    edge_lists,
    few,
    laplacian_of,
    renumbered,
    signals,
    spectrum_of,
)
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from grokbook import (
    TARGETS,
    Spectrum,
    apply_filter,
    deflate,
    laplacian,
    spectrum,
)
from grokbook.errors import GraphNotice, UnknownNameError

KARATE = nx.karate_club_graph()
S = spectrum_of(KARATE)
L = laplacian_of(KARATE)
X = signals(34, 3)


def heat(lam: Tensor) -> Tensor:
    """A response that is neither a polynomial nor symmetric about 1."""
    return torch.exp(-0.7 * lam) + 0.1 * torch.sin(5 * lam)


@pytest.mark.parametrize(
    ("response", "product"),
    [
        (lambda lam: lam, lambda L, X: L @ X),
        (lambda lam: lam**3, lambda L, X: L @ L @ L @ X),
        (lambda lam: 2 - lam, lambda L, X: 2 * X - L @ X),
        (
            lambda lam: 1 - 3 * lam + lam**2,
            lambda L, X: X - 3 * (L @ X) + L @ (L @ X),
        ),
    ],
)
def test_polynomial_responses_are_products_with_the_laplacian(
    response: Callable, product: Callable
) -> None:
    torch.testing.assert_close(apply_filter(response, S, X), product(L, X))


def test_exponential_response_is_the_matrix_exponential() -> None:
    flow = torch.from_numpy(scipy.linalg.expm(-1.3 * L.numpy()))
    Y = apply_filter(lambda lam: torch.exp(-1.3 * lam), S, X)
    torch.testing.assert_close(Y, flow @ X)


def test_an_eigenvector_is_multiplied_by_its_own_response() -> None:
    for k in (0, 5, 33):
        u = S.U[:, k]
        Y = apply_filter(heat, S, u)
        torch.testing.assert_close(Y, heat(S.lam)[k] * u)


def test_the_constant_one_is_the_identity() -> None:
    torch.testing.assert_close(apply_filter(torch.ones_like, S, X), X)


def test_filtering_is_linear() -> None:
    x, y = signals(34, seed=1), signals(34, seed=2)
    torch.testing.assert_close(
        apply_filter(heat, S, 2 * x - 3 * y),
        2 * apply_filter(heat, S, x) - 3 * apply_filter(heat, S, y),
    )


def test_two_filters_in_turn_are_one_with_the_product_response() -> None:
    low, comb = TARGETS["low-pass"], TARGETS["comb"]
    in_turn = apply_filter(comb, S, apply_filter(low, S, X))
    at_once = apply_filter(lambda lam: low(lam) * comb(lam), S, X)
    torch.testing.assert_close(in_turn, at_once)


def test_a_matrix_is_filtered_column_by_column() -> None:
    columns = [apply_filter(heat, S, x) for x in X.T]
    torch.testing.assert_close(
        apply_filter(heat, S, X), torch.stack(columns, dim=1)
    )


@few
@given(edge_lists(), st.randoms(use_true_random=False))
def test_renumbering_the_nodes_renumbers_the_result(
    graph: tuple, random: object
) -> None:
    edges, N, weight = graph
    X = signals(N, 2)
    to, moved = renumbered(X, random)
    Y = apply_filter(heat, laplacian(edges, N, weight), X)
    Y_moved = apply_filter(heat, laplacian(to[edges], N, weight), moved)
    torch.testing.assert_close(Y_moved[to], Y)


@few
@given(edge_lists())
def test_components_do_not_hear_each_other(graph: tuple) -> None:
    edges, N, weight = graph
    both = torch.cat([edges, edges + N], dim=1)
    twice = laplacian(both, 2 * N, weight.repeat(2))
    X = signals(N, 2)
    Y = apply_filter(heat, twice, torch.cat([X, torch.zeros_like(X)]))
    torch.testing.assert_close(Y[:N], apply_filter(heat, laplacian(*graph), X))
    assert Y[N:].abs().max() < 1e-12


def test_isolated_nodes_keep_their_value_times_the_response_at_zero() -> None:
    Y = apply_filter(lambda lam: 3 + lam, laplacian(PATH, 5), signals(5))
    torch.testing.assert_close(Y[3:], 3 * signals(5)[3:])


def test_signs_of_the_eigenvectors_do_not_matter() -> None:
    sign = torch.sign(signals(34, seed=3))
    flipped = Spectrum(S.lam, S.U * sign)
    torch.testing.assert_close(
        apply_filter(heat, flipped, X), apply_filter(heat, S, X)
    )


def test_the_basis_inside_an_eigenspace_does_not_matter() -> None:
    cube = spectrum_of(nx.hypercube_graph(4))
    U = cube.U.clone()
    for k, value in enumerate(cube.distinct()[0].tolist()):
        place = cube.at(value)
        size = int(place.sum())
        Q, _ = torch.linalg.qr(signals(size, size, seed=k))
        U[:, place] = U[:, place] @ Q
    assert (U - cube.U).abs().max() > 0.1  # it is another basis
    torch.testing.assert_close(
        apply_filter(heat, Spectrum(cube.lam, U), signals(16)),
        apply_filter(heat, cube, signals(16)),
    )


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.float32, torch.float64]
)
def test_signals_keep_their_dtype(dtype: torch.dtype) -> None:
    Y = apply_filter(heat, S, X.to(dtype))
    assert Y.dtype == dtype
    truth = apply_filter(heat, S, X.to(dtype).double())
    assert torch.equal(Y, truth.to(dtype))  # computed in float64 inside


def test_signals_are_not_changed_in_place() -> None:
    before = X.clone()
    apply_filter(heat, S, X)
    assert torch.equal(X, before)


def test_a_laplacian_may_stand_in_for_its_spectrum() -> None:
    expected = apply_filter(heat, S, X)
    for matrix in (L, L.to_sparse(), L.numpy()):
        torch.testing.assert_close(apply_filter(heat, matrix, X), expected)


@pytest.mark.parametrize(
    "response",
    [
        lambda lam: lam < 0.5,
        lambda lam: (lam < 0.5).long(),
        lambda lam: (lam < 0.5).float(),
    ],
)
def test_true_false_and_whole_numbers_are_responses_too(
    response: Callable,
) -> None:
    kept = (S.lam < 0.5).double()
    expected = S.U @ (kept[:, None] * (S.U.T @ X))
    torch.testing.assert_close(apply_filter(response, S, X), expected)


class Decay(nn.Module):
    """A filter with a parameter, in float32 as modules are by default."""

    def __init__(self) -> None:
        super().__init__()
        self.rate = nn.Parameter(torch.tensor(0.5))

    def response(self, lam: Tensor) -> Tensor:
        return torch.exp(-self.rate * lam)

    def forward(self, lam: Tensor) -> Tensor:
        raise AssertionError("apply_filter calls response, not forward")


def test_a_module_with_a_response_is_applied_and_learns() -> None:
    decay = Decay()
    Y = apply_filter(decay, S, X.float())
    torch.testing.assert_close(
        Y.double(),
        apply_filter(lambda lam: torch.exp(-0.5 * lam), S, X),
        atol=1e-5,
        rtol=0,
    )
    Y.square().sum().backward()
    assert decay.rate.grad < 0  # a faster decay leaves less energy


def test_gradients_reach_the_signal_and_the_response() -> None:
    small = spectrum(laplacian(PATH, 5))
    x = signals(5, 2).requires_grad_()
    t = torch.tensor(0.8, dtype=torch.float64, requires_grad=True)

    def filtered(x: Tensor, t: Tensor) -> Tensor:
        return apply_filter(
            lambda lam: torch.exp(-t * lam) + t * lam, small, x
        )

    assert torch.autograd.gradcheck(filtered, (x, t))


STAR = nx.disjoint_union(nx.star_graph(9), nx.path_graph(6))
STAR_L = laplacian_of(STAR)  # λ = 1 nine times
ROADS = {
    "exact": lambda h, x: apply_filter(h, STAR_L, x),
    "deflated": lambda h, x: apply_filter(h, deflate(spectrum(STAR_L)), x),
    "truncated": lambda h, x: apply_filter(h, spectrum(STAR_L, 8), x),
    "chebyshev": lambda h, x: apply_filter(
        h, STAR_L, x, method="chebyshev", tolerance=1e-9
    ),
}


@pytest.mark.parametrize("road", ROADS)
def test_all_roads_agree_in_values_and_gradients(road: str) -> None:
    # Eight pairs leave out only λ = 1, so truncation is exact here.
    found = []
    for way in (ROADS["exact"], ROADS[road]):
        x = signals(16, 3).requires_grad_()
        t = torch.tensor([0.6, 2.0], dtype=torch.float64, requires_grad=True)

        def h(lam: Tensor, t: Tensor = t) -> Tensor:
            return torch.exp(-t[0] * lam) * torch.cos(t[1] * lam**2)

        Y = way(h, x)
        (Y * signals(16, 3, seed=1)).sum().backward()
        found.append((Y.detach(), x.grad, t.grad))
    for exact, other in zip(*found, strict=True):
        torch.testing.assert_close(other, exact, atol=1e-8, rtol=1e-8)


def test_the_truncated_road_above_left_out_only_one_eigenspace() -> None:
    T = spectrum(STAR_L, 8)
    assert T.truncated
    assert T.rest == pytest.approx(1, abs=1e-12)
    assert T.num_nodes - len(T.lam) == spectrum(STAR_L).multiplicity(1)


@few
@given(edge_lists())
def test_all_roads_agree_on_any_graph(graph: tuple) -> None:
    L = laplacian(*graph)
    S, X = spectrum(L), signals(L.shape[0], 2)
    truth = apply_filter(heat, S, X)
    torch.testing.assert_close(apply_filter(heat, deflate(S), X), truth)
    Y = apply_filter(heat, L, X, method="chebyshev")
    assert (Y - truth).norm() <= 1e-6 * X.norm()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphNotice)
        T = spectrum(L, max(1, len(S.lam) - 1))
    torch.testing.assert_close(apply_filter(heat, T, X), truth)


@pytest.mark.parametrize("rest", ["mean", "zero"])
def test_a_full_or_deflated_spectrum_leaves_nothing_to_the_rest(
    rest: str,
) -> None:
    full = spectrum(STAR_L)
    x = signals(16)
    truth = apply_filter(heat, full, x)
    for S in (full, deflate(full)):
        torch.testing.assert_close(apply_filter(heat, S, x, rest=rest), truth)


def test_zeroing_removes_the_part_outside_the_kept_eigenvectors() -> None:
    T = spectrum(STAR_L, 8)
    x = signals(16)
    y = apply_filter(torch.ones_like, T, x, rest="zero")
    torch.testing.assert_close(y, T.U @ (T.U.T @ x))
    torch.testing.assert_close(apply_filter(torch.ones_like, T, x), x)


def test_gradients_pass_through_a_truncated_spectrum() -> None:
    T = spectrum(STAR_L, 4)
    x = signals(16, 2).requires_grad_()
    t = torch.tensor(0.8, dtype=torch.float64, requires_grad=True)

    def filtered(x: Tensor, t: Tensor) -> Tensor:
        return apply_filter(lambda lam: torch.exp(-t * lam), T, x)

    assert torch.autograd.gradcheck(filtered, (x, t))


def test_unknown_rests_are_answered_with_the_list() -> None:
    with pytest.raises(UnknownNameError, match=r"rest 'none'.*mean, zero"):
        apply_filter(heat, S, X, rest="none")


@pytest.fixture
def chameleon(tmp_path: Path) -> Tensor:
    """The edges of Chameleon, read from a copy of the raw file."""
    home = os.environ.get("GROKBOOK_DATA")
    if home is None:
        pytest.skip("GROKBOOK_DATA names no folder of data sets")
    raw = Path(home) / "WikipediaNetwork" / "chameleon" / "geom_gcn" / "raw"
    copy = shutil.copy(raw / "out1_graph_edges.txt", tmp_path)
    return torch.from_numpy(np.loadtxt(copy, dtype=int, skiprows=1).T)


def test_half_of_chameleons_eigenvectors_are_never_needed(
    chameleon: Tensor,
) -> None:
    with pytest.warns(GraphNotice, match="self-loop"):
        L = laplacian(chameleon, 2277)
    S = spectrum(L)
    D = deflate(S)
    assert S.multiplicity(1) == 1137
    assert D.rest == pytest.approx(1, abs=1e-12)
    assert D.U.shape == (2277, 1140)
    x = signals(2277, 2)
    torch.testing.assert_close(
        apply_filter(heat, D, x), apply_filter(heat, S, x)
    )
