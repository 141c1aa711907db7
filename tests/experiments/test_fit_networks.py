"""The networks of the filter-fitting table are the ones they are named for."""

import pytest
import torch
from torch import Tensor
from torch_geometric.nn import ChebConv, GATConv, GCNConv

from grokbook import laplacian
from grokbook.datasets.grids import grid_edges
from grokbook.experiments.fit_networks import DEGREE, NETWORKS, Network
from grokbook.filters import Polynomial

SIDE = 6  # corners, borders and inner pixels
EDGES = grid_edges(SIDE, SIDE)
#: Sums of at most 96 terms of about 1, in float32.
CLOSE = {"rtol": 1e-4, "atol": 1e-5}


def made(name: str) -> Network:
    model = NETWORKS[name](SIDE, torch.Generator().manual_seed(0))
    with torch.no_grad():  # biases that a wrong place would show
        for parameter in model.parameters():
            parameter += 0.1 * torch.rand(
                parameter.shape, generator=torch.Generator().manual_seed(1)
            )
    return model


def image(channels: int = 1) -> Tensor:
    seed = torch.Generator().manual_seed(2)
    return torch.rand(SIDE**2, channels, generator=seed)


def test_gcn_is_pygs() -> None:
    model, theirs = made("gcn"), GCNConv(32, 64)
    with torch.no_grad():
        theirs.lin.weight.copy_(model.two.weight)
        theirs.bias.copy_(model.two.bias)
    X = image(32)
    ours = model.two(model.mix(X))
    torch.testing.assert_close(ours, theirs(X, EDGES), **CLOSE)


def test_chebynet_is_pygs() -> None:
    model, theirs = made("chebynet"), ChebConv(32, 32, K=3)
    with torch.no_grad():
        for k, lin in enumerate(theirs.lins):
            lin.weight.copy_(model.two.weight[:, 32 * k : 32 * (k + 1)])
        theirs.bias.copy_(model.two.bias)
    X = image(32)
    ours = model.two(model.mix(X))
    torch.testing.assert_close(ours, theirs(X, EDGES), **CLOSE)


def test_gat_is_pygs() -> None:
    model, theirs = made("gat"), GATConv(32, 8, heads=8)
    with torch.no_grad():
        theirs.lin.weight.copy_(model.two.weight)
        theirs.att_dst.copy_(model.second[:1])
        theirs.att_src.copy_(model.second[1:])
        theirs.bias.copy_(model.two.bias)
    X = image(32)
    ours = model.attend(model.two, model.second, X.T).T
    torch.testing.assert_close(ours, theirs(X, EDGES), **CLOSE)


def test_bernnet_filters_by_bernstein_polynomials_that_are_not_negative() -> (
    None
):
    model = made("bernnet")
    with torch.no_grad():
        model.theta[3] = -5.0
    filter = Polynomial("bernstein", DEGREE)
    filter.set_coefficients(model.theta.relu())
    X = image(4)
    exact = filter.apply_recursively(laplacian(EDGES), X.double())
    torch.testing.assert_close(model.mix(X).double(), exact, **CLOSE)


def test_gprgnn_may_mix_last_because_its_last_map_is_linear() -> None:
    model, x = made("gprgnn"), image()
    hidden = model.two(model.one(x).relu()).relu()
    before = model.out(model.mix(hidden))
    torch.testing.assert_close(model(x), before, **CLOSE)


def test_gprgnn_mixes_by_powers_of_gcns_matrix() -> None:
    model, gcn, X = made("gprgnn"), made("gcn"), image(4)
    power, total = X, model.theta[0] * X
    for gamma in model.theta[1:]:
        power = gcn.mix(power)
        total = total + gamma * power
    torch.testing.assert_close(model.mix(X), total, **CLOSE)


@pytest.mark.parametrize("name", NETWORKS)
def test_every_parameter_is_learned_and_drawn_by_the_seed(name: str) -> None:
    model = made(name)
    model(image()).square().sum().backward()
    for parameter in model.parameters():
        assert parameter.grad.abs().sum() > 0
    again = NETWORKS[name](SIDE, torch.Generator().manual_seed(0))
    other = NETWORKS[name](SIDE, torch.Generator().manual_seed(1))
    first = NETWORKS[name](SIDE, torch.Generator().manual_seed(0))
    assert torch.equal(first.two.weight, again.two.weight)
    assert not torch.equal(first.two.weight, other.two.weight)


def test_sizes_are_those_of_the_experiment() -> None:
    counts = {
        name: sum(p.numel() for p in made(name).parameters())
        for name in NETWORKS
    }
    two = 2 * 32 + 33 * 64 + 65  # two layers and the linear map
    assert counts["gcn"] == two
    assert counts["bernnet"] == counts["gprgnn"] == two + 11
    assert counts["gat"] == two + 2 * (32 + 64)
    assert counts["chebynet"] == 4 * 32 + 97 * 32 + 33
