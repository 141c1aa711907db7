"""What must hold of every chapter, as functions that raise if it does not.

nbval itself compares nothing in a cell without an execution count and does
not look at the Markdown twin, so these guards stand beside it.
"""

import ast
import html
import re
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

import grokbook

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9]*.ipynb"))
# With the template for a reader's own chapter, which derives nothing.
NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))
IMAGES = ("image/svg+xml", "image/png", "image/jpeg")
DERIVED = re.compile(r"# (grokbook/[\w/]+\.py)(?:, of (\w+))?\n")


def read(path: Path) -> NotebookNode:
    """Read a notebook."""
    return nbformat.read(path, 4)


def code_cells(nb: NotebookNode) -> list[NotebookNode]:
    """The code cells that hold something."""
    return [c for c in nb.cells if c.cell_type == "code" and c.source.strip()]


def prose(nb: NotebookNode) -> str:
    """All Markdown of a notebook."""
    return "\n\n".join(c.source for c in nb.cells if c.cell_type == "markdown")


def printed(nb: NotebookNode) -> str:
    """All text that the cells of a notebook printed."""
    said = []
    for cell in code_cells(nb):
        for out in cell.outputs:
            said.append(out.get("text", ""))
            said.append(out.get("data", {}).get("text/plain", ""))
    return "\n".join(said)


def twins_are_in_step(path: Path) -> None:
    """The notebook and its Markdown twin hold the same cells."""
    twin = path.with_suffix(".md")
    assert twin.exists(), f"{path.name} has no twin {twin.name}"

    one, other = jupytext.read(path), jupytext.read(twin)
    advice = "run `make execute`"
    assert header(one) == header(other), f"the headers differ: {advice}"
    assert len(one.cells) == len(other.cells), f"cells missing: {advice}"
    for n, (a, b) in enumerate(zip(one.cells, other.cells, strict=True)):
        same = (a.cell_type, a.source) == (b.cell_type, b.source)
        same = same and a.metadata == b.metadata
        assert same, f"cell {n} differs: {advice}"


def header(nb: NotebookNode) -> tuple:
    """What a notebook and its twin say of themselves."""
    formats = nb.metadata.get("jupytext", {}).get("formats")
    return nb.metadata.get("kernelspec"), nb.metadata.get("title"), formats


def every_cell_ran_in_order(nb: NotebookNode) -> None:
    """Counts go 1, 2, 3, …; nbval skips a cell whose count is missing."""
    counts = [c.execution_count for c in code_cells(nb)]
    assert counts == list(range(1, len(counts) + 1)), counts


def no_cell_failed(nb: NotebookNode) -> None:
    """No stored error, and nothing on standard error."""
    for cell in code_cells(nb):
        for out in cell.outputs:
            assert out.output_type != "error", cell.source
            assert out.get("name") != "stderr", cell.source


def every_figure_has_alt_text(nb: NotebookNode) -> None:
    """Each stored picture says in words what it shows."""
    for cell in code_cells(nb):
        for out in cell.outputs:
            data = out.get("data", {})
            for mime in set(IMAGES) & set(data):
                alt = out.metadata.get(mime, {}).get("alt", "")
                assert len(alt.split()) >= 5, f"no alt text:\n{cell.source}"
                if mime == "image/svg+xml":
                    title = f"<title>{html.escape(alt)}</title>"
                    assert title in data[mime], cell.source
                assert data.get("text/plain") == f"[figure] {alt}"
            if "live-figure" in data.get("text/html", ""):
                assert re.search(r'aria-label="[^"]{20,}"', data["text/html"])


def printed_functions_are_the_package_s(
    nb: NotebookNode, root: Path = ROOT
) -> int:
    """A cell headed `# grokbook/file.py` holds what that file holds.

    Headed `# grokbook/file.py, of Class`, it holds methods of that class.
    Docstrings and type annotations are the package's alone. Returns the
    number of functions and classes compared.
    """
    compared = 0
    for cell in code_cells(nb):
        head = DERIVED.match(cell.source)
        if head is None:
            names = {node.name for node in definitions(parsed(cell))}
            taken = names & set(grokbook.__all__)
            assert not taken, f"{taken}: name the file in the first line"
            continue
        tree = ast.parse((root / head[1]).read_text())
        home = {n.name: n for n in definitions(tree)}
        if head[2] is not None:
            home = {n.name: n for n in definitions(home[head[2]])}
        for node in definitions(parsed(cell)):
            assert node.name in home, f"{node.name} is not in {head[1]}"
            ours, theirs = bare(node), bare(home[node.name])
            assert ours == theirs, f"{node.name} differs from {head[1]}"
            compared += 1
    return compared


def parsed(cell: NotebookNode) -> ast.Module:
    """The syntax tree of a cell."""
    return ast.parse(cell.source)


def definitions(tree: ast.Module | ast.ClassDef) -> list:
    """The functions and classes at the top of a module, or in a class."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [node for node in tree.body if isinstance(node, kinds)]


def bare(tree: ast.AST) -> str:
    """A syntax tree as text, without docstrings and annotations."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        documented = isinstance(node, ast.FunctionDef | ast.ClassDef)
        if documented and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?%?")
NOT_RESULTS = re.compile(
    r"`[^`]+`"  # code
    r"|\]\([^)]*\)"  # the target of a link
    r"|^:\w+:[^\n]*$"  # an option of a directive
    r"|^#[^\n]*$"  # a heading
    r"|(?:Chapter|Table|Section|Eq\.|Proposition)s? \d+"
    r"|about \d+ minutes",
    flags=re.MULTILINE,
)
MATHEMATICS = re.compile(r"\$\$.*?\$\$|\$[^$]+\$", flags=re.DOTALL)


def results_quoted(text: str) -> list[str]:
    """Numbers in prose that look like results: decimals, per cent, ≥ 10.

    In formulas only decimals do: whole numbers there are mathematics.
    """
    text = NOT_RESULTS.sub(" ", text)
    formulas = " ".join(MATHEMATICS.findall(text))
    found = NUMBER.findall(MATHEMATICS.sub(" ", text))
    return [
        n.strip(",")
        for n in found
        if "." in n or "%" in n or float(n.replace(",", "")) >= 10
    ] + re.findall(r"\d+\.\d+", formulas)


def every_result_in_prose_was_computed(nb: NotebookNode) -> None:
    """A number in the text is one that a cell printed or was given."""
    given = "\n".join(cell.source for cell in code_cells(nb))
    said = (printed(nb) + given).replace(",", "")
    for number in results_quoted(prose(nb)):
        plain = number.replace(",", "").rstrip("%")
        assert re.search(rf"(?<![\d.]){re.escape(plain)}(?!\d)", said), (
            f"{number} stands in the text, but no cell printed it"
        )


def no_cell_starts_another_program(nb: NotebookNode) -> None:
    """The network is cut for Python; other programs are not started."""
    program = re.compile(r"^\s*[!%]|\bsubprocess\b|\bos\.system\b", re.M)
    for cell in code_cells(nb):
        assert not program.search(cell.source), cell.source
