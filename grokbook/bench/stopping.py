"""Ten splits trained to early stopping: one by one, or in one pass."""

import statistics
import time
from dataclasses import replace

from grokbook.bench.comparison import Row
from grokbook.bench.limits import one_thread
from grokbook.experiments.machine import keep_freed_memory
from grokbook.experiments.node import node
from grokbook.experiments.spec import RunSpec

CORA = RunSpec("node", "cora", protocol="published", size="full")


def stopping(spec: RunSpec = CORA) -> tuple[Row, str]:
    """Time both; also say what accuracy each came to.

    The seed of split s is the spec's plus s, together as alone, so both
    train the same ten models: bit for bit at first. Once a split has
    stopped, the others lie elsewhere in memory, which some products round
    by; over hundreds of epochs such a difference grows. On one thread, as
    in a sweep: with more, products of one split are cut otherwise than
    those of ten, and the difference is there from the first step.
    """
    keep_freed_memory()
    with one_thread():
        start = time.perf_counter()
        together = node(spec)
        middle = time.perf_counter()
        alone = [
            node(replace(spec, splits=1, seed=spec.seed + s))
            for s in range(spec.splits)
        ]
        end = time.perf_counter()
    row = Row(
        f"train {spec.splits} splits to their stop",
        "one by one",
        "in one pass",
        end - middle,
        middle - start,
        (end - middle) / (middle - start),
    )
    scores = [
        statistics.mean(together["scores"]),
        statistics.mean(score for one in alone for score in one["scores"]),
    ]
    return row, (
        f"Mean accuracy in one pass {100 * scores[0]:.2f}, one by one "
        f"{100 * scores[1]:.2f}; epochs {sum(together['epochs'])} and "
        f"{sum(sum(one['epochs']) for one in alone)}."
    )
