"""The small search: validation chooses, and no table counts its splits."""

from pathlib import Path

import pytest

from grokbook.experiments.search import chosen, main
from grokbook.experiments.spec import RunSpec
from grokbook.experiments.store import records, save
from grokbook.experiments.sweep import Sweep
from grokbook.files import DATA, RUNS
from grokbook.models import registry

SWEEPS = DATA / "sweeps"
#: Options that came later, and what runs before them did.
LATER = {
    "grokformer": {"parts": "both"},
    "specformer": {"encoder_dropout": 0.0, "grid": 0},
}


def put(folder: Path, lr: float, val: list[float], test: list[float]) -> None:
    spec = RunSpec("node", "cora", "sgformer", hyperparameters={"lr": lr})
    record = {"spec": spec.to_dict(), "status": "done"}
    record["result"] = {"val_scores": val, "scores": test}
    save(record, folder)


def test_the_mean_on_validation_decides_and_not_the_test(
    tmp_path: Path,
) -> None:
    put(tmp_path, 0.1, [0.9, 0.1], [1.0, 1.0])
    put(tmp_path, 0.2, [0.6, 0.6], [0.0, 0.0])
    assert chosen(tmp_path) == {"sgformer": {"cora": {"lr": 0.2}}}


def test_models_are_built_with_what_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, 0.05, [0.5], [0.5])
    main(tmp_path, tmp_path / "chosen")
    monkeypatch.setattr(registry, "PUBLISHED", tmp_path / "chosen")
    assert registry.published("sgformer", "cora") == {"lr": 0.05}
    assert registry.complete("sgformer", "cora", {})["lr"] == 0.05
    assert registry.published("sgformer", "texas") == {}


def test_no_table_counts_a_split_of_the_search() -> None:
    counted = {
        (spec.dataset, spec.seed + s)
        for file in SWEEPS.glob("*.toml")
        for spec in Sweep.from_file(file).specs
        if spec.task == "node"
        for s in range(spec.splits)
    }
    tried = Sweep.from_file(SWEEPS / "apart" / "search.toml").specs
    assert {spec.model for spec in tried} == {
        "sgformer",
        "transformer",
        "graphgps",
        "gcn",
        "chebynet",
        "gat",
    }
    for spec in tried:
        for s in range(spec.splits):
            assert (spec.dataset, spec.seed + s) not in counted


def test_stored_runs_have_the_values_that_the_files_give_now() -> None:
    """Values that were searched for anew would leave old runs behind."""
    stale, checked = [], 0
    for key, record in records(RUNS).items():
        spec, result = record["spec"], record["result"]
        if spec["task"] != "node" or spec["model"] not in registry.MODELS:
            continue
        given = dict(spec["hyperparameters"])
        given.pop("road", None)
        now = registry.complete(spec["model"], spec["dataset"], given)
        used = dict(result["used"])
        if spec["model"] in LATER:  # the run may be older than the option
            used = LATER[spec["model"]] | used
        if used != now:
            stale.append(key)
        checked += 1
    assert not stale
    assert checked > 200
