"""Fits in closed form and by gradient: what they reach, what they refuse."""

import math

import pytest
import torch
from graphs import without_shape_checks
from torch import Tensor

from grokbook import TARGETS
from grokbook.errors import FilterError, ResponseError
from grokbook.filters import FourierKAN, Polynomial, Specformer
from grokbook.filters.fitting import least_squares

LAM = torch.linspace(0, 2, 60, dtype=torch.float64)
TARGET = torch.exp(-3 * LAM) - LAM


def loss(h: Tensor, target: Tensor = TARGET) -> float:
    """The mean of the squared errors."""
    return (h - target).square().mean().item()


def test_closed_form_meets_the_normal_equations() -> None:
    weights = torch.linspace(1, 5, 60, dtype=torch.float64)
    filter = Polynomial("chebyshev", 4).fit(LAM, TARGET, weights)
    slope = filter.basis(LAM).T @ (weights * (filter(LAM) - TARGET))
    assert slope.abs().max() < 1e-11
    plain = Polynomial("chebyshev", 4).fit(LAM, TARGET)
    assert not torch.allclose(plain.theta, filter.theta)


def test_a_weight_counts_like_a_repetition() -> None:
    count = torch.arange(60) % 4 + 1
    often = torch.repeat_interleave(LAM, count)
    wanted = torch.repeat_interleave(TARGET, count)
    one = FourierKAN(2, 1).fit(LAM, TARGET, count.double())
    other = FourierKAN(2, 1).fit(often, wanted)
    torch.testing.assert_close(one(LAM), other(LAM), atol=1e-10, rtol=0)


def test_eigenvalues_of_weight_zero_are_ignored() -> None:
    weights = (LAM < 1).double()
    spoilt = torch.where(LAM < 1, TARGET, 1e3)
    one = Polynomial("gpr", 3).fit(LAM, spoilt, weights)
    other = Polynomial("gpr", 3).fit(LAM[LAM < 1], TARGET[LAM < 1])
    torch.testing.assert_close(one.theta, other.theta)


def test_columns_that_are_alike_share_the_coefficient() -> None:
    B = torch.stack([LAM, LAM, torch.zeros_like(LAM)], dim=1)
    c = least_squares(B, 4 * LAM, torch.ones_like(LAM))
    torch.testing.assert_close(c, torch.tensor([2.0, 2, 0]).double())


def test_closed_form_is_not_misled_by_the_scale_of_columns() -> None:
    B = torch.stack([torch.ones_like(LAM), 1e18 * LAM], dim=1)
    c = least_squares(B, 3 + LAM, torch.ones_like(LAM))
    torch.testing.assert_close(c, torch.tensor([3, 1e-18]).double())


def test_fit_of_an_ill_conditioned_basis_reaches_rounding() -> None:
    filter = FourierKAN(2, 16).fit(LAM, TARGET)
    assert loss(filter(LAM)) < 1e-20
    assert filter.coefficients().abs().max() < 1e9


def test_fit_returns_the_filter_and_can_be_repeated() -> None:
    filter = FourierKAN(1, 3)
    assert filter.fit(LAM, TARGET) is filter
    once = filter.coefficients()
    filter.fit(LAM, -TARGET)
    torch.testing.assert_close(filter.coefficients(), -once)


def test_gradient_fit_of_a_well_conditioned_basis_reaches_the_optimum() -> (
    None
):
    filter = Polynomial("chebyshev", 4)
    best = loss(Polynomial("chebyshev", 4).fit(LAM, TARGET)(LAM))
    losses = filter.fit_gradient(LAM, TARGET, epochs=800, lr=0.03)
    assert losses.shape == (800,)
    assert loss(filter(LAM)) == pytest.approx(best, rel=1e-6)


def test_losses_are_weighted_means_before_each_step() -> None:
    filter = FourierKAN(1, 2, generator=torch.Generator().manual_seed(0))
    weights = 1 + LAM
    error = (filter(LAM) - TARGET).square().detach()
    losses = filter.fit_gradient(LAM, TARGET, weights, epochs=3)
    expected = (weights * error).sum() / weights.sum()
    torch.testing.assert_close(losses[0], expected)
    assert losses[2] < losses[0]


