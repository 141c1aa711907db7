"""Every chapter keeps the book's promises."""

import re
from pathlib import Path

import guards
import pytest
from guards import CHAPTERS, NOTEBOOKS, code_cells, prose, read

each_chapter = pytest.mark.parametrize(
    "path", CHAPTERS, ids=lambda path: path.stem
)
each_notebook = pytest.mark.parametrize(
    "path", NOTEBOOKS, ids=lambda path: path.stem
)


def test_there_are_chapters():
    assert len(CHAPTERS) >= 2


@each_notebook
def test_twins_are_in_step(path: Path):
    guards.twins_are_in_step(path)


@each_notebook
def test_every_cell_ran_in_order_without_error(path: Path):
    nb = read(path)
    guards.every_cell_ran_in_order(nb)
    guards.no_cell_failed(nb)


@each_notebook
def test_every_figure_has_alt_text(path: Path):
    guards.every_figure_has_alt_text(read(path))


@each_chapter
def test_a_chapter_prints_the_function_that_the_package_holds(path: Path):
    assert guards.printed_functions_are_the_package_s(read(path)) >= 1


@each_notebook
def test_every_result_in_the_text_was_computed_by_a_cell(path: Path):
    guards.every_result_in_prose_was_computed(read(path))


@each_notebook
def test_no_cell_starts_another_program(path: Path):
    guards.no_cell_starts_another_program(read(path))


@each_chapter
def test_a_chapter_has_the_parts_of_a_chapter(path: Path):
    text = prose(read(path))
    for lead in ("You will be able to", "You need", "Time"):
        assert f"**{lead}**" in text, lead
    assert ":class: three-ways" in text
    assert text.count(":::{exercise}") >= 3
    summary = text.split("## Summary")[1]
    assert len(re.findall(r"^- ", summary, flags=re.MULTILINE)) >= 4


@each_chapter
def test_a_chapter_has_a_figure_that_moves(path: Path):
    html = [
        out.get("data", {}).get("text/html", "")
        for cell in code_cells(read(path))
        for out in cell.outputs
    ]
    assert any("live-figure" in text for text in html)


@each_notebook
def test_cells_are_short_and_narrow(path: Path):
    for cell in code_cells(read(path)):
        lines = cell.source.split("\n")
        assert len(lines) <= 30, cell.source
        assert max(map(len, lines)) <= 79, cell.source


@each_notebook
def test_chapters_are_in_the_table_of_contents(path: Path):
    toc = (guards.ROOT / "myst.yml").read_text()
    assert f"chapters/{path.name}" in toc


@each_notebook
def test_a_chapter_stays_small(path: Path):
    assert path.stat().st_size < 1_500_000
