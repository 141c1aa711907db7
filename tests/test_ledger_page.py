"""The ledger's page is what the data say, and every cell is on it."""

import re
import sys
from pathlib import Path

import pytest
from stored_results import scores, store

from grokbook import cli, ledger_files, ledger_page
from grokbook.bench.scaling import judged, read_scaling
from grokbook.costs import read_costs
from grokbook.errors import DataFileError
from grokbook.ledger import VERDICTS, judge
from grokbook.ledger_files import TABLES, read_cells, read_runs
from grokbook.ledger_page import MARK, page, summary, text
from grokbook.ledger_reduced import reduced_lines, reduced_runs

PAGE = Path(__file__).parents[1] / "chapters" / "ledger.md"


def rendered(folder: Path) -> str:
    """The page with the results in a folder."""
    runs = read_runs(folder)
    made = page(f"Prose.\n\n{MARK}\nold", judge(read_cells(), runs), runs)
    return made.replace("\u00a0", " ")  # spaces that do not break lines


def test_the_page_of_the_book_is_up_to_date() -> None:
    runs = read_runs()
    rows = judge(read_cells(), runs, costs=read_costs())
    advice = "run `grokbook ledger --page chapters/ledger.md`"
    assert page(PAGE.read_text(), rows, runs) == PAGE.read_text(), advice


def test_every_cell_of_the_paper_is_on_the_page(tmp_path: Path) -> None:
    store(tmp_path)
    shown = rendered(tmp_path)
    sections = re.split(r"^### Table (\d+), (.*)\n", shown, flags=re.M)[1:]
    found = {
        (int(table), name.replace("\\", "")): body
        for table, name, body in zip(
            sections[::3], sections[1::3], sections[2::3], strict=True
        )
    }
    for cell in read_cells():
        body = found[cell.table, cell.dataset]
        what = (cell.metric.replace("_", " ") in body) or (
            cell.metric == "accuracy"
        )
        assert what, cell
        assert cell.model in body, cell
        assert cell.printed in body, cell


def test_a_run_appears_in_its_row_and_the_count(tmp_path: Path) -> None:
    store(tmp_path, dataset="texas", result={"scores": scores(0.93, 0.02)})
    store(
        tmp_path,
        "b",
        dataset="texas",
        protocol="fair",
        result={"scores": scores(0.84, 0.04)},
    )
    shown = rendered(tmp_path)
    (line,) = [x for x in shown.splitlines() if x.startswith("| GrokFormer |")]
    assert "| 94.59 ± 2.08 | 93.00 ± 2.00, n = 10 | 84.00 [8" in line
    assert line.endswith("| **protocol at fault** (-1.59) |")
    assert "| 2 | 187 | 0 | 0 | 1 | 181 | 5 |" in shown
    assert shown.endswith("There are none.\n")


def test_only_graphs_have_a_column_as_found(tmp_path: Path) -> None:
    store(tmp_path, "a", dataset="texas")
    for protocol, mean in (("as-found", 0.97), ("published", 0.88)):
        store(
            tmp_path,
            protocol,
            task="graph",
            dataset="mutag",
            reading="paper",
            protocol=protocol,
            result={"scores": scores(mean, 0.05)},
        )
    shown = rendered(tmp_path)
    heads = [x for x in shown.splitlines() if x.startswith("|  | paper |")]
    wider = "|  | paper | as found | as published | fair | verdict |"
    assert wider in heads
    assert wider not in shown.partition("## Table 3")[0]
    line = "| 99.5 ± 1.6 | 97.00 ± 5.00, n = 10 | 88.00 ± 5.00, n = 10 | – |"
    assert line in shown
    assert shown.endswith("There are none.\n")


def test_table_3_tells_what_carrying_the_model_adds(tmp_path: Path) -> None:
    assert rendered(tmp_path).count("through the folds: not run.") == 5
    told = {"task": "graph", "dataset": "mutag", "reading": "paper"}
    more = {"scores_at_last_epoch": scores(0.85, 0.02)}
    store(tmp_path, "a", protocol="as-found", **told)
    store(tmp_path, "b", protocol="published", result=more, **told)
    shown = rendered(tmp_path)
    assert shown.count("through the folds: not run.") == 4
    body = shown.split("### Table 3, MUTAG")[1].split("###")[0]
    assert "through the folds adds +5.0 points [+" in body
    assert "a new model's last epoch, n = 10." in body


def test_a_reduced_run_is_shown_as_reduced(tmp_path: Path) -> None:
    store(tmp_path, size="laptop", result={"scores": scores(0.89, 0.01, 3)})
    shown = rendered(tmp_path)
    assert "- **not run** (reduced (published, laptop, n = 3): 89)" in shown
    assert "| 2 | 187 | 0 |" in shown


