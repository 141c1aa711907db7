"""Graphs that a reader brings: checked, and cleaned as ours are."""

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from grokbook.datasets.loading import load_graph
from grokbook.errors import LabelError, SignalError
from grokbook.laplacian import clean_edges

if TYPE_CHECKING:
    from torch_geometric.data import Data


def as_graph(graph: "str | Data", **options: Any) -> "Data":
    """A graph by its name, or one that you bring, checked and cleaned.

    Your graph comes back as `load_graph` would give it: x in float32, y
    whole numbers, edges in both directions, once each, without loops. What
    else it holds is kept; yours is not changed.

    Raises:
        EdgeShapeError, NodeIndexError, EdgeWeightError, EmptyGraphError:
            as `laplacian` does.
        SignalError: x is not one row of finite numbers a node.
        LabelError: y is not one whole number a node.

    Examples:
        >>> from torch_geometric.data import Data
        >>> path = Data(x=[[1.0], [2.0]], edge_index=[[0, 1], [1, 0]])
        >>> as_graph(path)
        Data(x=[2, 1], edge_index=[2, 2])
    """
    if isinstance(graph, str):
        return load_graph(graph, **options)
    num_nodes = _count(graph)
    edges, weight, N = clean_edges(
        graph.edge_index, num_nodes, graph.edge_weight
    )
    clean = graph.clone()
    clean.edge_index = edges
    if graph.edge_weight is not None:
        clean.edge_weight = weight.float()
    if graph.x is not None:
        x = torch.as_tensor(graph.x).to(torch.float32)
        clean.x = x if x.layout is torch.strided else x.to_dense()
        _check_features(clean.x, N)
    if graph.y is not None:
        clean.y = _checked_labels(torch.as_tensor(graph.y), N)
    if graph.x is None:
        clean.num_nodes = N
    return clean


def _count(graph: "Data") -> int | None:
    """The number of nodes a graph says or implies by its features."""
    if graph.x is not None:
        return len(graph.x)
    return graph.num_nodes if "num_nodes" in graph else None


def _check_features(x: Tensor, N: int) -> None:
    """One row of finite numbers a node."""
    if x.dim() != 2 or len(x) != N:
        raise SignalError(
            f"x has shape {tuple(x.shape)} on {N} nodes. Pass one row a "
            f"node: shape ({N}, F)."
        )
    if not x.isfinite().all():
        row, col = (~x.isfinite()).nonzero()[0].tolist()
        raise SignalError(
            f"x[{row}, {col}] is {x[row, col].item()}. Replace what is "
            "missing by a number before you train on it."
        )


def _checked_labels(y: Tensor, N: int) -> Tensor:
    """One whole number a node, -1 where it has no label."""
    if y.shape != (N,):
        raise LabelError(
            f"y has shape {tuple(y.shape)} on {N} nodes. Pass one whole "
            f"number a node: shape ({N},)."
        )
    whole = y.long()
    if not (y == whole).all() or (whole < -1).any():
        raise LabelError(
            "y holds something else than the classes 0, 1, 2, … and -1 for "
            "a node without a label. Number the classes from 0."
        )
    return whole
