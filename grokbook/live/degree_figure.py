"""The degree that a series needs, and whether it pays."""

import math

from grokbook.errors import GrokbookError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import BLUE, MUTED, across, label, picture, tag


def series_degree(
    *,
    alt: str,
    K: int = 2,
    M: int = 8,
    digits: int = -4,
    size: int = 6,
    per_node: int = 10,
    sparse: float = 5,
) -> LiveFigure:
    """Let the reader move K, M, the tolerance and the number of edges.

    Args:
        alt: one sentence that says what the figure shows.
        K, M: order, 1 to 5, and harmonic, 1 to 32, to start from.
        digits: of the tolerance 10^digits, −8 to −1.
        size: of the graph, 10^size edges, 3 to 8.
        per_node: edges for each node.
        sparse: what a number multiplied by a sparse matrix costs, as
            against one multiplied by eigenvectors.

    Raises:
        AltTextError, GrokbookError

    Examples:
        >>> series_degree(alt="The degree that a series needs.")
        <live figure: The degree that a series needs.>
    """
    for name, value, low, high in (
        ("K", K, 1, 5),
        ("M", M, 1, 32),
        ("digits", digits, -8, -1),
        ("size", size, 3, 8),
    ):
        if not low <= value <= high:
            raise GrokbookError(
                f"{name} is {value}. Pass a whole number from {low} to {high}."
            )
    return LiveFigure(
        "series_degree",
        alt=alt,
        fallback=_still(K, M, alt),
        K=K,
        M=M,
        digits=digits,
        size=size,
        per_node=per_node,
        sparse=float(sparse),
    )


def _still(K: int, M: int, alt: str) -> str:
    """Draw how fast the response to be expanded turns: M·λᴷ in waves."""

    samples = [2 * i / 200 for i in range(201)]
    points = " ".join(
        f"{across(lam):.1f},{120 - 80 * math.cos(M * lam**K):.1f}"
        for lam in samples
    )
    curve = f"fill:none;stroke:{BLUE};stroke-width:2.5"
    line = f"stroke:{MUTED}"
    parts = [
        tag("line", style=line, x1=across(0), x2=across(2), y1=220, y2=220),
        *(label(f"{t:g}", across(t), 240) for t in (0, 1, 2)),
        tag("polyline", style=curve, points=points),
        label(f"cos({M}λ^{K}), frequency λ", across(1), 262),
    ]
    return picture(parts, alt, 700, 270)
