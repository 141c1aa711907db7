"""The commands `grokbook run | sweep | status`."""

import json
import statistics
import sys
from pathlib import Path
from typing import Any, Literal

from grokbook.errors import SpecError
from grokbook.experiments import run as run_spec
from grokbook.experiments.spec import RunSpec
from grokbook.experiments.store import RUNS, Record, load, records
from grokbook.experiments.sweep import Sweep


def run(
    task: str,
    dataset: str,
    model: str = "grokformer",
    reading: str = "released",
    protocol: str = "fair",
    splits: int = 10,
    seed: int = 0,
    size: Literal["smoke", "laptop", "full"] = "laptop",
    hyperparameters: tuple[str, ...] = (),
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto",
    folder: Path = RUNS,
    again: bool = False,
    retry: bool = False,
) -> None:
    """Compute one result, or show the stored one.

    Args:
        task: what to do, or "module:function".
        dataset: its data.
        model: its model.
        reading: the reading of the model.
        protocol: how it is split and selected.
        splits: how many splits.
        seed: of splits and weights.
        size: how much of it.
        hyperparameters: as lr=0.01 K=2.
        device: where to compute.
        folder: the store.
        again: compute even what is stored.
        retry: compute what is stored as failed.
    """
    spec = RunSpec(
        task=task,
        dataset=dataset,
        model=model,
        reading=reading,
        protocol=protocol,
        splits=splits,
        seed=seed,
        size=size,
        hyperparameters=dict(map(_assignment, hyperparameters)),
        device=device,
    )
    record = run_spec(spec, folder, again=again, retry=retry)
    print(table([record]))
    sys.exit(record["status"] == "failed")


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
    print(table(found))
    sys.exit(any(record["status"] == "failed" for record in found))


def status(file: Path | None = None, /, folder: Path = RUNS) -> None:
    """Show what is done, failed and missing, of a sweep or of the store.

    Args:
        file: a sweep; without it, everything in the store.
        folder: the store.
    """
    if file is not None:
        sweep = Sweep.from_file(file, folder)
        found = {
            name: [(spec.key, load(spec, folder)) for spec in specs]
            for name, specs in sweep.status().items()
        }
    else:
        found = {"done": [], "failed": [], "damaged": []}
        for path, record in records(folder):
            kind = record["status"] if record else "damaged"
            found[kind].append((path.stem, record))
    print(", ".join(f"{len(some)} {kind}" for kind, some in found.items()))
    for kind in list(found)[1:]:
        for key, record in found[kind]:
            print(kind, key, record["error"] if record else "")


def table(found: list[Record]) -> str:
    """The records as text, one a line."""
    names = ("dataset", "model", "reading", "protocol", "size")
    rows = [(*names, "result", "seconds")]
    for record in found:
        spec = record["spec"]
        shown = _result(record), f"{record['seconds']:.1f}"
        rows.append((*(spec[name] for name in names), *shown))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows
    )


def _result(record: Record) -> str:
    """Mean and deviation over the splits, or what went wrong."""
    if record["status"] == "failed":
        return record["error"]
    result = record["result"]
    scores = [score for score in result["scores"] if score is not None]
    if not scores:
        return f"{result['metric']} without scores"
    text = f"{result['metric']} {statistics.fmean(scores):.4g}"
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
