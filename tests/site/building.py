"""Build a MyST project, and install the tools the tests hold against it."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SITE = ROOT / "grokbook" / "site"
NOT_CONTENT = shutil.ignore_patterns(
    ".*", "_build", "node_modules", "__pycache__", "*.egg-info"
)


@dataclass(frozen=True)
class Build:
    """What a build left behind."""

    html: Path
    log: str
    code: int

    @property
    def pages(self) -> list[str]:
        """The addresses of all pages, from the front of the site."""
        files = sorted(self.html.rglob("*.html"))
        paths = [file.relative_to(self.html).as_posix() for file in files]
        return [path.removesuffix("index.html") for path in paths]

    def text(self, page: str) -> str:
        """Return the HTML of one page."""
        name = page if page.endswith(".html") else f"{page}index.html"
        return (self.html / name).read_text(encoding="utf-8")


def surroundings(base: str = "") -> dict[str, str]:
    """Return the environment of a build: this Python, this repository."""
    python = Path(sys.executable).parent
    return os.environ | {
        "PATH": f"{python}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "BASE_URL": base,
    }


def build(project: Path, *prefix: str, base: str = "") -> Build:
    """Build a project as the book is built, and keep what it said."""
    command = [*prefix, "jupyter", "book", "build", "--html", "--strict"]
    done = subprocess.run(
        command,
        cwd=project,
        env=surroundings(base),
        capture_output=True,
        text=True,
    )
    log = done.stdout + done.stderr
    return Build(project / "_build" / "html", log, done.returncode)


def copy_fixture(target: Path) -> Path:
    """Copy the fixture project; its theme stays the one under test."""
    project = target / "project"
    shutil.copytree(HERE / "fixture", project, ignore=NOT_CONTENT)
    config = project / "myst.yml"
    text = config.read_text(encoding="utf-8")
    text = text.replace("../../../grokbook", f"{ROOT}/grokbook")
    config.write_text(text, encoding="utf-8")
    return project


def copy_book(target: Path) -> Path:
    """Copy the book, so that a build in the repository is not disturbed."""
    project = target / "book"
    shutil.copytree(ROOT, project, ignore=NOT_CONTENT)
    return project


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Let one test process at a time do what must not be done twice."""
    # The folder is everybody's; a lock is its user's own.
    lock = f"grokbook-{os.getuid()}-{name}.lock"
    with (Path(tempfile.gettempdir()) / lock).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def install(folder: Path) -> None:
    """Run ``npm ci`` where it has not been run to its end."""
    with alone("npm"):
        # npm writes this file last.
        if not (folder / "node_modules" / ".package-lock.json").is_file():
            command = ["npm", "ci", "--ignore-scripts", "--no-audit"]
            subprocess.run(command, cwd=folder, check=True)
