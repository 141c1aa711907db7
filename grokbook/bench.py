"""Ratios of times, the two sides measured in turn in one run.

Machines differ and are noisy, so no time is reported without the one it is
compared with, taken seconds before and after.
"""

import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from grokbook.apply import filter_exactly
from grokbook.datasets import load_graph
from grokbook.laplacian import laplacian
from grokbook.spectrum import spectrum
from grokbook.targets import low_pass


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
    question: str,
    slow: tuple[str, Callable[[], object]],
    fast: tuple[str, Callable[[], object]],
    rounds: int,
) -> Row:
    """Run the two sides in turn and keep the median of the ratios."""
    times = [(_seconds(slow[1]), _seconds(fast[1])) for _ in range(rounds)]
    return Row(
        question,
        slow[0],
        fast[0],
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(a / b for a, b in times),
    )


def measure(rounds: int = 3) -> list[Row]:
    """All comparisons, on Cora."""
    from scipy.linalg import eigh

    cora = load_graph("cora")
    L = laplacian(cora)
    dense = L.to_dense().numpy()
    S = spectrum(L)
    seed = torch.Generator().manual_seed(0)
    X = torch.randn(cora.num_nodes, 7, generator=seed, dtype=torch.float64)

    def form_the_matrix() -> torch.Tensor:
        return (S.U * low_pass(S.lam)) @ S.U.T @ X

    return [
        compare(
            "decompose Cora's Laplacian",
            ("LAPACK evr", lambda: eigh(dense, driver="evr")),
            ("LAPACK evd", lambda: eigh(dense, driver="evd")),
            rounds,
        ),
        compare(
            "filter 7 signals on Cora",
            ("form h(L)", form_the_matrix),
            ("two transforms", lambda: filter_exactly(low_pass, S, X)),
            rounds,
        ),
    ]


def table(rows: list[Row]) -> str:
    """The comparisons as text."""
    lines = [f"{'':28}{'slower':>24}{'faster':>26}{'ratio':>8}"]
    for row in rows:
        slow = f"{row.slow} {row.slow_seconds:.3f} s"
        fast = f"{row.fast} {row.fast_seconds:.3f} s"
        lines.append(f"{row.question:28}{slow:>24}{fast:>26}{row.ratio:7.1f}×")
    return "\n".join(lines)


def store(rows: list[Row], out: Path) -> None:
    """Write the comparisons as JSON; never half a file."""
    result = {
        "rows": [asdict(row) for row in rows],
        "threads": torch.get_num_threads(),
        "machine": platform.machine(),
        "torch": torch.__version__,
        "python": platform.python_version(),
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(f"{out.name}.{os.getpid()}.part")
    part.write_text(json.dumps(result, indent=2) + "\n")
    part.replace(out)


def _seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
