"""The six designed responses, against numbers typed from the paper."""

import math

import pytest
import torch

from grokbook import TARGETS

E10 = 4.5399929762484854e-05  # exp(-10)
E2_5 = 0.0820849986238988  # exp(-10 · 0.5²) = exp(-2.5)
HALF = math.sqrt(0.5)  # |sin(π/4)|

# Table "Filter fitting results" and the definition of h_δ in the text.
E0_625 = 0.5352614285189903  # exp(-10 · 0.25²) = exp(-0.625)
E5_625 = 0.0036065631360157305  # exp(-10 · 0.75²) = exp(-5.625)
PUBLISHED = {
    "low-pass": {0.0: 1.0, 0.25: E0_625, 0.5: E2_5, 0.75: E5_625, 1.0: E10},
    "high-pass": {0.0: 0.0, 0.25: 1 - E0_625, 0.5: 1 - E2_5, 2.0: 1.0},
    "band-pass": {0.0: E10, 0.5: E2_5, 1.0: 1.0, 1.25: E0_625, 2.0: E10},
    "band-rejection": {0.0: 1 - E10, 0.5: 1 - E2_5, 1.0: 0.0, 2.0: 1 - E10},
    "comb": {0.0: 0.0, 0.25: HALF, 0.5: 1.0, 1.0: 0.0, 1.75: HALF, 2.0: 0.0},
    "low-comb": {
        **{0.0: 1.0, 0.25: 1.0, 0.5: 1.0, 0.75: HALF, 1.0: 0.0},
        **{1.125: HALF, 1.25: 1.0, 1.5: 0.0, 1.75: 1.0, 2.0: 0.0},
    },
}


def test_the_six_have_the_names_and_the_order_of_the_paper() -> None:
    assert list(TARGETS) == list(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_response_has_the_values_of_the_papers_formula(
    name: str,
) -> None:
    lam, h = zip(*PUBLISHED[name].items(), strict=True)
    # The sine of a rounded multiple of π is off by up to 5e-16.
    torch.testing.assert_close(
        TARGETS[name](torch.tensor(lam, dtype=torch.float64)),
        torch.tensor(h, dtype=torch.float64),
        atol=1e-14,
        rtol=1e-13,
    )


@pytest.mark.parametrize(
    ("kept", "removed"),
    [("low-pass", "high-pass"), ("band-pass", "band-rejection")],
)
def test_opposite_filters_add_up_to_one(kept: str, removed: str) -> None:
    lam = torch.linspace(0, 2, 201, dtype=torch.float64)
    total = TARGETS[kept](lam) + TARGETS[removed](lam)
    torch.testing.assert_close(total, torch.ones_like(lam))


@pytest.mark.parametrize("joint", [0.5, 1.0])
def test_low_comb_does_not_jump_where_its_pieces_meet(joint: float) -> None:
    step = 1e-9
    around = [joint - step, joint, joint + step]
    h = TARGETS["low-comb"](torch.tensor(around, dtype=torch.float64))
    assert (h.diff().abs() < 1e-7).all()  # the slope is at most 2π


def test_low_comb_has_one_slow_slope_and_two_fast_teeth() -> None:
    lam = torch.linspace(0, 2, 2001, dtype=torch.float64)
    h = TARGETS["low-comb"](lam)
    inner = h[1:-1]
    peaks = lam[1:-1][(inner > h[:-2]) & (inner > h[2:])]
    torch.testing.assert_close(
        peaks, torch.tensor([1.25, 1.75], dtype=torch.float64)
    )


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3)])
def test_shape_and_dtype_are_kept_and_the_input_untouched(
    name: str, dtype: torch.dtype, shape: tuple[int, ...]
) -> None:
    lam = torch.full(shape, 0.3, dtype=dtype)
    h = TARGETS[name](lam)
    assert (h.shape, h.dtype) == (lam.shape, dtype)
    assert torch.equal(lam, torch.full(shape, 0.3, dtype=dtype))


@pytest.mark.parametrize("name", PUBLISHED)
def test_responses_stay_between_zero_and_one(name: str) -> None:
    h = TARGETS[name](torch.linspace(0, 2, 2001, dtype=torch.float64))
    assert h.min() >= 0
    assert h.max() <= 1