def test_losses_do_not_depend_on_the_scale_of_the_weights() -> None:
    runs = []
    for scale in (1.0, 1e6):
        generator = torch.Generator().manual_seed(0)
        filter = FourierKAN(1, 2, generator=generator)
        weights = scale * (1 + LAM)
        runs.append(filter.fit_gradient(LAM, TARGET, weights, epochs=20))
    torch.testing.assert_close(*runs)


def test_conditioning_stops_gradient_descent_far_from_the_optimum() -> None:
    target = TARGETS["low-pass"](LAM)
    generator = torch.Generator().manual_seed(0)
    filter = FourierKAN(1, 8, generator=generator)
    best = loss(FourierKAN(1, 8).fit(LAM, target)(LAM), target)
    losses = filter.fit_gradient(LAM, target, epochs=500)
    assert best < 1e-9
    assert losses[-1] > 1e3 * best


def test_attention_over_eigenvalues_learns_a_comb() -> None:
    target = TARGETS["comb"](LAM)
    generator = torch.Generator().manual_seed(0)
    filter = Specformer(16, 2, generator=generator)
    losses = filter.fit_gradient(LAM, target, epochs=200)
    assert losses[-1] < 0.02 * losses[0]


@pytest.mark.parametrize("way", ["fit", "fit_gradient"])
@pytest.mark.parametrize(
    ("target", "weights", "says"),
    [
        (TARGET[:-1], None, r"target has shape \(59,\); there are 60"),
        (TARGET[:, None], None, r"shape \(60, 1\).*Pass.* shape \(60,\)"),
        (TARGET.tolist(), None, "target is a list; there are 60"),
        (TARGET, LAM[:3], r"weights has shape \(3,\); there are 60"),
        (TARGET / (LAM > 0), None, r"target\[0\] is inf, at λ = 0"),
        (TARGET, LAM * math.nan, r"weights\[0\] is nan, at λ = 0"),
        (TARGET, LAM - 1, "weights must not be negative, and not all zero"),
        (TARGET, 0 * LAM, "weights must not be negative, and not all zero"),
    ],
)
def test_targets_and_weights_that_do_not_fit_are_refused(
    way: str, target: object, weights: object, says: str
) -> None:
    filter = FourierKAN(1, 2)
    before = filter.coefficients().detach()
    with without_shape_checks(), pytest.raises(ResponseError, match=says):
        getattr(filter, way)(LAM, target, weights)
    assert torch.equal(filter.coefficients(), before)


@pytest.mark.parametrize("way", ["fit", "fit_gradient"])
@pytest.mark.parametrize(
    ("lam", "says"),
    [
        (LAM.tolist(), "eigenvalues are list"),
        (LAM.reshape(6, 10), r"eigenvalues have shape \(6, 10\)"),
        (torch.where(LAM == 2, math.nan, LAM), r"lam\[59\] is nan"),
    ],
)
def test_eigenvalues_that_are_none_are_refused(
    way: str, lam: object, says: str
) -> None:
    with without_shape_checks(), pytest.raises(ResponseError, match=says):
        getattr(FourierKAN(1, 2), way)(lam, TARGET)


def test_filters_with_several_responses_have_no_single_target() -> None:
    filter = Specformer(4, 1, n_filters=60)
    with pytest.raises(FilterError, match=r"shape \(60, 60\), the target"):
        filter.fit_gradient(LAM, TARGET)


def test_fit_in_float32_keeps_coefficients_that_float32_can_hold() -> None:
    target = TARGETS["comb"](LAM)
    filter = FourierKAN(2, 16, dtype=torch.float32).fit(LAM, target)
    assert filter.alpha.dtype == torch.float32
    assert loss(filter(LAM), target) < 1e-3
    # With float64's rank the coefficients no longer cancel.
    filter.fit(LAM, target, rcond=1e-15)
    assert loss(filter(LAM), target) > 1
