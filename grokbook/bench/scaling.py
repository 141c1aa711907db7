"""How an epoch grows with the graph: 10³ to 10⁷ edges, ten for each node."""

import json
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from grokbook.bench.large import Epoch, large_epoch
from grokbook.experiments.machine import (
    cores,
    free_memory,
    machine_class,
    versions,
)
from grokbook.files import DATA, put

STORED = DATA / "results" / "scaling.json"
FEATURES = 16  # few, so that the filter is what is measured
EDGES_PER_NODE = 10
SIZES = {
    "series": [10**3, 10**4, 10**5, 10**6, 10**7],
    # N = 100, 1,000, 2,000, 5,000: the last one takes half a minute
    "exact": [10**3, 10**4, 2 * 10**4, 5 * 10**4],
}
PER_EDGE = 400  # bytes at most without a decomposition; 290 were measured
AGREED = 1.2  # the largest exponent that counts as linear


def measure_scaling(largest: int = 10**7) -> Iterator[Epoch]:
    """An epoch of each size on each road, smallest first.

    Sizes above `largest`, and those that do not fit into what memory is
    free, are left out.
    """
    for road, sizes in SIZES.items():
        for edges in sizes:
            fits = PER_EDGE * edges < free_memory()
            if edges <= largest and fits:
                yield large_epoch(
                    edges // EDGES_PER_NODE,
                    edges,
                    road=road,
                    features=FEATURES,
                    epochs=8 if edges < 10**6 else 3,
                )


def exponent(x: Sequence[int | float], y: Sequence[int | float]) -> float:
    r"""The exponent b of the law y ∝ xᵇ that fits best.

    .. math:: b = \operatorname{cov}(\log x, \log y) /
       \operatorname{var}(\log x)

    Derived in chapter 14.

    Examples:
        >>> exponent([1, 10, 100], [3, 300, 30_000])
        2.0
    """
    log_x, log_y = ([math.log10(v) for v in values] for values in (x, y))
    return statistics.linear_regression(log_x, log_y).slope


def read_scaling(file: Path = STORED) -> list[Epoch]:
    """The epochs that are stored."""
    return [Epoch(**row) for row in json.loads(file.read_text())["epochs"]]


def judged(epochs: Iterable[Epoch]) -> Iterator[tuple[str, float, str]]:
    """What was claimed, the exponent from 10⁴ edges on, and the verdict."""
    some = [e for e in epochs if e.road == "series" and e.edges >= 10**4]
    edges = [e.edges for e in some]
    for what, values in {
        "seconds of an epoch": [e.seconds for e in some],
        "peak memory": [e.memory for e in some],
        "peak memory above Python's own": [e.memory - e.base for e in some],
    }.items():
        b = exponent(edges, values)
        yield what, b, "met" if b <= AGREED else "missed"


def store_scaling(epochs: Iterable[Epoch], out: Path) -> None:
    """Write the epochs with their machine as JSON; never half a file."""
    result = {
        "epochs": [asdict(epoch) for epoch in epochs],
        "features": FEATURES,
        "threads": cores(),
        "machine": machine_class("cpu"),
        "versions": versions(),
    }
    put(out, json.dumps(result, indent=2) + "\n")
