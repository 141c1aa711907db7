"""The GrokFormer filter against sums written out, and its two readings."""

import math

import pytest
import torch
from graphs import without_shape_checks
from torch import Tensor, nn
from torch.func import functional_call

from grokbook.errors import FilterError, ResponseError, UnknownNameError
from grokbook.filters import FourierKAN

LAM = torch.linspace(0, 2, 41, dtype=torch.float64)
SIZES = [(1, 0), (1, 1), (1, 5), (2, 3), (3, 4), (6, 2)]


def drawn(K: int, M: int, seed: int = 0, **options: object) -> FourierKAN:
    """A filter with α of both signs, the same on every run."""
    generator = torch.Generator().manual_seed(seed)
    filter = FourierKAN(K, M, generator=generator, **options)
    with torch.no_grad():
        filter.alpha.normal_(generator=generator)
    return filter


def by_hand(filter: FourierKAN, lam: float) -> float:
    """Eq. 9, term by term, in Python's numbers."""
    alpha, a, b = (p.tolist() for p in (filter.alpha, filter.a, filter.b))
    total = 0.0
    for k in range(1, filter.K + 1):
        series = 0.0
        for m in range(filter.M + 1):
            series += a[k - 1][m] * math.cos(m * lam**k)
            if m:
                series += b[k - 1][m - 1] * math.sin(m * lam**k)
        total += alpha[k - 1] * series
    return total


@pytest.mark.parametrize(("K", "M"), SIZES)
def test_response_is_the_sum_of_the_papers_equation(K: int, M: int) -> None:
    filter = drawn(K, M)
    expected = [by_hand(filter, lam) for lam in LAM.tolist()]
    torch.testing.assert_close(
        filter(LAM),
        torch.tensor(expected, dtype=torch.float64),
        atol=1e-13,
        rtol=0,
    )


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("m", [0, 1, 4])
def test_each_coefficient_belongs_to_its_own_order_and_harmonic(
    k: int, m: int
) -> None:
    filter = FourierKAN(3, 4)
    for p in filter.parameters():
        nn.init.zeros_(p)
    nn.init.ones_(filter.alpha)
    with torch.no_grad():
        filter.a[k - 1, m] = 1
    torch.testing.assert_close(filter(LAM), torch.cos(m * LAM**k))
    if m:
        with torch.no_grad():
            filter.a.zero_()
            filter.b[k - 1, m - 1] = 1
        torch.testing.assert_close(filter(LAM), torch.sin(m * LAM**k))


def test_columns_of_the_basis_are_where_they_are_said_to_be() -> None:
    B = FourierKAN(2, 2).basis(LAM)
    expected = [torch.ones_like(LAM)]
    for x in (LAM, LAM**2):
        expected += [x.cos(), (2 * x).cos(), x.sin(), (2 * x).sin()]
    torch.testing.assert_close(B, torch.stack(expected, 1))


@pytest.mark.parametrize(("K", "M"), SIZES)
def test_coefficients_are_products_and_the_constants_one_sum(
    K: int, M: int
) -> None:
    filter = drawn(K, M)
    a, b = filter.products()
    assert a.shape == (K, M + 1)
    assert b.shape == (K, M)
    c = filter.coefficients()
    assert len(c) == 1 + 2 * K * M
    torch.testing.assert_close(c[0], a[:, 0].sum())
    waves = c[1:].reshape(K, 2, M)
    assert torch.equal(waves[:, 0], filter.alpha[:, None] * filter.a[:, 1:])
    assert torch.equal(waves[:, 1], filter.alpha[:, None] * filter.b)


@pytest.mark.parametrize(("K", "M"), SIZES)
@pytest.mark.parametrize("parameterisation", ["paper", "released"])
def test_canonical_form_keeps_the_response(
    K: int, M: int, parameterisation: str
) -> None:
    filter = drawn(K, M, parameterisation=parameterisation)
    twin = filter.canonical()
    torch.testing.assert_close(twin(LAM), filter(LAM))
    assert twin.parameterisation == parameterisation


@pytest.mark.parametrize(("K", "M"), SIZES)
def test_canonical_form_has_unit_orders_and_one_constant(
    K: int, M: int
) -> None:
    twin = drawn(K, M).canonical()
    length = torch.cat([twin.a, twin.b], 1).norm(dim=1)
    torch.testing.assert_close(length, torch.ones(K, dtype=torch.float64))
    assert (twin.alpha >= 0).all()
    on = twin.alpha[1:] > 0
    assert (twin.a[1:, 0][on] == 0).all()


