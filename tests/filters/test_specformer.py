"""Specformer's filter: its encoding, and attention over a set."""

import math

import pytest
import torch
from graphs import without_shape_checks
from torch import Tensor

from grokbook.errors import FilterError, ResponseError
from grokbook.filters import Specformer
from grokbook.filters.specformer import EncoderLayer, encode_eigenvalues

LAM = torch.linspace(0, 2, 9, dtype=torch.float64)


def drawn(hidden: int = 8, heads: int = 2, layers: int = 2) -> Specformer:
    """A filter in float64 that is the same on every run."""
    generator = torch.Generator().manual_seed(0)
    return Specformer(
        hidden, heads, layers, generator=generator, dtype=torch.float64
    )


def test_encoding_is_the_papers_equation() -> None:
    d, epsilon = 6, 100.0
    code = encode_eigenvalues(LAM, d, epsilon)
    for row, lam in zip(code.tolist(), LAM.tolist(), strict=True):
        waves = [epsilon * lam / 10000 ** (2 * i / d) for i in range(d // 2)]
        expected = [lam, *map(math.sin, waves), *map(math.cos, waves)]
        assert row == pytest.approx(expected, abs=1e-12)


def test_attention_is_softmax_of_scaled_products_in_each_head() -> None:
    layer = EncoderLayer(8, 2, dtype=torch.float64)
    generator = torch.Generator().manual_seed(1)
    Z = torch.randn(5, 8, dtype=torch.float64, generator=generator)
    Q, K, V = layer.qkv(Z).split(8, dim=1)
    heads = []
    for part in (slice(0, 4), slice(4, 8)):
        weight = torch.softmax(Q[:, part] @ K[:, part].T / 2, dim=1)
        heads.append(weight @ V[:, part])
    expected = layer.out(torch.cat(heads, dim=1))
    torch.testing.assert_close(layer.attend(Z), expected)
    after = Z + layer.attend(layer.norm_attention(Z))
    torch.testing.assert_close(layer(Z), after + layer.network(after))


@torch.no_grad()
@pytest.mark.parametrize("silent", ["out", "network"])
def test_dropout_takes_entries_of_what_a_half_adds(silent: str) -> None:
    """The other half adds nothing: what is added is 0 or 1 / (1 - p)."""
    p, Z = (
        0.25,
        torch.randn(300, 8, generator=torch.Generator().manual_seed(2)),
    )
    torch.manual_seed(3)
    layer = EncoderLayer(8, 2, p)
    half = layer.out if silent == "out" else layer.network[-1]
    half.weight.zero_()
    half.bias.zero_()
    whole = layer.eval()(Z) - Z
    seen = layer.train()(Z) - Z
    kept = seen != 0
    # sums of float32 numbers near 3, whose difference is looked at
    torch.testing.assert_close(
        seen[kept], whole[kept] / (1 - p), rtol=0, atol=1e-6
    )
    # 2,400 entries: a standard deviation of the share is below 0.01
    assert abs(kept.float().mean() - (1 - p)) < 0.04


def test_without_dropout_training_draws_nothing() -> None:
    filter, before = drawn(), torch.get_rng_state()
    assert torch.equal(filter.train()(LAM), filter.eval()(LAM))
    assert torch.equal(torch.get_rng_state(), before)


def test_response_moves_with_the_order_of_the_eigenvalues() -> None:
    filter = drawn()
    order = torch.randperm(9, generator=torch.Generator().manual_seed(2))
    torch.testing.assert_close(filter(LAM[order]), filter(LAM)[order])


def test_response_at_one_eigenvalue_depends_on_the_others() -> None:
    filter = drawn()
    assert (filter(LAM[:4]) - filter(LAM)[:4]).abs().max() > 1e-4


def test_several_responses_are_decoded_at_once() -> None:
    filter = Specformer(8, 2, n_filters=3)
    assert filter(LAM).shape == (9, 3)


def test_layers_are_all_used() -> None:
    filter = drawn(layers=3)
    filter(LAM).sum().backward()
    assert all(
        p.grad is not None and p.grad.abs().max() > 0
        for name, p in filter.named_parameters()
        if "qkv.bias" not in name  # softmax cancels the keys' bias
    )


def test_gradients_are_those_of_finite_differences() -> None:
    filter = drawn(4, 2, 1)
    names = [name for name, _ in filter.named_parameters()]

    def response(lam: Tensor, *values: Tensor) -> Tensor:
        given = dict(zip(names, values, strict=True))
        return torch.func.functional_call(filter, given, (lam,))

    lam = LAM[1::3].clone().requires_grad_()
    assert torch.autograd.gradcheck(response, (lam, *filter.parameters()))


def test_eigenvalues_are_encoded_in_their_own_precision() -> None:
    filter = Specformer(8, 2)
    assert filter.embed.weight.dtype == torch.float32
    assert filter(LAM).dtype == torch.float64
    fine = drawn()
    coarse = drawn().float()
    gap = (fine(LAM) - coarse(LAM)).abs().max()
    assert gap < 1e-5


def test_filter_runs_on_the_meta_device() -> None:
    h = Specformer(8, 2, device="meta")(LAM.to("meta"))
    assert h.device.type == "meta"
    assert h.shape == (9,)


def test_weights_drawn_from_one_seed_are_the_same() -> None:
    one, two = drawn(), drawn()
    assert torch.equal(one(LAM), two(LAM))
    two.reset_parameters(generator=torch.Generator().manual_seed(9))
    assert not torch.equal(one(LAM), two(LAM))
    two.reset_parameters(generator=torch.Generator().manual_seed(0))
    assert torch.equal(one(LAM), two(LAM))


def test_filter_names_its_sizes() -> None:
    assert repr(Specformer(8, 2)) == (
        "Specformer(hidden=8, heads=2, layers=1, epsilon=100.0, n_filters=1)"
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"hidden": 7, "heads": 1}, "hidden is 7 with 1 heads. Pass an even"),
        ({"hidden": 8, "heads": 3}, "hidden is 8 with 3 heads"),
        ({"hidden": 0}, "hidden is 0. Pass a whole number, 2 or more"),
        ({"heads": 0}, "heads is 0"),
        ({"layers": 0}, "layers is 0"),
        ({"n_filters": 0}, "n_filters is 0"),
        ({"dropout": 1.0}, "dropout is 1.0. Pass a share from 0"),
    ],
)
def test_sizes_that_make_no_filter_are_refused(
    options: dict, says: str
) -> None:
    with pytest.raises(FilterError, match=says):
        Specformer(**options)


def test_what_is_no_list_of_eigenvalues_is_refused() -> None:
    with (
        without_shape_checks(),
        pytest.raises(ResponseError, match=r"shape \(3, 3\)"),
    ):
        drawn()(LAM.reshape(3, 3))
