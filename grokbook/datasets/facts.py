"""What can be counted in a graph: its size, its homophily."""

from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

if TYPE_CHECKING:
    from torch_geometric.data import Data


class Homophily(NamedTuple):
    """How often neighbours share a class: over edges, over nodes, adjusted."""

    edge: float
    node: float
    adjusted: float


def homophily(
    edge_index: Int[Tensor, "2 E"], y: Int[Tensor, " N"]
) -> Homophily:
    r"""Measure how often neighbours share a class.

    .. math:: \mathcal{H} = \frac{|\{(i,j) \in \mathcal{E} : y_i = y_j\}|}
       {|\mathcal{E}|}, \qquad
       \mathcal{H}_\text{node} = \operatorname{mean}_i
       \frac{|\{j \in \mathcal{N}_i : y_i = y_j\}|}{|\mathcal{N}_i|},
       \qquad
       \mathcal{H}_\text{adjusted} = \frac{\mathcal{H} - \sum_c p_c^2}
       {1 - \sum_c p_c^2}

    The first is the paper's, and the one its Table 7 prints (of the simple
    undirected graph). The last takes off what chance gives: p_c is the share
    of the ends of edges that are in class c. It is 0 if classes do not
    matter, and not a number if all ends are in one class. Loops, edges to a
    node without a label (y = −1), and nodes without edges do not count.
    Derived in chapter 09.

    Shapes:
        edge_index (2, E) in both directions, y (N,)

    Examples:
        >>> path = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> homophily(path, torch.tensor([0, 0, 1]))
        Homophily(edge=0.5, node=0.5, adjusted=-0.3333333333333333)
    """
    i, j = edge_index
    i, j = edge_index[:, (i != j) & (y[i] >= 0) & (y[j] >= 0)]
    same = (y[i] == y[j]).double()
    degree = i.bincount(minlength=len(y)).double()
    alike = torch.zeros_like(degree).index_add_(0, i, same)
    node = alike[degree > 0] / degree[degree > 0]
    ends = y[i].bincount().double() / len(i)
    chance = (ends**2).sum()
    adjusted = (same.mean() - chance) / (1 - chance)
    return Homophily(*map(float, (same.mean(), node.mean(), adjusted)))


def describe(graph: "Data | list[Data]") -> dict[str, int | float]:
    """Count what the paper's Tables 7 and 8 count.

    Of one graph: nodes, edges (pairs, each once, no loops), features,
    classes, homophily over edges. Of a list: graphs, classes (of a whole
    numbered target), the largest and the mean number of nodes, the mean
    number of edges.

    Examples:
        >>> from grokbook import load_graphs
        >>> describe(load_graphs("mutag"))
        {'graphs': 188, 'max_nodes': 28, 'mean_nodes': 17.93,
         'mean_edges': 19.79, 'features': 7, 'classes': 2}
    """
    if isinstance(graph, list):
        return _describe_many(graph)
    i, j = graph.edge_index[:, graph.edge_index[0] != graph.edge_index[1]]
    pair = torch.minimum(i, j) * graph.num_nodes + torch.maximum(i, j)
    found: dict[str, Any] = {
        "nodes": graph.num_nodes,
        "edges": len(pair.unique()),
        "features": graph.num_features,
    }
    if graph.y is not None:
        found["classes"] = int(graph.y.max()) + 1
        edge = homophily(graph.edge_index, graph.y).edge
        found["homophily"] = round(edge, 4)
    return found


def _describe_many(graphs: "list[Data]") -> dict[str, int | float]:
    """The counts of Table 8, means to two digits as there."""
    nodes = torch.tensor([float(graph.num_nodes) for graph in graphs])
    edges = torch.tensor([float(graph.num_edges) for graph in graphs])
    found: dict[str, Any] = {
        "graphs": len(graphs),
        "max_nodes": int(nodes.max()),
        "mean_nodes": round(float(nodes.double().mean()), 2),
        "mean_edges": round(float(edges.double().mean()) / 2, 2),
        "features": graphs[0].num_features,
    }
    if not graphs[0].y.is_floating_point():
        found["classes"] = len({int(graph.y) for graph in graphs})
    return found
