"""GCN and GIN for graphs: message passing by PyG, then one row a graph."""

from functools import partial
from typing import Any

from jaxtyping import Float
from torch import Tensor, nn

from grokbook.filters.filter import check_choice
from grokbook.models.readout import READOUTS
from grokbook.models.separate import Separate

CONVOLUTIONS = ("gcn", "gin")


class Pooled(nn.Module):
    r"""Layers of one kind, read out after the last, then a linear map.

    .. math:: \text{GCN:}\quad X^{(l)} &= \operatorname{relu}
       \operatorname{LN}(\hat A X^{(l-1)} W + b) \\
       \text{GIN:}\quad X^{(l)} &= \operatorname{relu}
       \operatorname{LN}\bigl(\operatorname{MLP}((A + I) X^{(l-1)})\bigr)

    Kipf and Welling (2017), Xu et al. (2019). Batch normalisation, which
    the published GIN has, would let the held-out graphs of a batch touch
    the training of a fold; each node is normalised by itself instead. The
    readout sees the layers side by side, as Xu et al. have it.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        kind: "gcn" or "gin".
        num_layers: how many convolutions.
        readout: "sum", "mean" or "max".
        dropout: on the row of a graph.

    Shapes:
        x (nodes, F), graph (edge_index, the graph of each node) → (n, C)
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        kind: str,
        num_layers: int = 4,
        readout: str = "sum",
        dropout: float = 0.0,
    ) -> None:
        """Make the layers, which draw their parameters."""
        super().__init__()
        from torch_geometric.nn import GCN, GIN, aggr

        check_choice("kind", kind, CONVOLUTIONS)
        check_choice("readout", readout, READOUTS)
        self.layers = {"gcn": GCN, "gin": GIN}[kind](
            in_channels,
            hidden_channels,
            num_layers,
            hidden_channels,
            norm="layer_norm",
            norm_kwargs={"mode": "node"},
            jk="cat",
        )
        pools = {"sum": "Sum", "mean": "Mean", "max": "Max"}
        self.pool = getattr(aggr, f"{pools[readout]}Aggregation")()
        self.drop = nn.Dropout(dropout)
        self.score = nn.Linear(hidden_channels, out_channels)

    def forward(
        self, x: Float[Tensor, "N F"], graph: tuple[Tensor, Tensor]
    ) -> Float[Tensor, "n C"]:
        """Score the graphs of a batch."""
        edge_index, owner = graph
        X = self.layers(x, edge_index)
        return self.score(self.drop(self.pool(X, owner)))


def pooled(
    *sizes: int, generator: Any, copies: int | None = None, **options: Any
) -> Separate:
    """A network of its own for each generator."""
    make = partial(Pooled, *sizes, **options)
    return Separate(make, copies=copies, generator=generator)
