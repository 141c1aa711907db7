"""Graphs to work on: embedded in the repository, or made here."""

from grokbook.datasets.embedded import load_graph
from grokbook.datasets.grids import grid_edges, photograph

__all__ = ["grid_edges", "load_graph", "photograph"]
