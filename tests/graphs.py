"""Graphs for the tests: closed-form families and hypothesis strategies."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jaxtyping
import networkx as nx
import torch
from hypothesis import settings
from hypothesis import strategies as st
from torch import Tensor

from grokbook import Spectrum, laplacian, spectrum

few = settings(deadline=None, derandomize=True, max_examples=25, database=None)

# name: a graph and its normalised Laplacian's eigenvalues, by formula
cos, pi = math.cos, math.pi
CLOSED_FORMS = {
    "path": (nx.path_graph(7), [1 - cos(pi * k / 6) for k in range(7)]),
    "even ring": (
        nx.cycle_graph(8),
        [1 - cos(2 * pi * k / 8) for k in range(8)],
    ),
    "odd ring": (
        nx.cycle_graph(7),
        [1 - cos(2 * pi * k / 7) for k in range(7)],
    ),
    "star": (nx.star_graph(5), [0, 1, 1, 1, 1, 2]),
    "complete": (nx.complete_graph(6), [0] + [6 / 5] * 5),
    "complete bipartite": (
        nx.complete_bipartite_graph(3, 4),
        [0, 1, 1, 1, 1, 1, 2],
    ),
    "hypercube": (
        nx.hypercube_graph(4),
        [2 * k / 4 for k in range(5) for _ in range(math.comb(4, k))],
    ),
    "torus": (
        nx.grid_2d_graph(4, 5, periodic=True),
        [
            1 - (cos(2 * pi * i / 4) + cos(2 * pi * j / 5)) / 2
            for i in range(4)
            for j in range(5)
        ],
    ),
    "Petersen": (nx.petersen_graph(), [0] + [2 / 3] * 5 + [5 / 3] * 4),
    "one edge": (nx.path_graph(2), [0, 2]),
    "one node": (nx.empty_graph(1), [0]),
    "no edge": (nx.empty_graph(4), [0, 0, 0, 0]),
}

PATH = [[0, 1, 1, 2], [1, 0, 2, 1]]  # three nodes, clean


def edges_of(G: nx.Graph) -> Tensor:
    """Both directions of every edge, nodes numbered as NetworkX lists them."""
    G = nx.convert_node_labels_to_integers(G)
    once = torch.tensor(list(G.edges), dtype=torch.int64).reshape(-1, 2).T
    return torch.cat([once, once.flip(0)], dim=1)


def laplacian_of(G: nx.Graph) -> Tensor:
    """The dense Laplacian of a NetworkX graph."""
    return laplacian(edges_of(G), len(G)).to_dense()


def spectrum_of(G: nx.Graph) -> Spectrum:
    """The spectrum of a NetworkX graph."""
    return spectrum(laplacian_of(G))


@st.composite
def edge_lists(
    draw: Callable, max_nodes: int = 12
) -> tuple[Tensor, int, Tensor]:
    """Clean graphs: edges both ways, node count, one weight per column.

    Graphs with isolated nodes, several components, no edge and only one
    node all occur.
    """
    N = draw(st.integers(1, max_nodes))
    pairs = [(i, j) for i in range(N) for j in range(i + 1, N)]
    kept = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    weight = draw(
        st.lists(st.floats(0.05, 20.0), min_size=len(kept), max_size=len(kept))
    )
    once = torch.tensor(kept, dtype=torch.int64).reshape(-1, 2).T
    both = torch.cat([once, once.flip(0)], dim=1)
    return both, N, torch.tensor(weight, dtype=torch.float64).repeat(2)


def signals(N: int, *F: int, seed: int = 0) -> Tensor:
    """Random float64 signals, the same on every run."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(N, *F, dtype=torch.float64, generator=generator)


@contextmanager
def without_shape_checks() -> Iterator[None]:
    """Call functions as readers do, who run them without beartype.

    Some bad input is caught by the annotations first when the tests run;
    readers must get the named error.
    """
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)


def renumbered(X: Tensor, random: Any) -> tuple[Tensor, Tensor]:
    """Give the nodes new numbers: node i becomes to[i], its row moves."""
    to = list(range(len(X)))
    random.shuffle(to)
    moved = torch.empty_like(X)
    moved[to] = X
    return torch.tensor(to), moved