def test_runs_of_no_cell_are_listed_and_none_is_lost(tmp_path: Path) -> None:
    store(tmp_path, "a")
    store(tmp_path, "b", model="mlp", reading=None)
    store(tmp_path, "c", reading="paper")
    store(tmp_path, "d", model="x|y", status="failed", error="a_b\n*c*")
    others = rendered(tmp_path).split("## Other runs")[1]
    assert others.count("\n| cora |") == 3
    assert (
        "| cora | mlp |  | published | full, n = 10 | 90.00 ± 1.00, n"
        in others
    )
    assert "| cora | grokformer | paper |" in others
    assert r"| x\|y |" in others
    assert r"failed: a\_b \*c\*" in others


def test_another_run_is_told_once_with_what_was_changed(
    tmp_path: Path,
) -> None:
    both = {"metric": "sse", "scores": [2.0, 4.0], "r2": [0.5, 0.7]}
    told = {"dataset": "comb", "protocol": "else", "result": both}
    store(tmp_path, "a", hyperparameters={"K": 2, "basis": "own"}, **told)
    others = rendered(tmp_path).split("## Other runs")[1]
    assert others.count("\n| comb |") == 1
    assert "| else (K 2, basis own) | full, n = 2 |" in others
    assert "| 0.6 ± 0.141, n = 2 (r2); 3.00 ± 1.41, n = 2 (sse) |" in others


def test_a_number_and_its_deviation_stay_on_one_line() -> None:
    made = PAGE.read_text().split(MARK)[1]
    assert "89.57\u00a0±\u00a01.43" in made
    assert " ±" not in made


def test_prose_above_the_mark_stays(tmp_path: Path) -> None:
    assert rendered(tmp_path).startswith(f"Prose.\n\n{MARK}\n\n## Summary")
    assert "old" not in rendered(tmp_path).split(MARK)[1].split("##")[0]
    with pytest.raises(DataFileError, match="no line to write after"):
        page("Prose.", [], {})


def test_the_rule_on_the_page_names_each_verdict() -> None:
    prose = PAGE.read_text().split(MARK)[0]
    for verdict in VERDICTS:
        assert f"\n{verdict}\n: " in prose


def test_text_has_a_line_for_each_cell_and_a_count(tmp_path: Path) -> None:
    rows = judge(read_cells(), read_runs(tmp_path))
    lines = text(rows).splitlines()
    assert len(lines) == len(rows) + 1 + len(TABLES)
    assert lines[0].split()[:3] == ["2", "Cora", "GCN"]
    assert [row[0] for row in summary(rows)] == list(TABLES)
    for table, cells, *by in summary(rows):
        assert cells == sum(by), table


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch):
    """Type a command."""

    def typed(*words: object) -> None:
        line = ["grokbook", "ledger", *map(str, words)]
        monkeypatch.setattr(sys, "argv", line)
        cli.main()

    return typed


def test_command_prints_one_table(command, capsys) -> None:
    command("--table", 5)
    said = capsys.readouterr().out
    assert len(said.splitlines()) == 15 + 2
    assert "Table  5: 15 cells" in said


def test_command_names_the_tables_there_are(command) -> None:
    with pytest.raises(SystemExit, match="Tables 2, 3, 4, 5, 6, 9, 10"):
        command("--table", 7)


def test_command_writes_the_page_whole(command, tmp_path: Path) -> None:
    out = tmp_path / "ledger.md"
    out.write_text(f"Mine.\n{MARK}\n")
    command("--page", out)
    assert out.read_text().startswith(f"Mine.\n{MARK}\n\n## Summary")
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.md"]


def test_results_are_looked_for_where_they_are_stored() -> None:
    assert ledger_files.RUNS.parts[-3:] == ("data", "results", "runs")


def test_a_page_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="no page nowhere"):
        ledger_page.store([], {}, tmp_path / "nowhere.md")
    assert not list(tmp_path.iterdir())


def test_the_page_tells_how_an_epoch_grows() -> None:
    _, growth = PAGE.read_text().split("## Beyond the paper")
    growth = growth.split("\n## ")[0]
    for what, b, said in judged(read_scaling()):
        assert f"| {what} | {b:.2f} | {said} |" in growth


def test_reduced_runs_stand_beside_their_constant_and_their_cost() -> None:
    lines = reduced_lines()
    assert {name.split(",")[0] for name, *_ in lines} >= {
        "zinc-resampled",
        "peptides-func",
    }
    for (_, _, result, constant, *_), record in zip(
        lines, reduced_runs(), strict=True
    ):
        score, metric = result.split()
        better = -1 if metric == "(mae)" else 1
        assert better * float(score) > better * float(constant)
        assert f"{record['result']['scores'][0]:.3f}" == score
    section = PAGE.read_text().split("## Tables 9 and 10, reduced")[1]
    for name, *_ in lines:
        assert f"| {name} |" in section
