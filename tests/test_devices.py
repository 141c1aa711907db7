"""Devices: every model elsewhere than on the CPU; a missing one said."""

import sys
from typing import Any

import networkx as nx
import pytest
import torch
from graphs import edges_of, signals

from grokbook import cli, laplacian, run, spectrum
from grokbook.devices import find_device
from grokbook.errors import DeviceError
from grokbook.experiments.spec import RunSpec
from grokbook.looped import looped_laplacian
from grokbook.models import registry
from grokbook.models.separate import drawing_from
from grokbook.train import CLASSIFICATION, Batch, one_pass

G = nx.karate_club_graph()
N = len(G)


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a GPU, whatever this one has."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)


def made(name: str, device: str) -> tuple[Any, Batch, Any]:
    """A model of two copies on a device, with its graph."""
    options = registry.complete(name, "cora", {"hidden_channels": 8})
    seeds = [torch.Generator().manual_seed(s) for s in range(2)]
    reading = registry.find(name).readings[0]
    model = registry.build(name, (6, 3), options, reading, seeds).to(device)
    edges = edges_of(G)
    if getattr(model, "needs_spectrum", False):
        graph = spectrum(laplacian(edges, N))
    else:
        loops = getattr(model, "loops", False)
        graph = (looped_laplacian if loops else laplacian)(edges, N)
    x = signals(N, 6).float().to(device)
    where = torch.arange(N, device=device)
    return model, Batch(x, model.prepare(graph), where), options


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("name", sorted(registry.MODELS))
def test_every_model_takes_a_training_step_on_a_device(
    name: str, device: str
) -> None:
    """On the meta device a tensor of another device would be refused."""
    model, batch, options = made(name, device)
    optimizer = torch.optim.Adam(model.parameters(), lr=options["lr"])
    y = (torch.arange(N) % 3).to(device)
    mask = torch.ones(2, N, dtype=torch.bool, device=device)
    loss = one_pass(
        model, [batch], y, mask, CLASSIFICATION, optimizer, [None, None]
    )
    assert loss.shape == (2,)
    assert loss.device.type == device
    assert {p.device.type for p in model.parameters()} == {device}


def test_auto_is_the_cpu_where_there_is_no_gpu(no_gpu: None) -> None:
    assert find_device("auto") == torch.device("cpu")


def test_auto_is_cuda_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert find_device("auto").type == find_device("cuda").type == "cuda"


@pytest.mark.parametrize("name", ["cuda", "cuda:1", "mps"])
def test_a_missing_device_is_named(no_gpu: None, name: str) -> None:
    kind = name.partition(":")[0]
    with pytest.raises(DeviceError, match=f"no {kind} device"):
        find_device(name)
    with pytest.raises(DeviceError, match="Choose from"):
        find_device("abacus")


def test_a_run_on_a_missing_device_is_refused_and_not_stored(
    no_gpu: None, tmp_path
) -> None:
    spec = RunSpec("node", "cora", size="smoke", device="cuda")
    with pytest.raises(DeviceError):
        run(spec, tmp_path)
    assert not list(tmp_path.glob("*.json"))


@pytest.mark.parametrize(
    "command", [["cost", "--device", "cuda"],
                ["run", "--task", "node", "--dataset", "cora",
                 "--device", "cuda"]]
)  # fmt: skip
def test_a_missing_gpu_is_one_line_and_no_stack_trace(
    no_gpu: None, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["grokbook", *command])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert str(ended.value).startswith("DeviceError: PyTorch finds no cuda")
    assert "\n" not in str(ended.value)


def test_the_dice_of_a_gpu_are_thrown_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No GPU is needed: its state is a number here."""
    state = {"gpu": 7}
    monkeypatch.setattr(torch.cuda, "get_rng_state", lambda: state["gpu"])
    monkeypatch.setattr(
        torch.cuda, "set_rng_state", lambda new: state.update(gpu=new)
    )

    class Dice(torch.Generator):
        device = torch.device("cuda")

        def get_state(self) -> Any:
            return 100

        def set_state(self, new: Any) -> None:
            state["dice"] = new

    before = torch.get_rng_state()
    with drawing_from(Dice()):
        assert state["gpu"] == 100
        state["gpu"] += 1  # something is drawn
    assert state == {"gpu": 7, "dice": 101}
    assert torch.equal(torch.get_rng_state(), before)
