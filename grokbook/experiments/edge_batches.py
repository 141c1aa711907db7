"""Padded graphs with what is known of their edges."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.graph_batches import Index, Padded
from grokbook.models.with_edges import EdgeGraph
from grokbook.spectrum import Spectrum
from grokbook.train import Batch

if TYPE_CHECKING:
    from torch_geometric.data import Data


class EdgePadded(Padded):
    """Features and spectra, padded, with edges and their features.

    Args:
        x, spectra: as in `Padded`.
        graphs: the graphs, for their edges.
        edge_attr: the features of each graph's edges.

    Shapes:
        `take` gives pieces (b, N, F) and an `EdgeGraph` for each
    """

    def __init__(
        self,
        x: Sequence[Float[Tensor, "_ F"]],
        spectra: Sequence[Spectrum],
        graphs: "Sequence[Data]",
        edge_attr: Sequence[Float[Tensor, "_ D"]],
    ) -> None:
        """Pad, and keep the edges as they are."""
        super().__init__(x, spectra)
        self._edges = [graph.edge_index for graph in graphs]
        self._attr = list(edge_attr)

    def take(self, index: Index) -> Batch:
        """Count the nodes of each piece through, padding included."""
        batch = super().take(index)
        which = batch.index.split([len(x) for x in batch.x])
        graphs = []
        for x, graph, some in zip(batch.x, batch.graph, which, strict=True):
            listed = some.tolist()
            shifted = [
                self._edges[i] + row * x.shape[1]
                for row, i in enumerate(listed)
            ]
            attr = torch.cat([self._attr[i] for i in listed])
            graphs.append(EdgeGraph(graph, torch.cat(shifted, dim=1), attr))
        return Batch(batch.x, tuple(graphs), batch.index)


def one_hot_columns(
    tables: Sequence[Tensor],
) -> list[Float[Tensor, "_ F"]]:
    """Whole numbers as one-hot columns, fractions as they are.

    The columns go up to the largest number of all tables.

    Examples:
        >>> one_hot_columns([torch.tensor([0, 1]), torch.tensor([2])])
        [tensor([[1., 0., 0.], [0., 1., 0.]]), tensor([[0., 0., 1.]])]
    """
    sizes = [len(table) for table in tables]
    whole = torch.cat([table.reshape(len(table), -1) for table in tables])
    if not whole.is_floating_point():
        widths = (whole.amax(0) + 1).tolist()
        whole = torch.cat(
            [
                torch.eye(width)[column]
                for width, column in zip(widths, whole.T, strict=True)
            ],
            dim=1,
        )
    return list(whole.split(sizes))
