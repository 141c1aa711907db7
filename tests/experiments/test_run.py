"""Runs: computed once, kept with all that explains them."""

import os
import platform
import re
import threading
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest
from toy import Log

from grokbook import RunSpec, run
from grokbook.errors import UnknownNameError
from grokbook.experiments import TASKS
from grokbook.experiments.store import claim, path_of

SPEC = RunSpec("toy:toy", "none", splits=2, hyperparameters={"x": 1})


def test_a_run_is_computed_once(folder: Path, log: Log) -> None:
    first = run(SPEC, folder)
    assert first["result"]["scores"] == [0.1, 1.1]
    assert run(SPEC, folder) == first
    assert run(replace(SPEC, device="cpu"), str(folder)) == first
    assert log.count("start") == {SPEC.key: 1}
    assert run(SPEC, folder, retry=True) == first  # it has not failed
    assert run(SPEC, folder, again=True)["result"] == first["result"]
    assert log.count("start") == {SPEC.key: 2}


def test_a_record_says_what_it_was_computed_with(folder: Path) -> None:
    big = replace(SPEC, hyperparameters={"allocate": 2**27, "sleep": 0.05})
    record = run(big, folder)
    assert RunSpec.from_dict(record["spec"]) == big
    assert record["status"] == "done"
    assert record["error"] is None
    assert record["versions"]["python"] == platform.python_version()
    assert record["versions"]["torch"] == version("torch")
    assert record["machine"].keys() == {"class"}
    assert re.match(r"(cpu|cuda|mps).*, \d+ cores", record["machine"]["class"])
    assert record["seconds"] >= 0.05
    assert 0 < record["cpu_seconds"] < record["seconds"] + 1
    assert record["peak_memory"] > 2**27


def test_a_record_names_no_machine_user_or_folder(folder: Path) -> None:
    bad = replace(SPEC, hyperparameters={"fail": "at a file"})
    error = run(bad, folder)["error"]
    assert re.fullmatch(
        r"FileNotFoundError: .*: 'missing' \(pathlib.*\.py:\d+\)", error
    )
    text = path_of(bad, folder).read_text()
    for name in (platform.node(), str(Path.home()), str(Path.cwd())):
        assert name not in text


def test_what_lacked_its_data_is_always_tried_again(
    folder: Path, log: Log
) -> None:
    bad = replace(SPEC, hyperparameters={"fail": "for want of data"})
    assert "not at hand" in run(bad, folder)["error"]
    assert "not at hand" in run(bad, folder)["error"]
    assert log.count("start") == {bad.key: 2}


def test_a_failure_is_recorded_and_retried_only_on_request(
    folder: Path, log: Log
) -> None:
    bad = replace(SPEC, hyperparameters={"fail": "no luck"})
    record = run(bad, folder)
    assert record["status"] == "failed"
    assert record["result"] is None
    assert re.fullmatch(
        r"RuntimeError: no luck \(toy\.py:\d+\)", record["error"]
    )
    assert run(bad, folder) == record
    assert log.count("start") == {bad.key: 1}
    run(bad, folder, retry=True)
    assert log.count("start") == {bad.key: 2}


def test_a_long_error_keeps_its_end_where_the_advice_is(folder: Path) -> None:
    said = "what was wrong, " + "very " * 200 + "long, what to do"
    record = run(replace(SPEC, hyperparameters={"fail": said}), folder)
    assert "RuntimeError: what was wrong" in record["error"]
    assert "what to do (toy.py" in record["error"]
    assert len(record["error"]) < 600


@pytest.mark.parametrize(
    ("task", "dataset", "says"),
    [
        ("toy:wrong", "nan", "result.scores[1] = nan cannot be kept"),
        ("toy:wrong", "object", "result.scores[0] = <object"),
        ("toy:wrong", "bare", 'a dict with "metric"'),
        ("toy:nothing", "none", "AttributeError"),
        ("no_such_module:f", "none", "ModuleNotFoundError"),
    ],
)
def test_what_is_no_result_is_a_failure_that_says_why(
    task: str, dataset: str, says: str, folder: Path
) -> None:
    record = run(RunSpec(task, dataset), folder)
    assert record["status"] == "failed"
    assert says in record["error"]


def test_unknown_tasks_are_refused_and_leave_no_trace(folder: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"task='nodes'.*module:funct"):
        run(RunSpec("nodes", "cora"), folder)
    assert not folder.exists()


def test_a_task_is_found_by_its_short_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TASKS, "toy", "toy:toy")
    record = run(replace(SPEC, task="toy"), folder)
    assert record["result"]["scores"] == [0.1, 1.1]


def test_every_task_of_the_table_exists() -> None:
    from grokbook.experiments.run import _find

    assert all(callable(_find(task)) for task in TASKS)


def test_who_comes_second_waits_and_takes_the_result(
    folder: Path, log: Log
) -> None:
    held = claim(SPEC, folder, wait=False)
    found: list = []
    second = threading.Thread(target=lambda: found.append(run(SPEC, folder)))
    second.start()
    second.join(0.3)
    assert second.is_alive()  # it waits
    assert not path_of(SPEC, folder).exists()
    held.close()
    second.join(10)
    assert found[0]["status"] == "done"


def test_ctrl_c_in_a_task_records_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import toy

    def interrupted(spec: RunSpec) -> dict:
        raise KeyboardInterrupt

    monkeypatch.setattr(toy, "toy", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(SPEC, folder)
    assert [p for p in folder.iterdir() if p.is_file()] == []
    assert os.listdir(folder) == [".claims"]
