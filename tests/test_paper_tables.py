"""The paper's numbers in data/paper are those of its source, in order.

The source is not in the repository; where it is at hand, every number of a
table is found again by its look alone, and compared in order of reading.
"""

import re

import pytest
from shared_files import PAPER

from grokbook.ledger_files import Cell, read_cells

LABELS = {
    2: "table:res_NC",
    3: "table:res_GC",
    4: "table:res_NRR",
    5: "table:res_AS",
    6: "tab:efficiey",
    9: "tab:large-graph",
    10: "tab:add_graph_results",
}
SIZES = {2: 187, 3: 75, 4: 84, 5: 15, 6: 12, 9: 21, 10: 16}
WITH_DEVIATION = r"([\d.]+)\\tiny\{\$\\pm\$([\d.]+)\}|(OOM)"


def cells(table: int) -> list[Cell]:
    return [cell for cell in read_cells() if cell.table == table]


def source(table: int) -> str:
    """The lines of a table in the paper's source."""
    if not PAPER.exists():
        pytest.skip("the paper's source is not at hand")
    whole = re.findall(
        r"\\begin\{table\*?\}.*?\\end\{table\*?\}", PAPER.read_text(), re.S
    )
    (found,) = [t for t in whole if f"\\label{{{LABELS[table]}}}" in t]
    return found.split(r"\begin{tabular}")[1].split(r"\end{tabular}")[0]


def in_order(names: list[str], text: str) -> None:
    """Each name is found after the one before."""
    place = -1
    for name in dict.fromkeys(names):
        found = re.compile(rf"(?<!\w){re.escape(name)}").search(
            text, place + 1
        )
        assert found, name
        place = found.start()


@pytest.mark.parametrize("table", SIZES)
def test_each_table_has_each_cell_once(table: int) -> None:
    found = [(c.dataset, c.model, c.metric) for c in cells(table)]
    assert len(found) == len(set(found)) == SIZES[table]


@pytest.mark.parametrize("table", SIZES)
def test_a_cell_without_a_number_has_the_papers_words(table: int) -> None:
    for cell in cells(table):
        assert cell.printed
        assert (cell.mean is not None) or cell.note


@pytest.mark.parametrize("table", [2, 3, 5])
def test_accuracies_are_the_papers(table: int) -> None:
    text = source(table)
    found = [
        word or f"{mean} ± {std}"
        for mean, std, word in re.findall(WITH_DEVIATION, text)
    ]
    assert [cell.printed for cell in cells(table)] == found
    in_order([cell.dataset for cell in cells(table)], text)
    in_order([cell.model for cell in cells(table)], text)


def test_filter_errors_are_the_papers() -> None:
    text = source(4)
    found = re.findall(r"(\d+\.\d+)\((\.\d+)\)", text)
    flat = [number for sse, r2 in found for number in (sse, f"0{r2}")]
    assert [cell.printed for cell in cells(4)] == flat
    in_order([cell.model for cell in cells(4)], text)
    in_order([cell.dataset for cell in cells(4)], text.lower())


def test_costs_are_the_papers() -> None:
    found = re.findall(r"& (\w+former) & (\d+) +& ([\d.]+)", source(6), re.I)
    models = [m for model, _, _ in found for m in (model, model)]
    assert [cell.model for cell in cells(6)] == models
    flat = [number for _, *both in found for number in both]
    assert [cell.printed for cell in cells(6)] == flat


def test_statistics_of_larger_sets_are_the_papers() -> None:
    rows = re.findall(r"^\s*(ZINC|CIFAR10|Pep\S+)(.*?)\\\\", source(9), re.M)
    for dataset, rest in rows:
        said = [c for c in cells(9) if c.dataset == dataset]
        words = [
            f"{c.note} ({c.printed})" if c.note and c.mean else c.printed
            for c in said
        ]
        printed = [part.strip() for part in rest.split("&")[1:]]
        assert words == [part.replace(",", "") for part in printed]


def test_results_on_larger_sets_are_the_papers() -> None:
    body = source(10).split(r"Peptides-func$^{*}$")[1]
    found = re.findall(r"(?<=&)\s*([\d.]+|-)", body)
    assert [cell.printed for cell in cells(10)] == found
    in_order([cell.model for cell in cells(10)], body)
