"""The doctor: says what is missing, and what to do about it."""

import sys
from importlib import metadata
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from grokbook import cli, doctor
from grokbook.doctor import Finding, examine


def finding(word: str) -> Finding:
    """The one finding that speaks of something."""
    (found,) = [f for f in examine() if word in f.what]
    return found


def run(*typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Type a command."""
    monkeypatch.setattr(sys, "argv", ["grokbook", *typed])
    cli.main()


def test_everything_needed_is_here() -> None:
    findings = examine()
    assert [f for f in findings if f.needed and not f.good] == []
    seen = " ".join(f.what for f in findings)
    for word in ("Python 3", "torch ", "Node.js v", "Cora", "Chromium"):
        assert word in seen


def test_a_ready_machine_is_told_where_to_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("doctor", monkeypatch=monkeypatch)
    said = capsys.readouterr().out
    assert "ok      Cora in data/, 2708 nodes" in said
    assert "Ready. Start with `make lab`" in said
    assert "MISSING" not in said


def test_missing_node_is_told_with_advice_and_exit_code_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit) as stop:
        run("doctor", monkeypatch=monkeypatch)
    assert stop.value.code == 1
    said = capsys.readouterr().out
    assert "MISSING Node.js and npm, for the site  → install Node" in said
    assert "no      a Chromium browser" in said  # missing, but not needed
    assert "1 thing(s) to mend" in said
    assert "Ready" not in said


@pytest.mark.parametrize(
    ("says", "good"),
    [
        ("v18.0.0", True),
        ("v22.11.0", True),
        ("v16.20.2", False),
        ("v8.18.0", False),
        ("", False),
        ("Segmentation fault 20", False),
    ],
)
def test_node_is_judged_by_its_major_version(
    says: str, good: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = tmp_path / "node"
    node.write_text(f"#!/bin/sh\necho {says}\n")
    node.chmod(0o755)
    monkeypatch.setattr(doctor.shutil, "which", lambda name: str(node))
    assert finding("Node.js").good is good


def test_missing_packages_are_needed_unless_they_are_extras(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def version(name: str) -> str:
        if name in ("torch", "nbval"):
            raise PackageNotFoundError(name)
        if name == "rdkit":  # an extra that is not among the pins
            return "2026.9.1"
        return "0.0.1" if name == "scipy" else metadata.version(name)

    monkeypatch.setattr(doctor, "version", version)
    bad = {f.what: f for f in doctor._packages() if not f.good}
    assert {what: f.needed for what, f in bad.items()} == {
        "torch not installed": True,
        "nbval not installed": False,
        "scipy 0.0.1": True,  # older than the range allows
    }
    assert "-r requirements.txt" in str(bad["torch not installed"])


def test_a_clone_that_is_not_installed_is_told_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def requires(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "requires", requires)
    (only,) = doctor._packages()
    assert str(only) == "MISSING grokbook  → run `pip install -e .`"


def test_old_python_is_told_to_be_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor.sys, "version_info", (3, 10, 9))
    found = doctor._python()
    assert not found.good
    assert "Python 3.10.9  → install Python 3.11 or later" in str(found)


def test_damaged_data_is_told_with_the_files_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grokbook.datasets.embedded.DATA", tmp_path)
    found = finding("Cora")
    assert not found.good
    assert "data/cora/cora.safetensors is missing" in found.advice


def test_advice_is_only_given_where_something_is_to_do() -> None:
    assert str(Finding("a", True, "do it")) == "ok      a"
    assert str(Finding("a", False, "do it")) == "MISSING a  → do it"
    assert str(Finding("a", False, "do it", needed=False)) == (
        "no      a  → do it"
    )


def test_an_unknown_command_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        run("docter", monkeypatch=monkeypatch)
    assert stop.value.code not in (0, None)
    assert "doctor" in capsys.readouterr().err
