"""The commands `grokbook run | sweep | status`."""

import json
import statistics
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from grokbook import experiments
from grokbook.errors import SpecError
from grokbook.experiments.spec import RunSpec
from grokbook.experiments.store import RUNS, Record, records
from grokbook.experiments.sweep import Sweep


def run(
    spec: Annotated[RunSpec, tyro.conf.arg(name="")],
    hyperparameters: tuple[str, ...] = (),
    folder: Path = RUNS,
    again: bool = False,
    retry: bool = False,
) -> None:
    """Compute one result, or show the stored one.

    Args:
        spec: what to run.
        hyperparameters: name=value pairs, as lr=0.01 K=2.
        folder: the store.
        again: compute even what is stored.
        retry: compute what is stored as failed.
    """
    values = dict(map(_assignment, hyperparameters))
    spec = replace(spec, hyperparameters=values)
    record = experiments.run(spec, folder, again=again, retry=retry)
    _end([record])


def sweep(
    file: Path,
    /,
    processes: int | None = None,
    engine: Literal["local", "ray"] = "local",
    address: str | None = None,
    folder: Path = RUNS,
    retry: bool = False,
) -> None:
    """Compute what is missing of a sweep, and show all of it.

    Args:
        file: a TOML or JSON file with a list of grids.
        processes: how many at once on this machine; one a core.
        engine: this machine, or a Ray cluster.
        address: of the cluster.
        folder: the store.
        retry: compute those stored as failed once more.
    """
    found = Sweep.from_file(file, folder).run(
        processes, engine=engine, address=address, retry=retry
    )
    _end(found)


def status(file: Path | None = None, /, folder: Path = RUNS) -> None:
    """Show what is done, failed and missing, of a sweep or of the store.

    Args:
        file: a sweep; without it, everything in the store.
        folder: the store.
    """
    found: dict[str, Record | None] = records(folder)
    absent = "damaged"
    if file is not None:
        specs = Sweep.from_file(file, folder).specs
        found = {spec.key: found.get(spec.key) for spec in specs}
        absent = "missing"
    kinds = {k: r["status"] if r else absent for k, r in found.items()}
    count = Counter(kinds.values())
    print(*(f"{count[kind]} {kind}" for kind in ("done", "failed", absent)))
    for key, kind in kinds.items():
        if kind != "done":
            print(kind, key, found[key]["error"] if found[key] else "")


def table(found: list[Record]) -> str:
    """The records as text, one a line."""
    names = ("dataset", "model", "reading", "protocol", "size")
    rows = [(*names, "result", "seconds")]
    for record in found:
        shown = [record["spec"][name] for name in names]
        rows.append((*shown, _result(record), f"{record['seconds']:.1f}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join(lines)


def _end(found: list[Record]) -> None:
    """Print the records; end with 1 if one has failed."""
    print(table(found))
    if any(record["status"] == "failed" for record in found):
        print("A failure is kept as it is; --retry computes it once more.")
        sys.exit(1)


def _result(record: Record) -> str:
    """Mean and deviation over the splits, or what went wrong."""
    if record["status"] == "failed":
        return record["error"]
    scores = [s for s in record["result"]["scores"] if s is not None]
    text = record["result"]["metric"]
    if scores:
        text += f" {statistics.fmean(scores):.4g}"
    if len(scores) > 1:
        text += f" ± {statistics.stdev(scores):.2g}"
    return f"{text} ({len(scores)} scores)"


def _assignment(text: str) -> tuple[str, Any]:
    """A hyperparameter as it is typed: name=value, the value as JSON."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise SpecError(f"{text!r} is no hyperparameter. Type it as lr=0.01.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value  # a word
