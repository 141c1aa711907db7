"""Benchmarks: interleaved, slow over fast, and stored whole or not at all."""

import json
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from graphs import edges_of
from torch_geometric.data import Data

from grokbook import bench, cli
from grokbook.bench import Row, compare, measure, store, table

ROW = Row("filter 7 signals", "form h(L)", "two transforms", 0.5, 0.125, 4.0)


class Clock:
    """Time that passes only when work is done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.log: list[str] = []
        monkeypatch.setattr(bench.time, "perf_counter", lambda: self.now)

    def work(self, name: str, *seconds: float) -> tuple:
        """A side of a comparison that takes these seconds in turn."""
        left = list(seconds)

        def call() -> None:
            self.log.append(name)
            self.now += left.pop(0)

        return name, call


def test_ratio_is_slow_over_fast_measured_in_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(monkeypatch)
    slow = clock.work("slow", 6.0, 8.0, 90.0)
    fast = clock.work("fast", 2.0, 4.0, 3.0)
    row = compare("a question", slow, fast, rounds=3)
    assert clock.log == ["slow", "fast"] * 3
    assert row == Row("a question", "slow", "fast", 8.0, 3.0, 3.0)


def test_ratio_is_the_median_of_ratios_not_the_ratio_of_medians(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The machine was ten times slower in the second round.
    clock = Clock(monkeypatch)
    slow = clock.work("slow", 4.0, 40.0, 2.0)
    fast = clock.work("fast", 2.0, 20.0, 1.0)
    assert compare("q", slow, fast, rounds=3).ratio == 2.0


def test_table_has_a_line_per_comparison_with_its_ratio() -> None:
    head, line, same = table([ROW, ROW]).splitlines()
    assert head.split() == ["slower", "faster", "ratio"]
    assert line == same
    assert line.split("  ")[0] == "filter 7 signals"
    assert "form h(L) 0.500 s" in line
    assert "two transforms 0.125 s" in line
    assert line.endswith(" 4.0×")
    assert len(line) == len(head)


def test_store_writes_whole_json_and_nothing_beside_it(
    tmp_path: Path,
) -> None:
    out = tmp_path / "results" / "bench.json"
    store([ROW], out)
    store([ROW, ROW], out)  # over an older file
    assert [file.name for file in out.parent.iterdir()] == ["bench.json"]
    stored = json.loads(out.read_text())
    assert [Row(**row) for row in stored["rows"]] == [ROW, ROW]
    assert stored["threads"] >= 1
    assert {"machine", "torch", "python"} <= set(stored)


def test_a_write_that_fails_leaves_the_older_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "bench.json"
    store([ROW], out)
    before = out.read_text()

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="no space"):
        store([ROW, ROW], out)
    assert out.read_text() == before


def test_command_prints_the_table_and_stores_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "bench.json"
    monkeypatch.setattr(bench, "measure", lambda: [ROW])
    monkeypatch.setattr(sys, "argv", ["grokbook", "bench", "--out", str(out)])
    cli.main()
    assert capsys.readouterr().out == table([ROW]) + "\n"
    assert json.loads(out.read_text())["rows"][0]["ratio"] == 4.0


def test_both_sides_of_a_comparison_compute_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # On the karate club, which takes no time; Cora takes a minute.
    club = Data(edge_index=edges_of(nx.karate_club_graph()), num_nodes=34)
    sides = []

    def keep(_: str, slow: tuple, fast: tuple, rounds: int) -> Row:
        sides.append((slow[1](), fast[1]()))
        return ROW

    monkeypatch.setattr(bench, "load_graph", lambda name: club)
    monkeypatch.setattr(bench, "compare", keep)
    assert measure(rounds=1) == [ROW, ROW]
    (evr, evd), (matrix, transforms) = sides
    np.testing.assert_allclose(evr[0], evd[0], atol=1e-13)
    np.testing.assert_allclose(matrix, transforms, atol=1e-13)
