"""The released filter is the paper's, written as layers, started small."""

import pytest
import torch
from torch import Tensor, nn

from grokbook.filters import FourierKAN

LAM = torch.linspace(0, 2, 41, dtype=torch.float64)


def literal(filter: FourierKAN, lam: Tensor) -> tuple[Tensor, nn.Module]:
    """The released shape: a linear layer per order, one over the orders."""
    K, M = filter.K, filter.M
    layers = nn.ModuleList(nn.Linear(2 * M, 1) for _ in range(K)).double()
    orders = nn.Linear(K, 1, bias=False).double()
    with torch.no_grad():
        orders.weight.copy_(filter.alpha[None])
        for layer, a, b in zip(layers, filter.a, filter.b, strict=True):
            layer.weight.copy_(torch.cat([b, a[1:]])[None])
            layer.bias.copy_(a[:1])
    m = torch.arange(1, M + 1)
    series = []
    for k, layer in enumerate(layers, start=1):
        phase = lam[:, None] ** k * m
        series.append(layer(torch.cat([phase.sin(), phase.cos()], 1)))
    return orders(torch.cat(series, 1))[:, 0], nn.ModuleList([layers, orders])


def test_linear_layers_per_order_are_the_same_filter_and_train_alike() -> None:
    filter = FourierKAN(
        3,
        4,
        parameterisation="released",
        generator=torch.Generator().manual_seed(0),
    )
    h, layers = literal(filter, LAM)
    torch.testing.assert_close(filter(LAM), h)
    (h**2).sum().backward()
    (filter(LAM) ** 2).sum().backward()
    per_order, orders = layers
    for k, layer in enumerate(per_order):
        grad = torch.cat([filter.b.grad[k], filter.a.grad[k, 1:]])
        torch.testing.assert_close(layer.weight.grad[0], grad)
        torch.testing.assert_close(layer.bias.grad, filter.a.grad[k, :1])
    torch.testing.assert_close(orders.weight.grad[0], filter.alpha.grad)


def test_the_released_filter_starts_almost_off_and_the_papers_does_not() -> (
    None
):
    generator = torch.Generator().manual_seed(0)
    quiet = FourierKAN(6, 64, parameterisation="released", generator=generator)
    weights = torch.cat([quiet.b.flatten(), quiet.a[:, 1:].flatten()])
    assert weights.std().item() == pytest.approx(0.01, rel=0.1)
    assert torch.equal(quiet.a[:, 0], torch.zeros(6, dtype=torch.float64))
    assert quiet.alpha.abs().max() < 0.05
    assert quiet(LAM).abs().max().item() < 0.02
    loud = FourierKAN(6, 64, generator=generator)
    assert torch.equal(loud.alpha, torch.ones(6, dtype=torch.float64))
    assert 0.3 < loud(LAM).square().mean().sqrt().item() < 3
