"""What holds for every run of pytest here, chapters included.

No Python process that the tests start reaches the network, and no chapter
takes longer than a reader was promised.
"""

import os
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
CHAPTER_SECONDS = 90


class ChapterClock:
    """Adds up the time of each notebook's cells; too long is a failure."""

    def __init__(self) -> None:
        """Start with no time spent."""
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how long a cell took."""
        path = report.nodeid.split("::")[0]
        if path.endswith(".ipynb"):
            self.seconds[path] += report.duration

    def late(self) -> list[str]:
        """The notebooks that took too long."""
        return [p for p, s in self.seconds.items() if s > CHAPTER_SECONDS]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run if a chapter was late."""
        if self.late() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter) -> None:
        """Say how long each chapter took."""
        for path, seconds in sorted(self.seconds.items()):
            late = f" (over {CHAPTER_SECONDS} s)" * (path in self.late())
            terminalreporter.write_line(f"{path}: {seconds:.0f} s{late}")


def pytest_configure(config: pytest.Config) -> None:
    """Cut the network, here and in every Python that is started."""
    guard = str(ROOT / "tests" / "no_network")
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if guard not in paths:
        kept = [guard, *filter(None, paths)]
        os.environ["PYTHONPATH"] = os.pathsep.join(kept)
    if "PYTEST_XDIST_WORKER" in os.environ:
        # Workers share the cores: more threads than cores only wait.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.path.insert(0, guard)
    import sitecustomize

    sitecustomize.cut()
    config.pluginmanager.register(ChapterClock(), "chapter-clock")
