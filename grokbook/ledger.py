"""The paper's numbers beside ours, each with a verdict by a written rule.

data/paper/*.csv (cells) + data/results/runs/*.json (runs) → rows. A cell is
joined to the runs of the same data set, model and metric.
"""

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from grokbook.errors import DataFileError
from grokbook.stats import Interval, bootstrap

DATA = Path(__file__).parents[1] / "data"
RUNS = DATA / "results" / "runs"
TABLES = (2, 3, 4, 5, 6, 9, 10)
VERDICTS = ("met", "missed", "protocol at fault", "not run", "no number")
# Names that the paper and the experiments write differently.
ALIASES = {
    "imdbb": "imdbbinary",
    "imdbm": "imdbmulti",
    "fullmodel": "grokformer",
    "wlkernel": "wl",
    "peptidesfunc*": "peptidesfuncnoedges",
}
# Metrics besides accuracy: how near counts as equal, as a share of the
# paper's number.
NEAR = {"sse": 0.5, "memory_mb": 0.1, "time_s": 0.1, "mae": 0.05, "ap": 0.05}
METRICS = ("accuracy", "r2", *NEAR)
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Cell:
    """A number that the paper prints; `note` has its words, as in "OOM"."""

    table: int
    dataset: str
    model: str
    metric: str
    mean: float | None
    std: float | None
    n: int | None
    note: str
    printed: str

    @property
    def key(self) -> Key:
        """What it is joined by."""
        return _plain(self.dataset), _plain(self.model), self.metric


@dataclass(frozen=True)
class Run:
    """Scores of ours, in the paper's units, and the spec that gave them."""

    files: tuple[str, ...]
    spec: dict[str, Any]
    scores: tuple[float, ...]
    error: str | None = None

    @property
    def mean(self) -> float:
        """The mean over splits."""
        return float(np.mean(self.scores))

    @property
    def std(self) -> float:
        """The deviation over splits (n − 1), 0 for a single one."""
        one = len(self.scores) < 2
        return 0.0 if one else float(np.std(self.scores, ddof=1))

    @cached_property
    def interval(self) -> Interval:
        """The mean with its bootstrap interval."""
        if len(self.scores) < 2:
            return Interval(self.mean, self.mean, self.mean)
        return bootstrap(self.scores)


@dataclass(frozen=True)
class Row:
    """A cell, our runs of it, and the verdict with its reason."""

    cell: Cell
    verdict: str
    reason: str
    published: Run | None = None
    fair: Run | None = None


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
    protocol lies further than m from the paper's number. *missed*: else.
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
        _, low, high = fair.interval
        if max(low - cell.mean, cell.mean - high) > m:
            return "protocol at fault"
    return "met"


def read_cells(folder: Path = DATA / "paper") -> list[Cell]:
    """All cells of the paper's tables, in its order."""
    cells = []
    for table in TABLES:
        for row in _read_csv(folder / f"table{table}.csv"):
            mean, std, n = row["mean"], row["std"], row["n"]
            cells.append(
                Cell(
                    table,
                    row["dataset"],
                    row["model"],
                    row["metric"],
                    float(mean) if mean else None,
                    float(std) if std else None,
                    int(n) if n else None,
                    row["note"],
                    f"{mean} ± {std}" if std else mean or row["note"],
                )
            )
    return cells


def read_runs(folder: Path = RUNS) -> dict[Key, list[Run]]:
    """All stored results by data set, model and metric, in order of file.

    A result may hold scores of several metrics: those under "scores", and
    every other list named after a metric. A folder that is not there yet
    holds no results.

    Raises:
        DataFileError: a file cannot be read or says nothing. None is
            skipped.
    """
    runs: dict[Key, list[Run]] = {}
    for file in sorted(folder.glob("*.json")):
        try:
            for key, run in _runs_of(file):
                runs.setdefault(key, []).append(run)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise DataFileError(
                f"{file.name} is not a stored result ({error!r}). Remove it "
                "and run its spec again."
            ) from error
    return runs


def judge(
    cells: Sequence[Cell],
    runs: dict[Key, list[Run]],
    reasons: Path = DATA / "not_run.csv",
) -> list[Row]:
    """Join cells to runs; each cell gets a verdict and a reason."""
    why = _read_csv(reasons)
    return [_row(cell, runs.get(cell.key, []), why) for cell in cells]


