"""The reduced runs of Tables 9 and 10, as the ledger tells them."""

from pathlib import Path

from grokbook.experiments.store import RUNS, Record, records

HEAD = (
    "data",
    "graphs to train, validate, test",
    "result",
    "a constant",
    "epochs",
    "seconds of an epoch",
    "peak memory",
)


def reduced_runs(folder: Path = RUNS) -> list[Record]:
    """Every finished run on a set that brings its own split, in order."""
    done = [
        record
        for record in records(folder).values()
        if record is not None
        and record["status"] == "done"
        and record["spec"]["task"] == "official"
    ]
    return sorted(done, key=_place)


def reduced_lines(folder: Path = RUNS) -> list[tuple[str, ...]]:
    """A line of the ledger for each: what it scored, and what it cost.

    The constant is the best that a model can say which knows no graph;
    seconds are of one core.
    """
    return [_line(record) for record in reduced_runs(folder)]


def _place(record: Record) -> tuple[str, int]:
    """Sort by data set, then by seed."""
    return record["spec"]["dataset"], record["spec"]["seed"]


def _line(record: Record) -> tuple[str, ...]:
    """One run."""
    (name, seed), got = _place(record), record["result"]
    epochs = len(got["curve"])
    spent = record.get("cpu_seconds") or record["seconds"]
    return (
        f"{name}, seed {seed}",
        ", ".join(map(str, got["graphs"])),
        f"{got['scores'][0]:.3f} ({got['metric']})",
        f"{got['constant']:.3f}",
        str(epochs),
        f"{spent / epochs:.1f}",
        f"{record['peak_memory'] / 1e9:.1f} GB",
    )
