"""Layers with a leading axis of copies are PyTorch's, copy by copy."""

import pytest
import torch
from graphs import signals
from torch import nn

from grokbook.copies import LayerNorm, Linear, keep_copies
from grokbook.draws import dropout
from grokbook.errors import LayerError


def seeds(*numbers: int) -> list[torch.Generator]:
    return [torch.Generator().manual_seed(number) for number in numbers]


def test_each_copy_is_a_linear_layer() -> None:
    layer = Linear(4, 3, copies=2).double()
    layer.reset_parameters(seeds(0, 1))
    X = signals(2, 5, 6, 4)
    for s in range(2):
        theirs = nn.functional.linear(X[s], layer.weight[s].T, layer.bias[s])
        torch.testing.assert_close(layer(X)[s], theirs)


@pytest.mark.parametrize("widths", [(5, 3), (3, 5), (16, 16)])
def test_weights_have_the_same_gradient_among_others_as_alone(
    widths: tuple[int, int],
) -> None:
    """To the bit: 333 rows put the second copy off any boundary."""
    layer, alone = Linear(*widths, copies=3), Linear(*widths)
    layer.reset_parameters(seeds(1, 2, 3))
    alone.reset_parameters(seeds(4))
    X, G = (signals(3, 333, width, seed=width).float() for width in widths)
    layer(X).backward(G)
    for s in range(3):
        alone.zero_grad()
        alone(X[s : s + 1].clone()).backward(G[s : s + 1].clone())
        assert torch.equal(layer.weight.grad[s], alone.weight.grad[0])


def test_linear_layers_start_as_pytorchs_do() -> None:
    layer = Linear(100, 400)
    layer.reset_parameters(seeds(0))
    theirs = nn.Linear(100, 400)
    for ours, other in [
        (layer.weight, theirs.weight), (layer.bias, theirs.bias)
    ]:  # fmt: skip
        assert ours.abs().max() <= 0.1
        # Of 400 uniform draws or more, the largest is within 5%.
        torch.testing.assert_close(
            ours.abs().max(), other.abs().max(), rtol=0.05, atol=0
        )
        assert abs(ours.mean()) < 0.01


def test_each_copy_is_a_layer_normalisation() -> None:
    layer = LayerNorm(4, copies=2).double()
    layer.reset_parameters()
    with torch.no_grad():
        layer.weight.add_(signals(2, 4))
        layer.bias.add_(signals(2, 4, seed=1))
    X = signals(2, 5, 6, 4)
    for s in range(2):
        theirs = nn.functional.layer_norm(
            X[s], (4,), layer.weight[s], layer.bias[s]
        )
        torch.testing.assert_close(layer(X)[s], theirs)


@pytest.mark.parametrize("width", [2, 7, 15, 16, 40])
def test_thin_rows_are_normalised_as_wide_ones(width: int) -> None:
    X = signals(3, 5, width).requires_grad_()
    layer = LayerNorm(width, copies=3).double()
    layer.reset_parameters()
    torch.testing.assert_close(layer(X), nn.functional.layer_norm(X, (width,)))
    one_node = X.detach()[:, :1]
    before = one_node.clone()
    layer(one_node)
    assert torch.equal(one_node, before)  # stored alike across: no aliasing
    # One function serves narrow rows, another wide ones; both have to give
    # the derivative. 1e-6 is what central differences in float64 allow.
    assert torch.autograd.gradcheck(layer, (X,), atol=1e-6)


def test_a_copy_draws_from_its_own_generator() -> None:
    together, alone = Linear(4, 3, copies=3), Linear(4, 3)
    together.reset_parameters(seeds(7, 8, 9))
    alone.reset_parameters(seeds(8)[0])
    assert torch.equal(together.weight[1], alone.weight[0])
    assert torch.equal(together.bias[1], alone.bias[0])
    X = torch.ones(3, 50)
    both = dropout(X, 0.5, seeds(7, 8, 9))
    assert torch.equal(both[1:2], dropout(X[1:2], 0.5, seeds(8)))


def test_dropout_falls_on_the_same_entries_however_they_are_stored() -> None:
    X = torch.ones(2, 6, 5)
    stored_across = torch.ones(2, 5, 6).mT
    assert torch.equal(
        dropout(X, 0.5, seeds(0, 1)), dropout(stored_across, 0.5, seeds(0, 1))
    )


def test_dropout_keeps_the_share_and_the_mean() -> None:
    X = torch.ones(1, 100_000)
    Y = dropout(X, 0.7, seeds(0))
    values, count = Y.unique(return_counts=True)
    torch.testing.assert_close(values, torch.tensor([0.0, 1 / 0.3]))
    # Five standard deviations of a share of 100,000 draws: 0.0072.
    assert abs(count[0] / 100_000 - 0.7) < 0.0072
    assert dropout(X, 0.0) is X


def test_copies_that_stay_train_on_as_if_nothing_happened() -> None:
    def run(leave_at: int | None) -> torch.Tensor:
        layer = Linear(3, 2, copies=3)
        layer.reset_parameters(seeds(0, 1, 2))
        optimizer = torch.optim.Adam(
            layer.parameters(), lr=0.1, weight_decay=0.1
        )
        X = torch.ones(3, 4, 3)
        for step in range(6):
            if step == leave_at:
                keep_copies(layer, [0, 2], optimizer)
                X = X[[0, 2]]
            optimizer.zero_grad()
            layer(X).square().sum().backward()
            optimizer.step()
        return layer.weight.detach()

    assert torch.equal(run(leave_at=3), run(leave_at=None)[[0, 2]])


def test_generators_are_as_many_as_copies() -> None:
    with pytest.raises(LayerError, match="2 generators for 3 copies"):
        Linear(2, 2, copies=3).reset_parameters(seeds(0, 1))


@pytest.mark.parametrize("which", [[], [3], [-1]])
def test_copies_that_are_not_there_cannot_stay(which: list[int]) -> None:
    with pytest.raises(LayerError, match="0 to 2"):
        keep_copies(Linear(2, 2, copies=3), which)
