"""The commands: what they print, and how they end."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grokbook import RunSpec, cli
from grokbook.experiments.store import path_of


def grokbook(
    *words: object,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> tuple[object, str]:
    """Type a command; its exit code, and what it printed."""
    monkeypatch.setattr(sys, "argv", ["grokbook", *map(str, words)])
    code: object = 0
    try:
        cli.main()
    except SystemExit as end:
        code = end.code
    return code, capsys.readouterr().out


@pytest.fixture
def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> object:
    return lambda *words: grokbook(
        *words, monkeypatch=monkeypatch, capsys=capsys
    )


def test_run_computes_stores_and_prints_a_table(typed, folder: Path) -> None:
    words = ["run", "--task", "toy:toy", "--dataset", "cora", "--splits", 3]
    words += ["--reading", "paper", "--size", "smoke", "--folder", folder]
    words += ["--hyperparameters", "x=5", "say=hello", "widths=[1,2]"]
    code, said = typed(*words)
    assert code == 0
    head, row = said.removeprefix("hello\n").splitlines()
    assert head.split()[:2] == ["dataset", "model"]
    assert "sum 1.5 ± 1 (3 scores)" in row
    told = {"x": 5, "say": "hello", "widths": [1, 2]}
    spec = RunSpec(
        "toy:toy",
        "cora",
        reading="paper",
        splits=3,
        size="smoke",
        hyperparameters=told,
    )
    assert path_of(spec, folder).exists()


def test_a_failed_run_prints_its_error_and_ends_with_one(
    typed, folder: Path
) -> None:
    words = ["run", "--task", "toy:toy", "--dataset", "none"]
    words += ["--folder", folder, "--hyperparameters", "fail=ouch"]
    code, said = typed(*words)
    assert code == 1
    assert "RuntimeError: ouch" in said
    again, said = typed(*words)  # the stored failure, and the way out
    assert (again, "--retry" in said) == (1, True)


def test_sweep_and_status_tell_done_failed_and_missing(
    typed, folder: Path, tmp_path: Path
) -> None:
    grid = {"task": "toy:toy", "dataset": ["a", "b"]}
    grid["hyperparameters"] = {"fail": ["", "ouch"]}
    file = tmp_path / "sweep.json"
    file.write_text(json.dumps({"grid": [grid]}))
    code, said = typed("status", file, "--folder", folder)
    assert code == 0
    assert said.splitlines()[0] == "0 done 0 failed 4 missing"
    assert not folder.exists()  # looking leaves no trace
    code, said = typed("sweep", file, "--folder", folder)
    assert code == 1  # two have failed
    assert said.count("RuntimeError: ouch") == 2
    assert said.count("sum 4.5") == 2
    next(folder.glob("*.json")).write_text("{")
    _, said = typed("status", file, "--folder", folder)
    assert said.splitlines()[0].endswith(" 1 missing")
    _, said = typed("status", "--folder", folder)
    assert said.splitlines()[0].endswith(" 1 damaged")
    assert "damaged toy-toy-" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "--task", "nod", "--dataset", "a"], "UnknownNameError: task"),
        (["run", "--task", "a:b", "--dataset", "a b"], "SpecError: dataset"),
        (
            ["run", "--task=a:b", "--dataset=a", "--hyperparameters", "lr"],
            "SpecError: 'lr' is no hyperparameter",
        ),
        (["sweep", "nowhere.toml"], "SpecError: nowhere.toml is no sweep"),
    ],
)
def test_a_mistake_is_answered_in_one_line(typed, words, says) -> None:
    code, _ = typed(*words)
    assert str(code).startswith(says)
    assert "\n" not in str(code)


def test_a_reader_who_has_seen_enough_gets_no_traceback(
    folder: Path, tmp_path: Path
) -> None:
    """As in `grokbook status FILE | head -1`, with more than a pipe holds."""
    sweep = tmp_path / "sweep.toml"
    sweep.write_text(
        '[[grid]]\ntask = "toy:toy"\ndataset = "none"\n'
        f"hyperparameters = {{ x = {list(range(3000))} }}\n"
    )
    words = f"status {sweep} --folder {folder}"
    done = subprocess.run(
        f"{sys.executable} -m grokbook.cli {words} | head -1",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "0 done 0 failed 3000 missing\n"
    assert done.stderr == ""
