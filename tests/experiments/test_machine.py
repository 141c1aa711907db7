"""What a record says of the machine, and what a sweep believes of memory."""

from pathlib import Path

import psutil
import pytest

from grokbook.experiments import machine


def test_peak_is_that_of_one_run_not_of_those_before() -> None:
    machine.keep_freed_memory()
    machine.reset_peak()
    held = bytearray(2**28)
    high = machine.peak_memory()
    del held
    machine.reset_peak()
    assert high - machine.peak_memory() > 2**27


def test_a_container_has_less_memory_than_its_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "CGROUP", tmp_path)
    # Free memory moves while we look: within a quarter of the machine's.
    slack = psutil.virtual_memory().total / 4
    whole = psutil.virtual_memory().available
    assert abs(machine.free_memory() - whole) < slack
    (tmp_path / "memory.max").write_text("1000\n")
    (tmp_path / "memory.current").write_text("700\n")
    (tmp_path / "memory.stat").write_text("anon 500\ninactive_file 150\n")
    assert machine.free_memory() == 1000 - 700 + 150
    (tmp_path / "memory.max").write_text("max\n")
    assert abs(machine.free_memory() - whole) < slack


def test_versions_name_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "PACKAGES", ("numpy", "no-such-package"))
    found = machine.versions()
    assert found["numpy"]
    assert found["no-such-package"] is None
