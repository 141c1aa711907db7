"""Each guard is shown a spoilt chapter and must refuse it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import guards
import nbformat
import pytest
from guards import CHAPTERS, ROOT, code_cells, read


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the first chapter and its twin, to spoil."""
    for file in (CHAPTERS[0], CHAPTERS[0].with_suffix(".md")):
        shutil.copy(file, tmp_path)
    return tmp_path / CHAPTERS[0].name


def figure(nb):
    """The first stored picture of a notebook."""
    return next(
        out
        for cell in code_cells(nb)
        for out in cell.outputs
        if "image/svg+xml" in out.get("data", {})
    )


def test_an_edit_of_one_twin_only_is_refused(copy: Path):
    guards.twins_are_in_step(copy)
    twin = copy.with_suffix(".md")
    twin.write_text(twin.read_text().replace("five nodes", "six nodes", 1))
    with pytest.raises(AssertionError, match="make execute"):
        guards.twins_are_in_step(copy)


def test_an_edit_of_one_header_only_is_refused(copy: Path):
    twin = copy.with_suffix(".md")
    twin.write_text(twin.read_text().replace("(ipykernel)", "(mine)", 1))
    with pytest.raises(AssertionError, match="headers differ"):
        guards.twins_are_in_step(copy)


def test_a_cell_missing_from_one_twin_is_refused(copy: Path):
    twin = copy.with_suffix(".md")
    twin.write_text(twin.read_text() + "\n```{code-cell} ipython3\n1\n```\n")
    with pytest.raises(AssertionError, match="make execute"):
        guards.twins_are_in_step(copy)


def test_stripped_outputs_are_refused(copy: Path):
    nb = read(copy)
    for cell in code_cells(nb):
        cell.outputs, cell.execution_count = [], None
    with pytest.raises(AssertionError, match="None"):
        guards.every_cell_ran_in_order(nb)


def test_cells_run_out_of_order_are_refused(copy: Path):
    nb = read(copy)
    code_cells(nb)[2].execution_count = 99
    with pytest.raises(AssertionError, match="99"):
        guards.every_cell_ran_in_order(nb)


def test_a_deleted_alt_text_is_refused(copy: Path):
    nb = read(copy)
    del figure(nb).metadata["image/svg+xml"]
    with pytest.raises(AssertionError, match="no alt text"):
        guards.every_figure_has_alt_text(nb)


def test_an_alt_text_emptied_in_the_drawing_is_refused(copy: Path):
    nb = read(copy)
    data = figure(nb).data
    drawing = data["image/svg+xml"]
    data["image/svg+xml"] = re.sub("<title>.*?</title>", "", drawing)
    with pytest.raises(AssertionError):
        guards.every_figure_has_alt_text(nb)


def test_a_function_that_drifted_from_the_package_is_refused(copy: Path):
    nb = read(copy)
    (cell,) = [c for c in code_cells(nb) if guards.DERIVED.match(c.source)]
    cell.source = cell.source.replace("-scale[row]", "scale[row]")
    with pytest.raises(AssertionError, match="differs"):
        guards.printed_functions_are_the_package_s(nb)


def test_a_method_is_compared_with_that_of_its_class():
    head = "# grokbook/copies.py, of Linear\n"
    body = """def extra_repr(self):
    _, c_in, c_out = self.weight.shape
    return f"{c_in} → {c_out}"
"""
    nb = nbformat.v4.new_notebook()
    nb.cells = [nbformat.v4.new_code_cell(head + body)]
    assert guards.printed_functions_are_the_package_s(nb) == 1
    nb.cells[0].source = head.replace("Linear", "LayerNorm") + body
    with pytest.raises(AssertionError, match="differs"):
        guards.printed_functions_are_the_package_s(nb)


def test_a_typed_in_result_is_refused(copy: Path):
    nb = read(copy)
    nb.cells.append(nbformat.v4.new_markdown_cell("We reach 97.31%."))
    with pytest.raises(AssertionError, match=r"97\.31%"):
        guards.every_result_in_prose_was_computed(nb)


def test_what_counts_as_a_result():
    quoted = guards.results_quoted
    assert quoted("Table 4, $x = 30$, `4.5` and about 45 minutes") == []
    assert quoted("94.4% of 2,708") == ["94.4%", "2,708"]
    assert quoted("79 components, $x = 0.47$") == ["79", "0.47"]


def test_a_name_of_the_package_must_say_its_file(copy: Path):
    nb = read(copy)
    nb.cells.append(nbformat.v4.new_code_cell("def spectrum(L): ..."))
    with pytest.raises(AssertionError, match="name the file"):
        guards.printed_functions_are_the_package_s(nb)


@pytest.mark.parametrize("line", ["!curl x", "%%bash", "import subprocess"])
def test_a_cell_that_starts_a_program_is_refused(copy: Path, line: str):
    nb = read(copy)
    nb.cells.append(nbformat.v4.new_code_cell(line))
    with pytest.raises(AssertionError):
        guards.no_cell_starts_another_program(nb)


def test_a_corrupted_stored_number_fails_nbval(tmp_path: Path):
    nb = nbformat.v4.new_notebook()
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python"}
    out = nbformat.v4.new_output("stream", name="stdout", text="0.5774\n")
    cell = nbformat.v4.new_code_cell(
        "print(round(3**-0.5, 4))", outputs=[out], execution_count=1
    )
    nb.cells = [cell]
    file = tmp_path / "chapter.ipynb"
    assert nbval(nb, file) == 0
    out.text = "0.5775\n"
    assert nbval(nb, file) == 1


def nbval(nb, file: Path) -> int:
    """Check a notebook with nbval as the book's settings have it."""
    file.write_text(json.dumps(nb))
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", str(file)]
    settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    return subprocess.run(
        [*command, *settings, "-p", "no:cacheprovider"],
        cwd=ROOT,
        capture_output=True,
    ).returncode