def size(run: Run) -> str:
    """How large a run was, as in "laptop, n = 3"."""
    return f"{run.spec.get('size')}, n = {len(run.scores)}"


def _row(cell: Cell, runs: list[Run], why: list[dict[str, str]]) -> Row:
    """Choose the runs that count for a cell, and judge them."""
    if cell.mean is None:
        return Row(cell, "no number", f"the paper prints “{cell.note}”")
    full = [run for run in runs if _is_full(run, cell)]
    fair, _ = _chosen(full, "fair")
    published, doubt = _chosen(full, "published")
    if published is not None:
        found = verdict(cell, published, fair)
        off = published.mean - cell.mean
        return Row(cell, found, f"{off:+.2g}", published, fair)
    told = [doubt] if doubt else []
    told += [f"failed: {run.error}" for run in runs if run.error is not None]
    told += [
        f"reduced ({run.spec.get('protocol')}, {size(run)}): {run.mean:.4g}"
        for run in runs
        if run.error is None and not _is_full(run, cell)
    ]
    return Row(cell, "not run", "; ".join(told) or _why(cell, why), None, fair)


def _is_full(run: Run, cell: Cell) -> bool:
    """Whether a run is as large as the paper's, and no failure."""
    large = len(run.scores) >= (cell.n or 1)
    return large and run.spec.get("size") == "full" and run.error is None


def _chosen(runs: list[Run], protocol: str) -> tuple[Run | None, str]:
    """The run that stands for a protocol; never chosen by its score.

    Of the released reading, or of a model that has none; with the fewest
    hyperparameters changed; scores of different seeds joined.
    """
    kept: dict[str, dict[Any, Run]] = {}
    for run in runs:
        ours = run.spec.get("reading") in (None, "released")
        if ours and run.spec.get("protocol") == protocol:
            changed = run.spec.get("hyperparameters") or {}
            name = json.dumps(changed, sort_keys=True)
            kept.setdefault(name, {}).setdefault(run.spec.get("seed"), run)
    if not kept:
        return None, ""
    fewest = min(len(json.loads(name)) for name in kept)
    first, *rest = [n for n in sorted(kept) if len(json.loads(n)) == fewest]
    if rest:
        return None, f"undecided between the settings {first} and {rest[0]}"
    pool = list(kept[first].values())
    files = tuple(file for run in pool for file in run.files)
    scores = tuple(score for run in pool for score in run.scores)
    return Run(files, pool[0].spec, scores), ""


def _runs_of(file: Path) -> list[tuple[Key, Run]]:
    """The runs in one file, one for each metric."""
    stored = json.loads(file.read_text())
    spec, result = stored["spec"], stored["result"] or {}
    start = _plain(spec["dataset"]), _plain(spec.get("model") or "")
    if stored["status"] != "done":
        error = str(stored.get("error") or stored["status"])
        metric = result.get("metric") or "accuracy"
        return [((*start, metric), Run((file.name,), spec, (), error))]
    lists = {result["metric"]: result["scores"]}
    lists |= {k: v for k, v in result.items() if k in METRICS}
    found = []
    for metric, scores in lists.items():
        unit = 100 if metric == "accuracy" else 1
        scores = tuple(unit * float(score) for score in scores)
        if not scores or not np.isfinite(scores).all():
            raise ValueError(f"{metric}: {scores}")
        found.append(((*start, metric), Run((file.name,), spec, scores)))
    return found


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


def _plain(name: str) -> str:
    """A name without what spelling changes: "PTC-MR" is "ptc_mr"."""
    plain = re.sub(r"[^a-z0-9*]", "", name.lower())
    return ALIASES.get(plain, plain)


def _read_csv(path: Path) -> list[dict[str, str]]:
    """Read a table of this repository; lines with # are its heading."""
    if not path.is_file():
        raise DataFileError(
            f"{path.name} is missing. It is part of the repository: run "
            "`git checkout data`."
        )
    lines = path.read_text().splitlines()
    return list(csv.DictReader(x for x in lines if not x.startswith("#")))
