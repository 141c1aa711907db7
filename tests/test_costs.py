"""Costs: medians of rounds taken in turn, stored whole, judged by ratio."""

from pathlib import Path

import pytest
from stored_results import cell

from grokbook import costs
from grokbook.costs import Cost, memory_ratio, merged, pick, time_ratio
from grokbook.errors import DataFileError
from grokbook.ledger import judge
from grokbook.ledger_costs import ratios
from grokbook.ledger_files import read_cells

UNIT = Cost(
    "cora",
    "grokformer",
    "eigenvectors",
    1,
    9,
    "computed",
    (1.0, 20.0, 2.0),
    100.0,
)
SLOW = Cost(
    "cora",
    "specformer",
    "eigenvectors",
    1,
    9,
    "computed",
    (3.0, 40.0, 8.0),
    50.0,
)
TEN = Cost("cora", "grokformer", "eigenvectors", 10, 9, "", (5.0, 5.0), 10.0)
POLY = Cost(
    "cora", "polyformer", "mapped first", 10, 0, "", (90.0, 100.0), 40.0
)
ONCE = Cost(
    "cora", "polyformer", "tokens once", 10, 0, "", (900.0, 900.0), 9.0
)


def test_time_is_a_thousand_median_epochs_of_one_split() -> None:
    assert UNIT.time_s == 2000
    assert TEN.time_s == 500


def test_a_ratio_is_the_median_of_rounds_not_of_seconds() -> None:
    assert time_ratio(SLOW, UNIT) == 3  # of 3, 2 and 4; medians would say 4
    assert memory_ratio(SLOW, UNIT) == 0.5
    # ten splits in one pass against one: per split
    one = Cost("cora", "grokformer", "eigenvectors", 1, seconds=(2.0, 2.0))
    assert time_ratio(TEN, one) == 0.25


def test_what_is_stored_is_read_and_added_to(tmp_path: Path) -> None:
    assert costs.read_costs("cpu", tmp_path) == []
    costs.store([UNIT], "cpu", {"machine": "mine"}, tmp_path)
    only_memory = Cost("cora", "grokformer", "eigenvectors", 1, memory_mb=7.0)
    costs.store([only_memory, POLY], "cpu", {"machine": "mine"}, tmp_path)
    unit, poly = costs.read_costs("cpu", tmp_path)
    assert (unit.seconds, unit.memory_mb) == ((1.0, 20.0, 2.0), 7.0)
    assert poly == POLY
    assert [f.name for f in tmp_path.iterdir()] == ["cpu.json"]
    (tmp_path / "cpu.json").write_text("{")
    with pytest.raises(DataFileError, match="damaged"):
        costs.read_costs("cpu", tmp_path)


def test_a_new_measurement_replaces_an_old_one() -> None:
    again = Cost("cora", "grokformer", "eigenvectors", 1, seconds=(5.0,))
    (kept,) = merged([UNIT], [again])
    assert (kept.seconds, kept.memory_mb) == ((5.0,), 100.0)


def test_what_is_not_stored_is_named() -> None:
    with pytest.raises(DataFileError, match="grokbook cost"):
        pick([UNIT], "cora", "grokformer", "series", 1)


def test_the_table_has_a_line_for_each_road() -> None:
    head, first, second = costs.table([UNIT, SLOW, POLY], "cora", 1).split(
        "\n"
    )
    assert head.split() == ["cora,", "1", "split", "s", "ratio", "MB", "ratio"]
    assert first.split()[-4:] == ["2000", "1.00", "100", "1.00"]
    assert second.split()[-3:] == ["3.00", "50", "0.50"]


def test_of_two_roads_the_cheaper_counts_against_grokformer() -> None:
    stored = [UNIT, SLOW, TEN, POLY, ONCE]
    assert ratios(stored, "cora", "polyformer", "time_s") == {10: 19}
    assert ratios(stored, "cora", "polyformer", "memory_mb") == {10: 0.9}
    assert ratios(stored, "cora", "specformer", "time_s") == {1: 3}


@pytest.mark.parametrize(
    ("metric", "model", "verdict"),
    [
        ("time_s", "Specformer", "met"),
        ("memory_mb", "Specformer", "missed"),  # half of GrokFormer's
        ("memory_mb", "PolyFormer", "missed"),
        ("time_s", "PolyFormer", "met"),
        ("time_s", "GrokFormer", "not run"),  # the unit
    ],
)
def test_costs_are_judged_by_who_is_ahead(
    metric: str, model: str, verdict: str
) -> None:
    cells = [c for c in read_cells() if c.table == 6]
    rows = judge(cells, {}, costs=[UNIT, SLOW, TEN, POLY, ONCE])
    (row,) = [
        r
        for r in rows
        if (r.cell.dataset, r.cell.model, r.cell.metric)
        == ("Cora", model, metric)
    ]
    assert row.verdict == verdict
    if model != "GrokFormer":
        assert row.reason.startswith("as a multiple of GrokFormer's: paper ")


def test_a_graph_that_stands_in_meets_nothing() -> None:
    cells = [c for c in read_cells() if c.table == 6]
    there = [
        Cost("cornell5", *cost.name[1:], seconds=cost.seconds, memory_mb=1.0)
        for cost in (UNIT, SLOW)
    ]
    rows = judge(cells, {}, costs=there)
    (row,) = [
        r
        for r in rows
        if (r.cell.dataset, r.cell.model, r.cell.metric)
        == ("Penn94", "Specformer", "time_s")
    ]
    assert row.verdict == "not run"
    assert (
        "on cornell5, as a multiple of GrokFormer's: paper 1.15" in row.reason
    )
    assert judge([cell()], {}, costs=there)[0].verdict == "not run"
