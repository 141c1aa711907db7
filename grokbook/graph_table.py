"""Table 3 with our runs in it: a line a model, four columns a data set."""

from collections.abc import Mapping, Sequence

from grokbook.ledger import FOLDS, Row, chosen, is_full
from grokbook.ledger_files import Cell, Key, Run, key_of
from grokbook.node_table import Entry, Table, columns, judged_rows

PROTOCOLS = ("as-found", "published", "fair")
#: As printed -> as stored.
MODELS = {
    "GrokFormer": "grokformer",
    "Specformer": "specformer",
    "Transformer": "transformer",
    "GIN": "gin",
    "GCN": "gcn",
    "DGCNN": "dgcnn",
    "WL kernel": "wl",
    "GK": "gk",
    "bag": "bag",
    "majority": "majority",
}
#: What is fitted anew for each fold has nothing to carry over.
ANEW = ("WL kernel", "GK", "majority")
#: Registry name of each data set of the table -> as printed.
SETS = {
    "mutag": "MUTAG",
    "ptc-mr": "PTC-MR",
    "proteins": "PROTEINS",
    "imdb-binary": "IMDB-B",
    "imdb-multi": "IMDB-M",
}


def graph_table(
    runs: Mapping[Key, list[Run]] | None = None,
    cells: Sequence[Cell] | None = None,
) -> Table:
    """Every line on every data set: (data set, line) → entry.

    Args:
        runs: what is stored; by default read from `data/results/runs`.
        cells: of the paper; by default all.
    """
    runs, rows = judged_rows(3, runs, cells)
    return {
        (name, line): _entry(key_of(name, MODELS[line]), runs, rows)
        for name in SETS
        for line in MODELS
    }


def _entry(
    key: Key, runs: Mapping[Key, list[Run]], rows: Mapping[Key, Row]
) -> Entry:
    """Look up one line of one data set."""
    full = [run for run in runs.get(key, []) if is_full(run, FOLDS)]
    (found, _), (published, doubt), (fair, _) = (
        chosen(full, protocol) for protocol in PROTOCOLS
    )
    row = rows.get(key)
    if row is not None:
        why = f"{row.verdict}: {row.reason}"
    elif published or fair:
        why = doubt or "the paper prints no number"
    else:
        why = "not run: planned"
    cell = None if row is None else row.cell
    return Entry(cell, published, fair, why, found)


def text(table: Table, names: Sequence[str]) -> str:
    """Data sets side by side: paper, as found, as published, fair.

    The fair mean has half the length of its 95% interval beside it. Lines
    without a single number are left out; a dash is a run that is not there,
    a dot one that there cannot be: what is fitted anew carries nothing over.
    """
    head = " " * 11 + "".join(f"|{SETS[name]:^29}" for name in names)
    under = " " * 11 + "| paper  found  publ.     fair" * len(names)
    lines = [head, under]
    for line in MODELS:
        entries = [table[name, line] for name in names]
        if any(e.cell or e.published or e.fair for e in entries):
            none = "·" if line in ANEW else "–"
            told = (_four(entry, none) for entry in entries)
            lines.append(f"{line:11}" + "".join(told))
    return "\n".join(line.rstrip() for line in lines)


def _four(entry: Entry, none: str) -> str:
    """The four columns of one entry."""
    paper, published, fair = columns(entry)
    found = f"{entry.as_found.mean:.1f}" if entry.as_found else none
    return f"|{paper:>6} {found:>6} {published:>6} {fair:>8}"
