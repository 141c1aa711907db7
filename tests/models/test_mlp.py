"""The graph-blind network is PyTorch's, and sees no graph."""

import pytest
import torch
from graphs import signals, without_shape_checks
from torch import nn

from grokbook.errors import LayerError, SignalError
from grokbook.models import MLP


def test_mlp_is_two_linear_layers() -> None:
    model = MLP(4, 8, 3, copies=2).double()
    x = signals(5, 4)
    for copy in range(2):
        first, second = model.embed.first, model.embed.second
        hidden = (x @ first.weight[copy] + first.bias[copy]).relu()
        wanted = hidden @ second.weight[copy] + second.bias[copy]
        torch.testing.assert_close(model(x)[copy], wanted)


def test_mlp_scores_each_node_by_itself() -> None:
    model, x = MLP(4, 8, 3).double(), signals(5, 4)
    torch.testing.assert_close(model(x)[2:3], model(x[2:3]))


def test_mlp_runs_on_the_meta_device_and_drops_in_training_only() -> None:
    assert MLP(4, 8, 3).to("meta")(torch.empty(5, 4, device="meta")).is_meta
    model, x = MLP(4, 8, 3, dropout=0.5), torch.ones(5, 4)
    seed = torch.Generator().manual_seed(0)
    assert not torch.equal(model(x, generator=seed), model.eval()(x))
    assert torch.equal(model(x), model(x))


def test_parameters_are_those_of_pytorchs_layers() -> None:
    ours = sum(p.numel() for p in MLP(4, 8, 3).parameters())
    theirs = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 3))
    assert ours == sum(p.numel() for p in theirs.parameters())


def test_bad_sizes_get_a_named_error() -> None:
    with pytest.raises(LayerError, match="1 or more"):
        MLP(4, 0, 3)
    with pytest.raises(LayerError, match="dropout"):
        MLP(4, 8, 3, dropout=1.0)
    with without_shape_checks(), pytest.raises(SignalError, match="columns"):
        MLP(4, 8, 3)(torch.ones(5, 3))
