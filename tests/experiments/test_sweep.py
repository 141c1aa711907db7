"""Sweeps: every spec once, whoever is killed, whoever else is at it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from toy import Log, assert_whole, gone, toys, until

from grokbook import RunSpec, Sweep
from grokbook.errors import SpecError, StoreError, UnknownNameError
from grokbook.experiments import local
from grokbook.experiments.store import read
from grokbook.experiments.sweep import expand, read_grids

HERE = Path(__file__).parent


def start_sweep(grid: dict, folder: Path) -> subprocess.Popen:
    """The sweep as a reader starts it, in a process of its own."""
    file = folder.parent / "sweep.json"
    file.write_text(json.dumps({"grid": [grid]}))
    paths = [str(HERE), *filter(None, sys.path)]
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "grokbook.cli", "sweep", str(file)),
            *("--folder", str(folder), "--processes", "2"),
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def forty(gate: Path, gated: int) -> dict:
    """A grid of 40 runs, of which those from `gated` on wait."""
    return toys(x=list(range(40)), sleep=0.02, gate=str(gate), gated=gated)


def test_sweep_killed_in_the_middle_resumes(
    folder: Path, log: Log, gate: Path
) -> None:
    grid = forty(gate, gated=20)
    sweep = Sweep(grid, folder)
    first = start_sweep(grid, folder)
    until(lambda: len(log.count("start")) == 22)  # two wait at the gate
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    # Its workers end with it; the gate would hold them longer.
    until(lambda: all(map(gone, log.pids())), seconds=15)
    first.communicate()
    kept = {path.stem: path.stat() for path in folder.glob("*.json")}
    before = len(log.lines())
    assert len(kept) >= 19  # the last one may not have been stored
    gate.touch()
    again = start_sweep(grid, folder)
    said, _ = again.communicate(timeout=60)
    assert again.returncode == 0, said
    assert_whole(sweep)
    new = {key for _, key, _ in log.lines()[before:]}
    assert new == {spec.key for spec in sweep.specs} - set(kept)
    for key, stat in kept.items():  # not written a second time either
        assert (folder / f"{key}.json").stat().st_mtime_ns == stat.st_mtime_ns


def test_two_sweeps_on_one_store_compute_nothing_twice(
    folder: Path, log: Log, gate: Path
) -> None:
    grid = forty(gate, gated=0)
    both = [start_sweep(grid, folder), start_sweep(grid, folder)]
    until(lambda: len(log.pids()) == 4)  # two processes of each are at work
    gate.touch()
    for process in both:
        said, _ = process.communicate(timeout=60)
        assert process.returncode == 0, said
        assert said.count("sum") == 40  # each shows all results
    sweep = Sweep(grid, folder)
    assert_whole(sweep)
    once = {spec.key: 1 for spec in sweep.specs}
    assert log.count("start") == once == log.count("end")


def test_ctrl_c_leaves_what_is_done_and_nothing_half(
    folder: Path, log: Log, gate: Path
) -> None:
    process = start_sweep(forty(gate, gated=20), folder)
    until(lambda: len(list(folder.glob("*.json"))) >= 3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    until(lambda: all(map(gone, log.pids())))
    assert process.returncode != 0
    done = list(folder.glob("*.json"))
    assert 3 <= len(done) <= 20
    assert all(read(path)["status"] == "done" for path in done)


def test_an_interrupt_that_python_drops_is_raised_again() -> None:
    before = signal.getsignal(signal.SIGINT)
    with local.interrupts() as check:
        check()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):  # the first one was dropped
            check()
    assert signal.getsignal(signal.SIGINT) is before


def test_a_failing_spec_is_recorded_and_the_rest_goes_on(
    folder: Path, log: Log
) -> None:
    sweep = Sweep(toys(x=[1, 2, 3], fail=["", "no luck"]), folder)
    records = sweep.run(processes=2)
    errors = [record["error"] for record in records if record["error"]]
    assert len(records) == 6
    assert len(errors) == 3
    assert all(e.startswith("RuntimeError: no luck (toy.py:") for e in errors)
    sweep.run(processes=2)
    assert sum(log.count("start").values()) == 6  # not tried again
    sweep.run(processes=2, retry=True)
    assert sum(log.count("start").values()) == 9  # unless asked to


def test_a_killed_process_is_tried_once_more_alone_then_recorded(
    folder: Path, log: Log
) -> None:
    sweep = Sweep(toys(x=[1, 2, 3, 4], die=[False, True]), folder)
    records = sweep.run(processes=2)
    for spec, record in zip(sweep.specs, records, strict=True):
        starts = log.count("start")[spec.key]
        if spec.hyperparameters["die"]:
            assert "got SIGKILL, twice; was memory short?" in record["error"]
            assert starts == 2
        else:
            assert record["status"] == "done"
            assert starts == 1


def test_workers_have_one_thread_and_may_print(folder: Path) -> None:
    (record,) = Sweep(toys(say="{}\n"), folder).run(processes=1)
    assert record["result"]["threads"] == "1"
    assert record["status"] == "done"


def test_no_run_starts_while_memory_is_short(
    folder: Path, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "free_memory", lambda: 3 * 2**30)
    Sweep(toys(x=[0, 1, 2]), folder, memory=2 * 2**30).run(processes=3)
    kinds = [kind for kind, _, _ in log.lines()]
    assert kinds == ["start", "end"] * 3  # one after the other


@pytest.mark.parametrize(
    ("free", "held", "room"),
    [(199, 0, False), (200, 0, True), (139, 60, False), (140, 60, True)],
)
def test_what_running_ones_may_still_take_is_not_free(
    free: int, held: int, room: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "free_memory", lambda: free)
    spec = RunSpec("toy:toy", "none")
    crew = local.Crew(2, lambda spec: 100)
    assert crew.room(spec)  # alone, it always starts
    crew.busy = [SimpleNamespace(spec=spec, held=lambda: held)]
    assert crew.room(spec) is room
    crew.busy *= 2
    assert not crew.room(spec)  # no process is left


def test_a_process_that_died_while_idle_gives_no_answer() -> None:
    worker = local.Worker()
    worker.process.kill()
    worker.process.wait()
    worker.give(RunSpec("toy:toy", "none"))
    assert worker.answer() is None
    assert "SIGKILL" in worker.death()


def test_memory_is_declared_else_measured_else_guessed(folder: Path) -> None:
    grid = toys(x=[1, 2], allocate=2**26)
    sweep = Sweep(grid, folder)
    (one, two) = sweep.specs
    assert sweep.need(two) == 2**30
    (record,) = Sweep([one], folder).run()
    assert record["peak_memory"] > 2**26
    sweep.run()
    assert 2**26 < sweep.need(two) < 2**29
    assert Sweep(grid, folder, memory=7).need(two) == 7


def test_a_store_that_refuses_stops_the_sweep(folder: Path) -> None:
    folder.write_text("in the way")
    with pytest.raises(StoreError, match="Not a directory"):
        Sweep(toys(x=1), folder).run()


def test_grid_is_the_product_of_its_lists() -> None:
    specs = Sweep(
        {
            "task": "toy:toy",
            "dataset": ["cora", "texas"],
            "seed": [0, 1, 1],
            "hyperparameters": {"K": [1, 2, 3], "widths": [[4, 4]], "lr": 1},
        }
    ).specs
    assert len(specs) == 2 * 2 * 3  # the same spec twice is one
    assert {s.hyperparameters["widths"] for s in specs} == {(4, 4)}
    assert specs[0] == RunSpec(
        "toy:toy",
        "cora",
        hyperparameters={"K": 1, "widths": [4, 4], "lr": 1.0},
    )


def test_toml_and_json_files_say_the_same(tmp_path: Path) -> None:
    toml = tmp_path / "a.toml"
    toml.write_text(
        '[[grid]]\ntask = "toy:toy"\ndataset = ["cora", "texas"]\n'
        "memory_gb = 1.5\n[grid.hyperparameters]\nK = [1, 2]\n"
        '[[grid]]\ntask = "toy:toy"\ndataset = "actor"\n'
    )
    as_json = tmp_path / "a.json"
    first = {"task": "toy:toy", "dataset": ["cora", "texas"]}
    first |= {"memory_gb": 1.5, "hyperparameters": {"K": [1, 2]}}
    grids = [first, {"task": "toy:toy", "dataset": "actor"}]
    as_json.write_text(json.dumps({"grid": grids}))
    a, b = Sweep.from_file(toml), Sweep.from_file(as_json)
    assert a.specs == b.specs
    assert len(a.specs) == 5
    assert [a.need(s) for s in a.specs] == [3 * 2**29] * 4 + [2**30]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[grid", "bad.toml is no sweep"),
        ("[grid]\ntask = 1", "bad.toml is no sweep"),
        ('[[grid]]\ntask = "a:b"', "missing: .*dataset"),
        ('[[grid]]\ntask = "a:b"\ndataset = []', "empty"),
        ('[[grid]]\ntask = "a:b"\ndataset = "c"\nlr = 1', "unknown: .*lr"),
        (
            '[[grid]]\ntask = "a:b"\ndataset = "c"\nmemory_gb = "2"',
            "memory_gb is no number",
        ),
    ],
)
def test_a_file_that_is_no_sweep_is_refused(
    text: str, says: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(SpecError, match=says):
        Sweep.from_file(file)


def test_unknown_engine_and_task_are_refused(folder: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"'spark'.*local, ray"):
        Sweep(toys(x=1), folder).run(engine="spark")
    with pytest.raises(UnknownNameError, match="task='nod'"):
        Sweep([RunSpec("nod", "cora")], folder)
    assert not folder.exists()


def test_the_example_of_the_documentation_is_a_sweep(tmp_path: Path) -> None:
    text = (HERE.parents[1] / "data" / "sweeps" / "README.md").read_text()
    file = tmp_path / "example.toml"
    file.write_text(text.split("```toml\n")[1].split("```")[0])
    (grid,) = read_grids(file)
    assert grid.pop("memory_gb") == 2
    assert len(set(expand(grid))) == 24
    assert "These are 24 runs" in text
