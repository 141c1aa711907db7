"""GrokFormer against another line of Table 2, split by split."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from grokbook.files import RUNS
from grokbook.node_table import MODELS, Table, kept
from grokbook.stats import Interval, paired_interval, paired_t
from grokbook.variants import overlap

#: Lines that see no edge, or are no rival of GrokFormer.
NO_RIVALS = ("GrokFormer", "as written", "MLP", "Transformer")


class Against(NamedTuple):
    """GrokFormer minus another line.

    Attributes:
        line: the other.
        gap: the mean difference with its 95% interval.
        p: of the paired test.
        n: how many splits both have.
    """

    line: str
    gap: Interval
    p: float
    n: int


def rival(
    table: Table, name: str, protocol: str, folder: Path = RUNS
) -> str | None:
    """The baseline with the best validation accuracy, which sees edges.

    The mean is over the splits that all of them have. No test label
    chooses. Derived in chapter 10.

    Args:
        table: what `node_table` gives.
        name, protocol: the data set and the column.
        folder: where the runs are stored.
    """
    lines = [line for line in MODELS if line not in NO_RIVALS]
    runs = {line: table[name, line].run(protocol) for line in lines}
    runs = {line: run for line, run in runs.items() if run}
    few = min((len(run.scores) for run in runs.values()), default=0)
    val = {
        line: np.mean(kept(run, "val_scores", folder)[:few])
        for line, run in runs.items()
    }
    return max(val, key=val.get, default=None)


def against(
    table: Table,
    facts: Mapping[str, Any],
    name: str,
    protocol: str,
    line: str | None,
    other_nodes: bool = True,
) -> Against | None:
    """Subtract a line from GrokFormer, on the splits that both have.

    Derived in chapter 10.

    Args:
        table: what `node_table` gives.
        facts: what `grokbook.experiments.measure.stored` gives.
        name, protocol: the data set and the column.
        line: the other line; None, and lines without runs, give None.
        other_nodes: ask about other nodes from the same source, not only
            about other splits of this graph.
    """
    own = table[name, "GrokFormer"].run(protocol)
    run = table[name, line].run(protocol) if line else None
    if run is None or own is None:
        return None
    n = min(len(own.scores), len(run.scores))
    both = own.scores[:n], run.scores[:n]  # split s has seed s
    ratio = overlap(name, protocol, facts) if other_nodes else 0.0
    gap = paired_interval(*both, test_over_train=ratio)
    same = np.array_equal(*both)  # no difference, and nothing to test
    p = 1.0 if same else paired_t(*both, test_over_train=ratio).p
    return Against(line, gap, p, n)
