"""The paper's numbers beside ours, each with a verdict by a written rule.

A cell of the paper is joined to the runs of the same data set, model and
metric; the runs that count are chosen by what was run, never by the score.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grokbook.costs import Cost
from grokbook.errors import DataFileError
from grokbook.files import DATA, read_csv
from grokbook.ledger_costs import judge_cost
from grokbook.ledger_files import Cell, Key, Run
from grokbook.stats import Interval, paired_interval

VERDICTS = ("met", "missed", "protocol at fault", "not run", "no number")
FOLDS = 10  # of the graph level
FEWEST_SPLITS = 3  # of nodes that count; how many there are is printed
# How near counts as equal, as a share of the paper's number.
NEAR = {"sse": 0.5, "memory_mb": 0.1, "time_s": 0.1, "mae": 0.05, "ap": 0.05}


@dataclass(frozen=True)
class Row:
    """A cell, our runs of it, and the verdict with its reason."""

    cell: Cell
    verdict: str
    reason: str
    published: Run | None = None
    fair: Run | None = None
    as_found: Run | None = None


def margin(cell: Cell) -> float:
    """The difference that is never held against a number.

    One point of accuracy; 50% of an SSE, 10% of a cost, 5% of an error or
    precision, 0.1% of a count or an R².
    """
    if cell.metric == "accuracy":
        return 1.0
    return NEAR.get(cell.metric, 0.001) * abs(cell.mean or 0.0)


def verdict(cell: Cell, published: Run, fair: Run | None) -> str:
    r"""Judge a cell by its run as published and, if there is one, as fair.

    *met*: the two means differ by at most

    .. math:: \min\left(5\,m, \max\left(m,\; 3\sqrt{s_\text{paper}^2 /
       n_\text{paper} + s_\text{ours}^2 / n_\text{ours}}\right)\right)

    with the `margin` m (m alone where the paper prints no deviation), to
    either side. *protocol at fault*: met, but the interval of the fair
    protocol lies further than m from the paper's number, and its mean from
    the one as published: the protocol moves it. *missed*: else.
    """
    m = margin(cell)
    allowed = m
    if cell.std is not None and cell.n:
        ours = published.std**2 / len(published.scores)
        error = (cell.std**2 / cell.n + ours) ** 0.5
        allowed = min(5 * m, max(m, 3 * error))
    if abs(published.mean - cell.mean) > allowed:
        return "missed"
    if fair is not None:
        mean, low, high = fair.interval
        apart = max(low - cell.mean, cell.mean - high)
        if min(apart, abs(mean - published.mean)) > m:
            return "protocol at fault"
    return "met"


def judge(
    cells: Sequence[Cell],
    runs: dict[Key, list[Run]],
    reasons: Path = DATA / "not_run.csv",
    costs: Sequence[Cost] = (),
) -> list[Row]:
    """Join cells to runs and costs; each has a verdict and a reason."""
    why = read_csv(reasons)
    rows = []
    for cell in cells:
        found = judge_cost(cell, cells, costs)
        rows.append(
            Row(cell, *found)
            if found
            else _row(cell, runs.get(cell.key, []), why)
        )
    return rows


def _row(cell: Cell, runs: list[Run], why: list[dict[str, str]]) -> Row:
    """Choose the runs that count for a cell, and judge them."""
    if cell.mean is None:
        return Row(cell, "no number", f"the paper prints “{cell.note}”")
    full = [run for run in runs if is_full(run, cell.n or 1)]
    fair, unfair = chosen(full, "fair")
    published, doubt = chosen(full, "published")
    as_found, _ = chosen(full, "as-found")
    if published is not None:
        found = verdict(cell, published, fair)
        told = [f"{published.mean - cell.mean:+.3g}", _changed(published)]
        less = [run for run in runs if run not in full]
        told.append(unfair or _fair_told(published, fair, less))
        if as_found is not None:  # told, and never judged
            told.append(f"as found {as_found.mean - cell.mean:+.3g}")
    else:
        found = "not run"
        told = [doubt, *(_told(run) for run in runs if run not in full)]
        told = told if any(told) else [_why(cell, why)]
    reason = "; ".join(filter(None, told))
    return Row(cell, found, reason, published, fair, as_found)


def _fair_told(published: Run, fair: Run | None, less: list[Run]) -> str:
    """Why a run of nodes has no fair one, or what only that had changed."""
    if published.spec.get("task") != "node":
        return ""
    if fair is None:
        fair_runs = [r for r in less if r.spec.get("protocol") == "fair"]
        return "; ".join(map(_told, fair_runs)) or "fair is still to run"
    if _changed(fair) != _changed(published):
        return f"fair with {_changed(fair) or 'nothing changed'}"
    return ""


def _changed(run: Run) -> str:
    """The options that a run of nodes has otherwise than its model."""
    given = dict(run.spec.get("hyperparameters") or {})
    given.pop("parts", None)  # Table 5 is about these
    if run.spec.get("task") != "node":
        return ""
    return ", ".join(f"{name} = {value}" for name, value in given.items())


def _told(run: Run) -> str:
    """A failed or reduced run, in the words of a reason."""
    if run.error is not None:
        return f"failed: {run.error}"
    protocol = run.spec.get("protocol")
    return f"reduced ({protocol}, {run.size}): {run.mean:.4g}"


def is_full(run: Run, splits: int) -> bool:
    """Whether a run is as large as the paper's, and no failure.

    Splits of nodes may be fewer: a table prints how many there are.
    """
    if run.spec.get("task") == "node":
        splits = min(splits, FEWEST_SPLITS)
    large = len(run.scores) >= splits
    return large and run.spec.get("size") == "full" and run.error is None


def chosen(
    runs: Sequence[Run],
    protocol: str,
    readings: Sequence[str | None] = (None, "released"),
) -> tuple[Run | None, str]:
    """The run that stands for a protocol; never chosen by its score.

    Of these readings, by default the released one or that of a model that
    has none, and of any where the task has none; with the fewest
    hyperparameters changed, and of these with the most splits; scores of
    different seeds joined, unless a split would count twice: split s of a
    run has the seed of the run + s. Splits of nodes count from seed 0 on,
    up to the first that is missing, so that split s is that of seed s.
    Folds have one seed together, that of their partition. If no run stands
    for it, a reason or "".
    """
    kept: dict[str, dict[int, Run]] = {}
    for run in runs:
        of_graphs = run.spec.get("task") == "graph"
        ours = of_graphs or run.spec.get("reading") in readings
        if ours and run.spec.get("protocol") == protocol:
            changed = run.spec.get("hyperparameters") or {}
            name = json.dumps(changed, sort_keys=True)
            of_seed = kept.setdefault(name, {})
            known = of_seed.setdefault(run.spec["seed"], run)
            if len(run.scores) > len(known.scores):
                of_seed[run.spec["seed"]] = run
    if not kept:
        return None, ""
    fewest = min(len(json.loads(name)) for name in kept)
    first, *rest = [n for n in sorted(kept) if len(json.loads(n)) == fewest]
    if rest:
        return None, f"{protocol} undecided between {first} and {rest[0]}"
    pool: list[Run] = []
    after = 0
    for seed, run in sorted(kept[first].items()):
        of_nodes = run.spec.get("task") == "node"
        if seed == after or (seed > after and not of_nodes):
            pool.append(run)
            folds = run.spec.get("task") == "graph"
            after = seed + (1 if folds else len(run.scores))
    if not pool:
        return None, f"{protocol} begins at seed {min(kept[first])}, not 0"
    files = tuple(file for run in pool for file in run.files)
    scores = tuple(score for run in pool for score in run.scores)
    last = tuple(score for run in pool for score in run.last)
    seeds = tuple(run.spec["seed"] for run in pool)
    return Run(files, pool[0].spec, scores, last=last, seeds=seeds), ""


def carried(runs: Sequence[Run]) -> tuple[Interval, int] | None:
    """What carrying the model through the folds adds, in points.

    The score as found less that of a model made anew for the fold, at its
    last epoch, which nothing has chosen: paired by fold, over the seeds that
    both protocols have. The interval allows for folds that share graphs.

    Returns:
        the interval and the number of folds; None if there is no such pair.
    """
    full = [run for run in runs if is_full(run, FOLDS)]
    pairs: list[tuple[float, float]] = []
    for seed in sorted({run.spec["seed"] for run in full}):
        mine = [run for run in full if run.spec["seed"] == seed]
        found, fresh = (chosen(mine, p)[0] for p in ("as-found", "published"))
        if found and fresh and fresh.last:
            pairs += zip(found.scores, fresh.last, strict=True)
    if not pairs:
        return None
    both = zip(*pairs, strict=True)
    ratio = 1 / (FOLDS - 1)  # a fold is scored, the others train
    return paired_interval(*both, test_over_train=ratio), len(pairs)


def _why(cell: Cell, why: list[dict[str, str]]) -> str:
    """The first reason in the list that fits a cell."""
    for row in why:
        asked = (row["table"], row["dataset"], row["model"])
        has = (str(cell.table), cell.dataset, cell.model)
        if all(a in ("*", h) for a, h in zip(asked, has, strict=True)):
            return row["reason"]
    raise DataFileError(
        f"data/not_run.csv gives no reason for {cell}. Add a row."
    )
