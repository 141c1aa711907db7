"""Graphs to work on: embedded, made here, or read from verified files."""

from grokbook.datasets.facts import Homophily, describe, homophily
from grokbook.datasets.generators import (
    circular_skip_links,
    contextual_sbm,
    minesweeper,
)
from grokbook.datasets.grids import grid_edges, photograph
from grokbook.datasets.loading import load_graph, load_graphs
from grokbook.datasets.own_graphs import as_graph
from grokbook.datasets.registry import Entry, entry, registry

__all__ = [
    "Entry",
    "Homophily",
    "as_graph",
    "circular_skip_links",
    "contextual_sbm",
    "describe",
    "entry",
    "grid_edges",
    "homophily",
    "load_graph",
    "load_graphs",
    "minesweeper",
    "photograph",
    "registry",
]
