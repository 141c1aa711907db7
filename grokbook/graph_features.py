"""Features of many graphs, from the labels of their nodes and the degrees."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.errors import EmptyGraphError

if TYPE_CHECKING:
    from torch_geometric.data import Data


def label_and_degree(
    graphs: "Sequence[Data]",
) -> list[Float[Tensor, "_ F"]]:
    """One-hot label, where nodes have one, then one-hot degree.

    The columns for degrees go up to the largest of all graphs.

    Shapes:
        F = labels + largest degree + 1

    Examples:
        >>> from torch_geometric.data import Data
        >>> edge = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=3)
        >>> label_and_degree([edge])
        [tensor([[0., 1.], [0., 1.], [1., 0.]])]
    """
    if not graphs:
        raise EmptyGraphError("There is no graph. Pass at least one.")
    degrees = [
        graph.edge_index[0].bincount(minlength=graph.num_nodes)
        for graph in graphs
    ]
    eye = torch.eye(1 + max(int(degree.max()) for degree in degrees))
    return [
        eye[degree]
        if graph.x is None
        else torch.cat([graph.x.float(), eye[degree]], dim=1)
        for graph, degree in zip(graphs, degrees, strict=True)
    ]


def bags(x: Sequence[Float[Tensor, "_ F"]]) -> Float[Tensor, "n F"]:
    """How often each feature occurs in a graph, as log(1 + count).

    Of the structure nothing is left but the degrees.

    Examples:
        >>> bags([torch.eye(2), torch.zeros(3, 2)]).exp()
        tensor([[2., 2.], [1., 1.]])
    """
    return torch.stack([rows.sum(0) for rows in x]).log1p()
