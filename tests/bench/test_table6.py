"""Table 6's experiment: every road trains, memory is a process's own."""

import json
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import torch
from graphs import edges_of
from torch_geometric.data import Data

from grokbook import cli
from grokbook.bench import cost, variants
from grokbook.costs import Cost, read_costs
from grokbook.errors import DataFileError

SEED = torch.Generator().manual_seed(0)
DATA = Data(
    edge_index=edges_of(nx.karate_club_graph()),
    num_nodes=34,
    x=(torch.rand(34, 20, generator=SEED) > 0.8).float(),
    y=torch.arange(34) % 3,
)


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> None:
    """The karate club stands for every graph."""
    monkeypatch.setattr(cost, "load_graph", lambda name: DATA)
    monkeypatch.setattr(variants, "load_graph", lambda name: DATA)


def test_every_road_is_timed_in_turn(club: None) -> None:
    found = cost.times("cora", splits=2, rounds=2, device="cpu")
    assert [(c.model, c.road) for c in found] == list(cost.ROADS)
    assert {len(c.seconds) for c in found} == {2}
    assert [c.eigenvectors for c in found] == [34, 0, 34, 0, 0]
    assert {c.splits for c in found} == {2}


def test_models_have_64_hidden_channels_and_learn(club: None) -> None:
    for road in cost.ROADS:
        model, _ = cost._built(
            road[0],
            DATA,
            cost.registry.complete(road[0], "cora", {"hidden_channels": 64}),
            1,
            torch.device("cpu"),
        )
        shapes = [p.shape for p in model.parameters()]
        assert any(64 in shape for shape in shapes)
        _, epoch = cost.epoch_of(
            "cora", DATA, road, 1, torch.device("cpu"), None
        )
        epoch()


def test_a_large_graph_gets_a_table_of_random_numbers(
    club: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cost, "LARGE", 30)
    monkeypatch.setattr(cost, "KEPT", 10)
    first, *_ = cost.times("cora", splits=1, rounds=1, device="cpu")
    assert (first.eigenvectors, first.entries) == (10, "random")
    U = cost.table_of(DATA, torch.device("cpu")).U
    assert U.shape == (34, 10)
    # columns as long as eigenvectors: 34 draws, deviation 1/√17
    assert (U.norm(dim=0) - 1).abs().max() < 0.6


def test_tokens_that_fill_the_memory_are_not_tried(
    club: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cost, "MOST_TOKENS", 4 * 11 * 34 * 20 + 1)
    assert cost.roads(DATA, splits=1) == list(cost.ROADS)
    assert cost.roads(DATA, splits=2) == list(cost.ROADS[:-1])


def test_memory_is_that_of_training_alone(club: None) -> None:
    about, size = cost._memory("cora", cost.ROADS[0], 1, "cpu")
    assert about == ("cora", "grokformer", "eigenvectors", 1, 34, "computed")
    assert 0 <= size < 200e6  # a graph of 34 nodes


def test_command_stores_a_column_and_prints_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def times(name: str, splits: int, *_: Any) -> list[Cost]:
        if name == "penn94":
            raise DataFileError("penn94 is not here.")
        return [Cost(name, *r, splits, seconds=(1.0,)) for r in cost.ROADS]

    def memories(name: str, splits: int, *_: Any) -> list[Cost]:
        return [Cost(name, *r, splits, memory_mb=5.0) for r in cost.ROADS]

    monkeypatch.setattr(cost, "times", times)
    monkeypatch.setattr(cost, "memories", memories)
    argv = ["grokbook", "cost", "--graphs", "cora", "penn94"]
    argv += ["--device", "cpu", "--folder", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", argv)
    cli.main()
    said = capsys.readouterr().out
    assert "cora, 1 split " in said
    assert "cora, 10 splits " in said
    assert "penn94 is left out. penn94 is not here." in said
    assert len(read_costs("cpu", tmp_path)) == 2 * len(cost.ROADS)
    stored = json.loads((tmp_path / "cpu.json").read_text())
    assert stored["machine"].startswith("cpu, ")
    assert stored["threads"] == 1


def test_variants_start_from_the_same_loss(
    club: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = {
        w: variants._step(w, torch.device("cpu")) for w in ("plain", "bf16")
    }
    torch.manual_seed(0)
    plain = steps["plain"]()
    torch.manual_seed(0)
    assert steps["bf16"]() == pytest.approx(plain, rel=1e-2)  # eight bits


def test_without_a_compiler_two_variants_are_left(
    club: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variants.shutil, "which", lambda name: None)
    found = variants.variants(2, "cpu")
    assert [one["name"] for one in found] == ["plain", "bf16"]

    def broken() -> float:
        raise RuntimeError("no headers")

    assert variants._first(broken) is None
