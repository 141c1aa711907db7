"""Stored runs of GrokFormer with one thing changed: its parts, or its order.

What is compared was run alike but for that: the same splits, the same seeds,
the other hyperparameters those of the full model.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grokbook.ledger import FEWEST_SPLITS, Row, chosen, is_full
from grokbook.ledger_files import ABLATED, Cell, Key, Run, key_of
from grokbook.models.layer import PARTS
from grokbook.node_table import PROTOCOLS, SPLITS, Entry, Table, judged_rows
from grokbook.stats import Scores

#: The sets of Table 5. Cornell5 stands in for Penn94, which is not at hand.
ABLATION_SETS = ("cora", "texas", "cornell5", "proteins", "imdb-binary")
#: The sets of Figures 4 and 7, with the stand-in; WikiCS is not at hand.
ORDER_SETS = (
    "cora",
    "pubmed",
    "squirrel",
    "chameleon",
    "citeseer",
    "photo",
    "physics",
    "actor",
    "texas",
    "cornell5",
)
ORDERS = range(1, 7)
#: Signs of both, attention, filter and neither, in the order of PARTS.
CONTRASTS = {
    "attention, beside the filter": (1, 0, -1, 0),
    "attention, alone": (0, 1, 0, -1),
    "filter, beside attention": (1, -1, 0, 0),
    "filter, alone": (0, 0, 1, -1),
    "interaction": (1, -1, -1, 1),
}
#: Graphs that test to graphs that train, of ten folds.
FOLDS = {"published": 1 / 9, "fair": 1 / 8}


def ablation_table(
    runs: Mapping[Key, list[Run]] | None = None,
    cells: Sequence[Cell] | None = None,
) -> Table:
    """Table 5 and what it lacks: (data set, parts) → entry.

    Args:
        runs: what is stored; by default read from `data/results/runs`.
        cells: of the paper; by default all.
    """
    runs, rows = judged_rows(5, runs, cells)
    return {
        (name, parts): _entry(name, parts, runs, rows)
        for name in ABLATION_SETS
        for parts in PARTS
    }


def _entry(
    name: str,
    parts: str,
    runs: Mapping[Key, list[Run]],
    rows: Mapping[Key, Row],
) -> Entry:
    """Look up one line of one data set."""
    key = key_of(name, ABLATED.get(parts, "GrokFormer"))
    full = [run for run in runs.get(key, []) if is_full(run, SPLITS)]
    (published, doubt), (fair, unfair) = (
        chosen(full, protocol) for protocol in PROTOCOLS
    )
    row = rows.get(key)
    if row is not None:
        return Entry(row.cell, published, fair, f"{row.verdict}: {row.reason}")
    said = doubt or unfair or "the paper prints no number"
    why = said if published or fair else "not run: planned"
    return Entry(None, published, fair, why)


def order_runs(
    runs: Mapping[Key, list[Run]], name: str, protocol: str
) -> dict[int, Run]:
    """K → the run with that order and all else as published, if stored.

    On large graphs fewer splits were run than the paper has; of the stored
    runs those with the most splits count, so that all K have the same.
    """
    found = [
        run
        for run in runs.get(key_of(name, "GrokFormer"), [])
        if is_full(run, FEWEST_SPLITS)
        if run.spec["protocol"] == protocol
        if run.spec["reading"] == "released"
        if set(run.spec["hyperparameters"]) == {"K"}
    ]
    most = max((len(run.scores) for run in found), default=0)
    by_order = {
        run.spec["hyperparameters"]["K"]: run
        for run in found
        if len(run.scores) == most
    }
    return {K: by_order[K] for K in ORDERS if K in by_order}


def on_the_same_splits(
    ran: Mapping[str, Run | None],
) -> dict[str, tuple[float, ...]]:
    """Parts → scores, of those versions that have the most seeds.

    While seeds are still to run, a version with fewer of them is left out:
    its scores belong to other splits.

    Examples:
        >>> two, one = (Run((), {}, (1.0,), seeds=s) for s in ((0, 1), (0,)))
        >>> list(on_the_same_splits({"both": two, "filter": one}))
        ['both']
    """
    there = {parts: run for parts, run in ran.items() if run}
    most = max((run.seeds for run in there.values()), key=len, default=())
    return {
        parts: run.scores for parts, run in there.items() if run.seeds == most
    }


def contrast(
    scores: Mapping[str, Scores], name: str
) -> tuple[np.ndarray, np.ndarray] | None:
    """The two sides of a comparison, split by split; None if one was not run.

    Derived in chapter 12. Pass them to `paired_interval` or `paired_t`.

    Args:
        scores: parts → a score for each split, all on the same splits.
        name: one of `CONTRASTS`.

    Examples:
        >>> scores = {"both": [0.9, 0.8], "filter": [0.7, 0.7]}
        >>> plus, minus = contrast(scores, "attention, beside the filter")
        >>> (plus - minus).round(1).tolist()
        [0.2, 0.1]
    """
    signs = dict(zip(PARTS, CONTRASTS[name], strict=True))
    plus = [scores.get(parts) for parts in PARTS if signs[parts] > 0]
    minus = [scores.get(parts) for parts in PARTS if signs[parts] < 0]
    if any(side is None for side in plus + minus):
        return None
    return np.sum(plus, axis=0), np.sum(minus, axis=0)


def overlap(name: str, protocol: str, facts: Mapping[str, Any]) -> float:
    """How many units test for each that trains, for `paired_interval`.

    Args:
        name, protocol: of the runs.
        facts: what `grokbook.experiments.measure.stored` gives; sets of
            graphs are not in it, and have ten folds.
    """
    if name not in facts:
        return FOLDS[protocol]
    train, _, test = facts[name][protocol]["sizes"]
    return test / train
