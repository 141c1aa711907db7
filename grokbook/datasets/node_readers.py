"""Raw files of single graphs → tables. One function a layout.

Each takes the verified bytes of a set's files by file name.
"""

import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, hstack, vstack

from grokbook.datasets.pickles import open_pickle
from grokbook.datasets.tables import SPLITS, Tables, node_tables

Files = Mapping[str, bytes]


def planetoid(files: Files) -> Tables:
    """Cora, Citeseer, Pubmed as Yang et al. (2016) published them.

    The rows of `tx` and `ty` belong to the papers listed in `test.index`.
    Citeseer has 15 papers with neither words nor a class; like everybody
    who reads these files, we give them no feature and class 0.
    """
    part = {name.split(".", 2)[2]: raw for name, raw in files.items()}
    opened = {
        key: open_pickle(part[key])
        for key in ("y", "allx", "tx", "ally", "ty", "graph")
    }
    graph = opened["graph"]
    tested = np.loadtxt(io.BytesIO(part["test.index"]), dtype=np.int64)
    N, known = len(graph), opened["allx"].shape[0]
    paper = np.concatenate([np.arange(known), tested])
    words = vstack([opened["allx"], opened["tx"]]).tocoo()
    x = coo_matrix(
        (words.data, (paper[words.row], words.col)), (N, words.shape[1])
    )
    classes = np.zeros((N, opened["y"].shape[1]))
    classes[paper] = np.concatenate([opened["ally"], opened["ty"]])
    ends = [(i, j) for i, js in graph.items() for j in js]
    learnt = len(opened["y"])
    index = np.arange(N)
    masks = {
        "train_mask": index < learnt,
        "val_mask": (learnt <= index) & (index < learnt + 500),
        "test_mask": np.isin(index, tested),
    }
    return node_tables(np.array(ends).T, x, classes.argmax(1), **masks)


def geom_gcn(files: Files) -> Tables:
    """Chameleon, Squirrel, Texas, … as Pei et al. (2020) published them."""
    edges = np.loadtxt(
        io.BytesIO(files["out1_graph_edges.txt"]), dtype=np.int64, skiprows=1
    )
    text = files["out1_node_feature_label.txt"].decode()
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    rows.sort(key=lambda row: int(row[0]))
    cells = [np.fromstring(row[1], np.int64, sep=",") for row in rows]
    y = [int(row[2]) for row in rows]
    return node_tables(edges.T, _rows(cells), y, **_split_files(files))


def _rows(cells: list[np.ndarray]) -> csr_matrix:
    """Rows of 0 and 1, or (Actor) rows of the columns that are 1."""
    if len({len(row) for row in cells}) == 1:
        return csr_matrix(np.stack(cells))
    col = np.concatenate(cells)
    start = np.cumsum([0, *map(len, cells)])
    x = csr_matrix((np.ones(len(col)), col, start))
    x.sum_duplicates()
    x.data[:] = 1
    return x


def _split_files(files: Files) -> dict[str, np.ndarray]:
    """The ten official splits, one column each."""
    names = sorted(name for name in files if "_split_" in name)
    if not names:
        return {}
    splits = [np.load(io.BytesIO(files[name])) for name in names]
    return {
        f"{part}_mask": np.stack([s[f"{part}_mask"] for s in splits], axis=1)
        for part in SPLITS
    }


def gnn_benchmark(files: Files) -> Tables:
    """Photo and Physics in the layout of Shchur et al. (2018)."""
    (raw,) = files.values()
    tables = np.load(io.BytesIO(raw), allow_pickle=False)

    def matrix(kind: str) -> csr_matrix:
        parts = ("data", "indices", "indptr")
        return csr_matrix(
            tuple(tables[f"{kind}_{part}"] for part in parts),
            tables[f"{kind}_shape"],
        )

    A = matrix("adj").tocoo()
    x = (matrix("attr") > 0).astype(np.float32)
    return node_tables([A.row, A.col], x, tables["labels"])


def heterophilous(files: Files) -> Tables:
    """Minesweeper and the filtered Wikipedia graphs, Platonov et al. 2023."""
    (raw,) = files.values()
    tables = np.load(io.BytesIO(raw), allow_pickle=False)
    masks = {f"{part}_mask": tables[f"{part}_masks"].T for part in SPLITS}
    return node_tables(
        tables["edges"].T,
        tables["node_features"],
        tables["node_labels"],
        **masks,
    )


def facebook(files: Files) -> Tables:
    """A university of Facebook100: the class is the gender, −1 if unknown.

    Every other column of the students' table (status, major, second major,
    dormitory, year, school) becomes one-hot.
    """
    from scipy.io import loadmat

    tables = loadmat(io.BytesIO(files["data.mat"]))
    A = tables["A"].tocoo()
    about = tables["local_info"].astype(np.int64)
    x = hstack([_one_hot(about[:, j]) for j in (0, 2, 3, 4, 5, 6)])
    return node_tables([A.row, A.col], x, about[:, 1] - 1)


def _one_hot(column: np.ndarray) -> coo_matrix:
    """A column for each value that occurs, in order."""
    _, place = np.unique(column, return_inverse=True)
    row = np.arange(len(column))
    return coo_matrix((np.ones(len(column)), (row, place)))


def wikics(files: Files) -> Tables:
    """WikiCS as Mernyei and Cangea (2020) published it: 20 splits, 1 test."""
    tables: dict[str, Any] = json.loads(files["data.json"])
    ends = [(i, j) for i, js in enumerate(tables["links"]) for j in js]
    train, val = (np.array(tables[f"{s}_masks"]).T for s in ("train", "val"))
    return node_tables(
        np.array(ends).T,
        np.array(tables["features"], dtype=np.float32),
        tables["labels"],
        train_mask=train,
        val_mask=val,
        test_mask=np.array(tables["test_mask"]),
    )
