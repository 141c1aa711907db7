"""A cache of the tests' own, and the folder of raw files, if there is one."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def test_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, test_cache: Path) -> None:
    """No test reads or writes the cache of who runs it."""
    monkeypatch.setenv("GROKBOOK_CACHE", str(test_cache))


@pytest.fixture
def shared() -> Path:
    """The folder of raw files that the reader has."""
    folder = os.environ.get("GROKBOOK_DATA")
    if not folder or not Path(folder, "Planetoid").is_dir():
        pytest.skip("GROKBOOK_DATA names no folder with raw files")
    return Path(folder)


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No folder of raw files, and a cache that does not exist yet."""
    cache = tmp_path / "not" / "there"
    monkeypatch.delenv("GROKBOOK_DATA", raising=False)
    monkeypatch.setenv("GROKBOOK_CACHE", str(cache))
    return cache
