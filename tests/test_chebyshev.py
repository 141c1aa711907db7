"""Filtering without eigenvectors is filtering, to the stated tolerance."""

from collections.abc import Callable
from importlib import import_module

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import (
    edge_lists,
    edges_of,
    few,
    laplacian_of,
    renumbered,
    signals,
    without_shape_checks,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from torch import Tensor, nn

from grokbook import (
    TARGETS,
    ChebyshevFilter,
    apply_filter,
    laplacian,
    spectrum,
)
from grokbook.errors import (
    DegreeError,
    MatrixError,
    ResponseError,
    SignalError,
)
from grokbook.expansion import coefficients
from grokbook.recurrence import chebyshev_vectors

chebyshev = import_module("grokbook.chebyshev")
G = nx.connected_watts_strogatz_graph(60, 4, 0.2, seed=1)
L = laplacian_of(G)
S = spectrum(L)
X = signals(60, 3)
SMOOTH = ("low-pass", "high-pass", "band-pass", "band-rejection")


def series(c: Tensor, lam: Tensor) -> Tensor:
    """Sum a Chebyshev series with NumPy."""
    return torch.from_numpy(
        np.polynomial.chebyshev.chebval(lam.numpy() - 1, c.detach().numpy())
    )


LAM = torch.linspace(0, 2, 2001, dtype=torch.float64)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6, 1e-10])
@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_targets_are_met_to_the_tolerance(
    name: str, tolerance: float
) -> None:
    h = TARGETS[name]
    c = coefficients(h, tolerance=tolerance)
    assert (series(c, LAM) - h(LAM)).abs().max() <= tolerance
    Y = apply_filter(h, L, X, method="chebyshev", tolerance=tolerance)
    truth = apply_filter(h, S, X)
    assert (Y - truth).norm() <= tolerance * X.norm()


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("m", [1, 3, 8])
@pytest.mark.parametrize("wave", [torch.cos, torch.sin])
def test_harmonics_of_powers_are_met_to_the_tolerance(
    wave: Callable, m: int, k: int
) -> None:
    def h(lam: Tensor) -> Tensor:
        return wave(m * lam**k)

    assert (series(coefficients(h), LAM) - h(LAM)).abs().max() <= 1e-6
    Y = apply_filter(h, L, X, method="chebyshev")
    assert (Y - apply_filter(h, S, X)).norm() <= 1e-6 * X.norm()


@pytest.mark.parametrize(("k", "degree"), [(1, 16), (2, 34), (3, 70)])
def test_the_degree_is_the_one_that_a_chirp_needs(k: int, degree: int) -> None:
    c = coefficients(lambda lam: torch.cos(8 * lam**k), tolerance=1e-4)
    assert abs(len(c) - 1 - degree) <= 0.1 * degree


def test_no_smaller_degree_would_do() -> None:
    def h(lam: Tensor) -> Tensor:
        return torch.sin(8 * lam**2)

    c = coefficients(h, tolerance=1e-4)
    assert (series(c, LAM) - h(LAM)).abs().max() <= 1e-4
    assert (series(c[:-6], LAM) - h(LAM)).abs().max() > 1e-4


def test_the_tolerance_is_relative_to_the_response() -> None:
    degree = len(coefficients(TARGETS["low-pass"]))
    tiny = coefficients(lambda lam: 1e-8 * TARGETS["low-pass"](lam))
    huge = coefficients(lambda lam: 1e8 * TARGETS["low-pass"](lam))
    assert len(tiny) == len(huge) == degree


def test_polynomials_are_exact_at_their_own_degree() -> None:
    def cubic(lam: Tensor) -> Tensor:
        return 1 - 2 * lam + lam**3

    assert len(coefficients(cubic, tolerance=1e-12)) == 4
    Y = ChebyshevFilter(L, degree=3)(cubic, X)
    truth = X - 2 * (L @ X) + L @ L @ L @ X
    torch.testing.assert_close(Y, truth, atol=1e-10, rtol=1e-10)


@pytest.mark.parametrize("size", [0.0, 2.5])
def test_constants_take_no_product(size: float) -> None:
    c = coefficients(lambda lam: torch.full_like(lam, size))
    assert c.tolist() == pytest.approx([size])


def test_a_response_with_a_corner_is_refused_with_advice() -> None:
    with pytest.raises(DegreeError, match=r"4096 .*corner.*'exact'"):
        apply_filter(TARGETS["comb"], L, X, method="chebyshev")
    Y = apply_filter(TARGETS["comb"], L, X, method="chebyshev", tolerance=1e-3)
    truth = apply_filter(TARGETS["comb"], S, X)
    assert (Y - truth).norm() <= 1e-3 * X.norm()


