"""Checks of chapter 08, GrokFormer assembled."""

from collections.abc import Callable

import networkx as nx
import torch
from torch import Tensor

from grokbook.checks import exercise, expect
from grokbook.checks.chapter01 import edges_of
from grokbook.laplacian import laplacian
from grokbook.models import GrokFormer
from grokbook.spectrum import Spectrum, spectrum


def _generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def _random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=_generator(seed), dtype=torch.float64)


@exercise("ex-parameters")
def _(parameters: Callable) -> None:
    for reading in ("paper", "released"):
        for F, H, C, K, M, heads, B, why in (
            (5, 8, 3, 1, 1, 1, 1, ""),
            (5, 8, 3, 3, 2, 1, 1, "; mind K and M"),
            (5, 8, 3, 1, 1, 2, 1, "; what do two heads change?"),
            (7, 12, 4, 2, 3, 2, 3, "; what do three layers change?"),
        ):
            sizes = {"K": K, "M": M, "heads": heads, "num_layers": B}
            with torch.device("meta"):
                model = GrokFormer(F, H, C, reading=reading, **sizes)
            wanted = sum(p.numel() for p in model.parameters())
            given = parameters(F, H, C, reading=reading, **sizes)
            expect(
                int(given) == wanted,
                f"for F={F}, H={H}, C={C}, K={K}, M={M}, heads={heads}, "
                f"num_layers={B} as {reading} there are {wanted} parameters, "
                f"not {given}{why}",
            )


@exercise("ex-filter-off")
def _(plain_layer: Callable) -> None:
    for reading in ("paper", "released"):
        model = GrokFormer(
            5, 8, 3, heads=2, reading=reading, generator=_generator(1)
        )
        layer = model.double().layers[0]
        for number, p in enumerate(layer.parameters()):
            p.data = _random(*p.shape, seed=number)  # norms that do something
        X = 3 * _random(1, 9, 8 if reading == "paper" else 3, seed=50) + 1
        given = plain_layer(layer, X)
        layer.filter.alpha.data.zero_()
        S = spectrum(laplacian(edges_of(nx.path_graph(9))))
        graph = model.prepare(S)
        basis = layer.filter.basis(graph.points)
        wanted = layer(X, graph, basis, lambda part, p: part)
        expect(
            given.shape == wanted.shape
            and torch.allclose(given, wanted, rtol=1e-8, atol=1e-8),
            f"in the {reading} reading it differs from the layer whose "
            "α is 0; are both inputs added, and both normalised first?",
        )


def _model(S: Spectrum, X: Tensor) -> Tensor:
    """A GrokFormer: it moves with the nodes."""
    model = GrokFormer(X.shape[1], 4, 2, K=1, M=2, generator=_generator(0))
    with torch.no_grad():
        return model.double()(X, S)


def _blind(S: Spectrum, X: Tensor) -> Tensor:
    """Reads an eigenvector entry by entry, so it depends on the solver."""
    return X * S.U[:, 1:2] + X


def _numbered(S: Spectrum, X: Tensor) -> Tensor:
    """Adds the number of each node."""
    return X + torch.arange(len(X), dtype=X.dtype)[:, None]


def _first(S: Spectrum, X: Tensor) -> Tensor:
    """Gives every node the features of the first."""
    return X[:1].expand(X.shape)


@exercise("ex-relabelled")
def _(moves: Callable) -> None:
    star, X = edges_of(nx.star_graph(6)), _random(7, 3)
    orders = [torch.tensor([3, 0, 6, 1, 5, 2, 4]), torch.arange(7).roll(2)]
    for order in orders:
        expect(
            bool(moves(_model, star, X, order)),
            "GrokFormer moves with the nodes; your test says it does not. "
            "Row i of X[order] is node order[i]: which node is i in the "
            "new edges?",
        )
    for model, what in (
        (_blind, "reads the entries of an eigenvector"),
        (_numbered, "adds the number of each node"),
        (_first, "copies the first node"),
    ):
        expect(
            not all(moves(model, star, X, order) for order in orders),
            f"your test lets a model pass that {what}",
        )


@exercise("ex-stop")
def _(stop: Callable) -> None:
    loss = [3.0, 2.0, 2.5, 2.5, 2.5, 1.0, 0.5]
    score = [0.1, 0.2, 0.3, 0.2, 0.3, 0.9, 1.0]

    def says(loss: list, score: list, patience: int, want: tuple) -> None:
        given = stop(loss, score, patience)
        given = tuple(int(number) for number in given)
        expect(
            given == want,
            f"with val_loss {loss}, val_score {score} and patience "
            f"{patience} training ends after {want[0]} epochs and epoch "
            f"{want[1]} is reported; you give {given}",
        )

    says(loss, score, 3, (5, 2))
    says(loss, score, 2, (4, 2))
    says(loss, score, 10, (7, 6))
    says([1.0, 1.0, 1.0, 1.0], [0.5, 0.5, 0.6, 0.7], 2, (3, 2))
    says([1.0, 3.0, 2.0, 1.5], [0.1, 0.2, 0.3, 0.4], 2, (3, 2))
    says([3.0, 2.0, 1.0], [0.7, 0.6, 0.5], 1, (3, 0))
