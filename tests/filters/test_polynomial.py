"""Polynomial filters against SciPy, and by products against spectra."""

import math

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import (
    edge_lists,
    few,
    laplacian_of,
    signals,
    spectrum_of,
    without_shape_checks,
)
from hypothesis import given
from scipy.special import comb, eval_chebyt, eval_jacobi
from torch import Tensor
from torch.func import functional_call

from grokbook import apply_filter, laplacian, spectrum
from grokbook.errors import FilterError, SignalError, UnknownNameError
from grokbook.filters import Polynomial
from grokbook.filters.bases import BASES

LAM = torch.linspace(0, 2, 101, dtype=torch.float64)
X = LAM.numpy()
LEARNED = [name for name in BASES if name != "appnp"]

# name: options, and p_k(λ) of degree K by another road
KNOWN = {
    "monomial": ({}, lambda k, K: X**k),
    "gpr": ({}, lambda k, K: (1 - X) ** k),
    "chebyshev": ({}, lambda k, K: eval_chebyt(k, X - 1)),
    "bernstein": (
        {},
        lambda k, K: comb(K, k) * (1 - X / 2) ** (K - k) * (X / 2) ** k,
    ),
    "jacobi": (
        {"beta": 0.7, "gamma": -0.4},
        lambda k, K: eval_jacobi(k, 0.7, -0.4, 1 - X),
    ),
    "appnp": ({"alpha": 0.2}, lambda k, K: (1 - X) ** k),
}


def drawn(name: str, K: int = 6, **options: float) -> Polynomial:
    """A filter with coefficients that are the same on every run."""
    options = options or KNOWN[name][0]
    generator = torch.Generator().manual_seed(3)
    return Polynomial(name, K, generator=generator, **options)


def test_every_basis_is_compared_with_another_road() -> None:
    assert set(KNOWN) == set(BASES)


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("K", [1, 2, 10, 30])
def test_columns_are_the_polynomials_of_their_name(name: str, K: int) -> None:
    options, term = KNOWN[name]
    B = Polynomial(name, K, **options).basis(LAM)
    expected = torch.from_numpy(np.stack([term(k, K) for k in range(K + 1)]))
    scale = expected.abs().max()
    torch.testing.assert_close(
        B.T, expected, atol=1e-13 * float(scale), rtol=1e-11
    )


def test_chebyshev_stays_exact_at_a_high_degree() -> None:
    B = Polynomial("chebyshev", 500).basis(LAM)
    truth = np.cos(500 * np.arccos(np.clip(X - 1, -1, 1)))
    assert np.abs(B[:, 500].numpy() - truth).max() < 1e-10


@pytest.mark.parametrize("K", [1, 5, 40])
def test_bernstein_polynomials_are_a_partition_of_unity(K: int) -> None:
    B = Polynomial("bernstein", K).basis(LAM)
    assert (B > -1e-15).all()
    torch.testing.assert_close(B.sum(1), torch.ones_like(LAM))


def test_jacobi_is_the_sum_that_the_papers_table_prints() -> None:
    K, a, b = 5, 2, 1
    f = math.factorial
    B = Polynomial("jacobi", K, beta=float(a), gamma=float(b)).basis(LAM)
    for k in range(K + 1):
        total = sum(
            f(k + a)
            * f(k + b)
            * (-X) ** (k - s)
            * (2 - X) ** s
            / (2**k * f(s) * f(k + a - s) * f(b + s) * f(k - s))
            for s in range(k + 1)
        )
        np.testing.assert_allclose(B[:, k].numpy(), total, atol=1e-12)


@pytest.mark.parametrize("K", [1, 3, 10])
def test_appnp_is_the_response_of_its_iteration(K: int) -> None:
    alpha = 0.15
    Z = torch.ones_like(LAM)
    for _ in range(K):  # Z ← (1 − α) Â Z + α H, Â → 1 − λ, H → 1
        Z = (1 - alpha) * (1 - LAM) * Z + alpha
    filter = Polynomial("appnp", K, alpha=alpha)
    torch.testing.assert_close(filter(LAM), Z)
    assert filter(LAM)[0].item() == pytest.approx(1)


def test_appnp_differs_from_the_papers_table() -> None:
    K, alpha = 10, 0.1
    gamma = 1 - alpha
    table = sum(gamma**k / (1 - gamma) * (1 - LAM) ** k for k in range(K + 1))
    h = Polynomial("appnp", K, alpha=alpha)(LAM)
    # At λ = 0 PageRank keeps everything; the table multiplies by 69.
    assert h[0].item() == pytest.approx(1)
    assert table[0].item() == pytest.approx(68.6, abs=0.1)
    # Nor is it a matter of scale alone: the last term differs.
    ratio = table / h
    assert ratio.max() / ratio.min() > 1.05


def test_appnp_has_nothing_to_learn() -> None:
    filter = Polynomial("appnp", 4)
    assert list(filter.parameters()) == []
    with pytest.raises(FilterError, match="use the basis 'gpr'"):
        filter.fit(LAM, LAM)
    with pytest.raises(FilterError, match="coefficients are fixed"):
        filter.fit_gradient(LAM, LAM)


