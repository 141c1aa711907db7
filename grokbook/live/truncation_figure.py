"""A spectrum cut at its ends: what part of a signal and a filter is lost."""

from collections.abc import Mapping
from typing import Any

from grokbook.errors import GrokbookError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import BLUE, INK, across, axis, label, picture, tag

BINS = 50


def truncated_spectrum(
    lam: Any,
    counts: Any,
    energy: Any,
    responses: Mapping[str, Any],
    *,
    k: int,
    alt: str,
) -> LiveFigure:
    """Let the reader keep k eigenvectors and see what is dropped.

    Args:
        lam: the different eigenvalues, ascending.
        counts: how often each occurs.
        energy: of the signal in each eigenspace.
        responses: name → values of h, evenly spaced on [0, 2].
        k: how many eigenvectors are kept at the start.
        alt: one sentence that says what the figure shows.

    Raises:
        AltTextError, GrokbookError

    Examples:
        >>> truncated_spectrum([0, 1, 2], [1, 2, 1], [4, 2, 1],
        ...                    {"low": [1, 0.5, 0]}, k=2, alt="Four waves.")
        <live figure: Four waves.>
    """
    import numpy as np

    rows = [np.asarray(part, float) for part in (lam, counts, energy)]
    sizes = {part.shape for part in rows}
    whole = len(sizes) == 1 and rows[0].ndim == 1 and len(rows[0]) > 1
    if not whole or (np.diff(rows[0]) <= 0).any() or not responses:
        raise GrokbookError(
            "Pass two or more ascending eigenvalues, as many counts and "
            "energies, and at least one response."
        )
    if not 0 <= k <= rows[1].sum():
        raise GrokbookError(
            f"k is {k}; there are {int(rows[1].sum())} eigenvectors."
        )
    rows[2] = rows[2] / rows[2].sum()
    curves = [
        {"name": name, "h": np.asarray(h, float).round(4)}
        for name, h in responses.items()
    ]
    return LiveFigure(
        "truncated_spectrum",
        alt=alt,
        fallback=_still(rows[0], rows[2], curves[0]["h"], alt),
        spectrum={
            "lam": rows[0].round(4),
            "counts": rows[1].astype(int),
            "energy": rows[2],
        },
        responses=curves,
        k=k,
    )


def _still(lam: Any, energy: Any, h: Any, alt: str) -> str:
    """Draw the energy in bars, and the first response over them."""
    import numpy as np

    bins = np.minimum(BINS - 1, (lam / 2 * BINS).astype(int))
    tall = np.bincount(bins, energy, BINS)
    tall = (190 * tall / tall.max()).tolist()
    bars = [
        tag(
            "rect",
            style=f"fill:{BLUE};fill-opacity:0.6",
            x=across(2 * i / BINS),
            y=210 - size,
            width=across(2 / BINS) - across(0),
            height=size,
        )
        for i, size in enumerate(tall)
    ]
    top = max(1.0, float(h.max()))
    points = " ".join(
        f"{across(2 * i / (len(h) - 1)):.1f},{210 - 190 * v / top:.1f}"
        for i, v in enumerate(h.tolist())
    )
    line = f"fill:none;stroke:{INK};stroke-width:2.5"
    parts = [
        *bars,
        tag("polyline", style=line, points=points),
        *axis(210),
        label("frequency λ", across(1), 252),
    ]
    return picture(parts, alt, 700, 262)
