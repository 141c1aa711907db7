"""GrokFormer with message passing inside, which reads what bonds are."""

from functools import partial
from typing import Any, NamedTuple

from jaxtyping import Float, Int
from torch import Tensor, nn

from grokbook.batch_operator import BatchOperator
from grokbook.copies import LayerNorm, Linear
from grokbook.errors import check_choice
from grokbook.filters import FourierKAN
from grokbook.models.layer import GrokFormerLayer
from grokbook.models.mlp import dropping, share
from grokbook.models.readout import READOUTS, read_out
from grokbook.models.separate import Separate

MESSAGES = ("gatedgcn", "gcn")


class EdgeGraph(NamedTuple):
    """Padded graphs with their edges.

    Shapes:
        edge_index (2, E), nodes of the b graphs counted through, padding
        included; edge_attr (E, D)
    """

    graph: BatchOperator
    edge_index: Int[Tensor, "2 E"]
    edge_attr: Float[Tensor, "E D"]


class EdgeGrokFormer(nn.Module):
    r"""GrokFormer's layers, each after a step of message passing.

    .. math:: X &\leftarrow X + \operatorname{relu}(\operatorname{MP}(X, E)) \\
       X &\leftarrow \text{a layer of GrokFormer (Eq. 10)}

    The paper's appendix names the internal message passing, GCN or
    GatedGCN, and not where it stands; here it comes first. GatedGCN
    (Bresson and Laurent, 2017) reads features of edges, GCN does not. Both
    are PyG's.

    Args:
        in_channels, hidden_channels, out_channels: F, H and outputs.
        edge_channels: D.
        message: "gatedgcn" or "gcn".
        num_layers, K, M, heads, dropout: as in `GrokFormer`.
        readout: "sum", "mean" or "max".

    Shapes:
        x (b, N, F), graph an `EdgeGraph` → (b, outputs)
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        edge_channels: int,
        message: str = "gatedgcn",
        num_layers: int = 4,
        K: int = 3,
        M: int = 16,
        heads: int = 4,
        dropout: float = 0.0,
        readout: str = "mean",
    ) -> None:
        """Make the layers and draw their parameters."""
        super().__init__()
        from torch_geometric.nn import GCNConv, ResGatedGraphConv

        H = hidden_channels
        self.readout = check_choice("readout", readout, READOUTS)
        self.gated = check_choice("message", message, MESSAGES) == "gatedgcn"
        self.embed = nn.Linear(in_channels, H)
        self.embed_edge = nn.Linear(edge_channels, H) if self.gated else None
        self.messages = nn.ModuleList(
            ResGatedGraphConv(H, H, edge_dim=H)
            if self.gated
            else GCNConv(H, H)
            for _ in range(num_layers)
        )
        self.layers = nn.ModuleList(
            GrokFormerLayer(
                H, K=K, M=M, heads=heads, split=True, attention="softmax",
                parameterisation="paper", dropout=share(dropout),
                filter_dropout=share(dropout), copies=1,
            )
            for _ in range(num_layers)
        )  # fmt: skip
        for module in self.layers.modules():
            if isinstance(module, Linear | LayerNorm | FourierKAN):
                module.reset_parameters()
        self.score = nn.Linear(H, out_channels)

    def forward(
        self, x: Float[Tensor, "b N F"], graph: EdgeGraph
    ) -> Float[Tensor, "b C"]:
        """Give the outputs for each graph of a batch."""
        spectra, edges, attr = graph
        drop = dropping(self.training, None)
        basis = self.layers[0].filter.basis(spectra.points)
        E = (self.embed_edge(attr),) if self.gated else ()
        X = self.embed(x)
        for message, layer in zip(self.messages, self.layers, strict=True):
            told = message(X.flatten(0, 1), edges, *E).view_as(X)
            X = layer((X + told.relu())[None], spectra, basis, drop)[0]
        return self.score(read_out(self.readout, X, spectra.mask))


def edge_grokformer(
    *sizes: int, generator: Any, copies: int | None = None, **options: Any
) -> Separate:
    """A network of its own for each generator."""
    make = partial(EdgeGrokFormer, *sizes, **options)
    return Separate(make, copies=copies, generator=generator)
