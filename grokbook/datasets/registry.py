"""What sets there are: read from `registry.toml` and `files.csv`.

`registry.toml` says of each set what it is, where it comes from, and what is
found in it after our cleaning; `files.csv` says of each raw file where it
lies in a folder of PyG's raw layouts, its SHA-256, and its address.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from grokbook.errors import UnknownNameError
from grokbook.files import DATA, read_csv

HERE = Path(__file__).parent


@dataclass(frozen=True)
class RawFile:
    """One file as its makers published it.

    `sha256` is empty where nobody we could ask published the bytes.
    `url` serves exactly those bytes; `unverified_url` serves the makers'
    own file, whose hash is not known.
    """

    path: str
    sha256: str
    url: str
    unverified_url: str

    @property
    def name(self) -> str:
        """The last part of its path."""
        return PurePosixPath(self.path).name

    @property
    def is_pickle(self) -> bool:
        """Whether reading it could run code, were its bytes not known."""
        planetoid = self.name.startswith("ind.")
        return self.name.endswith((".pickle", ".pt")) or (
            planetoid and not self.name.endswith("test.index")
        )


@dataclass(frozen=True)
class Entry:
    """One set: what it is, where it is from, what is found in it.

    `found` holds the counts after our cleaning (empty if nobody here has
    seen the set), `paper` the name of its column in the paper's Table 7 or
    8, and `differs` the reason for each number in which the two disagree.
    """

    name: str
    task: str
    origin: str  # embedded, generated or raw
    source: str
    licence: str
    reader: str = ""
    paper: str = ""
    found: Mapping[str, int | float] = field(default_factory=dict)
    differs: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    fingerprint: str = ""
    files: tuple[RawFile, ...] = ()

    @property
    def level(self) -> str:
        """ "node" or "graph"."""
        return self.task.split()[0]

    @property
    def verifiable(self) -> bool:
        """Whether the bytes of every raw file are known."""
        return all(file.sha256 for file in self.files)


@cache
def registry() -> dict[str, Entry]:
    """Every set by its name, in the order of `registry.toml`."""
    files: dict[str, list[RawFile]] = {}
    for row in read_csv(HERE / "files.csv"):
        files.setdefault(row.pop("dataset"), []).append(RawFile(**row))
    rows = tomllib.loads((HERE / "registry.toml").read_text())
    return {
        name: Entry(name, files=tuple(files.get(name, ())), **row)
        for name, row in rows.items()
    }


def entry(name: str, level: str | None = None) -> Entry:
    """Look a set up, in any case and with `_` for `-`.

    Raises:
        UnknownNameError: no set has that name, or none of that level.

    Examples:
        >>> entry("PTC_MR").name
        'ptc-mr'
        >>> entry("mutag", "node")
        Traceback (most recent call last):
            ...
        grokbook.errors.UnknownNameError: 'mutag' is a list of graphs, not \
one graph: call load_graphs('mutag').
    """
    row = registry().get(str(name).lower().replace("_", "-"))
    if row is None:
        known = [
            e.name for e in registry().values() if level in (None, e.level)
        ]
        raise UnknownNameError(
            f"There is no data set {name!r}. Choose from: {', '.join(known)}."
        )
    if level not in (None, row.level):
        is_, not_, call = (
            ("a list of graphs", "one graph", "load_graphs")
            if level == "node"
            else ("one graph", "a list of graphs", "load_graph")
        )
        raise UnknownNameError(
            f"{row.name!r} is {is_}, not {not_}: call {call}({row.name!r})."
        )
    return row


def printed(row: Entry) -> dict[str, Any]:
    """What the paper's Table 7 or 8 prints of a set; empty if nothing.

    Examples:
        >>> printed(entry("texas"))["edges"]
        295.0
    """
    number = "7" if row.level == "node" else "8"
    for line in read_csv(DATA / "paper" / f"table{number}.csv"):
        if line.pop("dataset") == row.paper:
            return {key: float(value) for key, value in line.items()}
    return {}
