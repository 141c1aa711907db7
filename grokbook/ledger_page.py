"""The ledger as a page of the book and as text for the terminal."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grokbook.bench.scaling import AGREED, judged, read_scaling
from grokbook.errors import DataFileError
from grokbook.experiments.measure import stored
from grokbook.files import put
from grokbook.ledger import VERDICTS, Row, carried
from grokbook.ledger_files import Cell, Key, Run, key_of
from grokbook.ledger_reduced import HEAD, reduced_lines
from grokbook.order_table import CUT, judged_orders

TITLES = {
    2: "node classification",
    3: "graph classification",
    4: "filter fitting",
    5: "ablation",
    6: "memory and time",
    9: "further graph-level data",
    10: "further graph-level results",
}
MARK = "% Below this line `grokbook ledger --page` writes; edit the data."


def page(before: str, rows: list[Row], runs: dict[Key, list[Run]]) -> str:
    """The page anew, in MyST Markdown: all that follows its mark."""
    prose, mark, _ = before.partition(MARK)
    if not mark:
        raise DataFileError(f"The page has no line to write after: {MARK!r}")
    parts = ["\n\n## Summary\n"]
    parts.append(_table(("table", "cells", *VERDICTS), summary(rows)))
    for table, title in TITLES.items():
        parts.append(f"\n## Table {table}: {title}\n")
        sections: dict[str, list[Row]] = {}
        for row in rows:
            if row.cell.table == table:
                sections.setdefault(row.cell.dataset, []).append(row)
        for dataset, some in sections.items():
            parts.append(f"### Table {table}, {_escaped(dataset)}\n")
            parts.append(_section(some))
            if table == 3:
                mine = runs.get(key_of(dataset, "grokformer"), [])
                parts.append(_carried(mine))
    parts.append("\n## Figures 4 and 7: the order\n\n" + _orders(runs))
    parts.append("\n## Tables 9 and 10, reduced\n\n" + _reduced())
    parts.append(
        "\n## Beyond the paper: growth with the edges\n\n" + _growth()
    )
    parts.append("\n## Other runs\n\n" + _others(rows, runs))
    made = "\n".join(parts).rstrip() + "\n"
    for sign in "±=":  # a number and its deviation stay on one line
        made = made.replace(f" {sign} ", f"\u00a0{sign}\u00a0")
    return prose + mark + made


def store(rows: list[Row], runs: dict[Key, list[Run]], out: Path) -> None:
    """Write the page anew; never half a file."""
    if not out.is_file():
        raise DataFileError(
            f"There is no page {out.name}. Pass one with the line {MARK!r}."
        )
    put(out, page(out.read_text(), rows, runs))


def text(rows: list[Row]) -> str:
    """One line for each cell, then the count of verdicts by table."""
    lines = [
        f"{row.cell.table:>2} {row.cell.dataset:14} {_name(row.cell):22} "
        f"{row.cell.printed:>14} {_published(row):>22} {_fair(row):>30}  "
        f"{row.verdict}: {row.reason}"
        for row in rows
    ]
    counts = [
        f"Table {table:>2}: {cells} cells, "
        + ", ".join(f"{n} {v}" for n, v in zip(by, VERDICTS, strict=True))
        for table, cells, *by in summary(rows)
    ]
    return "\n".join([*lines, "", *counts])


def summary(rows: list[Row]) -> list[tuple[int, ...]]:
    """For each table: its number, its cells, how many have each verdict."""
    found = Counter((row.cell.table, row.verdict) for row in rows)
    cells = Counter(row.cell.table for row in rows)
    return [
        (table, n, *(found[table, verdict] for verdict in VERDICTS))
        for table, n in cells.items()
    ]


def _section(rows: list[Row]) -> str:
    """The cells of one data set: those run in a table, the others listed."""
    run = [row for row in rows if row.published or row.fair]
    carried = any(row.as_found for row in run)
    head = ("", "paper", "as found", "as published", "fair", "verdict")
    lines = [
        (
            _name(row.cell),
            row.cell.printed,
            _ours(row.as_found) if row.as_found else "–",
            _published(row),
            _fair(row),
            f"**{row.verdict}** ({_escaped(row.reason)})",
        )
        for row in run
    ]
    if not carried:  # only graphs have that protocol
        head, *lines = ((*r[:2], *r[3:]) for r in (head, *lines))
    left: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row not in run:
            number = "" if row.cell.mean is None else f" {row.cell.printed}"
            named = _escaped(_name(row.cell)) + number
            left.setdefault((row.verdict, row.reason), []).append(named)
    listed = [
        f"- **{verdict}** ({_escaped(reason)}): {'; '.join(names)}"
        for (verdict, reason), names in left.items()
    ]
    table = [_table(head, lines)] if lines else []
    return "\n".join([*table, *listed, ""])


def _carried(runs: list[Run]) -> str:
    """What carrying GrokFormer through the folds adds, as a sentence."""
    found = carried(runs)
    if found is None:
        return "Carrying GrokFormer through the folds: not run.\n"
    (mean, low, high), n = found
    return (
        f"Carrying GrokFormer through the folds adds {mean:+.1f} points "
        f"[{low:+.1f}, {high:+.1f}] to a new model's last epoch, n = {n}.\n"
    )


def _orders(runs: dict[Key, list[Run]]) -> str:
    """Whether a high order pays, graph by graph."""
    lines = judged_orders(runs, stored())
    if not lines:
        return "Not run.\n"
    head = ("graph", "splits", "K by the paper", f"best K up to {CUT}")
    head += ("best above", "above − up to", "verdict")
    return (
        "Of each group the K with the best validation accuracy, as "
        "published; the difference of test accuracies is taken split by "
        "split (chapter 12). A verdict is open where Holm's correction over "
        "the graphs leaves its p-value at 0.05 or more.\n\n"
        + _table(head, lines)
    )


def _reduced() -> str:
    """What was run small, of sets too large for this machine."""
    return (
        "Runs on a part of the graphs and for few epochs: they show that the "
        "code learns and what an epoch costs, and meet no number of the "
        "paper. ZINC-resampled is not ZINC.\n\n"
        + _table(HEAD, reduced_lines())
    )


def _growth() -> str:
    """Exponents of an epoch without eigenvectors, from stored epochs."""
    epochs = read_scaling()
    largest = max(epochs, key=lambda epoch: epoch.edges)
    head = ("what grows", "exponent", f"at most {AGREED}")
    lines = [(what, f"{b:.2f}", said) for what, b, said in judged(epochs)]
    return (
        "Chapter 14 trains without eigenvectors on random graphs of 10,000 "
        f"to {largest.edges:,} edges; the largest epoch takes "
        f"{largest.seconds:.3g} s and {largest.memory / 1e9:.1f} GB.\n\n"
        + _table(head, lines)
    )


def _others(rows: list[Row], runs: dict[Key, list[Run]]) -> str:
    """The runs that stand in no column above."""
    used = {
        (row.cell.key, file)
        for row in rows
        for run in (row.published, row.fair, row.as_found)
        if run is not None
        for file in run.files
    }
    head = ("data", "model", "reading", "protocol", "size", "result")
    lines: dict[tuple, str] = {}
    for key, some in sorted(runs.items()):
        for run in some:
            if (key, run.files[0]) not in used:
                ask = run.spec.get
                names = ("dataset", "model", "reading", "protocol")
                said = [str(ask(name) or "") for name in names]
                said[-1] += _changed(ask("hyperparameters") or {})
                result = f"failed: {run.error}" if run.error else _ours(run)
                row = (run.files, *said, run.size)
                known = f"{lines[row]}; " if row in lines else ""
                lines[row] = f"{known}{result} ({key[2]})"
    if not lines:
        return "There are none."
    told = [[*map(_escaped, (*row[1:], last))] for row, last in lines.items()]
    return "Runs that count for no cell.\n\n" + _table(head, told)


def _changed(hyperparameters: dict[str, object]) -> str:
    """The hyperparameters that a run was given."""
    told = ", ".join(f"{k} {v}" for k, v in sorted(hyperparameters.items()))
    return f" ({told})" if told else ""


def _name(cell: Cell) -> str:
    """The model, and what is measured unless it is accuracy."""
    metric = "" if cell.metric == "accuracy" else cell.metric
    return ", ".join(filter(None, (cell.model, metric.replace("_", " "))))


def _ours(run: Run) -> str:
    """Mean, deviation and number of scores."""
    mean, std = _number(run.mean), _number(run.std, beside=run.mean)
    return f"{mean} ± {std}, n = {len(run.scores)}"


def _number(x: float, beside: float | None = None) -> str:
    """Two decimals from 1 on, or three digits for what is smaller."""
    large = abs(x if beside is None else beside) >= 1
    return f"{x:.2f}" if large else f"{x:.3g}"


def _published(row: Row) -> str:
    """What the run as published gave."""
    return _ours(row.published) if row.published else "–"


def _fair(row: Row) -> str:
    """What the fair run gave, with its interval and number of scores."""
    if row.fair is None:
        return "–"
    mean, low, high = map(_number, row.fair.interval)
    return f"{mean} [{low}, {high}], n = {len(row.fair.scores)}"


def _table(head: Iterable[object], lines: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    rows = [list(head), *map(list, lines)]
    rows.insert(1, [":--"] * len(rows[0]))
    return "".join("| " + " | ".join(map(str, r)) + " |\n" for r in rows)


def _escaped(words: str) -> str:
    """Words that Markdown leaves as they are, on one line."""
    for mark in "\\*_[]<>$|#~":
        words = words.replace(mark, f"\\{mark}")
    return " ".join(words.split())
