"""Sets as named tensors in one canonical order.

Whatever file a set came from, the same graph gives the same tables, so one
SHA-256 over them tells whether two copies of a set agree. The tables of one
graph: `edges` (each pair once, i ≤ j, sorted, loops included), the entries
of the features as a sparse matrix `x_start`, `x_col`, `x_val`, its `shape`,
`y`, and the makers' split as `train_mask`, `val_mask`, `test_mask`. Those of
many graphs: `node_count`, all edges of all graphs as `edge_index` (both
directions, nodes counted through), and whatever belongs to nodes (`x`,
`pos`, `node_attr`), edges (`edge_attr`) and graphs (`y`, `split`).
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from scipy.sparse import csr_matrix
from torch import Tensor

if TYPE_CHECKING:
    from torch_geometric.data import Data

Tables = dict[str, Tensor]
SPLITS = ("train", "val", "test")


def node_tables(ends: Any, x: Any, y: Any, **masks: Any) -> Tables:
    """The tables of one graph.

    Shapes:
        ends (2, E) in any order and direction, x (N, F) dense or sparse,
        y (N,), masks (N,) or (N, splits)
    """
    x = csr_matrix(x, dtype=np.float32)
    x.sum_duplicates()
    x.eliminate_zeros()
    N = x.shape[0]
    low, high = np.sort(np.asarray(ends, dtype=np.int64), axis=0)
    key = np.unique(low * N + high)
    tables = {
        "edges": np.stack([key // N, key % N]).astype(np.int32),
        "shape": np.array(x.shape, dtype=np.int32),
        "x_start": x.indptr.astype(np.int32),
        "x_col": x.indices.astype(np.int32),
        "x_val": x.data,
        "y": np.asarray(y).astype(np.int32),
    } | {name: np.asarray(mask).astype(bool) for name, mask in masks.items()}
    return {name: _tensor(table) for name, table in tables.items()}


def graph_tables(node_count: Any, ends: Any, y: Any, **more: Any) -> Tables:
    """The tables of many graphs.

    Shapes:
        node_count (G,), ends (2, E) counted through all graphs, y (G, ...),
        x, pos, node_attr (N, F), edge_attr (E, F), split (G,)
    """
    ends = np.asarray(ends, dtype=np.int64)
    ends, kept = np.unique(ends, axis=1, return_index=True)
    if "edge_attr" in more:
        more["edge_attr"] = np.asarray(more["edge_attr"])[kept]
    tables = {
        "node_count": np.asarray(node_count).astype(np.int32),
        "edge_index": ends.astype(np.int32),
        "y": np.asarray(y),
    } | more
    return {name: _tensor(table) for name, table in tables.items()}


def _tensor(table: Any) -> Tensor:
    """In memory order: otherwise safetensors would store it scrambled."""
    return torch.from_numpy(np.ascontiguousarray(table))


def to_data(tables: Tables, loops: bool = False) -> "Data":
    """One graph as PyG holds it: x dense, each edge in both directions."""
    from torch_geometric.data import Data

    edges = tables["edges"].long()
    loop = edges[0] == edges[1]
    once = edges[:, ~loop]
    parts = [once, once.flip(0)] + [edges[:, loop]] * loops
    start, col, val = (tables[f"x_{part}"] for part in ("start", "col", "val"))
    x = torch.zeros(*tables["shape"].tolist())
    row = torch.arange(len(x)).repeat_interleave(start.diff())
    x[row, col.long()] = val
    masks = {f"{s}_mask": tables.get(f"{s}_mask") for s in SPLITS}
    return Data(
        x=x,
        edge_index=torch.cat(parts, dim=1),
        y=tables["y"].long(),
        **{name: mask for name, mask in masks.items() if mask is not None},
    )


def to_list(tables: Tables) -> "list[Data]":
    """Many graphs as PyG holds them, each with its own node numbers."""
    from torch_geometric.data import Data

    nodes = tables["node_count"].tolist()
    graph = torch.arange(len(nodes)).repeat_interleave(tables["node_count"])
    edges = tables["edge_index"].long()
    of_edge = graph[edges[0]]
    links = of_edge.bincount(minlength=len(nodes)).tolist()
    first = tables["node_count"].long().cumsum(0) - tables["node_count"]
    parts = {"edge_index": (edges - first[of_edge]).split(links, dim=1)}
    for name, table in tables.items():
        if name in ("y", "split"):
            parts[name] = table.long() if name == "split" else table
            parts[name] = parts[name].split(1)
        elif name in ("x", "pos", "node_attr"):
            parts[name] = table.split(nodes)
        elif name == "edge_attr":
            parts[name] = table.split(links)
    return [
        Data(num_nodes=N, **{name: part[g] for name, part in parts.items()})
        for g, N in enumerate(nodes)
    ]
