"""What `grokbook data list | get | check` say."""

from collections.abc import Iterable, Iterator

from grokbook.datasets.facts import describe
from grokbook.datasets.loading import tables_of
from grokbook.datasets.raw import how_to_get, missing, read_raw
from grokbook.datasets.registry import Entry, entry, printed, registry
from grokbook.datasets.tables import to_data, to_list
from grokbook.errors import (
    DataFileError,
    MissingPackageError,
    UnverifiedError,
)

CLOSE = 0.005  # half of the last digit that the paper prints


def listing() -> Iterator[str]:
    """A line a set: name, task, whether at hand, where it comes from."""
    for row in registry().values():
        yield f"{row.name:18} {row.task:21} {_at_hand(row):24} {row.source}"


def _at_hand(row: Entry) -> str:
    """Whether a set is on this machine, or what it takes to get it."""
    if row.origin != "raw":
        return row.origin
    if lost := missing(row):
        if all(file.url for file in lost):
            return "to download"
        if all(file.url or file.unverified_url for file in lost):
            return "to download, unverified"
        return "not to be downloaded"
    return "at hand" if row.verifiable else "at hand, unverified"


def get(names: Iterable[str], accept_unverified: bool) -> Iterator[str]:
    """Fetch, verify and parse sets; say of each what became of it."""
    for name in names:
        row = entry(name)
        if row.origin != "raw":
            yield f"{row.name}: {row.origin}, nothing to get"
            continue
        tables_of(row, accept_unverified)
        yield f"{row.name}: ready"


def check(
    names: Iterable[str], accept_unverified: bool = False
) -> Iterator[tuple[str, bool]]:
    """Measure sets against the registry and the paper.

    Yields:
        lines to print, each with whether it tells of something wrong. A
        set that nobody can verify, or that needs a package which is not
        installed, is wrong only if you named it.
    """
    named = [entry(name) for name in names]
    for row in named or registry().values():
        if row.origin == "generated":
            yield f"{row.name}: made when asked for, nothing to check", False
        elif row.origin == "raw" and missing(row):
            yield how_to_get(row), bool(named) or row.verifiable
        else:
            try:
                yield from _compare(row, accept_unverified)
            except (UnverifiedError, MissingPackageError) as error:
                yield f"{row.name}: {error}", bool(named)
            except DataFileError as error:
                yield f"{row.name}: {error}", True


def _compare(row: Entry, unverified: bool) -> Iterator[tuple[str, bool]]:
    """A set at hand: read, counted, compared."""
    if row.origin == "raw":  # even if its tables are cached
        read_raw(row, accept_unverified=unverified, download=False)
    tables = tables_of(row, unverified, download=False)
    graph = to_data(tables) if row.level == "node" else to_list(tables)
    found = describe(graph)
    if not row.found:
        yield f"{row.name}: not verified, the first time it is seen", False
    elif found == dict(row.found):
        yield f"{row.name}: {len(row.files)} file(s), content verified", False
    else:
        yield f"{row.name}: expected {dict(row.found)}", True
    paper = printed(row)
    for key, value in found.items():
        yield _line(row, key, value, paper.get(key))


def _line(
    row: Entry, key: str, value: int | float, paper: float | None
) -> tuple[str, bool]:
    """One number beside the paper's, and the reason if they disagree."""
    line = f"  {key:10} {value:>12,}"
    if paper is None:
        return line, False
    line = f"{line}  paper {paper:>12,.10g}"
    if abs(value - paper) <= CLOSE:
        return line, False
    reason = row.differs.get(key)
    return f"{line}  {reason or 'differs, and nobody knows why'}", not reason
