"""The table holds what is stored, and says why the rest is not there."""

from pathlib import Path
from typing import Any

import pytest
from stored_results import scores, store

from grokbook.errors import UnknownNameError
from grokbook.experiments.measure import stored
from grokbook.experiments.run import record_of
from grokbook.experiments.spec import RunSpec
from grokbook.experiments.store import path_of, save
from grokbook.ledger_files import read_cells, read_runs
from grokbook.node_table import (
    BESIDE,
    LINES,
    PROTOCOLS,
    Table,
    kept,
    missing,
    node_table,
    text,
)

CELLS = read_cells()
FACTS = stored()


def table(folder: Path) -> Table:
    return node_table(FACTS, read_runs(folder), CELLS)


def add(folder: Path, name: str, mean: float, **changes: Any) -> None:
    """A stored run with this mean."""
    store(folder, name, result={"scores": scores(mean, 0.01)}, **changes)


def test_every_line_of_every_data_set_is_there(tmp_path: Path) -> None:
    found = table(tmp_path)
    names = {name for name, _ in found}
    assert len(names) == 11 + len(BESIDE)
    assert set(found) == {(name, line) for name in names for line in LINES}


def test_the_papers_number_stands_beside_ours(tmp_path: Path) -> None:
    add(tmp_path, "a", 0.9)
    add(tmp_path, "b", 0.8, protocol="fair")
    entry = table(tmp_path)["cora", "GrokFormer"]
    assert entry.cell.mean == 89.57
    assert entry.run("published").mean == pytest.approx(90)
    assert entry.run("fair").mean == pytest.approx(80)
    assert entry.why.startswith("protocol at fault")


def test_the_readings_have_lines_of_their_own(tmp_path: Path) -> None:
    add(tmp_path, "a", 0.9)
    add(tmp_path, "b", 0.7, reading="paper")
    found = table(tmp_path)
    assert found["cora", "GrokFormer"].published.mean == pytest.approx(90)
    assert found["cora", "as written"].published.mean == pytest.approx(70)
    assert found["cora", "as written"].cell is None


@pytest.mark.parametrize("reading", ["paper", "released"])
def test_a_model_of_one_reading_counts_under_either(
    tmp_path: Path, reading: str
) -> None:
    add(tmp_path, "a", 0.7, model="mlp", reading=reading)
    add(tmp_path, "b", 0.8, model="gcn", reading=reading)
    found = table(tmp_path)
    assert found["cora", "MLP"].published.mean == pytest.approx(70)
    assert found["cora", "GCN"].published.mean == pytest.approx(80)


def test_reduced_and_failed_runs_do_not_count(tmp_path: Path) -> None:
    add(tmp_path, "a", 0.7, model="mlp", size="laptop")
    store(tmp_path, "b", status="failed", error="boom", model="gcn")
    found = table(tmp_path)
    assert found["cora", "MLP"].published is None
    assert found["cora", "GCN"].published is None
    assert "failed: boom" in found["cora", "GCN"].why


def test_rows_without_a_model_are_the_measured_ones(tmp_path: Path) -> None:
    found = table(tmp_path)
    for line, kind in (("majority", "constant"), ("look-up", "lookup")):
        for protocol in PROTOCOLS:
            ours = found["texas", line].run(protocol).scores
            exact = [100 * s for s in FACTS["texas"][protocol][kind]]
            assert list(ours) == exact


def test_sets_beside_the_papers_take_their_names_as_stored(
    tmp_path: Path,
) -> None:
    add(tmp_path, "a", 0.5, dataset="chameleon-filtered", protocol="fair")
    entry = table(tmp_path)["chameleon-filtered", "GrokFormer"]
    assert entry.fair.mean == pytest.approx(50)
    assert entry.cell is entry.published is None


def test_what_is_missing_has_a_reason(tmp_path: Path) -> None:
    add(tmp_path, "a", 0.9)
    found = table(tmp_path)
    why = missing(found)
    assert all(reason for reason in why)
    told = [place for places in why.values() for place in places]
    assert "GrokFormer on cora" in why["one protocol is still to run"]
    assert "GrokFormer on wikics" in why["not run: data not at hand"]
    empty = [e for e in found.values() if not (e.published and e.fair)]
    assert len(told) == len(empty)


def test_the_text_has_three_columns_a_set(tmp_path: Path) -> None:
    add(tmp_path, "a", 0.9)
    add(tmp_path, "b", 0.8, protocol="fair")
    said = text(table(tmp_path), ["cora", "physics"]).splitlines()
    (line,) = [row for row in said if row.startswith("GrokFormer")]
    words = " ".join(line.split())
    assert words == "GrokFormer | 89.6 90.0 80.0±0.6| 98.3 – –"
    (line,) = [row for row in said if row.startswith("Transformer")]
    assert "OOM" in line
    three = text(table(tmp_path), ["cora", "physics", "texas"]).splitlines()
    assert max(map(len, three)) <= 75  # what the page shows without a scroll


def test_fewer_splits_than_the_papers_are_told(tmp_path: Path) -> None:
    few = {"scores": scores(0.8, 0.01, n=3)}
    store(tmp_path, "a", result=few)
    said = text(table(tmp_path), ["cora"])
    assert "| 89.6  80.0    – n=3" in said
    store(tmp_path, "b", protocol="fair", result=few)
    said = text(table(tmp_path), ["cora"]).splitlines()
    (line,) = [row for row in said if row.startswith("GrokFormer")]
    assert line.endswith("| 89.6  80.0 80.0 n=3")


def test_lines_without_a_number_are_left_out_of_the_text(
    tmp_path: Path,
) -> None:
    add(tmp_path, "a", 0.5, dataset="minesweeper", protocol="fair")
    said = text(table(tmp_path), ["minesweeper"]).splitlines()
    names = [row.split("|")[0].strip() for row in said[2:]]
    assert names == ["GrokFormer", "majority", "look-up"]


def test_what_a_run_keeps_is_read_from_its_record(tmp_path: Path) -> None:
    result = {"metric": "accuracy", "scores": list(scores(0.9, 0.01))}
    result["chosen"] = list(range(10))
    spec = RunSpec("node", "cora", protocol="fair", size="full")
    save(record_of(spec, 1.0, result), tmp_path)
    run = table(tmp_path)["cora", "GrokFormer"].fair
    assert run.files == (path_of(spec, tmp_path).name,)
    assert kept(run, "chosen", tmp_path) == list(range(10))
    with pytest.raises(UnknownNameError, match="but: scores, chosen"):
        kept(run, "responses", tmp_path)
