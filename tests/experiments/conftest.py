"""A store in a new folder, and a log of what was executed."""

from pathlib import Path

import pytest
from toy import Log


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Log:
    path = tmp_path / "executions.log"
    monkeypatch.setenv("GROKBOOK_TOY_LOG", str(path))
    return Log(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A file that gated runs wait for."""
    return tmp_path / "gate"
