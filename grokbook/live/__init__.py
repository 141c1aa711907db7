"""Figures that move without a kernel.

Each is an ES module with the anywidget interface, written into the output
of a cell. It lives in JupyterLab and on the static site alike; where no
script runs, a still picture drawn from the same data stands in its place.
"""

from grokbook.live.figure import LiveFigure, bundle
from grokbook.live.kernel import controls
from grokbook.live.response_figure import response_editor
from grokbook.live.spectrum_figure import graph_spectrum

__all__ = [
    "LiveFigure",
    "bundle",
    "controls",
    "graph_spectrum",
    "response_editor",
]