class Wave(nn.Module):
    """A response with parameters, by default in float32 as modules are."""

    def __init__(self, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        self.a = nn.Parameter(torch.tensor([0.3, -1.2, 0.7], dtype=dtype))

    def response(self, lam: Tensor) -> Tensor:
        waves = [torch.cos(m * lam**2) for m in range(3)]
        return torch.stack(waves, dim=-1).to(self.a) @ self.a


@pytest.mark.parametrize(
    ("dtype", "error"), [(torch.float64, 1e-6), (torch.float32, 2e-5)]
)
def test_values_and_gradients_are_those_of_the_exact_road(
    dtype: torch.dtype, error: float
) -> None:
    found = []
    for road in ("exact", "chebyshev"):
        wave, x = Wave(dtype), X.to(dtype, copy=True).requires_grad_()
        Y = apply_filter(wave, L if road == "chebyshev" else S, x, road)
        assert Y.dtype == dtype
        Y.square().sum().backward()
        found.append((Y.detach(), x.grad, wave.a.grad))
    for exact, other in zip(*found, strict=True):
        assert (exact - other).norm() <= error * exact.norm()


@pytest.mark.parametrize("columns", [(), (2,)])
def test_gradcheck_in_the_signal_and_the_response(columns: tuple) -> None:
    edges = edges_of(nx.path_graph(4))
    filtered = ChebyshevFilter(laplacian(edges, 6), degree=7)
    x = signals(6, *columns).requires_grad_()
    t = torch.tensor([0.8, -0.4], dtype=torch.float64, requires_grad=True)

    def run(x: Tensor, t: Tensor) -> Tensor:
        return filtered(lambda lam: torch.exp(t[0] * lam) + t[1] * lam, x)

    assert torch.autograd.gradcheck(run, (x, t))


def test_gradcheck_of_a_series_for_each_column() -> None:
    filtered = ChebyshevFilter(laplacian(edges_of(nx.path_graph(4))))
    c = signals(5, 3).requires_grad_()
    x = signals(4, 3, seed=1).requires_grad_()
    assert torch.autograd.gradcheck(filtered.apply_series, (c, x))


def test_each_column_may_have_its_own_response() -> None:
    def three(lam: Tensor) -> Tensor:
        return torch.stack([lam, torch.cos(lam), torch.exp(-lam)], dim=1)

    Y = ChebyshevFilter(L)(three, X)
    for j in range(3):
        truth = apply_filter(lambda lam, j=j: three(lam)[:, j], S, X[:, j])
        assert (Y[:, j] - truth).norm() <= 1e-6 * X.norm()
    with pytest.raises(ResponseError, match="3 responses for 2 signals"):
        ChebyshevFilter(L)(three, X[:, :2])


@few
@given(edge_lists(), st.randoms(use_true_random=False))
def test_renumbering_the_nodes_renumbers_the_result(
    graph: tuple, random: object
) -> None:
    edges, N, weight = graph
    X = signals(N, 2)
    to, moved = renumbered(X, random)

    def run(edges: Tensor, X: Tensor) -> Tensor:
        filtered = ChebyshevFilter(laplacian(edges, N, weight))
        return filtered(torch.cos, X)

    Y = run(edges, X)
    torch.testing.assert_close(run(to[edges], moved)[to], Y)
    truth = apply_filter(torch.cos, laplacian(edges, N, weight), X)
    assert (Y - truth).norm() <= 1e-6 * X.norm()


class Saved:
    """Counts what autograd keeps for the backward pass."""

    def __init__(self) -> None:
        self.numbers = 0

    def keep(self, tensor: Tensor) -> Tensor:
        self.numbers += tensor.numel()
        return tensor


@pytest.mark.parametrize("degree", [4, 400])
def test_what_is_kept_for_the_backward_does_not_grow_with_the_degree(
    degree: int,
) -> None:
    filtered, saved = ChebyshevFilter(L), Saved()
    x = X.clone().requires_grad_()
    c = torch.ones(degree + 1, dtype=torch.float64, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(saved.keep, lambda t: t):
        filtered.apply_series(c, x)
    assert saved.numbers == X.numel() + degree + 1


@pytest.mark.parametrize("degree", [4, 400])
def test_the_recurrence_runs_in_two_buffers(degree: int) -> None:
    A = ChebyshevFilter(L)._matrix(torch.float64, X.device)
    before = X.clone()
    places = {v.data_ptr() for v in chebyshev_vectors(A, before, degree)}
    assert len(places) == 2
    assert torch.equal(before, X)  # not one of the two


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64]
)
@pytest.mark.parametrize("shape", [(60,), (60, 1), (60, 4), (60, 0)])
def test_signals_keep_their_shape_and_dtype(
    dtype: torch.dtype, shape: tuple
) -> None:
    x = signals(*shape).to(dtype)
    Y = ChebyshevFilter(L)(torch.exp, x)
    assert (Y.shape, Y.dtype) == (x.shape, dtype)
    truth = apply_filter(torch.exp, S, x.double())
    room = 20 * max(torch.finfo(dtype).eps, 1e-7)
    assert (Y.double() - truth).norm() <= room * truth.norm()


