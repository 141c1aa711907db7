"""One comparison: two ways to do the same, timed in turn."""

import json
import platform
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from grokbook.bench.limits import Limits, seconds_of
from grokbook.files import put

Side = tuple[str, Callable[[], object]]


@dataclass(frozen=True)
class Row:
    """One comparison: seconds of each side, and the median ratio."""

    question: str
    slow: str
    fast: str
    slow_seconds: float
    fast_seconds: float
    ratio: float


def compare(
    question: str, slow: Side, fast: Side, rounds: int, each: int = 1
) -> Row:
    """Run the two sides in turn and keep the median of the ratios.

    Args:
        question: what both sides do.
        slow: a name and a function.
        fast: the same; its time is divided by `each`.
        rounds: how often.
        each: how many times the fast side does what the slow side does
            once, such as the splits it trains together.
    """
    times = [
        (seconds_of(slow[1]), seconds_of(fast[1]) / each)
        for _ in range(rounds)
    ]
    return Row(
        question,
        slow[0],
        fast[0],
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(a / b for a, b in times),
    )


def table(rows: list[Row], machine: Limits | None = None) -> str:
    """The comparisons as text."""
    width = max((len(row.question) for row in rows), default=0) + 2
    lines = [f"{'':{width}}{'slower':>26}{'faster':>34}{'ratio':>9}"]
    for row in rows:
        slow = f"{row.slow} {_milliseconds(row.slow_seconds)}"
        fast = f"{row.fast} {_milliseconds(row.fast_seconds)}"
        lines.append(
            f"{row.question:{width}}{slow:>26}{fast:>34}{row.ratio:8.1f}×"
        )
    return "\n".join([*lines, *([str(machine)] if machine else [])])


def store(
    rows: list[Row],
    out: Path,
    machine: Limits | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Write the comparisons as JSON; never half a file."""
    result = {
        "rows": [asdict(row) for row in rows],
        "notes": list(notes),
        "limits": asdict(machine) if machine else None,
        "threads": torch.get_num_threads(),
        "machine": platform.machine(),
        "torch": torch.__version__,
        "python": platform.python_version(),
    }
    put(out, json.dumps(result, indent=2) + "\n")


def _milliseconds(seconds: float) -> str:
    """Three digits, in milliseconds."""
    return f"{1000 * seconds:.{1 if seconds < 0.1 else 0}f} ms"
