"""Specformer for graphs: a filter that looks at the whole spectrum."""

from functools import partial
from typing import Any

from jaxtyping import Float
from torch import Tensor, nn

from grokbook.batch_operator import BatchOperator
from grokbook.errors import check_choice
from grokbook.filters import Specformer
from grokbook.models.readout import READOUTS, read_out
from grokbook.models.separate import Separate


class SpecformerNetwork(nn.Module):
    r"""Filter, map and add, layer after layer; then one row a graph.

    .. math:: X \leftarrow X + \operatorname{relu}\bigl(
       U \operatorname{diag}(h(\lambda_1, \dots, \lambda_N))\, U^\top X W
       + b\bigr)

    Bo et al. (2023), with one response for all layers and channels. What
    the response is at an eigenvalue depends on all eigenvalues of the
    graph; those of other graphs and of the padding are masked.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        num_layers: how many times the graph is filtered.
        heads: of the attention among eigenvalues.
        readout: "sum", "mean" or "max".
        dropout: on what a layer adds.

    Shapes:
        x (b, N, F), a batch of b padded graphs → (b, C)
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        num_layers: int = 1,
        heads: int = 4,
        readout: str = "max",
        dropout: float = 0.0,
    ) -> None:
        """Make the layers, which draw their parameters."""
        super().__init__()
        H = hidden_channels
        self.readout = check_choice("readout", readout, READOUTS)
        self.embed = nn.Sequential(
            nn.Linear(in_channels, H), nn.ReLU(), nn.Linear(H, H)
        )
        self.filter = Specformer(H, heads)
        self.maps = nn.ModuleList(nn.Linear(H, H) for _ in range(num_layers))
        self.drop = nn.Dropout(dropout)
        self.score = nn.Linear(H, out_channels)

    def forward(
        self, x: Float[Tensor, "b N F"], graph: BatchOperator
    ) -> Float[Tensor, "b C"]:
        """Score the graphs of a batch."""
        lam = graph.points.view(graph.mask.shape)
        h = self.filter.decoded(lam, graph.mask).flatten(0, 1)  # (b·N, 1)
        X = self.embed(x)
        for map in self.maps:
            filtered = graph(h, X[None])[0]
            X = X + self.drop(map(filtered).relu())
        return self.score(read_out(self.readout, X, graph.mask))


def specformer(
    *sizes: int, generator: Any, copies: int | None = None, **options: Any
) -> Separate:
    """A network of its own for each generator."""
    make = partial(SpecformerNetwork, *sizes, **options)
    return Separate(make, copies=copies, generator=generator)
