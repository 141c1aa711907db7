"""The orthogonalised basis: what it is, and that gradient fits in it."""

import networkx as nx
import pytest
import torch
from graphs import spectrum_of, without_shape_checks
from torch import Tensor

from grokbook import TARGETS
from grokbook.errors import FilterError, ResponseError
from grokbook.filters import (
    FourierKAN,
    LinearFilter,
    Orthogonal,
    Polynomial,
    Specformer,
)

LAM = torch.linspace(0, 2, 300, dtype=torch.float64)
GRID = spectrum_of(nx.grid_2d_graph(12, 12))  # repeated eigenvalues
EPS = torch.finfo(torch.float64).eps

FILTERS = [
    FourierKAN(1, 4),
    FourierKAN(3, 8),
    Polynomial("monomial", 20),
    Polynomial("bernstein", 12),
]


def gram(filter: LinearFilter, lam: Tensor, weights: Tensor) -> Tensor:
    """Inner products of the functions of a basis."""
    B = filter.basis(lam)
    return B.T @ (B * (weights / weights.sum())[:, None])


def error(filter: LinearFilter, lam: Tensor, target: Tensor) -> float:
    return (filter(lam) - target).square().mean().item()


@pytest.mark.parametrize("filter", FILTERS, ids=repr)
@pytest.mark.parametrize("rcond", [1e-6, 1e-13])
def test_functions_are_orthonormal_on_the_weighted_spectrum(
    filter: LinearFilter, rcond: float
) -> None:
    weights = 0.1 + GRID.lam
    made = Orthogonal(filter, GRID.lam, weights, rcond=rcond)
    product = gram(made, GRID.lam, weights)
    gap = (product - torch.eye(len(product))).abs().max()
    assert gap < 1e-12


@pytest.mark.parametrize("filter", FILTERS, ids=repr)
def test_orthonormal_functions_span_what_the_basis_spans(
    filter: LinearFilter,
) -> None:
    made = Orthogonal(filter, LAM)
    B = filter.basis(LAM)
    rebuilt = made.basis(LAM) @ torch.linalg.lstsq(made.basis(LAM), B).solution
    size = B.norm(dim=0)
    assert ((rebuilt - B).norm(dim=0) / size.max()).max() < 1e-8


def test_a_repeated_eigenvalue_counts_with_its_multiplicity() -> None:
    value, count = GRID.distinct()
    assert len(value) < len(GRID.lam)
    one = Orthogonal(FourierKAN(1, 3), GRID.lam)
    other = Orthogonal(FourierKAN(1, 3), value, count.double())
    one.fit(GRID.lam, TARGETS["comb"](GRID.lam))
    other.fit(value, TARGETS["comb"](value), count.double())
    torch.testing.assert_close(
        gram(one, value, count.double()),
        torch.eye(len(one.theta), dtype=torch.float64),
        atol=1e-9,
        rtol=0,
    )
    torch.testing.assert_close(one(LAM), other(LAM), atol=1e-7, rtol=0)
    flat = Orthogonal(FourierKAN(1, 3), value)
    product = gram(flat, value, count.double())
    assert (product - torch.eye(len(product))).abs().max() > 0.1


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("filter", FILTERS[1:3], ids=repr)
def test_gradient_reaches_what_least_squares_reaches(
    filter: LinearFilter, name: str
) -> None:
    target = TARGETS[name](LAM)
    made = Orthogonal(filter, LAM, generator=torch.Generator().manual_seed(0))
    best = error(made.fit(LAM, target), LAM, target)
    made.reset_parameters(generator=torch.Generator().manual_seed(0))
    made.fit_gradient(LAM, target, epochs=500, lr=0.03)
    # Equal, or equal to rounding where the optimum is near zero.
    assert error(made, LAM, target) < 1.001 * best + 1e-12


def test_rank_cut_costs_almost_nothing_against_least_squares() -> None:
    target = TARGETS["low-comb"](LAM)
    plain = FourierKAN(3, 8).fit(LAM, target)
    made = Orthogonal(FourierKAN(3, 8), LAM).fit(LAM, target)
    assert len(made.theta) < len(plain.coefficients())
    assert error(made, LAM, target) < 1.1 * error(plain, LAM, target)


def test_fit_holds_off_the_spectrum_too() -> None:
    made = Orthogonal(FourierKAN(2, 16), LAM)
    made.fit(LAM, torch.exp(-LAM))
    between = LAM[:-1] + LAM.diff() / 3
    gap = made(between) - torch.exp(-between)
    assert gap.abs().max() < 1e-9


def test_values_are_as_exact_as_the_docstring_says() -> None:
    made = Orthogonal(FourierKAN(2, 16), LAM)
    made.fit(LAM, TARGETS["comb"](LAM))
    plain = made.unwrap()
    off = torch.linspace(0, 2, 997, dtype=torch.float64)
    rounding = EPS * plain.coefficients().abs().sum()
    for lam in (LAM, off):
        assert (made(lam) - plain(lam)).abs().max() < 20 * rounding
    assert rounding < 1e-5


def test_unwrapped_filter_is_of_the_old_kind_and_can_learn() -> None:
    old = FourierKAN(2, 4, generator=torch.Generator().manual_seed(0))
    before = old.coefficients().detach().clone()
    plain = Orthogonal(old, LAM).unwrap()
    assert isinstance(plain, FourierKAN)
    assert all(p.requires_grad for p in plain.parameters())
    assert torch.equal(old.coefficients(), before)
    assert old.alpha.requires_grad


def test_only_theta_is_learned() -> None:
    made = Orthogonal(FourierKAN(2, 4), LAM)
    learned = [n for n, p in made.named_parameters() if p.requires_grad]
    assert learned == ["theta"]


def test_gradients_are_those_of_finite_differences() -> None:
    made = Orthogonal(FourierKAN(2, 2), LAM)

    def response(theta: Tensor) -> Tensor:
        return torch.func.functional_call(made, {"theta": theta}, LAM[::50])

    assert torch.autograd.gradcheck(response, (made.theta,))


def test_filter_runs_on_the_meta_device() -> None:
    made = Orthogonal(FourierKAN(2, 4), LAM).to("meta")
    h = made(torch.empty(7, dtype=torch.float64, device="meta"))
    assert h.device.type == "meta"
    assert h.shape == (7,)


def test_coefficients_drawn_from_one_seed_are_the_same() -> None:
    one, two = (
        Orthogonal(
            FourierKAN(1, 4), LAM, generator=torch.Generator().manual_seed(5)
        )
        for _ in range(2)
    )
    assert torch.equal(one.theta, two.theta)
    two.reset_parameters(generator=torch.Generator().manual_seed(6))
    assert not torch.equal(one.theta, two.theta)
    assert 0.1 < one(LAM).square().mean() < 10


def test_filter_names_what_it_wraps_and_what_it_kept() -> None:
    assert repr(Orthogonal(Polynomial("gpr", 3), LAM)) == (
        "Orthogonal(Polynomial('gpr', K=3), rank 4 of 4)"
    )


def test_filters_without_a_basis_are_refused() -> None:
    with (
        without_shape_checks(),
        pytest.raises(FilterError, match="Specformer is not linear"),
    ):
        Orthogonal(Specformer(4, 1), LAM)


def test_weights_of_another_length_are_refused() -> None:
    with (
        without_shape_checks(),
        pytest.raises(ResponseError, match="weights has shape"),
    ):
        Orthogonal(FourierKAN(1, 1), LAM, LAM[:5])
