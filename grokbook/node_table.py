"""Table 2 with our runs in it: a line a model, three columns a data set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grokbook.errors import UnknownNameError, check_choice
from grokbook.experiments.measure import Facts
from grokbook.experiments.store import read
from grokbook.files import RUNS
from grokbook.ledger import Row, chosen, is_full, judge
from grokbook.ledger_files import Cell, Key, Run, key_of, read_cells, read_runs

SPLITS = 10
PROTOCOLS = ("published", "fair")
#: As printed -> as stored, and the readings that count. Models of one
#: reading are stored under either.
MODELS: dict[str, tuple[str, tuple[str, ...]]] = {
    "GrokFormer": ("grokformer", ("released",)),
    "as written": ("grokformer", ("paper",)),
    "Specformer": ("specformer", ("released", "paper")),
    "GCN": ("gcn", ("released", "paper")),
    "GAT": ("gat", ("released", "paper")),
    "ChebyNet": ("chebynet", ("released", "paper")),
    "GPRGNN": ("gprgnn", ("released", "paper")),
    "BernNet": ("bernnet", ("released", "paper")),
    "JacobiConv": ("jacobiconv", ("released", "paper")),
    "Transformer": ("transformer", ("released", "paper")),
    "GraphGPS": ("graphgps", ("released", "paper")),
    "SGFormer": ("sgformer", ("released", "paper")),
    "MLP": ("mlp", ("released", "paper")),
}
#: Rows that need no model -> their name among the stored facts.
WITHOUT_MODEL = {"majority": "constant", "look-up": "lookup"}
LINES = (*MODELS, *WITHOUT_MODEL)
#: Data sets of ours that stand beside those of the paper.
BESIDE = ("chameleon-filtered", "squirrel-filtered", "minesweeper", "cornell5")


@dataclass(frozen=True)
class Entry:
    """What is known of one model on one data set.

    Attributes:
        cell: what the paper prints, if anything.
        published, fair, as_found: our runs; the last only for graphs.
        why: the ledger's verdict with its reason; where the paper prints
            nothing and we have run nothing, the reason for that.
    """

    cell: Cell | None
    published: Run | None
    fair: Run | None
    why: str
    as_found: Run | None = None

    def run(self, protocol: str) -> Run | None:
        """Our run by the name of its protocol."""
        kinds = ("published", "fair", "as-found")
        check_choice("protocol", protocol, kinds)
        return getattr(self, protocol.replace("-", "_"))


Table = dict[tuple[str, str], Entry]


class NodeTable(Table):
    """(data set, line) → entry; what is not there is named."""

    def __missing__(self, key: tuple[str, str]) -> Entry:
        """Say which of the two is unknown."""
        name, line = key
        check_choice("data set", name, list(dict.fromkeys(n for n, _ in self)))
        check_choice("line", line, LINES)
        raise KeyError(key)


def judged_rows(
    table: int,
    runs: Mapping[Key, list[Run]] | None = None,
    cells: Sequence[Cell] | None = None,
) -> tuple[Mapping[Key, list[Run]], dict[Key, Row]]:
    """The runs, and the ledger's rows of one table of the paper by key.

    Args:
        table: its number.
        runs: what is stored; by default read from `data/results/runs`.
        cells: of the paper; by default all.
    """
    runs = read_runs() if runs is None else runs
    cells = read_cells() if cells is None else cells
    mine = [cell for cell in cells if cell.table == table]
    return runs, {row.cell.key: row for row in judge(mine, dict(runs))}


def node_table(
    facts: Mapping[str, Facts],
    runs: Mapping[Key, list[Run]] | None = None,
    cells: Sequence[Cell] | None = None,
) -> Table:
    """Every line on every data set: (data set, line) → entry.

    Args:
        facts: what `grokbook.experiments.measure.stored` gives.
        runs: what is stored; by default read from `data/results/runs`.
        cells: of the paper; by default all.
    """
    runs, rows = judged_rows(2, runs, cells)
    names = dict.fromkeys(row.cell.dataset.lower() for row in rows.values())
    return NodeTable(
        ((name, line), _entry(name, line, facts, runs, rows))
        for name in (*names, *BESIDE)
        for line in LINES
    )


def _entry(
    name: str,
    line: str,
    facts: Mapping[str, Facts],
    runs: Mapping[Key, list[Run]],
    rows: Mapping[Key, Row],
) -> Entry:
    """Look up one line of one data set."""
    if line in WITHOUT_MODEL:
        if name not in facts:
            return Entry(None, None, None, "not run: data not at hand")
        kind = WITHOUT_MODEL[line]
        found = [_guessed(facts[name][p][kind]) for p in PROTOCOLS]
        return Entry(None, *found, "measured")
    model, readings = MODELS[line]
    key = key_of(name, model)
    row = rows.get(key) if line != "as written" else None
    full = [run for run in runs.get(key, []) if is_full(run, SPLITS)]
    (published, doubt), (fair, unfair) = (
        chosen(full, protocol, readings) for protocol in PROTOCOLS
    )
    if row is not None:
        return Entry(
            row.cell,
            row.published or published,
            row.fair or fair,
            f"{row.verdict}: {row.reason}",
        )
    if published or fair:
        why = doubt or unfair or "the paper prints no number"
    else:
        why = f"not run: {_why(name, line, facts)}"
    return Entry(None, published, fair, why)


def _why(name: str, line: str, facts: Mapping[str, Facts]) -> str:
    """Why a line that the paper does not print was not run."""
    if name not in facts:
        return "data not at hand"
    if name in BESIDE:
        return "beside the paper's sets only some models were run"
    if line == "as written":
        return "as written the filter is twenty times as wide: small sets"
    return "planned"


def _guessed(scores: Sequence[float]) -> Run:
    """Scores that no run has stored."""
    return Run((), {}, tuple(100 * score for score in scores))


def kept(run: Run, name: str, folder: Path = RUNS) -> list[Any]:
    """A list with an item a split that a run has stored beside its scores.

    Args:
        run: from a table; its records are read anew, and verified.
        name: such as "responses" or "scores_at_least_loss".
        folder: the store.
    """
    found: list[Any] = []
    for file in run.files:
        result = read(folder / file)["result"]
        if name not in result:
            told = ", ".join(k for k, v in result.items() if type(v) is list)
            raise UnknownNameError(f"{file} keeps no {name!r}, but: {told}.")
        found += result[name]
    return found


def text(
    table: Table, names: Sequence[str], lines: Sequence[str] = LINES
) -> str:
    """Data sets side by side: the three `columns` of each.

    Lines without a single number are left out; see `missing`.
    """
    head = " " * 11 + "".join(f"|{name[:20]:^20}" for name in names)
    under = " " * 11 + "|paper publ.     fair" * len(names)
    told = [head, under]
    for line in lines:
        entries = [table[name, line] for name in names]
        if any(e.cell or e.published or e.fair for e in entries):
            told.append(f"{line:11}" + "".join(map(_three, entries)))
    return "\n".join(line.rstrip() for line in told)


def _three(entry: Entry) -> str:
    """The three columns of one entry."""
    paper, published, fair = columns(entry)
    return f"|{paper:>5} {published:>5} {fair:>8}"


def columns(entry: Entry) -> tuple[str, str, str]:
    """Paper, as published, fair; a dash where there is no number.

    Fair has half its interval, or n where fewer splits were run; without
    a fair run, n is that of the published one.
    """
    paper = "–" if entry.cell is None else "OOM"
    if entry.cell is not None and entry.cell.mean is not None:
        paper = f"{entry.cell.mean:.1f}"
    published, fair = "–", "–"
    if entry.published:
        published = f"{entry.published.mean:.1f}"
        n = len(entry.published.scores)
        fair = fair if n >= SPLITS else f"– n={n}"
    if entry.fair:
        mean, low, high = entry.fair.interval
        half, n = (high - low) / 2, len(entry.fair.scores)
        fair = f"{mean:.1f}±{half:.1f}" if n >= SPLITS else f"{mean:.1f} n={n}"
    return paper, published, fair


def missing(table: Table) -> dict[str, list[str]]:
    """Why entries have no run: reason → "line on data set, ..."."""
    found: dict[str, list[str]] = {}
    for (name, line), entry in table.items():
        if entry.published is None or entry.fair is None:
            got = entry.published or entry.fair
            why = "one protocol is still to run" if got else entry.why
            found.setdefault(why, []).append(f"{line} on {name}")
    return found
