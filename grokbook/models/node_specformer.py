"""Specformer for nodes: filters that look at the whole spectrum."""

from functools import partial
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from grokbook.draws import Generators, each
from grokbook.errors import LayerError, check_choice
from grokbook.features import SparseFeatures
from grokbook.filters import Specformer
from grokbook.filters.filter import check_size
from grokbook.models.mlp import Embedding, check_sizes, dropping, share
from grokbook.models.separate import Separate, drawing_from
from grokbook.operators import EigenOperator
from grokbook.spectrum import TOL, Spectrum

#: How weights start -> the deviation of normal numbers; None: by width.
STARTS = {"released": 0.01, "glorot": None}


class NodeSpecformer(Separate):
    r"""The network of Bo et al. (2023), one for each copy.

    .. math:: X^{(0)} = f_\theta(X), \qquad X^{(l)}_{:c} = w_{l0c}\,
       X^{(l-1)}_{:c} + \sum_{m=1}^{r} w_{lmc}\, U
       \operatorname{diag}\bigl(h_m(\lambda_1, \dots, \lambda_N)\bigr)\,
       U^\top X^{(l-1)}_{:c}

    The r responses are decoded from one encoder, in which each eigenvalue
    looks at all others: N² pairs. One eigenvalue stands for all that are
    equal to it, weighted by their number, which is exact; dropout in the
    encoder draws once for all of them. With a grid, its points stand for
    the eigenvalues between them (`on_grid`): an approximation, whose cost
    no longer grows with the graph. The layers are as wide as there are
    classes, and w starts at 1; so all classes start with nearly equal
    scores if the other weights start small.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C; H is also
            the width of the encoder.
        num_layers: how many times the graph is filtered.
        heads: r, and the heads of the encoder.
        dropout: on the features and on their embedding.
        filter_dropout: on what a layer adds up, term by term.
        encoder_dropout: on what each half of the encoder adds. The authors'
            code drops single weights of its attention as well.
        grid: how many points on [0, 2] stand for all eigenvalues; 0 for
            none, so that each eigenvalue looks at each. Worth it only where
            there are more eigenvalues than points.
        start: how the other weights are drawn. "released": normal numbers
            of deviation 0.01, biases 0, as in the authors' code. "glorot":
            by the widths of each layer, as usual.
        copies, generator: as elsewhere; the copies are separate networks.

    Shapes:
        x (N, F), dense or `SparseFeatures` → (S, N, C)

    Examples:
        >>> from grokbook import laplacian, spectrum
        >>> S = spectrum(laplacian([[0, 1, 1, 2], [1, 0, 2, 1]]))
        >>> model = NodeSpecformer(4, 8, 2, heads=2, copies=3)
        >>> model(torch.eye(3, 4), model.prepare(S)).shape
        torch.Size([3, 3, 2])
    """

    needs_spectrum = True

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        num_layers: int = 2,
        heads: int = 4,
        dropout: float = 0.0,
        filter_dropout: float = 0.0,
        encoder_dropout: float = 0.0,
        grid: int = 0,
        start: str = "released",
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the networks, which draw their parameters."""
        if grid:
            grid = check_size("grid", grid, 2)
        sizes = (in_channels, hidden_channels, out_channels)
        check_sizes(*sizes, num_layers, heads)
        rates = tuple(map(share, (dropout, filter_dropout, encoder_dropout)))
        std = STARTS[check_choice("start", start, STARTS)]
        make = partial(_Network, sizes, num_layers, heads, rates, std, grid)
        super().__init__(make, copies=copies, generator=generator)

    def prepare(self, graph: Any) -> EigenOperator:
        """A spectrum, full or deflated, made ready."""
        if isinstance(graph, EigenOperator):
            return graph
        if not isinstance(graph, Spectrum):
            raise LayerError(
                "Specformer looks at all eigenvalues, so it needs them. Pass "
                "spectrum(L), or deflate(spectrum(L))."
            )
        weight = next(self.parameters())
        return EigenOperator(graph, weight.device, weight.dtype)

    def forward(
        self,
        x: Tensor | SparseFeatures,
        graph: EigenOperator,
        *,
        generator: Generators = None,
    ) -> Float[Tensor, "S N C"]:
        """Layer by layer, so that the eigenvectors are read once for all."""
        dice = list(each(generator, len(self.nets)))
        h, X = [], []
        for net, g in zip(self.nets, dice, strict=True):
            with drawing_from(g):
                h.append(net.responses(graph.points, graph.counts))  # (n, r)
                X.append(net.embed(x, dropping(self.training, None)))
        for at in range(len(self.nets[0].weight)):
            views = graph.views(torch.cat(h, dim=1), torch.cat(X))
            own = views.split(h[0].shape[1])  # S times (r, N, C)
            for s, (net, g) in enumerate(zip(self.nets, dice, strict=True)):
                with drawing_from(g):
                    X[s] = net.layer(at, X[s], own[s])
        return torch.cat(X)


class _Network(nn.Module):
    """One copy."""

    def __init__(
        self,
        sizes: tuple[int, int, int],
        num_layers: int,
        heads: int,
        rates: tuple[float, float, float],
        std: float | None,
        grid: int,
    ) -> None:
        super().__init__()
        F, H, C = sizes
        self.grid = grid
        self.filter_p = rates[1]
        self.embed = Embedding(F, H, C, rates[0], 1)
        self.filter = Specformer(H, heads, n_filters=heads, dropout=rates[2])
        for part in (self.embed.first, self.embed.second, self.filter):
            part.reset_parameters(std=std)
        self.weight = nn.Parameter(torch.ones(num_layers, heads + 1, C))

    def layer(
        self,
        at: int,
        X: Float[Tensor, "1 N C"],
        views: Float[Tensor, "r N C"],
    ) -> Float[Tensor, "1 N C"]:
        """Weigh X and what the filters made of it, channel by channel."""
        drop = dropping(self.training, None)
        terms = drop(torch.cat([X, views]), self.filter_p)
        return (self.weight[at][:, None] * terms).sum(0, keepdim=True)

    def responses(
        self, points: Float[Tensor, " n"], counts: Float[Tensor, " n"]
    ) -> Float[Tensor, "n r"]:
        """Each filter at each eigenvalue, in the light of all of them."""
        if self.grid:
            lam, counts, left, t = on_grid(points, counts, self.grid)
        else:
            lam, counts, left = distinct(points, counts)
        often = counts.log()[None].to(self.weight)
        h = self.filter.decoded(lam[None], often)[0]  # (E, r)
        below = h.index_select(0, left)
        if not self.grid:
            return below
        return below.lerp(h.index_select(0, left + 1), t[:, None])


def on_grid(
    points: Float[Tensor, " n"], counts: Float[Tensor, " n"], size: int
) -> tuple[
    Float[Tensor, " G"],
    Float[Tensor, " G"],
    Int[Tensor, " n"],
    Float[Tensor, " n"],
]:
    r"""Share eigenvalues out to an even grid on [0, 2].

    .. math:: \lambda = (1 - t)\, g_l + t\, g_{l+1} \quad\Rightarrow\quad
       h(\lambda) \approx (1 - t)\, h(g_l) + t\, h(g_{l+1})

    A sum over eigenvalues becomes one over grid points in the same way, of
    which g_l gets the share 1 - t. Both err by the square of the distance
    between grid points.

    Args:
        points: eigenvalues, in any order.
        counts: how many each stands for.
        size: the number of grid points, 2 or more.

    Returns:
        the grid; how many eigenvalues each of its points stands for, as a
        fraction; and of each eigenvalue the grid point below it, l, and t.

    Examples:
        >>> points = torch.tensor([0.0, 1.25, 2.0], dtype=torch.float64)
        >>> on_grid(points, torch.tensor([1.0, 4.0, 1.0]).double(), 3)
        (tensor([0., 1., 2.], dtype=torch.float64),
         tensor([1., 3., 2.], dtype=torch.float64), tensor([0, 1, 1]),
         tensor([0.0000, 0.2500, 1.0000], dtype=torch.float64))
    """
    grid = torch.linspace(0, 2, size, dtype=points.dtype, device=points.device)
    place = points.clamp(0, 2) * ((size - 1) / 2)
    left = place.floor().long().clamp(max=size - 2)
    t = place - left
    often = counts.new_zeros(size)
    often = often.index_add(0, left, counts * (1 - t))
    often = often.index_add(0, left + 1, counts * t)
    return grid, often, left, t


def distinct(
    points: Float[Tensor, " n"], counts: Float[Tensor, " n"]
) -> tuple[Float[Tensor, " E"], Float[Tensor, " E"], Int[Tensor, " n"]]:
    """The different eigenvalues among the points of an operator.

    Neighbours closer than `TOL` are one eigenvalue, given by the least.

    Args:
        points: eigenvalues, in any order.
        counts: how many each stands for.

    Returns:
        the eigenvalues, ascending; how many each stands for; and which of
        them each point is.

    Examples:
        >>> points = torch.tensor([0.0, 2.0, 2.0, 1.0], dtype=torch.float64)
        >>> distinct(points, torch.tensor([1.0, 1.0, 1.0, 5.0]))
        (tensor([0., 1., 2.], dtype=torch.float64), tensor([1., 5., 2.]),
         tensor([0, 2, 2, 1]))
    """
    if points.is_meta:  # which are equal cannot be told
        return points, counts, torch.arange(len(points), device="meta")
    lam, order = points.sort()
    first = torch.ones_like(lam, dtype=torch.bool)
    first[1:] = lam.diff() > TOL
    place = torch.empty_like(order)
    place[order] = first.long().cumsum(0) - 1
    lam = lam[first]
    together = counts.new_zeros(len(lam)).index_add(0, place, counts)
    return lam, together, place