def test_strided_signals_are_filtered_like_any_other() -> None:
    x = signals(3, 60).T
    Y = ChebyshevFilter(L)(torch.cos, x)
    torch.testing.assert_close(Y, ChebyshevFilter(L)(torch.cos, x.clone()))


def test_signals_on_the_meta_device_give_shapes() -> None:
    Y = ChebyshevFilter(L)(torch.cos, torch.empty(60, 5, device="meta"))
    assert Y.is_meta
    assert Y.shape == (60, 5)


@pytest.mark.parametrize(
    ("x", "says"),
    [
        (signals(59), r"shape \(59,\); this graph has 60 nodes"),
        (signals(60, 1, 1), r"\(60, 1, 1\)"),
        (torch.ones(60).long(), "int64"),
    ],
)
def test_signals_that_do_not_fit_are_refused(x: Tensor, says: str) -> None:
    with without_shape_checks(), pytest.raises(SignalError, match=says):
        ChebyshevFilter(L)(torch.cos, x)


@pytest.mark.parametrize(
    ("response", "says"),
    [
        (lambda lam: 1.0, "one real number for each"),
        (lambda lam: lam[:3], "one real number for each"),
        (lambda lam: torch.exp(1j * lam), "one real number"),
        (lambda lam: 1 / (lam * 0), "not finite"),
    ],
)
def test_responses_that_are_none_are_refused(
    response: Callable, says: str
) -> None:
    with pytest.raises(ResponseError, match=says):
        ChebyshevFilter(L)(response, X)


@pytest.mark.parametrize(
    "matrix",
    [
        nx.laplacian_matrix(G).astype(float),
        nx.to_scipy_sparse_array(G).astype(float),
        2.01 * L,
        -0.5 * L,
    ],
    ids=["not normalised", "adjacency", "too large", "negative"],
)
def test_matrices_outside_zero_and_two_are_refused(matrix: object) -> None:
    with pytest.raises(MatrixError, match=r"lie in \[0, 2\]"):
        ChebyshevFilter(matrix)


def test_a_spectrum_in_place_of_the_laplacian_is_explained() -> None:
    with pytest.raises(MatrixError, match=r"takes the Laplacian.*'exact'"):
        apply_filter(torch.cos, S, X, method="chebyshev")


def test_filter_names_its_graph_and_its_rule() -> None:
    assert repr(ChebyshevFilter(L)) == (
        "ChebyshevFilter(60 nodes, 120 edges, tolerance 1e-06)"
    )
    assert repr(ChebyshevFilter(laplacian([[0, 1], [1, 0]], 5), 7)) == (
        "ChebyshevFilter(5 nodes, 1 edges, degree 7)"
    )


def test_numbering_the_nodes_anew_changes_nothing_but_rounding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On large graphs only, so the bound is lowered; sums in float64."""
    c = signals(40, 3, seed=3)
    found = []
    for large in (10_000, 1):
        monkeypatch.setattr(chebyshev, "LARGE", large)
        there = ChebyshevFilter(L)
        inputs = X.clone().requires_grad_(), c.clone().requires_grad_()
        Y = there.apply_series(inputs[1], inputs[0])
        (Y * signals(60, 3, seed=5)).sum().backward()
        found.append([Y.detach(), inputs[0].grad, inputs[1].grad])
        assert (there._numbers is not None) == (large == 1)
    for plain, near in zip(*found, strict=True):
        assert (plain - near).abs().max() <= 1e-12 * plain.abs().max()


def test_neighbours_come_to_lie_close_together() -> None:
    """A path whose nodes are shuffled gets its order back."""
    order = torch.randperm(50, generator=torch.Generator().manual_seed(1))
    path = order[torch.stack([torch.arange(49), torch.arange(1, 50)])]
    rows = coo_array(
        (np.ones(98), torch.cat([path, path.flip(0)], 1).numpy())
    ).tocsr()
    place = np.argsort(chebyshev.nearby(rows))
    assert set(abs(place[path[0]] - place[path[1]])) == {1}
