"""Runs that differ in one thing stand in one table."""

from pathlib import Path
from typing import Any

import pytest
from stored_results import scores, store

from grokbook.experiments.sweep import Sweep
from grokbook.ledger import judge
from grokbook.ledger_files import DATA, Run, read_cells, read_runs
from grokbook.models.layer import PARTS
from grokbook.node_table import missing, text
from grokbook.variants import (
    ABLATION_SETS,
    CONTRASTS,
    ORDER_SETS,
    ORDERS,
    ablation_table,
    contrast,
    on_the_same_splits,
    order_runs,
    overlap,
)

CELLS = read_cells()


def add(
    folder: Path, name: str, mean: float, splits: int = 10, **changes: Any
) -> None:
    """A stored run of ten splits with this mean, or of the first of them."""
    some = scores(mean, 0.01)[:splits]
    store(folder, name, result={"scores": some}, **changes)


def test_each_part_left_out_stands_beside_its_number_of_table_5(
    tmp_path: Path,
) -> None:
    add(tmp_path, "a", 0.77, hyperparameters={"parts": "attention"})
    add(tmp_path, "b", 0.88, hyperparameters={"parts": "filter"})
    add(tmp_path, "c", 0.70, hyperparameters={"parts": "neither"})
    add(tmp_path, "d", 0.89)
    table = ablation_table(read_runs(tmp_path), CELLS)
    found = {parts: table["cora", parts].published.mean for parts in PARTS}
    assert found == pytest.approx(
        {"both": 89, "attention": 77, "filter": 88, "neither": 70}
    )
    printed = {p: table["cora", p].cell.mean for p in PARTS[:3]}
    assert printed == {"both": 89.57, "attention": 77.42, "filter": 88.98}
    assert table["cora", "neither"].cell is None
    assert table["cora", "attention"].why.startswith("met")


def test_a_run_with_a_part_left_out_counts_for_no_cell_of_the_full_model(
    tmp_path: Path,
) -> None:
    add(tmp_path, "a", 0.88, hyperparameters={"parts": "filter"})
    rows = judge(CELLS, read_runs(tmp_path))
    ran = {(r.cell.table, r.cell.model) for r in rows if r.published}
    assert ran == {(5, "GFKAN")}


def test_partitions_of_graphs_are_joined(tmp_path: Path) -> None:
    for seed in range(3):
        add(
            tmp_path, str(seed), 0.7 + 0.01 * seed, task="graph", seed=seed,
            dataset="imdb-binary", reading="paper",
            hyperparameters={"epochs": 50, "parts": "attention"},
        )  # fmt: skip
    entry = ablation_table(read_runs(tmp_path), CELLS)[
        "imdb-binary", "attention"
    ]
    assert len(entry.published.scores) == 30
    assert entry.published.mean == pytest.approx(71)
    assert entry.cell.mean == 74.9


def test_what_was_not_run_has_a_reason(tmp_path: Path) -> None:
    table = ablation_table(read_runs(tmp_path), CELLS)
    assert set(table) == {(n, p) for n in ABLATION_SETS for p in PARTS}
    assert all(why.startswith("not run: ") for why in missing(table))
    assert "attention  | 77.4" in text(table, ["cora"], PARTS)


def test_only_runs_with_another_order_and_nothing_else_changed_count(
    tmp_path: Path,
) -> None:
    add(tmp_path, "a", 0.8, hyperparameters={"K": 3})
    add(tmp_path, "b", 0.7, hyperparameters={"K": 1})
    add(tmp_path, "c", 0.6, hyperparameters={"K": 2, "M": 4})
    add(tmp_path, "d", 0.5, hyperparameters={"K": 4}, size="laptop")
    add(tmp_path, "e", 0.5, hyperparameters={"K": 5}, protocol="fair")
    add(tmp_path, "f", 0.5, hyperparameters={"K": 6}, reading="paper")
    found = order_runs(read_runs(tmp_path), "cora", "published")
    assert list(found) == [1, 3]
    assert found[3].mean == pytest.approx(80)


def test_orders_are_compared_on_the_same_number_of_splits(
    tmp_path: Path,
) -> None:
    add(tmp_path, "a", 0.8, 3, hyperparameters={"K": 3})
    assert list(order_runs(read_runs(tmp_path), "cora", "published")) == [3]
    add(tmp_path, "b", 0.7, 10, hyperparameters={"K": 1})
    add(tmp_path, "c", 0.6, 2, hyperparameters={"K": 2})
    found = order_runs(read_runs(tmp_path), "cora", "published")
    assert list(found) == [1]


def test_the_sweeps_hold_every_run_of_the_tables() -> None:
    sweeps = [
        Sweep.from_file(DATA / "sweeps" / f"{name}.toml").specs
        for name in ("table5", "orders")
    ]
    parts = {(s.dataset, s.hyperparameters.get("parts")) for s in sweeps[0]}
    assert parts >= {(n, p) for n in ABLATION_SETS for p in PARTS[1:]}
    orders = {(s.dataset, s.hyperparameters["K"]) for s in sweeps[1]}
    assert orders == {(n, K) for n in ORDER_SETS for K in ORDERS}


FOUR = {
    "both": [9, 8],
    "attention": [5, 3],
    "filter": [8, 8],
    "neither": [4, 4],
}
WANTED = {
    "attention, beside the filter": [1, 0],
    "attention, alone": [1, -1],
    "filter, beside attention": [4, 5],
    "filter, alone": [4, 4],
    "interaction": [0, 1],
}


def test_contrasts_are_differences_split_by_split() -> None:
    assert set(WANTED) == set(CONTRASTS)
    for name, wanted in WANTED.items():
        plus, minus = contrast(FOUR, name)
        assert (plus - minus).tolist() == wanted


def test_a_contrast_needs_only_what_it_compares() -> None:
    without = {p: s for p, s in FOUR.items() if p != "neither"}
    found = {name: contrast(without, name) for name in CONTRASTS}
    assert [name for name in found if found[name] is None] == [
        "attention, alone", "filter, alone", "interaction",
    ]  # fmt: skip


def test_versions_are_compared_on_the_same_splits() -> None:
    ran = {
        "both": Run((), {}, (1.0, 2.0, 3.0), seeds=(0, 1, 2)),
        "attention": Run((), {}, (4.0, 5.0, 6.0), seeds=(0, 1, 2)),
        "filter": Run((), {}, (7.0, 8.0, 9.0), seeds=(0, 1, 3)),
        "neither": None,
    }
    scores = on_the_same_splits(ran)
    assert scores == {"both": (1, 2, 3), "attention": (4, 5, 6)}
    assert on_the_same_splits({"both": None}) == {}


def test_overlap_is_that_of_the_split_or_of_ten_folds() -> None:
    facts = {"texas": {"fair": {"sizes": [109, 37, 37]}}}
    assert overlap("texas", "fair", facts) == 37 / 109
    assert overlap("proteins", "fair", facts) == 1 / 8
    assert overlap("proteins", "published", facts) == 1 / 9
