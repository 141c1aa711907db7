"""One sinusoid against a straight line: the gap that never closes."""

import math
from collections.abc import Mapping

from grokbook.errors import GrokbookError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import (
    BLUE,
    INK,
    Number,
    across,
    axis,
    label,
    picture,
    tag,
)


def sinusoid_gap(
    starts: Mapping[str, tuple[Number, Number]],
    *,
    alt: str,
    slope: Number = 1,
) -> LiveFigure:
    """Let the reader move R sin(λ + φ) over the line slope·λ on [0, 2].

    Args:
        starts: name → (R, φ), sinusoids to start from, R from 0 to three
            times the slope; the first is where the figure starts.
        alt: one sentence that says what the figure shows.
        slope: of the line, above 0.

    Raises:
        AltTextError, GrokbookError

    Examples:
        >>> sinusoid_gap({"sine": (1, 0)}, alt="A line and a sine.")
        <live figure: A line and a sine.>
    """
    if not starts:
        raise GrokbookError("starts is empty; pass at least one sinusoid.")
    if not (slope > 0 and math.isfinite(slope)):
        raise GrokbookError(f"slope is {slope}; pass a finite number above 0.")
    for name, (R, phi) in starts.items():
        if not (0 <= R <= 3 * slope and abs(phi) <= math.pi):
            raise GrokbookError(
                f"The start {name!r} has R = {R} and φ = {phi}. Pass R from "
                f"0 to {3 * slope:g} and φ from −π to π; a negative R is a "
                "phase shifted by π."
            )
    first = next(iter(starts.values()))
    return LiveFigure(
        "sinusoid_gap",
        alt=alt,
        fallback=_still(slope, *first, alt),
        slope=float(slope),
        starts=[
            {"name": name, "R": float(R), "phi": float(phi)}
            for name, (R, phi) in starts.items()
        ],
    )


def _still(slope: Number, R: Number, phi: Number, alt: str) -> str:
    """Draw the line and the first sinusoid."""

    def y(value: Number) -> Number:
        return 180 - 70 * value / slope

    samples = [2 * i / 80 for i in range(81)]
    points = " ".join(
        f"{across(lam):.1f},{y(R * math.sin(lam + phi)):.1f}"
        for lam in samples
    )
    dashes = f"fill:none;stroke:{INK};stroke-width:2.5;stroke-dasharray:7 4"
    curve = f"fill:none;stroke:{BLUE};stroke-width:3"
    line = {"x1": across(0), "y1": y(0), "x2": across(2), "y2": y(2 * slope)}
    parts = [
        *axis(215),
        *(label(f"{slope * h:g}", 40, y(slope * h) + 4) for h in (0, 1, 2)),
        tag("line", style=dashes, **line),
        tag("polyline", style=curve, points=points),
        label("frequency λ", across(1), 256),
    ]
    return picture(parts, alt, 700, 265)
