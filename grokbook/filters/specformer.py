"""Specformer's filter: attention over the set of all eigenvalues."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from grokbook.errors import FilterError
from grokbook.filters.filter import Filter, check_eigenvalues, check_size

Mask = Bool[Tensor, "B n"] | Float[Tensor, "B n"] | None


class Specformer(Filter):
    r"""A response in which each eigenvalue looks at all others.

    .. math:: Z &= [\lambda \,\|\, \rho(\lambda)]\, W + c \\
       Z &\leftarrow Z + \mathrm{MHA}(\mathrm{LN}(Z)), \quad
       Z \leftarrow Z + \mathrm{FFN}(\mathrm{LN}(Z)) \\
       h(\lambda) &= Z w + b

    Bo et al. (2023). ρ is `encode_eigenvalues`; the middle line is repeated
    `layers` times. A function from sets to sets: the response at one
    eigenvalue depends on the others, so a part of the spectrum does not
    have the response that the whole has there.

    Args:
        hidden: the width, even and a multiple of `heads`.
        heads: the number of attention heads.
        layers: the number of encoder layers.
        epsilon: the scale ε of the encoding's frequencies.
        n_filters: how many responses to decode.
        dropout: while training, on what each half of a layer adds.
        generator: the source of randomness.
        device, dtype: of the parameters. Eigenvalues are encoded in their
            own precision, float64, whatever the parameters'.

    Shapes:
        lam (n,) → response (n,), or (n, n_filters) if that is above 1

    Raises:
        FilterError, ResponseError

    Examples:
        >>> lam = torch.linspace(0, 2, 10, dtype=torch.float64)
        >>> Specformer(hidden=16, heads=2)(lam).shape
        torch.Size([10])
    """

    def __init__(
        self,
        hidden: int = 32,
        heads: int = 4,
        layers: int = 1,
        *,
        epsilon: float = 100.0,
        n_filters: int = 1,
        dropout: float = 0.0,
        generator: torch.Generator | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        """Make the layers and draw their weights."""
        super().__init__()
        self.hidden = check_size("hidden", hidden, 2)
        self.heads = check_size("heads", heads, 1)
        self.n_filters = check_size("n_filters", n_filters, 1)
        layers = check_size("layers", layers, 1)
        self.epsilon = epsilon
        if hidden % 2 or hidden % heads:
            raise FilterError(
                f"hidden is {hidden} with {heads} heads. Pass an even number "
                "that is a multiple of heads."
            )
        if not 0 <= dropout < 1:
            raise FilterError(
                f"dropout is {dropout}. Pass a share from 0 up to, but not "
                "including, 1."
            )
        kind = {"device": device, "dtype": dtype}
        self.embed = nn.Linear(hidden + 1, hidden, **kind)
        self.encoder = nn.ModuleList(
            EncoderLayer(hidden, heads, dropout, **kind) for _ in range(layers)
        )
        self.decode = nn.Linear(hidden, n_filters, **kind)
        self.reset_parameters(generator=generator)

    def reset_parameters(
        self,
        *,
        std: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        """Draw the weights; biases start at 0.

        Args:
            std: of normal numbers; by default the weights are drawn as
                Glorot and Bengio do.
            generator: the source of randomness.
        """
        for module in self.modules():
            if isinstance(module, nn.Linear):
                if std is None:
                    nn.init.xavier_uniform_(module.weight, generator=generator)
                else:
                    module.weight.data.normal_(0, std, generator=generator)
                nn.init.zeros_(module.bias)
            elif isinstance(module, nn.LayerNorm):
                module.reset_parameters()

    def response(
        self, lam: Float[Tensor, " n"]
    ) -> Float[Tensor, "n *filters"]:
        """The response at each eigenvalue, in the light of all of them."""
        check_eigenvalues(lam)
        h = self.decoded(lam)  # (n, n_filters)
        return h[:, 0] if self.n_filters == 1 else h

    def decoded(
        self,
        lam: Float[Tensor, "*B n"],
        mask: Mask = None,
    ) -> Float[Tensor, "*B n filters"]:
        """Responses of one graph, or of several that are padded.

        Args:
            lam: the eigenvalues of each.
            mask: which of them are real; the others are never looked at.
                Or the logarithm of how often each occurs: one eigenvalue
                then stands for all that are equal to it.
        """
        code = encode_eigenvalues(lam.flatten(), self.hidden, self.epsilon)
        code = code.to(self.embed.weight.dtype).view(*lam.shape, -1)
        Z = self.embed(code)  # (..., n, hidden)
        for layer in self.encoder:
            Z = layer(Z, mask)
        return self.decode(Z).to(lam.dtype)

    def __repr__(self) -> str:
        """Name the sizes."""
        return (
            f"Specformer(hidden={self.hidden}, heads={self.heads}, "
            f"layers={len(self.encoder)}, epsilon={self.epsilon}, "
            f"n_filters={self.n_filters})"
        )


class EncoderLayer(nn.Module):
    r"""Attention over eigenvalues, then a network on each of them.

    .. math:: Z \leftarrow Z + \mathrm{MHA}(\mathrm{LN}(Z)), \qquad
       Z \leftarrow Z + \mathrm{FFN}(\mathrm{LN}(Z))

    While training, dropout takes entries of what each half adds.

    Shapes:
        Z (..., n, hidden) → the same; mask (B, n)
    """

    def __init__(
        self, hidden: int, heads: int, dropout: float = 0.0, **kind: object
    ) -> None:
        """Make the two halves, each with its normalisation before it."""
        super().__init__()
        self.heads = heads
        self.drop = nn.Dropout(dropout)
        self.norm_attention = nn.LayerNorm(hidden, **kind)
        self.qkv = nn.Linear(hidden, 3 * hidden, **kind)
        self.out = nn.Linear(hidden, hidden, **kind)
        self.network = nn.Sequential(
            nn.LayerNorm(hidden, **kind),
            nn.Linear(hidden, hidden, **kind),
            nn.GELU(),
            nn.Linear(hidden, hidden, **kind),
        )

    def forward(
        self,
        Z: Float[Tensor, "*B n H"],
        mask: Mask = None,
    ) -> Float[Tensor, "*B n H"]:
        """Both halves, each added to what goes in."""
        Z = Z + self.drop(self.attend(self.norm_attention(Z), mask))
        return Z + self.drop(self.network(Z))

    def attend(
        self,
        Z: Float[Tensor, "*B n H"],
        mask: Mask = None,
    ) -> Float[Tensor, "*B n H"]:
        """Softmax attention, each head on its own part of the width."""
        # the axis of one batch: without it torch keeps all n² scores
        rows = Z if Z.dim() == 3 else Z[None]
        parts = self.qkv(rows).unflatten(-1, (3, self.heads, -1))
        queries, keys, values = parts.permute(2, 0, 3, 1, 4)  # (B, h, n, d)
        seen = None if mask is None else mask[:, None, None]
        mixed = scaled_dot_product_attention(queries, keys, values, seen)
        return self.out(mixed.transpose(1, 2).flatten(2)).view_as(Z)


def encode_eigenvalues(
    lam: Float[Tensor, " n"], width: int, epsilon: float = 100.0
) -> Float[Tensor, "n {width}+1"]:
    r"""Encode eigenvalues by themselves and waves of many lengths.

    .. math:: [\lambda,\;
       \sin(\epsilon\lambda / 10000^{2i/d}),\;
       \cos(\epsilon\lambda / 10000^{2i/d})], \qquad i = 0, \dots, d/2 - 1

    The paper's appendix counts i from 1. Columns: λ, then the sines, then
    the cosines; d is `width`.

    Shapes:
        lam (n,) → (n, width + 1)
    """
    i = torch.arange(width // 2, device=lam.device, dtype=lam.dtype)
    phase = epsilon * lam[:, None] / 10000 ** (2 * i / width)
    return torch.cat([lam[:, None], phase.sin(), phase.cos()], dim=1)
