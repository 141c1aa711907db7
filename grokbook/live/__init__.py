"""Figures that move without a kernel.

Each is an ES module with the anywidget interface, written into the output
of a cell. It lives in JupyterLab and on the static site alike; where no
script runs, a still picture drawn from the same data stands in its place.
"""

from typing import Any

from grokbook.live.attention_figure import attention_modes
from grokbook.live.choice_figure import lucky_choice
from grokbook.live.cut_figure import eigenspace_cut
from grokbook.live.degree_figure import series_degree
from grokbook.live.figure import LiveFigure, bundle
from grokbook.live.fourier_figure import fourier_filter
from grokbook.live.knots_figure import knots_harmonics
from grokbook.live.learned_figure import Learned, learned_filters
from grokbook.live.orders_figure import OrderRun, order_explorer
from grokbook.live.polynomial_figure import polynomial_filter
from grokbook.live.response_figure import response_editor
from grokbook.live.selection_figure import selection_bias
from grokbook.live.shapes_figure import grokformer_shapes
from grokbook.live.sinusoid_figure import sinusoid_gap
from grokbook.live.spectrum_figure import graph_spectrum
from grokbook.live.split_figure import split_explorer
from grokbook.live.truncation_figure import truncated_spectrum

__all__ = [
    "Learned",
    "LiveFigure",
    "OrderRun",
    "attention_modes",
    "bundle",
    "controls",
    "eigenspace_cut",
    "fourier_filter",
    "graph_spectrum",
    "grokformer_shapes",
    "knots_harmonics",
    "learned_filters",
    "lucky_choice",
    "order_explorer",
    "polynomial_filter",
    "response_editor",
    "selection_bias",
    "series_degree",
    "sinusoid_gap",
    "split_explorer",
    "truncated_spectrum",
]


def __getattr__(name: str) -> Any:
    """Load `controls` when first used: it imports PyTorch, the rest not."""
    if name == "controls":
        from grokbook.live.kernel import controls

        return controls
    raise AttributeError(f"module 'grokbook.live' has no attribute {name!r}")
