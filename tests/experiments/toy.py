"""A task small enough to see through: it adds, and does as it is told.

Each execution is written down, so that a test can count them: "start" and
"end" lines in the file that the spec or $GROKBOOK_TOY_LOG names.
"""

import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from grokbook import RunSpec, Sweep
from grokbook.errors import DataFileError
from grokbook.experiments.store import read


def toy(spec: RunSpec) -> dict:
    """A score a split, after sleeping, waiting, failing or dying.

    The runs from x = `gated` on wait until the file `gate` is there, so a
    test can be sure that a sweep is in the middle.
    """
    told = spec.hyperparameters
    note("start", spec)
    time.sleep(told.get("sleep", 0))
    if told.get("x", 0) >= told.get("gated", 0):
        until(lambda: os.path.exists(told.get("gate", "/")))
    held = bytearray(told.get("allocate", 0))
    if told.get("say"):
        print(told["say"])
    if told.get("fail") == "at a file":
        Path("missing").resolve().read_text()
    if told.get("fail") == "for want of data":
        raise DataFileError("the data are not at hand")
    if told.get("fail"):
        raise RuntimeError(told["fail"])
    if told.get("die"):
        os.kill(os.getpid(), signal.SIGKILL)
    scores = [
        told.get("x", 0) / 10 + spec.seed + i for i in range(spec.splits)
    ]
    note("end", spec)
    threads = os.environ.get("OMP_NUM_THREADS")
    return {
        "metric": "sum",
        "scores": scores,
        "bytes": len(held),
        "threads": threads,
        "torch": "torch" in sys.modules,
    }


def wrong(spec: RunSpec) -> dict:
    """What a task may return by mistake."""
    return {
        "nan": {"metric": "loss", "scores": [1.0, float("nan")]},
        "bare": {"accuracy": 0.5},
        "object": {"metric": "loss", "scores": [object()]},
    }[spec.dataset]


def note(what: str, spec: RunSpec) -> None:
    """Append a line in one write, whole among those of other processes."""
    log = os.environ.get("GROKBOOK_TOY_LOG")
    if log := spec.hyperparameters.get("log", log):
        handle = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, f"{what} {spec.key} {os.getpid()}\n".encode())
        os.close(handle)


class Log:
    """The executions that the toy task wrote down."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def lines(self) -> list[list[str]]:
        """What happened, to which spec, in which process."""
        if not self.path.exists():
            return []
        return [line.split() for line in self.path.read_text().splitlines()]

    def count(self, what: str) -> Counter:
        """How often each spec was started, or ended."""
        return Counter(key for kind, key, _ in self.lines() if kind == what)

    def open(self) -> set[str]:
        """The specs that were started and have not ended."""
        return set(self.count("start") - self.count("end"))

    def pids(self) -> set[int]:
        """The processes that executed something."""
        return {int(pid) for _, _, pid in self.lines()}


def toys(**hyperparameters: object) -> dict:
    """A grid of the toy task."""
    return {
        "task": "toy:toy",
        "dataset": "none",
        "splits": 2,
        "hyperparameters": hyperparameters,
    }


def until(true: object, seconds: float = 30) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def assert_whole(sweep: Sweep) -> None:
    """All results are there, each verified, and nothing else."""
    files = sorted(p.name for p in sweep.folder.iterdir() if p.is_file())
    assert files == sorted(f"{spec.key}.json" for spec in sweep.specs)
    for spec in sweep.specs:
        record = read(sweep.folder / f"{spec.key}.json")
        first = spec.hyperparameters["x"] / 10
        assert record["result"]["scores"] == [first, first + 1]


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0]
    return state == "Z"
