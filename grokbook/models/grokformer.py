"""GrokFormer: attention and a Fourier filter, summed, layer after layer."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.copies import Copied, LayerNorm, Linear
from grokbook.draws import Generators
from grokbook.errors import check_choice
from grokbook.features import SparseFeatures
from grokbook.filters import FourierKAN
from grokbook.models.layer import GrokFormerLayer
from grokbook.models.mlp import Embedding, check_sizes, dropping, share
from grokbook.models.readout import READOUTS, read_out
from grokbook.operators import Operator
from grokbook.prepare import prepared

READINGS = ("paper", "released")


class GrokFormer(Copied):
    r"""A transformer whose layers also filter (Eqs. 8 and 10).

    .. math::
       X^{(0)} &= f_\theta(X) \\
       X'^{(l)} &= \operatorname{EMHA}(\operatorname{LN}(X^{(l-1)}))
          + X^{(l-1)} + h(L)\, X^{(l-1)} \\
       X^{(l)} &= \operatorname{FFN}(\operatorname{LN}(X'^{(l)})) + X'^{(l)}

    Derived in chapter 08. Two readings:

    ==============  =========================  ==========================
    .               paper                      released
    ==============  =========================  ==========================
    width           hidden channels, then a    number of classes; the
                    linear layer to classes    embedding maps there
    attention       softmax on Q and on K,     Q(KᵀV), no softmax and no
                    heads split the channels   scale, heads widen Q, K, V
    layers          each has its own weights   one set, applied again
    weights start   as PyTorch's; the filter   N(0, 0.01²), biases 0: all
                    at unit size               branches start almost off
    ==============  =========================  ==========================

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        K, M: the filter's highest order and harmonic.
        num_layers: the depth B.
        heads: of the attention.
        reading: "paper" or "released".
        attention: "efficient", "softmax" or "linear"; by default that of
            the reading.
        dropout: in the attention and the feed-forward network.
        feature_dropout: on the features and on their embedding.
        filter_dropout: on what the filter gives.
        parts: "both", "attention", "filter" or "neither" of the two; see
            chapter 12. What is left out has no parameters.
        readout: "sum", "mean" or "max" over the nodes gives one score per
            graph; by default one per node.
        copies: S models with their own parameters, trained together.
        generator: the source of randomness; with copies, one for each.

    Shapes:
        x (N, F), dense or `SparseFeatures` → (N, C), with copies (S, N, C);
        x (B, N, F) for a batch of B padded graphs → (B, N, C); with a
        readout there is no N: (C,), (S, C), (B, C), (S, B, C)

    Raises:
        LayerError, FilterError, UnknownNameError, SignalError

    Examples:
        >>> import torch
        >>> from grokbook import laplacian, spectrum
        >>> S = spectrum(laplacian([[0, 1, 1, 2], [1, 0, 2, 1]]))
        >>> model = GrokFormer(4, 16, 2, K=2, M=8)
        >>> model(torch.eye(3, 4), S).shape
        torch.Size([3, 2])
        >>> model
        GrokFormer(4 → 16 → 2, K=2, M=8, 1 layer, 1 head, reading='paper',
        2,118 parameters)
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        K: int = 2,
        M: int = 8,
        num_layers: int = 1,
        heads: int = 1,
        reading: str = "paper",
        attention: str | None = None,
        dropout: float = 0.0,
        feature_dropout: float = 0.0,
        filter_dropout: float = 0.0,
        parts: str = "both",
        readout: str | None = None,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        super().__init__()
        self.sizes = (in_channels, hidden_channels, out_channels)
        self.reading = check_choice("reading", reading, READINGS)
        released = reading == "released"
        self.copies, S = copies, 1 if copies is None else copies
        check_sizes(*self.sizes, num_layers, heads, S)
        if readout is not None:
            check_choice("readout", readout, READOUTS)
        self.readout = readout
        self.num_layers, self.parts, self.orders = num_layers, parts, (K, M)
        width = out_channels if released else hidden_channels
        self.embed = Embedding(
            in_channels, hidden_channels, width, feature_dropout, S
        )
        self.layers = nn.ModuleList(
            GrokFormerLayer(
                width,
                K=K,
                M=M,
                heads=heads,
                split=not released,
                attention=attention or ("linear" if released else "efficient"),
                parameterisation=reading,
                dropout=share(dropout),
                filter_dropout=share(filter_dropout),
                copies=S,
                parts=parts,
            )
            for _ in range(1 if released else num_layers)
        )
        plain = released and readout is None
        self.score = None if plain else Linear(width, out_channels, S)
        self._basis: tuple[Tensor, Tensor] | None = None
        self.reset_parameters(generator=generator)

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw all parameters anew, each copy's from its own generator."""
        std = 0.01 if self.reading == "released" else None
        for module in self.modules():
            if isinstance(module, Linear):
                module.reset_parameters(generator, std)
            elif isinstance(module, LayerNorm | FourierKAN):
                module.reset_parameters(generator=generator)

    def prepare(self, graph: Any) -> Operator:
        """A spectrum, spectra or a Laplacian, made ready for this model.

        Do it once when the model is called many times.
        """
        weight = self.embed.first.weight
        basis = getattr(self.layers[0].filter, "basis", _constant)
        return prepared(graph, basis, weight.device, weight.dtype)

    def forward(
        self,
        x: Tensor | SparseFeatures,
        graph: Any,
        *,
        generator: Generators = None,
    ) -> Float[Tensor, "*B C"]:
        """Score the nodes, or with a readout the graphs.

        Args:
            x: the features.
            graph: what `prepare` takes or gives.
            generator: the source of dropout, while training; with copies,
                one for each.
        """
        graph = self.prepare(graph)
        drop = dropping(self.training, generator)
        X = self.embed(x, drop)
        basis = self._basis_at(graph.points)
        for number in range(self.num_layers):
            layer = self.layers[number % len(self.layers)]
            X = layer(X, graph, basis, drop)
        if self.readout is not None:
            X = read_out(self.readout, X, graph.mask)
        if self.score is not None:
            X = self.score(X)
        return X if self.copies else X[0]

    def response(
        self, lam: Float[Tensor, " n"], layer: int = 0
    ) -> Float[Tensor, "n *S"]:
        """The learned filter of a layer; with copies, a column for each.

        Without a filter it is 0.
        """
        found = self.layers[layer % len(self.layers)].filter
        if found is None:
            h = lam.new_zeros(len(lam), self.copies or 1)
        else:
            h = found.response(lam)
        return h if self.copies else h[:, 0]

    def coefficients(self, layer: int = 0) -> Float[Tensor, "P *S"]:
        """The products behind `response`, as `FourierKAN` lists them."""
        c = self.layers[layer % len(self.layers)].filter.coefficients()
        return c if self.copies else c[:, 0]

    def _basis_at(self, points: Tensor) -> Tensor | None:
        """The harmonics at an operator's points, kept while it is the same.

        In float64, which the phase mλᵏ needs. None without a filter.
        """
        if self.layers[0].filter is None:
            return None
        if self._basis is None or self._basis[0] is not points:
            # What is first computed for inference may later be trained on.
            with torch.inference_mode(False):
                self._basis = points, self.layers[0].filter.basis(points)
        return self._basis[1]

    def __repr__(self) -> str:
        """Sizes, reading and the number of parameters of one copy."""
        layer = self.layers[0]
        count = sum(p.numel() for p in self.parameters())
        together = "" if self.copies is None else f" in {self.copies} copies"
        without = "" if self.parts == "both" else f"parts={self.parts!r}, "
        K, M = self.orders
        return (
            f"GrokFormer({' → '.join(map(str, self.sizes))}, "
            f"K={K}, M={M}, "
            f"{self.num_layers} layer{'s' * (self.num_layers > 1)}, "
            f"{layer.heads} head{'s' * (layer.heads > 1)}, "
            f"reading={self.reading!r}, {without}"
            f"{count // (self.copies or 1):,} parameters{together})"
        )


def _constant(lam: Tensor) -> Tensor:
    """What a model without a filter needs to know of eigenvalues."""
    return torch.ones_like(lam)[:, None]
