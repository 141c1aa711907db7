"""A small search: of the options that were tried, those best on validation.

`data/sweeps/apart/search.toml` lists what is tried, for models whose authors
published no values that fit these splits. Its runs have a store of their own
and splits that no table counts. `python -m grokbook.experiments.search`
writes what they choose to `data/hyperparameters`, where `registry.published`
reads it.
"""

import csv
import io
from pathlib import Path
from statistics import fmean
from typing import Any

from grokbook.experiments.store import records
from grokbook.files import DATA, put
from grokbook.models.registry import PUBLISHED

SEARCHED = DATA / "results" / "search"
HEAD = (
    "# {model}, node classification: chosen on validation alone by the "
    "search of data/sweeps/apart/search.toml, since its authors published no "
    "values for these splits. Written by grokbook/experiments/search.py."
)

Chosen = dict[str, dict[str, dict[str, Any]]]


def chosen(folder: Path = SEARCHED) -> Chosen:
    """The options with the best mean validation score.

    Of equals, those whose run has the first key. Test scores are not read.

    Args:
        folder: the store of the search.

    Returns:
        By model and data set, the hyperparameters.
    """
    best: dict[tuple[str, str], tuple[float, dict[str, Any]]] = {}
    for _, record in sorted(records(folder).items()):
        if record is None or record["status"] != "done":
            continue
        spec = record["spec"]
        place = spec["model"], spec["dataset"]
        score = fmean(record["result"]["val_scores"])
        if place not in best or score > best[place][0]:
            best[place] = score, spec["hyperparameters"]
    found: Chosen = {}
    for (model, dataset), (_, options) in sorted(best.items()):
        found.setdefault(model, {})[dataset] = options
    return found


def table(model: str, rows: dict[str, dict[str, Any]]) -> str:
    """The file of `data/hyperparameters` that holds these rows.

    Examples:
        >>> print(table("gps", {"cora": {"lr": 0.01}}).splitlines()[1:])
        ['dataset,lr', 'cora,0.01']
    """
    names = list(next(iter(rows.values())))
    text = io.StringIO()
    text.write(HEAD.format(model=model) + "\n")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["dataset", *names])
    for dataset, options in rows.items():
        lines.writerow([dataset, *(options[name] for name in names)])
    return text.getvalue()


def main(folder: Path = SEARCHED, out: Path = PUBLISHED) -> None:
    """Write what was chosen; a model that was not searched keeps its file."""
    for model, rows in chosen(folder).items():
        put(out / f"{model}.csv", table(model, rows))


if __name__ == "__main__":
    main()
