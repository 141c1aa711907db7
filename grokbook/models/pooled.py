"""GCN and GIN for graphs: message passing, then one row a graph."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from grokbook.copies import LayerNorm, Linear
from grokbook.draws import Generators
from grokbook.errors import check_choice
from grokbook.models.baseline import Baseline, glorot
from grokbook.models.mlp import Dropout, check_sizes
from grokbook.models.neighbours import Neighbours
from grokbook.models.readout import READOUTS

CONVOLUTIONS = ("gcn", "gin")
Packed = tuple[Neighbours, Int[Tensor, " N"]]  # edges; the graph of each node


class EdgeModel(Baseline):
    """A model of graphs whose edges stand end to end, as in `Packed`."""

    def prepare(self, graph: Any) -> Packed:
        """The neighbours of each node, itself among them."""
        edges, owner = graph
        if isinstance(edges, Neighbours):
            return graph
        loops = torch.arange(len(owner), device=owner.device).expand(2, -1)
        both = torch.cat([edges, loops], dim=1)
        ones = torch.ones(both.shape[1], device=owner.device)
        matrix = torch.sparse_coo_tensor(
            both, ones, (len(owner),) * 2, check_invariants=False
        )
        return Neighbours(matrix, next(self.parameters()).device), owner


class Pooled(EdgeModel):
    r"""Layers of one kind, read out after the last, then a linear map.

    .. math:: \text{GCN:}\quad X^{(l)} &= \operatorname{relu}
       \operatorname{LN}(\hat A X^{(l-1)} W + b) \\
       \text{GIN:}\quad X^{(l)} &= \operatorname{relu}
       \operatorname{LN}\bigl(\operatorname{MLP}((A + I) X^{(l-1)})\bigr)

    Kipf and Welling (2017), Xu et al. (2019). Batch normalisation, which
    the published GIN has, would let the held-out graphs of a batch touch
    the training of a fold; each node is normalised by itself instead. The
    readout sees the layers side by side, as Xu et al. have it.

    With the same weights these are PyG's `GCN` and `GIN`; here ten folds
    share one pass over the edges.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        kind: "gcn" or "gin".
        num_layers: how many convolutions.
        readout: "sum", "mean" or "max".
        dropout: on the row of a graph.
        copies, generator: see `Baseline`.

    Shapes:
        x (N, F), graph (edge_index, the graph of each node) → (n, C),
        with copies (S, n, C)
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
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        from torch_geometric.nn import aggr

        F, H, C = sizes = (in_channels, hidden_channels, out_channels)
        super().__init__(sizes, dropout, copies)
        check_sizes(num_layers)
        self.kind = check_choice("kind", kind, CONVOLUTIONS)
        check_choice("readout", readout, READOUTS)
        widths = [F] + [H] * (num_layers - 1)
        self.maps = nn.ModuleList(self._map(width, H) for width in widths)
        self.norms = nn.ModuleList(LayerNorm(H, self.S) for _ in widths)
        self.join = Linear(num_layers * H, H, self.S)
        pools = {"sum": "Sum", "mean": "Mean", "max": "Max"}
        self.pool = getattr(aggr, f"{pools[readout]}Aggregation")()
        self.leave = Linear(H, C, self.S)
        self.reset_parameters(generator=generator)

    def _map(self, width: int, hidden: int) -> nn.Module:
        """What a layer does with the sum over neighbours."""
        first = Linear(width, hidden, self.S)
        if self.kind == "gcn":
            return first
        second = Linear(hidden, hidden, self.S)
        return nn.Sequential(
            first, LayerNorm(hidden, self.S), nn.ReLU(), second
        )

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """As PyTorch draws; GCN's weights as Glorot and Bengio do."""
        super().reset_parameters(generator=generator)
        if self.kind == "gcn":
            for map in self.maps:
                glorot(map, generator)

    def score(
        self, x: Float[Tensor, "N F"], graph: Packed, drop: Dropout
    ) -> Float[Tensor, "S n C"]:
        """Score the graphs of a batch."""
        near, owner = graph
        weight = near.value
        if self.kind == "gcn":
            scale = weight.new_zeros(len(x)).index_add(0, near.row, weight)
            scale = scale.rsqrt()
            weight = scale[near.row] * weight * scale[near.column]
        # The first mean is the same for all copies.
        mixed = near.mix(x[None], weight[None]).expand(self.S, -1, -1)
        layers = []
        for map, norm in zip(self.maps, self.norms, strict=True):
            if layers:
                mixed = near.mix(layers[-1], weight[None])
            layers.append(norm(map(mixed)).relu())
        X = self.join(torch.cat(layers, dim=-1))
        return self.leave(drop(self.pool(X, owner, dim=-2), self.p))
