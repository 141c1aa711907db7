"""Sweeps: every spec once, whoever is killed, whoever else is at it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from toy import Log, assert_whole, toys, until

from grokbook import RunSpec, Sweep
from grokbook.errors import SpecError, StoreError, UnknownNameError
from grokbook.experiments import local
from grokbook.experiments.store import read

HERE = Path(__file__).parent
GRID = toys(x=list(range(40)), sleep=0.05)


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


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0]
    return state == "Z"


def test_sweep_killed_in_the_middle_resumes(folder: Path, log: Log) -> None:
    sweep = Sweep(GRID, folder)
    first = start_sweep(GRID, folder)
    until(lambda: len(list(folder.glob("*.json"))) >= 10)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    until(lambda: all(map(gone, log.pids())))  # its workers end with it
    kept = {path.stem: path.stat() for path in folder.glob("*.json")}
    before = len(log.lines())
    assert 10 <= len(kept) < 40
    again = start_sweep(GRID, folder)
    said, _ = again.communicate(timeout=60)
    assert again.returncode == 0, said
    assert_whole(sweep)
    new = {key for _, key, _ in log.lines()[before:]}
    assert new == {spec.key for spec in sweep.specs} - set(kept)
    for key, stat in kept.items():  # not written a second time either
        assert (folder / f"{key}.json").stat().st_mtime_ns == stat.st_mtime_ns


def test_two_sweeps_on_one_store_compute_nothing_twice(
    folder: Path, log: Log
) -> None:
    both = [start_sweep(GRID, folder), start_sweep(GRID, folder)]
    for process in both:
        said, _ = process.communicate(timeout=60)
        assert process.returncode == 0, said
        assert said.count("sum") == 40  # each shows all results
    sweep = Sweep(GRID, folder)
    assert_whole(sweep)
    once = {spec.key: 1 for spec in sweep.specs}
    assert log.count("start") == once == log.count("end")
    assert len(log.pids()) == 4  # both had a share


def test_ctrl_c_leaves_what_is_done_and_nothing_half(
    folder: Path, log: Log
) -> None:
    process = start_sweep(GRID, folder)
    until(lambda: len(list(folder.glob("*.json"))) >= 3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    until(lambda: all(map(gone, log.pids())))
    assert process.returncode != 0
    done = list(folder.glob("*.json"))
    assert len(done) < 40
    assert all(read(path)["status"] == "done" for path in done)


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
    grid = toys(x=list(range(4)), sleep=0.1)
    Sweep(grid, folder / "big", memory=2 * 2**30).run(processes=4)
    assert most_at_once(log) == 1
    log.path.unlink()
    Sweep(grid, folder / "small", memory=2**29).run(processes=4)
    assert most_at_once(log) > 1


def most_at_once(log: Log) -> int:
    """The largest number of runs that were under way together."""
    steps = [1 if kind == "start" else -1 for kind, _, _ in log.lines()]
    return max(sum(steps[: i + 1]) for i in range(len(steps)))


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
