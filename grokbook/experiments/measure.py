"""What a chapter says of graphs that the reader may lack: measured, stored.

Labels and edges alone decide how a split rule parts the classes, what a
constant scores, and what duplicates give away. None of it needs a model, and
all of it fits on a line a set.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Int
from torch import Tensor

from grokbook.baselines import majority, twin_groups, vote
from grokbook.datasets import entry, homophily, load_graph, registry
from grokbook.datasets.raw import missing
from grokbook.datasets.registry import Entry
from grokbook.errors import DataFileError
from grokbook.experiments.node import PROTOCOLS
from grokbook.files import DATA, put
from grokbook.laplacian import laplacian

if TYPE_CHECKING:
    from torch_geometric.data import Data

STORED = DATA / "results" / "datasets.json"
SPLITS = 10
LARGEST = 6_000  # nodes; beyond, a decomposition takes minutes
CLOSE = 1e-8  # so near to 1 is 1: the solver errs by some 1e-14
Facts = dict[str, Any]


def stored(path: Path = STORED) -> dict[str, Facts]:
    """The measurements of every set, by its name.

    Examples:
        >>> stored()["texas"]["classes"]
        [33, 1, 18, 101, 30]
    """
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise DataFileError(
            f"{path.name} is missing or damaged. It is part of the "
            "repository: run `git checkout data`."
        ) from error


def at_hand() -> list[Entry]:
    """The sets of one labelled graph that are on this machine, verified."""
    return [
        row
        for row in registry().values()
        if row.found and row.level == "node"
        if row.origin == "embedded" or not missing(row)
    ]


def update(names: Iterable[str], path: Path = STORED) -> Iterator[str]:
    """Measure sets anew, by default all at hand; say of each that it is."""
    rows = [entry(name, "node") for name in names] or at_hand()
    found = stored(path) if path.exists() else {}
    for row in rows:
        found[row.name] = measure(load_graph(row.name))
        _write(found, path)
        yield f"{row.name}: measured"


def measure(data: "Data", *, ones: bool = True) -> Facts:
    """Classes, homophily, twins, and what each protocol makes of them.

    Args:
        data: a graph with labels, −1 for none.
        ones: also count the eigenvalues that are 1, if the graph is small
            enough.

    Returns:
        classes: how many nodes of each.
        homophily: over edges, over nodes, adjusted.
        twins: the nodes that have one; how many neighbours they have, the
            median; what they add to the multiplicity of the eigenvalue 1 at
            least; that multiplicity, or None.
        published, fair: see `_protocol`.
    """
    y, group = data.y, twin_groups(data)
    _, size = group.unique(return_counts=True)
    kinds = homophily(data.edge_index, y)._asdict()
    doubled = group.bincount()[group] > 1
    degree = data.edge_index[0].bincount(minlength=len(y))[doubled]
    twins: Facts = {
        "nodes": int(doubled.sum()),
        "neighbours": int(degree.median()) if len(degree) else None,
        "at_least": int((size - 1).sum()),
        "ones": _ones(data) if ones else None,
    }
    return {
        "classes": y[y >= 0].bincount().tolist(),
        "homophily": {name: round(v, 4) for name, v in kinds.items()},
        "twins": twins,
        **{name: _protocol(name, y, group) for name in PROTOCOLS},
    }


def _protocol(
    name: str, y: Int[Tensor, " N"], group: Int[Tensor, " N"]
) -> Facts:
    """Ten splits by a protocol's rule.

    Returns:
        sizes: of the parts.
        untested: classes that are in no test part of any split.
        constant, lookup: the test accuracy of the two rows without a model.
        with_twin: the share of test nodes that have a twin in training.
        twin_right: of these, the share for which the look-up is right.
    """
    splits = [PROTOCOLS[name](y, seed=s) for s in range(SPLITS)]
    tested = torch.stack([s.counts(y)[2] for s in splits]).sum(0)
    right = [vote(group, y, s) == y for s in splits]
    given = [s.test & torch.isin(group, group[s.train]) for s in splits]
    pairs = list(zip(splits, right, given, strict=True))
    found = [r[g] for _, r, g in pairs]
    return {
        "sizes": list(splits[0].sizes()),
        "untested": (tested == 0).nonzero().flatten().tolist(),
        "constant": [_share((majority(y, s) == y)[s.test]) for s in splits],
        "lookup": [_share(r[s.test]) for s, r, _ in pairs],
        "with_twin": _share(torch.cat([g[s.test] for s, _, g in pairs])),
        "twin_right": _share(torch.cat(found)) if any(map(len, found)) else 0,
    }


def _share(hits: Tensor) -> float:
    """The mean of hits and misses, to six digits."""
    return round(float(hits.double().mean()), 6)


def _ones(data: "Data") -> int | None:
    """The multiplicity of the eigenvalue 1."""
    if data.num_nodes > LARGEST:
        return None
    lam = torch.linalg.eigvalsh(laplacian(data).to_dense())
    return int(((lam - 1).abs() < CLOSE).sum())


def _write(found: dict[str, Facts], path: Path) -> None:
    """Write a line a set, in the registry's order, in one step."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(found[name])}"
        for name in registry()
        if name in found
    ]
    put(path, "{\n" + ",\n".join(lines) + "\n}\n")
