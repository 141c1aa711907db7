"""One figure style for the whole book, and alt text or no figure.

A figure is stored as SVG whose colours are CSS variables with a fallback:
in JupyterLab it is dark ink on white paper, on the site it follows the
reader's light or dark theme. Colours are told apart by colour-blind readers.
"""

import base64
import io
import re
from typing import TYPE_CHECKING, Any

from jaxtyping import Float, Int
from torch import Tensor

from grokbook.errors import AltTextError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED, GRID, PAPER = "#1d2430", "#5b6473", "#d9dee6", "#ffffff"
ON_MARK = "#fefefe"  # text on a coloured mark
SERIES = ("#0072b2", "#d55e00", "#008060", "#a8477f", "#8a6d00", "#5b6472")
BLUE, VERMILLION, GREEN, PURPLE, OCHRE, GREY = SERIES

# What matplotlib draws in -> the variable the site's stylesheet sets.
_VARIABLES = {
    INK: "--fig-ink",
    "#000000": "--fig-ink",
    MUTED: "--fig-muted",
    GRID: "--fig-grid",
    "#cccccc": "--fig-grid",
    ON_MARK: "--fig-on-mark",
    PAPER: "--fig-paper",
    **{colour: f"--fig-{i}" for i, colour in enumerate(SERIES, 1)},
}
_FONT = "var(--fig-font, 'DejaVu Sans', Verdana, sans-serif)"
_STYLE = {
    "axes.edgecolor": MUTED,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "figure.facecolor": PAPER,
    "figure.titlesize": 11,
    "font.size": 10,
    "grid.color": GRID,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
}


def subplots(
    rows: int = 1, cols: int = 1, *, height: float = 3.0, **kwargs: Any
) -> "tuple[Figure, Any]":
    """Open a figure in the book's style; like `plt.subplots`.

    The style stays set, so that titles and legends added later have it.

    Args:
        rows: rows of panels.
        cols: columns of panels.
        height: inches; the width is always that of the text column.
        kwargs: handed to `plt.subplots`.
    """
    import matplotlib as mpl
    import matplotlib.pyplot as plt
    from cycler import cycler

    mpl.rcParams.update(_STYLE)
    mpl.rcParams["axes.prop_cycle"] = cycler(color=SERIES)
    return plt.subplots(
        rows, cols, figsize=(7.2, height), layout="constrained", **kwargs
    )


def show(fig: "Figure", alt: str) -> None:
    """Show a figure, with a sentence for readers who cannot see it.

    Args:
        fig: a matplotlib figure; it is closed afterwards.
        alt: what the picture shows and what it means, in words.

    Raises:
        AltTextError: the alt text is missing or too short to say anything.
    """
    from IPython.display import display

    shown = displayed(fig, alt)
    display(shown.pop("obj"), **shown)


def displayed(fig: "Figure", alt: str) -> dict[str, Any]:
    """What IPython's `display` needs to show a figure; closes the figure."""
    import matplotlib.pyplot as plt

    pixels = io.BytesIO()
    drawing = to_svg(fig, alt)
    fig.savefig(pixels, format="png", dpi=110)
    plt.close(fig)
    # JupyterLab shows the drawing in a notebook that the reader has run or
    # trusted, and the pixels, which can hold no script, before that.
    return {
        "obj": {
            "image/svg+xml": drawing,
            "image/png": base64.b64encode(pixels.getvalue()).decode(),
            "text/plain": f"[figure] {alt}",
        },
        "metadata": {
            "image/svg+xml": {"alt": alt},
            "image/png": {"alt": alt},
        },
        "raw": True,
    }


def to_svg(fig: "Figure", alt: str) -> str:
    """Draw a figure as SVG with the alt text as its title."""
    from html import escape

    import matplotlib as mpl

    if len(alt.split()) < 5:
        raise AltTextError(
            f"The alt text {alt!r} is too short. Say in a sentence what "
            "the picture shows and what the reader should see in it."
        )
    page = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "grokbook"}):
        fig.savefig(page, format="svg", metadata={"Date": None})
    return _follow_theme(page.getvalue(), escape(alt))


def _follow_theme(svg: str, title: str) -> str:
    """Make matplotlib's SVG small, safe to inline, and themed."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # This rule would apply to the whole page once the SVG is inlined.
    svg = re.sub(r"\s*<style.*?</style>", "", svg, flags=re.DOTALL)
    # Coordinates are in the tags; between them stand the readers' numbers.
    svg = re.sub(r"<[^>]*>", _shorten, svg)
    svg = re.sub(r"font-family: [^;\"]*", f"font-family: {_FONT}", svg)
    for colour, name in _VARIABLES.items():
        svg = svg.replace(colour, f"var({name}, {colour})")
    head, body = svg.split(">", 1)
    head = head.replace(
        "<svg", '<svg style="stroke-linejoin: round" role="img"', 1
    )
    return f"{head}><title>{title}</title>{body}"


def _shorten(tag: re.Match) -> str:
    """Cut the coordinates of one tag to two decimals."""
    return re.sub(r"(\d\.\d\d)\d+", r"\1", tag[0])


def draw_graph(
    ax: "Axes",
    edge_index: Int[Tensor, "2 E"],
    position: Float[Tensor, "N 2"],
    value: Float[Tensor, " N"] | None = None,
) -> None:
    """Draw a small graph with its node numbers, or with a signal on it.

    Blue discs are positive values, vermillion squares negative ones, small
    rings zeros; the larger the value, the larger the mark.
    """
    for i, j in edge_index.T.tolist():
        ax.plot(*position[[i, j]].T, color=GREY, lw=1.2, zorder=1)
    if value is None:
        ax.scatter(*position.T, s=260, color=BLUE, zorder=2)
        for i, (x, y) in enumerate(position.tolist()):
            ax.annotate(
                str(i), (x, y), ha="center", va="center", color=ON_MARK
            )
    else:
        area = 12 + 150 * value.abs() / max(float(value.abs().max()), 1e-12)
        for mark, face, edge, side in (
            ("o", BLUE, BLUE, value > 0),
            ("s", VERMILLION, VERMILLION, value < 0),
            ("o", ON_MARK, GREY, value == 0),
        ):
            style = {"marker": mark, "c": face, "edgecolors": edge}
            ax.scatter(*position[side].T, area[side], zorder=2, **style)
    ax.margins(0.2)
    ax.set_aspect("equal")
    ax.axis("off")


def draw_image(ax: "Axes", image: Float[Tensor, "H W"], **kwargs: Any) -> None:
    """Draw a grey image without axes; black is 0 and white is 1."""
    limits = {"vmin": 0, "vmax": 1, **kwargs}
    ax.imshow(image.numpy(), cmap="gray", interpolation="nearest", **limits)
    ax.axis("off")
