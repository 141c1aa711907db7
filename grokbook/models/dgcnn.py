"""DGCNN for graphs: convolve, sort the nodes, and read them like a line."""

from functools import partial
from itertools import pairwise
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.models.separate import Separate

WIDTHS, KERNEL, DENSE = (16, 32), 5, 128  # as Zhang et al. have them


class DGCNN(nn.Module):
    r"""Graph convolutions, SortPooling, convolutions along the nodes.

    .. math:: X^{(l)} = \tanh(\tilde D^{-1} \tilde A X^{(l-1)} W), \qquad
       Z = [X^{(1)} \,\|\, \dots \,\|\, X^{(4)}]

    Zhang et al. (2018). The nodes are sorted by their last channel and the
    first k of them read by two convolutions along that order and a dense
    layer. Three layers of H channels and one of a single channel. The
    sorting is PyG's `SortAggregation`.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        k: how many nodes of a graph are kept; smaller graphs are padded.
        dropout: on the dense layer.

    Shapes:
        x (nodes, F), graph (edge_index, the graph of each node) → (n, C)
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        k: int = 30,
        dropout: float = 0.5,
    ) -> None:
        """Make the layers, which draw their parameters."""
        super().__init__()
        from torch_geometric.nn import aggr

        H = hidden_channels
        widths = [in_channels, H, H, H, 1]
        self.maps = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        self.sort, Z = aggr.SortAggregation(k), 3 * H + 1
        self.mean = aggr.MeanAggregation()
        left = max(k // 2, KERNEL)
        self.line = nn.Sequential(
            nn.Conv1d(1, WIDTHS[0], Z, Z),
            nn.ReLU(),
            nn.AdaptiveMaxPool1d(left),
            nn.Conv1d(*WIDTHS, KERNEL),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(WIDTHS[1] * (left - KERNEL + 1), DENSE),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(DENSE, out_channels),
        )

    def forward(
        self, x: Float[Tensor, "N F"], graph: tuple[Tensor, Tensor]
    ) -> Float[Tensor, "n C"]:
        """Score the graphs of a batch."""
        edges, owner = graph
        loops = torch.arange(len(x), device=x.device).expand(2, -1)
        source, target = torch.cat([edges, loops], dim=1)
        layers, X = [], x
        for map in self.maps:
            Y = map(X)
            X = self.mean(Y[source], target, dim_size=len(x)).tanh()
            layers.append(X)
        rows = self.sort(torch.cat(layers, dim=1), owner)  # (n, k·Z)
        return self.line(rows[:, None])


def dgcnn(
    *sizes: int, generator: Any, copies: int | None = None, **options: Any
) -> Separate:
    """A network of its own for each generator."""
    make = partial(DGCNN, *sizes, **options)
    return Separate(make, copies=copies, generator=generator)
