"""DGCNN for graphs: convolve, sort the nodes, and read them like a line."""

from itertools import pairwise

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import adaptive_max_pool1d

from grokbook.copies import Linear
from grokbook.draws import Generators
from grokbook.models.mlp import Dropout, check_sizes
from grokbook.models.pooled import EdgeModel, Packed

WIDTHS, KERNEL, DENSE = (16, 32), 5, 128  # as Zhang et al. have them


class DGCNN(EdgeModel):
    r"""Graph convolutions, SortPooling, convolutions along the nodes.

    .. math:: X^{(l)} = \tanh(\tilde D^{-1} \tilde A X^{(l-1)} W), \qquad
       Z = [X^{(1)} \,\|\, \dots \,\|\, X^{(4)}]

    Zhang et al. (2018). The nodes are sorted by their last channel and the
    first k of them read by two convolutions along that order and a dense
    layer. Three layers of H channels and one of a single channel.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        k: how many nodes of a graph are kept; smaller graphs are padded.
        dropout: on the dense layer.
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
        k: int = 30,
        dropout: float = 0.5,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        F, H, C = sizes = (in_channels, hidden_channels, out_channels)
        super().__init__(sizes, dropout, copies)
        check_sizes(k)
        self.maps = nn.ModuleList(
            Linear(a, b, self.S) for a, b in pairwise([F, H, H, H, 1])
        )
        self.k = k
        self.left = max(k // 2, KERNEL)  # after pooling along the line
        self.node = Linear(3 * H + 1, WIDTHS[0], self.S)
        self.window = Linear(KERNEL * WIDTHS[0], WIDTHS[1], self.S)
        line = (self.left - KERNEL + 1) * WIDTHS[1]
        self.dense = Linear(line, DENSE, self.S)
        self.leave = Linear(DENSE, C, self.S)
        self.reset_parameters(generator=generator)

    def score(
        self, x: Float[Tensor, "N F"], graph: Packed, drop: Dropout
    ) -> Float[Tensor, "S n C"]:
        """Score the graphs of a batch."""
        near, owner = graph
        total = near.value.new_zeros(len(x))
        total.index_add_(0, near.row, near.value)
        mean = (near.value / total[near.row])[None]
        # The first mean is the same for all copies.
        mixed = near.mix(x[None], mean).expand(self.S, -1, -1)
        layers: list[Tensor] = []
        for map in self.maps:
            if layers:
                mixed = near.mix(layers[-1], mean)
            layers.append(map(mixed).tanh())
        lines = first_nodes(torch.cat(layers, dim=-1), owner, self.k)
        X = self.node(lines).relu()  # (S, n, k, 16)
        X = adaptive_max_pool1d(X.mT.flatten(0, 1), self.left)
        X = X.unfold(-1, KERNEL, 1).movedim(1, -2)  # (S·n, windows, 16, 5)
        X = self.window(X.flatten(-2).unflatten(0, (self.S, -1))).relu()
        X = self.dense(X.flatten(-2)).relu()
        return self.leave(drop(X, self.p))


def first_nodes(
    Z: Float[Tensor, "S N z"], owner: Int[Tensor, " N"], k: int
) -> Float[Tensor, "S n k z"]:
    """SortPooling: the k nodes of each graph with the largest last channel.

    PyG's `SortAggregation` gives the same, by way of all graphs padded to
    the largest. A graph of fewer nodes ends in rows of zeros.

    Examples:
        >>> Z = torch.tensor([[[1.0], [3], [2], [5]]])
        >>> first_nodes(Z, torch.tensor([0, 0, 0, 1]), 2)[..., 0]
        tensor([[[3., 2.],
                 [5., 0.]]])
    """
    S, N, _ = Z.shape
    order = Z[..., -1].argsort(dim=1, descending=True, stable=True)
    by_graph = owner[order].argsort(dim=1, stable=True)
    order = order.gather(1, by_graph)  # (S, N), graph after graph
    count = owner.bincount()
    places = torch.arange(k, device=owner.device)
    real = places < count[:, None]  # (n, k)
    first = (count.cumsum(0) - count)[:, None] + places
    rows = order[:, first.clamp(max=N - 1)]  # (S, n, k)
    rows = rows + N * torch.arange(S, device=owner.device).view(-1, 1, 1)
    picked = Z.flatten(0, 1).index_select(0, rows.flatten())
    return picked.view(*rows.shape, -1).masked_fill(~real[..., None], 0.0)
