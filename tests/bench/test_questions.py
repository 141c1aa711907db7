"""What the benchmark compares computes the same on both sides."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import edges_of
from torch_geometric.data import Data

from grokbook import laplacian, load_graphs, spectrum
from grokbook.bench import Row, limits, questions
from grokbook.bench.large import large_epoch
from grokbook.bench.literal import LiteralGrokFormer
from grokbook.bench.stopping import CORA, stopping
from grokbook.errors import DataFileError
from grokbook.models import GrokFormer

ROW = Row("a question", "slow", "fast", 2.0, 1.0, 2.0)
CLUB = nx.karate_club_graph()
SEED = torch.Generator().manual_seed(0)
DATA = Data(
    edge_index=edges_of(CLUB),
    num_nodes=34,
    x=(torch.rand(34, 20, generator=SEED) > 0.8).float(),
    y=torch.arange(34) % 3,
)
L = laplacian(DATA)
S = spectrum(L)


@pytest.fixture
def sides(monkeypatch: pytest.MonkeyPatch) -> list:
    """What each comparison would time, computed instead."""
    seen: list = []

    def keep(_: str, slow: tuple, fast: tuple, rounds: int, each: int = 1):
        seen.append((slow[1](), fast[1](), each))
        return ROW

    monkeypatch.setattr(questions, "compare", keep)
    return seen


def test_the_equations_as_written_are_the_released_model() -> None:
    model = GrokFormer(
        20, 8, 3, K=3, M=4, heads=2, reading="released", generator=SEED
    )
    with torch.no_grad():  # let every branch speak
        for parameter in model.parameters():
            parameter.add_(0.1)
            parameter.mul_(2)
        model.layers[0].norm.weight.fill_(1)
        model.layers[0].norm_2.weight.fill_(1)
        model.layers[0].norm.bias.zero_()
        model.layers[0].norm_2.bias.zero_()
    literal = LiteralGrokFormer(model).eval()
    ours = model.eval()(DATA.x, S)
    theirs = literal(DATA.x, S.lam.float(), S.U.float())
    # float32, and scores of some hundreds.
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-2)


def test_both_sides_of_filtering_compute_the_same(sides: list) -> None:
    assert list(questions.filtering(L, S, rounds=1)) == [ROW, ROW]
    (evr, evd, _), (matrix, transforms, _) = sides
    np.testing.assert_allclose(evr[0], evd[0], atol=1e-13)
    np.testing.assert_allclose(matrix, transforms, atol=1e-13)


def test_training_steps_start_from_the_same_loss(sides: list) -> None:
    rows = list(questions.training(DATA, L, S, rounds=1))
    assert len(rows) == len(sides) == 4
    assert [each for *_, each in sides] == [1, 10, 1, 10]
    for slow, fast, each in sides:
        # All branches start almost off: the loss is that of chance.
        assert slow == pytest.approx(np.log(3), abs=0.02)
        assert fast / each == pytest.approx(np.log(3), abs=0.02)


def test_deflation_changes_no_step(
    sides: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "load_graph", lambda name: DATA)
    assert list(questions.deflation(rounds=1)) == [ROW, ROW]
    assert len(sides) == 2  # one split, ten
    for slow, fast, _ in sides:
        assert slow == pytest.approx(fast, rel=1e-4)  # float32


def test_without_chameleon_there_is_no_row(
    sides: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise DataFileError(f"{name} is missing")

    monkeypatch.setattr(questions, "load_graph", missing)
    assert list(questions.deflation(rounds=1)) == []
    assert sides == []


def test_padding_changes_no_epoch(
    sides: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutag = load_graphs("mutag")
    monkeypatch.setattr(questions, "load_graphs", lambda name: mutag[:40])
    assert list(questions.padding()) == [ROW]
    [(slow, fast, _)] = sides
    assert slow == pytest.approx(fast, rel=1e-4)  # float32


def test_without_proteins_there_is_no_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> None:
        raise DataFileError(f"{name} is missing")

    monkeypatch.setattr(questions, "load_graphs", missing)
    assert list(questions.padding()) == []


def test_splits_stop_at_the_same_epochs_in_one_pass() -> None:
    spec = replace(CORA, splits=2, size="smoke")
    row, note = stopping(spec)
    assert row.question == "train 2 splits to their stop"
    assert row.ratio == pytest.approx(row.slow_seconds / row.fast_seconds)
    assert "epochs 10 and 10" in note


def test_threads_are_as_before_after_a_benchmark() -> None:
    before = torch.get_num_threads()
    with questions.one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


def test_a_large_epoch_is_measured_in_a_process_of_its_own() -> None:
    epoch = large_epoch(nodes=200, edges=2000)
    assert (epoch.nodes, epoch.edges) == (200, 2000)
    assert epoch.seconds > 0
    assert epoch.memory > 50e6  # PyTorch alone
    assert "200 nodes and 2,000 edges" in str(epoch)


def test_limits_are_measured() -> None:
    machine = limits(tries=1)
    assert machine.gemm > 0.5
    assert machine.memory > 0.1
