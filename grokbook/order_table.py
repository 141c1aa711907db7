"""Figures 4 and 7 with our runs in them: does a high order pay?"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grokbook.ledger_files import Key, Run
from grokbook.node_table import kept
from grokbook.stats import Interval, holm, paired_interval, paired_t
from grokbook.variants import ORDER_SETS, ORDERS, order_runs, overlap

CUT = 3  # what the paper calls a small K
#: Graphs that by the paper want a larger one; Cornell5 stands for Penn94.
WANT_HIGH = ("squirrel", "chameleon", "cornell5")


@dataclass(frozen=True)
class OrderGap:
    """The best of the high orders less the best of the low ones.

    Attributes:
        few, many: the two orders.
        n: how many splits both have.
        gap: the mean difference in points, with its interval.
        p: of no difference.
    """

    few: int
    many: int
    n: int
    gap: Interval
    p: float


def best_of(ran: Mapping[int, Run], group: Container[int]) -> int | None:
    """The order with the best mean validation score; None of no run."""
    val = {
        K: np.mean(kept(run, "val_scores"))
        for K, run in ran.items()
        if K in group
    }
    return max(val, key=val.get, default=None)


def high_minus_low(
    ran: Mapping[int, Run], cut: int, ratio: float
) -> OrderGap | None:
    """Compare the orders above a cut with those up to it, split by split.

    Each group is represented by the order that validation chooses.

    Args:
        ran: K → its run, all on the same splits.
        cut: the highest of the low orders.
        ratio: nodes that test for each that trains; see `overlap`.

    Returns:
        None if one of the groups was not run.
    """
    low, high = range(1, cut + 1), range(cut + 1, 7)
    few, many = best_of(ran, low), best_of(ran, high)
    if few is None or many is None:
        return None
    both = ran[many].scores, ran[few].scores
    gap = paired_interval(*both, test_over_train=ratio)
    p = paired_t(*both, test_over_train=ratio).p
    return OrderGap(few, many, len(both[0]), gap, p)


def judged_orders(
    runs: Mapping[Key, list[Run]], facts: Mapping[str, Any]
) -> list[Sequence[object]]:
    """For the ledger: a line a graph whose orders were run, as published.

    A verdict other than "open" is below 0.05 after Holm's correction.
    """
    found = {}
    for name in ORDER_SETS:
        ran = order_runs(runs, name, "published")
        if len(ran) == len(ORDERS):
            ratio = overlap(name, "published", facts)
            found[name] = high_minus_low(ran, CUT, ratio)
    fixed = holm([row.p for row in found.values()])
    return [
        _line(name, row, q)
        for (name, row), q in zip(found.items(), fixed, strict=True)
    ]


def _line(name: str, row: OrderGap, q: float) -> tuple[object, ...]:
    """The words of one graph."""
    mean, low, high = row.gap
    wants = name in WANT_HIGH
    agrees = (mean > 0) == wants
    sure = "as the paper says" if agrees else "against the paper"
    return (
        name,
        row.n,
        f"> {CUT}" if wants else f"≤ {CUT}",
        row.few,
        row.many,
        f"{mean:+z.1f} [{low:+.1f}, {high:+.1f}]",
        sure if q < 0.05 else "open",
    )
