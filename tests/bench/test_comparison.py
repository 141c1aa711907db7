"""Benchmarks: interleaved, slow over fast, and stored whole or not at all."""

import json
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
import torch

from grokbook import bench, cli
from grokbook.bench import Limits, Row, compare, store, table

ROW = Row("filter 7 signals", "form h(L)", "two transforms", 0.5, 0.0625, 8.0)


class Clock:
    """Time that passes only when work is done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.log: list[str] = []
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

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
    assert "form h(L) 500 ms" in line
    assert "two transforms 62.5 ms" in line
    assert line.endswith(" 8.0×")
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
    store([ROW], out, Limits(gemm=50.0, memory=10.0))
    limits = json.loads(out.read_text())["limits"]
    assert limits == {"gemm": 50.0, "memory": 10.0}


def test_a_write_that_fails_leaves_the_older_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "bench.json"
    store([ROW], out)
    before = out.read_text()

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="no space"):
        store([ROW, ROW], out)
    assert out.read_text() == before


def test_command_prints_the_table_and_stores_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "bench.json"
    machine = Limits(gemm=50.0, memory=10.0)
    monkeypatch.setattr(bench, "measure", lambda: [ROW])
    monkeypatch.setattr(bench, "limits", lambda: machine)
    monkeypatch.setattr(bench, "large_epoch", lambda: "An epoch: 5 s.")
    monkeypatch.setattr(bench, "stopping", lambda: (ROW, "Both the same."))
    argv = ["grokbook", "bench", "--long", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", argv)
    cli.main()
    printed = capsys.readouterr().out
    missing = "Chameleon is not at hand, so its row is left out."
    notes = f"An epoch: 5 s.\n{missing}\nBoth the same."
    assert printed == table([ROW, ROW]) + f"\n{machine}\n{notes}\n"
    assert json.loads(out.read_text())["notes"] == notes.split("\n")
    assert json.loads(out.read_text())["rows"][0]["ratio"] == 8.0


def test_a_side_that_does_more_at_once_is_compared_per_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(monkeypatch)
    slow, fast = clock.work("slow", 6.0), clock.work("ten", 20.0)
    row = compare("q", slow, fast, rounds=1, each=10)
    assert (row.fast_seconds, row.ratio) == (2.0, 3.0)


def test_limits_say_what_reading_the_eigenvectors_takes() -> None:
    text = str(Limits(gemm=50.0, memory=10.0))
    assert "11.7 ms, which bounds one split" in text  # 4 · 4 · 2708² bytes
    # 4 · 2 · 2708² · 7 operations
    assert "8.2 ms, which bounds 10 splits" in text


def test_limits_are_those_of_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[int] = []

    def best(work: object, tries: int) -> float:
        seen.append(torch.get_num_threads())
        return 1.0

    # By name: `bench.limits` is the function.
    module = import_module("grokbook.bench.limits")
    monkeypatch.setattr(module, "_best", best)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        bench.limits()
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert seen == [1, 1]
