"""Raw files of many graphs → tables. One function a layout.

Each takes the verified bytes of a set's files by file name.
"""

import csv
import gzip
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch
from tqdm.auto import tqdm

from grokbook.datasets.pickles import open_pickle
from grokbook.datasets.tables import SPLITS, Tables, graph_tables
from grokbook.errors import MissingPackageError

Files = Mapping[str, bytes]


def tudataset(files: Files) -> Tables:
    """The text files of the TU collection (Morris et al. 2020).

    Labels of nodes and edges become one-hot, classes are numbered from 0;
    the sets of films have no label, and so no `x`.
    """
    part = {
        name.rsplit("/", 1)[-1].removesuffix(".txt"): raw
        for name, raw in files.items()
    }
    name = next(key for key in part if key.endswith("_A")).removesuffix("_A")

    def table(kind: str, dtype: type = np.int64) -> np.ndarray | None:
        raw = part.get(f"{name}_{kind}")
        if raw is None:
            return None
        return np.loadtxt(io.BytesIO(raw), dtype, delimiter=",")

    ends = table("A").T - 1
    more = {
        key: _one_hot(labels)
        for key, kind in (("x", "node_labels"), ("edge_attr", "edge_labels"))
        if (labels := table(kind)) is not None
    }
    if (numbers := table("node_attributes", np.float32)) is not None:
        more["node_attr"] = numbers.reshape(len(numbers), -1)
    _, y = np.unique(table("graph_labels"), return_inverse=True)
    count = np.bincount(table("graph_indicator") - 1)
    return graph_tables(count, ends, y, **more)


def _one_hot(labels: np.ndarray) -> np.ndarray:
    """A column for each number from the least label to the largest."""
    low = labels.min()
    return np.eye(labels.max() - low + 1, dtype=np.float32)[labels - low]


def zinc(files: Files) -> Tables:
    """Molecules of ZINC: the kind of each atom, of each bond, and a target.

    The target is the penalised logP; the files are those of Dwivedi et al.
    (2020), and each `.index` lists which molecules of its part are used.
    """
    parts = []
    for place, part in enumerate(SPLITS):
        molecules = open_pickle(files[f"{part}.pickle"])
        listed = files[f"{part}.index"].decode().strip().split(",")
        for molecule in (molecules[int(i)] for i in listed):
            bond = molecule["bond_type"]
            ends = bond.nonzero().T
            parts.append(
                {
                    "x": molecule["atom_type"].long().reshape(-1, 1),
                    "edge_index": ends,
                    "edge_attr": bond[ends[0], ends[1]].long(),
                    "y": molecule["logP_SA_cycle_normalized"].float(),
                    "split": place,
                }
            )
    return _joined(parts)


def cifar10(files: Files) -> Tables:
    """Superpixels of photographs, as Dwivedi et al. (2020) published them."""
    raw = io.BytesIO(files["CIFAR10_v2.pt"])
    three = torch.load(raw, weights_only=True)
    return _joined(
        {**graph, "split": place}
        for place, part in enumerate(three)
        for graph in part
    )


def peptides_func(files: Files) -> Tables:
    """Peptides with ten properties each (Dwivedi et al. 2022), by RDKit."""
    try:
        import rdkit  # noqa: F401
        from torch_geometric.utils import from_smiles
    except ImportError as error:
        raise MissingPackageError(
            "The peptides are stored as formulas, and RDKit turns them into "
            "graphs: run `pip install rdkit` and try again."
        ) from error
    (table,) = (raw for name, raw in files.items() if name.endswith("gz"))
    (pickled,) = (raw for name, raw in files.items() if "pickle" in name)
    text = io.StringIO(gzip.decompress(table).decode())
    rows = tqdm(list(csv.DictReader(text)), "peptides")
    split = open_pickle(pickled)
    part = {int(i): place for place, s in enumerate(SPLITS) for i in split[s]}
    return _joined(
        {
            **from_smiles(row["smiles"]).to_dict(),
            "y": torch.tensor([json.loads(row["labels"])]).float(),
            "split": part[i],
        }
        for i, row in enumerate(rows)
    )


def _joined(graphs: Iterable[Mapping[str, Any]]) -> Tables:
    """Lay graphs end to end, the nodes counted through."""
    graphs = list(graphs)
    count = [len(graph["x"]) for graph in graphs]
    first = np.cumsum([0, *count[:-1]])
    ends = [
        graph["edge_index"].numpy() + start
        for graph, start in zip(graphs, first, strict=True)
    ]
    more = {
        key: torch.cat([graph[key] for graph in graphs]).numpy()
        for key in ("x", "pos", "edge_attr")
        if key in graphs[0]
    }
    y = torch.cat([graph["y"] for graph in graphs]).numpy()
    split = [graph["split"] for graph in graphs]
    return graph_tables(
        count,
        np.concatenate(ends, axis=1),
        y,
        split=np.array(split, dtype=np.uint8),
        **more,
    )