@pytest.mark.parametrize("name", LEARNED)
def test_all_bases_fit_the_same_polynomial_exactly(name: str) -> None:
    target = 1 - 2 * LAM + 0.5 * LAM**3
    filter = drawn(name, 5).fit(LAM, target)
    torch.testing.assert_close(filter(LAM), target, atol=1e-11, rtol=0)


@few
@given(edge_lists())
def test_filtering_by_products_is_filtering_by_eigenvectors(
    graph: tuple,
) -> None:
    L = laplacian(*graph)
    S = spectrum(L)
    Y = signals(graph[1], 2)
    for name in BASES:
        filter = drawn(name, 8)
        torch.testing.assert_close(
            filter.apply_recursively(L, Y),
            apply_filter(filter, S, Y),
            atol=1e-10,
            rtol=0,
        )


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("F", [(), (3,)])
def test_signals_keep_their_shape_and_dtype(name: str, F: tuple) -> None:
    L = laplacian_of(nx.karate_club_graph())
    for dtype in (torch.float32, torch.float64):
        Y = signals(34, *F).to(dtype)
        out = drawn(name).apply_recursively(L.to(dtype), Y)
        assert (out.shape, out.dtype) == (Y.shape, dtype)


@pytest.mark.parametrize(
    ("name", "products"), [("chebyshev", 7), ("jacobi", 7), ("bernstein", 28)]
)
def test_a_filter_of_degree_seven_takes_so_many_products(
    name: str, products: int
) -> None:
    calls = []

    def times(v: Tensor) -> Tensor:
        calls.append(1)
        return LAM * v

    list(drawn(name, 7)._terms(times, torch.ones_like(LAM)))
    assert len(calls) == products


@pytest.mark.parametrize("name", LEARNED)
def test_gradients_are_those_of_finite_differences(name: str) -> None:
    L = laplacian_of(nx.path_graph(5))
    filter = drawn(name, 3)

    def filtered(theta: Tensor, Y: Tensor) -> Tensor:
        return functional_call(Applied(filter, L), {"filter.theta": theta}, Y)

    def response(theta: Tensor, lam: Tensor) -> Tensor:
        return functional_call(filter, {"theta": theta}, lam)

    Y = signals(5, 2).requires_grad_()
    lam = spectrum_of(nx.path_graph(5)).lam.requires_grad_()
    assert torch.autograd.gradcheck(filtered, (filter.theta, Y))
    assert torch.autograd.gradcheck(response, (filter.theta, lam))


class Applied(torch.nn.Module):
    """A filter and a graph, as one function of the signal."""

    def __init__(self, filter: Polynomial, L: Tensor) -> None:
        super().__init__()
        self.filter, self.L = filter, L

    def forward(self, Y: Tensor) -> Tensor:
        return self.filter.apply_recursively(self.L, Y)


@pytest.mark.parametrize("name", BASES)
def test_filter_runs_on_the_meta_device(name: str) -> None:
    filter = Polynomial(name, 4, device="meta")
    h = filter(LAM.to("meta"))
    assert h.device.type == "meta"
    assert h.shape == LAM.shape


@pytest.mark.parametrize("name", LEARNED)
def test_coefficients_drawn_from_one_seed_are_the_same(name: str) -> None:
    one, two = drawn(name), drawn(name)
    assert torch.equal(one.theta, two.theta)
    two.reset_parameters(generator=torch.Generator().manual_seed(4))
    assert not torch.equal(one.theta, two.theta)


def test_filter_names_its_basis_its_degree_and_its_options() -> None:
    assert repr(Polynomial("gpr", 3)) == "Polynomial('gpr', K=3)"
    assert repr(Polynomial("appnp", 3)) == (
        "Polynomial('appnp', K=3, alpha=0.1)"
    )


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "says"),
    [
        (("fourier", 3), {}, UnknownNameError, "'fourier'.*monomial, cheb"),
        (("gpr", 0), {}, FilterError, "K is 0. Pass a whole number, 1"),
        (("gpr", 3), {"alpha": 0.1}, FilterError, "no option.*: none"),
        (("jacobi", 3), {"a": 1}, FilterError, "options: beta, gamma"),
        (("jacobi", 3), {"beta": -1}, FilterError, "above -1; given are -1"),
        (("appnp", 3), {"alpha": 0.0}, FilterError, r"alpha is 0.0.*\(0, 1"),
        (("appnp", 3), {"alpha": math.nan}, FilterError, "alpha is nan"),
    ],
)
def test_what_makes_no_filter_is_refused(
    arguments: tuple, options: dict, kind: type, says: str
) -> None:
    with without_shape_checks(), pytest.raises(kind, match=says):
        Polynomial(*arguments, **options)


@pytest.mark.parametrize("shape", [(33,), (2, 34), (34, 1, 1)])
def test_signals_of_the_wrong_shape_are_refused(shape: tuple) -> None:
    L = laplacian_of(nx.karate_club_graph())
    with pytest.raises(SignalError, match=r"pass \(34,\) or \(34, F\)"):
        drawn("gpr").apply_recursively(L, signals(*shape))