def test_filters_with_equal_coefficients_have_one_canonical_form() -> None:
    one = drawn(3, 4)
    other = FourierKAN(3, 4)
    with torch.no_grad():  # other scales, other signs, constants elsewhere
        scale = torch.tensor([2.0, -0.3, 50.0])
        other.alpha.copy_(one.alpha * scale)
        other.a.copy_(one.a / scale[:, None])
        other.b.copy_(one.b / scale[:, None])
        other.a[0, 0] += 1 / other.alpha[0]
        other.a[2, 0] -= 1 / other.alpha[2]
    assert not torch.allclose(one.alpha, other.alpha)
    torch.testing.assert_close(one.coefficients(), other.coefficients())
    for left, right in zip(
        one.canonical().parameters(),
        other.canonical().parameters(),
        strict=True,
    ):
        torch.testing.assert_close(left, right, atol=1e-12, rtol=0)


def test_canonical_form_of_an_order_that_is_off_is_defined() -> None:
    filter = drawn(2, 3)
    with torch.no_grad():
        filter.alpha[1] = 0
    twin = filter.canonical()
    assert twin.alpha[1] == 0
    assert twin.a[1].tolist() == [1, 0, 0, 0]
    torch.testing.assert_close(twin(LAM), filter(LAM))


def test_gradients_are_those_of_finite_differences() -> None:
    filter = drawn(3, 2)
    names = ["alpha", "a", "b"]

    def response(lam: Tensor, *values: Tensor) -> Tensor:
        given = dict(zip(names, values, strict=True))
        return functional_call(filter, given, (lam,))

    values = [filter.get_parameter(name) for name in names]
    lam = LAM[::8].clone().requires_grad_()
    assert torch.autograd.gradcheck(response, (lam, *values))


def test_parameters_drawn_from_one_seed_are_the_same() -> None:
    for parameterisation in ("paper", "released"):
        one, two, three = (
            FourierKAN(
                2,
                3,
                parameterisation=parameterisation,
                generator=torch.Generator().manual_seed(seed),
            )
            for seed in (1, 1, 2)
        )
        assert torch.equal(one(LAM), two(LAM))
        assert not torch.equal(one(LAM), three(LAM))
        before = one(LAM)
        one.reset_parameters(generator=torch.Generator().manual_seed(2))
        assert not torch.equal(one(LAM), before)
        assert torch.equal(one(LAM), three(LAM))


def test_filter_runs_on_the_meta_device() -> None:
    filter = FourierKAN(3, 4, device="meta")
    h = filter(LAM.to("meta"))
    assert h.device.type == "meta"
    assert h.shape == LAM.shape


def test_eigenvalues_in_float64_are_not_rounded_to_the_parameters() -> None:
    filter = drawn(6, 8).float()
    lam = torch.tensor([1.999], dtype=torch.float64)
    h = filter(lam).detach()
    assert h.dtype == torch.float64
    # Rounding λ itself would move the phase of the highest wave by 9e-5.
    assert float(h) == pytest.approx(by_hand(filter, 1.999), abs=1e-6)


def test_filter_names_its_sizes() -> None:
    assert repr(FourierKAN(2, 8)) == (
        "FourierKAN(K=2, M=8, parameterisation='paper')"
    )


@pytest.mark.parametrize(
    ("K", "M", "says"),
    [
        (0, 4, "K is 0. Pass a whole number, 1 or more"),
        (-2, 4, "K is -2"),
        (2, -1, "M is -1. Pass a whole number, 0 or more"),
        (1.5, 4, "K is 1.5. Pass a whole number"),
    ],
)
def test_sizes_that_make_no_filter_are_refused(
    K: int, M: int, says: str
) -> None:
    with without_shape_checks(), pytest.raises(FilterError, match=says):
        FourierKAN(K, M)


def test_unknown_parameterisation_is_refused_with_the_list() -> None:
    with pytest.raises(UnknownNameError, match=r"'mine'.*: paper, released"):
        FourierKAN(1, 1, parameterisation="mine")


@pytest.mark.parametrize(
    ("lam", "says"),
    [
        (torch.zeros(3, 2), r"shape \(3, 2\). Pass one list"),
        (torch.tensor([0, 1, 2]), "int64. Pass a float64 tensor"),
        ([0.0, 1.0], "list. Pass a float64 tensor"),
    ],
)
def test_what_is_no_list_of_eigenvalues_is_refused(
    lam: object, says: str
) -> None:
    with without_shape_checks(), pytest.raises(ResponseError, match=says):
        FourierKAN(1, 1)(lam)
