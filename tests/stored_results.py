"""Cells, runs and stored results to judge, made up for the tests."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from grokbook.ledger_files import Cell, Run


def cell(
    mean: float | None = 90.0, std: float | None = 1.0, **other: Any
) -> Cell:
    """A cell of the paper: 90.00 ± 1.00 of ten splits, unless told."""
    told = {"metric": "accuracy", "n": 10, "note": "", "printed": str(mean)}
    told |= {"table": 2, "dataset": "Cora", "model": "GrokFormer"}
    told |= {"mean": mean and float(mean), "std": std and float(std)}
    return Cell(**(told | other))


def scores(mean: float, std: float, n: int = 10) -> tuple[float, ...]:
    """Scores with exactly this mean and deviation."""
    x = np.linspace(-1, 1, n)
    return tuple(mean + x / x.std(ddof=1) * std)


def ran(mean: float, std: float = 1.0, n: int = 10) -> Run:
    return Run(("a.json",), {}, scores(mean, std, n))


def store(folder: Path, name: str = "a", **changes: Any) -> None:
    """A stored result: 90% ± 1% of ten splits of Cora, unless told."""
    spec = {"task": "node", "dataset": "cora", "model": "grokformer"}
    spec |= {"reading": "released", "protocol": "published", "splits": 10}
    spec |= {"seed": 0, "size": "full", "hyperparameters": {}}
    result = {"metric": "accuracy", "scores": scores(0.9, 0.01)}
    result |= changes.pop("result", {})
    whole = {"status": "done", "error": None, "versions": {}, "new key": 1}
    whole |= {k: changes.pop(k) for k in set(changes) & set(whole)}
    whole |= {"spec": spec | changes, "result": result}
    (folder / f"{name}.json").write_text(json.dumps(whole))
