"""Which graph a run of nodes filters on, and by which road."""

import warnings
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.cache import cached_spectrum
from grokbook.datasets import load_graph
from grokbook.errors import DegreeError, GraphNotice, SpecError, check_choice
from grokbook.laplacian import laplacian
from grokbook.looped import looped_laplacian
from grokbook.spectrum import deflate

if TYPE_CHECKING:
    from torch_geometric.data import Data

ROADS = ("exact", "series")
# A product with a sparse matrix takes about so many times as long, per
# number multiplied, as one with the eigenvectors.
SPARSE_COST = 5
LEAVES_ON = 12_000  # nodes; beyond, leaves and twins are taken off first
LARGEST_EXACT = 20_000  # nodes; beyond, a decomposition takes too long


def own_loops(graph: "str | Data") -> Float[Tensor, " N"]:
    """1 for each node that a graph came with a loop at, else 0.

    `load_graph` and `as_graph` drop these loops; the released GrokFormer
    code keeps them.

    Args:
        graph: the name of a data set, or a graph as it came.
    """
    if isinstance(graph, str):
        graph = load_graph(graph, loops=True)
    i, j = torch.as_tensor(graph.edge_index)
    found = torch.zeros(len(graph.y), dtype=torch.float64)
    return found.index_fill(0, i[i == j], 1.0)


def take_road(
    model: Any, data: "Data", road: str, loops: Tensor | None = None
) -> tuple[Any, str]:
    """The graph in the form that a model filters fastest.

    Args:
        model: what is to be trained.
        data: the graph, without loops.
        road: "exact", "series", or "auto" for the cheaper one.
        loops: those that it came with, if they count.

    Returns:
        what the model takes as graph, and the road taken.
    """
    if loops is not None and getattr(model, "loops", False):
        raise SpecError(
            "own_loops changes nothing for a model that gives each node a "
            "loop. Leave it out."
        )
    L = _laplacian(model, data, loops)
    if road == "auto":
        road = _cheaper_road(model, L)
    check_choice("road", road, ["auto", *ROADS])
    if road == "exact":
        large = len(L) > LEAVES_ON
        S = cached_spectrum(L, peeled=large)
        graph = model.prepare(S if large else deflate(S))
    else:
        graph = model.prepare(L)
    if loops is not None and graph is None:
        raise SpecError(
            "own_loops changes nothing for a model that looks at no graph. "
            "Leave it out."
        )
    return graph, road


def _laplacian(model: Any, data: "Data", loops: Tensor | None) -> Tensor:
    """With the loops that a model adds, or that the graph came with."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphNotice)  # told by `data check`
        if getattr(model, "loops", False):
            return looped_laplacian(data)
        if loops is not None:
            return looped_laplacian(data, loops=loops)
        return laplacian(data, isolated=1.0)  # as released


def _cheaper_road(model: Any, L: Tensor) -> str:
    """Compare what a training step multiplies, column by column."""
    if getattr(model, "needs_spectrum", False):
        return "exact"
    N = len(L)
    try:
        degree = getattr(model.prepare(L), "degree", 0)
    except DegreeError:  # no series serves so high an order
        return "exact"
    stored = L.coalesce().indices().shape[1]
    series = 2 * degree * stored * SPARSE_COST
    exact = 4 * N**2
    return "exact" if N <= LARGEST_EXACT and exact < series else "series"
