"""`load_graph` and `load_graphs`: a set by its name, as PyG holds it."""

import os
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError
from safetensors.torch import load, save

from grokbook.cache import fingerprint
from grokbook.datasets.embedded import read_embedded
from grokbook.datasets.raw import data_folder, read_raw
from grokbook.datasets.registry import Entry, entry
from grokbook.datasets.tables import Tables, to_data, to_list
from grokbook.errors import DataFileError, GraphNotice

if TYPE_CHECKING:
    from torch_geometric.data import Data


def load_graph(
    name: str,
    *,
    loops: bool = False,
    accept_unverified: bool = False,
    sha256: Mapping[str, str] | None = None,
    **options: Any,
) -> "Data":
    """Load a graph by name as a PyG `Data` object.

    The graph is undirected and simple: each edge is listed in both
    directions, edges given twice count once, loops are dropped.

    `loops=True` keeps the loops of the files, at the end of `edge_index`:
    Texas has 16, Chameleon 50, Squirrel 140, Actor 93. The released protocol
    drops none of them. In the adjacency matrix such a loop is an entry 1
    that counts once in its node's degree, so L_ii = 1 − 1/d_i there; our
    `laplacian` drops loops, with a notice, so that L_ii = 1. (PyG's classes
    themselves drop the loops of Planetoid's and Amazon's sets.)

    Args:
        name: as `grokbook data list` shows them.
        loops: keep the loops.
        accept_unverified: take files whose SHA-256 nobody published.
        sha256: file names with the SHA-256 that you vouch for.
        **options: of a generated graph, such as `seed=`.

    Shapes:
        x (N, F) float32, edge_index (2, E), y (N,), -1 where unlabelled;
        train_mask, val_mask, test_mask (N,) or (N, splits) if the makers
        of the set published a split

    Raises:
        UnknownNameError: there is no graph of that name.
        DataFileError: its file is missing or its bytes have changed.
        UnverifiedError: nobody knows what its bytes should be.

    Examples:
        >>> load_graph("cora")
        Data(x=[2708, 1433], edge_index=[2, 10556], y=[2708])
    """
    row = entry(name, "node")
    if row.origin == "generated":
        return generate(row, **options)
    _no_options(row, options)
    return to_data(tables_of(row, accept_unverified, sha256), loops)


def load_graphs(
    name: str,
    *,
    accept_unverified: bool = False,
    sha256: Mapping[str, str] | None = None,
    **options: Any,
) -> "list[Data]":
    """Load a set of graphs by name, as a list of PyG `Data` objects.

    Args:
        name, accept_unverified, sha256, options: as in `load_graph`.

    Shapes:
        each: x (N, F), edge_index (2, E) in both directions, y (1, ...);
        edge_attr, pos, node_attr, split (0 train, 1 validation, 2 test)
        where the set has them

    Examples:
        >>> graphs = load_graphs("mutag")
        >>> len(graphs), graphs[0]
        (188, Data(x=[17, 7], edge_index=[2, 38], edge_attr=[38, 4], y=[1],
         num_nodes=17))
    """
    row = entry(name, "graph")
    if row.origin == "generated":
        return generate(row, **options)
    _no_options(row, options)
    return to_list(tables_of(row, accept_unverified, sha256))


def generate(row: Entry, **options: Any) -> Any:
    """Call the generator that a row of the registry names."""
    from grokbook.datasets import generators

    return getattr(generators, row.reader)(**options)


def _no_options(row: Entry, options: Mapping[str, Any]) -> None:
    """Only what is generated has options."""
    if options:
        raise TypeError(
            f"{row.name!r} is read, not generated: it has no option "
            f"{', '.join(options)}."
        )


def tables_of(
    row: Entry,
    accept_unverified: bool = False,
    sha256: Mapping[str, str] | None = None,
    *,
    download: bool = True,
) -> Tables:
    """The tables of an embedded or raw set, its content verified.

    What was parsed is kept in the cache under its fingerprint.
    """
    if row.origin == "embedded":
        return read_embedded(row)
    path = data_folder() / f"{row.name}-{row.fingerprint[:16]}.safetensors"
    if (tables := _parsed(path, row)) is not None:
        return tables
    given = {"accept_unverified": accept_unverified, "sha256": sha256}
    tables = parse(row, read_raw(row, download=download, **given))
    if not row.fingerprint:
        return tables
    if fingerprint(tables) == row.fingerprint:
        _keep(path, tables)
    elif accept_unverified or sha256:
        _tell(f"{row.name} is not the one that our counts are from.")
    else:
        raise DataFileError(
            f"{row.name} was read from the right bytes, but to other "
            "numbers than before. Please report your versions of NumPy, "
            "SciPy and, for peptides-func, RDKit."
        )
    return tables


def parse(row: Entry, files: Mapping[str, bytes]) -> Tables:
    """Hand verified bytes to the reader that the registry names."""
    from grokbook.datasets import graph_readers, node_readers

    readers = node_readers if row.level == "node" else graph_readers
    return getattr(readers, row.reader)(files)


def _parsed(path: Path, row: Entry) -> Tables | None:
    """What was parsed before, if it is whole and the right one."""
    if not row.fingerprint or not path.is_file():
        return None
    try:
        tables = load(path.read_bytes())
        if fingerprint(tables) == row.fingerprint:
            return tables
    except (SafetensorError, OSError):
        pass
    _tell(f"{path} is damaged; the set is read anew.")
    return None


def _keep(path: Path, tables: Tables) -> None:
    """Write beside the place, then move there in one step."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(".part", path.stem, path.parent)
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(save(tables))
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        _tell(f"The parsed set could not be stored in {path} ({error}).")


def _tell(what: str) -> None:
    """Say what went wrong, and go on."""
    warnings.warn(what, GraphNotice, stacklevel=4)
