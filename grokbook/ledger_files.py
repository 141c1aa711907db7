"""The paper's tables and our stored results, read from their files.

data/paper/*.csv → cells; data/results/runs/*.json → runs. Both have the key
(data set, model, metric), spelled alike.
"""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from grokbook.errors import DataFileError
from grokbook.files import DATA, RUNS, read_csv
from grokbook.stats import Interval, bootstrap, paired_interval

TABLES = (2, 3, 4, 5, 6, 9, 10)
METRICS = ("accuracy", "sse", "r2", "memory_mb", "time_s", "mae", "ap")
# Names that the paper and the experiments write differently.
ALIASES = {
    "imdbb": "imdbbinary",
    "imdbm": "imdbmulti",
    "fullmodel": "grokformer",
    "wlkernel": "wl",
    "peptidesfunc*": "peptidesfuncnoedges",
}
# GrokFormer with parts left out has other names in Table 5.
ABLATED = {"attention": "SE", "filter": "GFKAN", "neither": "neither"}
Key = tuple[str, str, str]
FEWEST_TO_BOOTSTRAP = 5  # scores


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
        return key_of(self.dataset, self.model, self.metric)


@dataclass(frozen=True)
class Run:
    """Scores of ours, in the paper's units, and the spec that gave them.

    `last` has the scores of the last epoch, where a run has stored them:
    those that no held-out score has chosen; `seeds` those of the runs that
    were joined.
    """

    files: tuple[str, ...]
    spec: dict[str, Any]
    scores: tuple[float, ...]
    error: str | None = None
    last: tuple[float, ...] = ()
    seeds: tuple[int, ...] = ()

    @property
    def size(self) -> str:
        """How large it was, as in "laptop, n = 3"."""
        return f"{self.spec.get('size')}, n = {len(self.scores)}"

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
        """The mean with its bootstrap interval, or Student's if n is small.

        Drawn again from three scores, means hardly differ: a bootstrap
        would promise too much.
        """
        n = len(self.scores)
        if n < 2:
            return Interval(self.mean, self.mean, self.mean)
        if n < FEWEST_TO_BOOTSTRAP:
            return paired_interval(self.scores, np.zeros(n))
        return bootstrap(self.scores)


def read_cells(folder: Path = DATA / "paper") -> list[Cell]:
    """All cells of the paper's tables, in its order."""
    cells = []
    for table in TABLES:
        for row in read_csv(folder / f"table{table}.csv"):
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


def _runs_of(file: Path) -> list[tuple[Key, Run]]:
    """The runs in one file, one for each metric."""
    stored = json.loads(file.read_text())
    spec, result = stored["spec"], stored["result"] or {}
    parts = (spec.get("hyperparameters") or {}).get("parts")
    model = ABLATED.get(parts) or spec.get("model") or ""
    start = _plain(spec["dataset"]), _plain(model)
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
        last = result.get("scores_at_last_epoch", ())
        last = tuple(unit * float(score) for score in last)
        run = Run((file.name,), spec, scores, last=last)
        found.append(((*start, metric), run))
    return found


def key_of(dataset: str, model: str, metric: str = "accuracy") -> Key:
    """What cells and runs are joined by, however names are spelled."""
    return _plain(dataset), _plain(model), metric


def _plain(name: str) -> str:
    """A name without what spelling changes: "PTC-MR" is "ptc_mr"."""
    plain = re.sub(r"[^a-z0-9*]", "", name.lower())
    return ALIASES.get(plain, plain)
