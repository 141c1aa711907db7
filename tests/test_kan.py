"""A Kolmogorov-Arnold layer is a sum of functions of one variable."""

import math

import pytest
import torch
from scipy.interpolate import BSpline

from grokbook.errors import LayerError, SignalError
from grokbook.kan import FourierKANLayer, SplineKANLayer, bspline_basis

LAYERS = [
    lambda **kw: FourierKANLayer(3, 2, M=4, **kw),
    lambda **kw: SplineKANLayer(3, 2, grid=4, order=3, **kw),
]
layers = pytest.mark.parametrize("make", LAYERS, ids=["fourier", "spline"])


def inputs(*shape: int) -> torch.Tensor:
    gen = torch.Generator().manual_seed(1)
    return torch.rand(*shape, generator=gen, dtype=torch.float64) * 1.8 - 0.9


def test_a_fourier_layer_is_the_double_sum_of_its_equation():
    layer = FourierKANLayer(2, 3, M=2).double()
    x = inputs(2)
    for j, y in enumerate(layer(x)):
        total = 0.0
        for i in range(2):
            for m in range(3):
                total += layer.a[j, i, m] * math.cos(m * x[i])
            for m in (1, 2):
                total += layer.b[j, i, m - 1] * math.sin(m * x[i])
        assert torch.isclose(y, total)


def test_harmonics_go_from_zero_to_m():
    layer = FourierKANLayer(1, 1, M=3)
    assert layer.a.shape == (1, 1, 4)
    assert layer.b.shape == (1, 1, 3)
    with torch.no_grad():
        layer.a.zero_()
        layer.b.zero_()
        layer.b[0, 0, 2] = 1.0
    x = torch.tensor([[0.3]])
    assert torch.isclose(layer(x)[0, 0], torch.tensor(math.sin(0.9)))


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_the_spline_basis_agrees_with_scipy(order: int):
    knots = torch.linspace(-2, 2, 12, dtype=torch.float64)
    x = inputs(50)
    ours = bspline_basis(x, knots, order)
    for g in range(ours.shape[-1]):
        piece = knots[g : g + order + 2].numpy()
        theirs = BSpline.basis_element(piece, extrapolate=False)(x.numpy())
        expected = torch.from_numpy(theirs).nan_to_num()
        assert torch.allclose(ours[:, g], expected)


def test_splines_add_up_to_one_inside_their_domain():
    layer = SplineKANLayer(1, 1, grid=6, order=3).double()
    x = inputs(40)
    total = bspline_basis(x, layer.knots, 3).sum(-1)
    # the knots are stored in float32 and then widened
    assert torch.allclose(total, torch.ones_like(total), atol=1e-6)


def test_far_from_the_domain_only_the_ramp_is_left():
    layer = SplineKANLayer(1, 1)
    x = torch.tensor([[50.0]])
    assert torch.isclose(layer(x)[0, 0], 50 * layer.w[0, 0])


@layers
def test_an_output_is_a_sum_of_functions_of_single_inputs(make):
    layer = make().double()
    x, z = inputs(3), inputs(3).flip(0)
    mixed = torch.stack([x[0], z[1], z[2]])
    other = torch.stack([z[0], x[1], x[2]])
    # f(x0) + g(x1) + h(x2): swapping one input swaps one term
    assert torch.allclose(layer(x) + layer(z), layer(mixed) + layer(other))


@layers
def test_gradients_are_right(make):
    layer = make().double()
    x = inputs(4, 3).requires_grad_()
    assert torch.autograd.gradcheck(layer, (x,))


@layers
def test_any_leading_shape_is_kept(make):
    layer = make()
    assert layer(torch.zeros(5, 3)).shape == (5, 2)
    assert layer(torch.zeros(4, 5, 3)).shape == (4, 5, 2)
    one, many = inputs(3).float(), inputs(6, 3).float()
    many[2] = one
    assert torch.allclose(layer(many)[2], layer(one), atol=1e-6)


@layers
def test_the_same_generator_gives_the_same_layer(make):
    one, other = (
        make(generator=torch.Generator().manual_seed(7)) for _ in range(2)
    )
    for a, b in zip(one.parameters(), other.parameters(), strict=True):
        assert torch.equal(a, b)


@layers
def test_a_layer_runs_on_the_meta_device(make):
    layer = make().to("meta")
    out = layer(torch.zeros(5, 3, device="meta"))
    assert out.shape == (5, 2)
    assert out.is_meta


@layers
def test_a_layer_says_what_it_is(make):
    assert "3, 2" in repr(make())


@layers
def test_the_wrong_number_of_inputs_is_named(make):
    with pytest.raises(SignalError, match=r"takes \(\.\.\., 3\)"):
        make()(torch.zeros(5, 4))


@pytest.mark.parametrize(
    "make",
    [
        lambda: FourierKANLayer(0, 1, M=1),
        lambda: FourierKANLayer(1, 1, M=-1),
        lambda: SplineKANLayer(1, 1, grid=0),
        lambda: SplineKANLayer(1, 1, domain=(1.0, 1.0)),
    ],
)
def test_sizes_that_make_no_layer_are_refused(make):
    with pytest.raises(LayerError):
        make()
