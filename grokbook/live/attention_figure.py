"""The attention of a few nodes, and what it does to the modes of a path."""

import math
from collections.abc import Mapping, Sequence

from grokbook.errors import GrokbookError, SignalError, check_choice
from grokbook.live.figure import LiveFigure
from grokbook.live.still import (
    BLUE,
    MUTED,
    Number,
    across,
    axis,
    label,
    picture,
    tag,
)

KINDS = ("softmax", "efficient", "linear")
FEWEST, MOST, LIMIT, STEEPEST = 3, 8, 2, 4
Start = tuple[Sequence[Number], Number]


def attention_modes(
    starts: Mapping[str, Start], *, alt: str, kind: str = "softmax"
) -> LiveFigure:
    """Let the reader drag the features of a path's nodes.

    Each node has one feature x, its key; its query is s·x. The figure
    shows the attention matrix and, for each mode u of the path, ‖Au‖ and
    uᵀAu.

    Args:
        starts: name → (features, s), where to start; the first is shown.
            3 to 8 features between −2 and 2, s between −4 and 4.
        alt: one sentence that says what the figure shows.
        kind: "softmax", "efficient" or "linear".

    Raises:
        AltTextError, SignalError, UnknownNameError, GrokbookError

    Examples:
        >>> attention_modes({"step": ([-1, -1, 1, 1], 2)}, alt="A path.")
        <live figure: A path.>
    """
    check_choice("attention", kind, KINDS)
    if not starts:
        raise GrokbookError("starts is empty; pass at least one.")
    nodes = len(next(iter(starts.values()))[0])
    for name, (x, s) in starts.items():
        _check(name, x, s, nodes)
    x, s = next(iter(starts.values()))
    return LiveFigure(
        "attention_modes",
        alt=alt,
        fallback=_still(x, s, kind, alt),
        kind=kind,
        starts=[
            {"name": name, "x": [float(v) for v in x], "s": float(s)}
            for name, (x, s) in starts.items()
        ],
    )


def _check(name: str, x: Sequence[Number], s: Number, nodes: int) -> None:
    """Refuse what the knobs and the slider cannot show."""
    inside = all(abs(v) <= LIMIT for v in x)  # NaN is not
    if len(x) != nodes or not FEWEST <= nodes <= MOST or not inside:
        raise SignalError(
            f"The start {name!r} has the features {list(x)}. Pass {FEWEST} "
            f"to {MOST} numbers between −{LIMIT} and {LIMIT}, as many in "
            "each start."
        )
    if not abs(s) <= STEEPEST:
        raise GrokbookError(
            f"The start {name!r} has s = {s}. Pass a number between "
            f"−{STEEPEST} and {STEEPEST}."
        )


def _still(x: Sequence[Number], s: Number, kind: str, alt: str) -> str:
    """Draw the features on the path over the gain of each mode."""
    import torch

    from grokbook.attention import attention_matrix
    from grokbook.laplacian import laplacian
    from grokbook.mode_response import gain
    from grokbook.spectrum import spectrum

    key = torch.tensor(x, dtype=torch.float64)[:, None]
    n = len(x)
    path = torch.arange(n - 1)
    once = torch.stack([path, path + 1])
    S = spectrum(laplacian(torch.cat([once, once.flip(0)], dim=1), n))
    g = gain(attention_matrix(kind, s * key, key), S)
    tall = max(1.05, float(g.max()))
    parts = [*_still_path(x), *axis(330)]
    for lam, value in zip(S.lam.tolist(), g.tolist(), strict=True):
        box = {"x": across(lam) - 8, "y": 330 - 130 * value / tall}
        box |= {"width": 16, "height": 130 * value / tall}
        parts.append(tag("rect", style=f"fill:{BLUE}", **box))
    parts.append(label("gain of each mode, by graph frequency λ", 360, 372))
    return picture(parts, alt, 700, 380)


def _still_path(x: Sequence[Number]) -> list[str]:
    """Draw the nodes at the height of their features, joined by edges."""
    spots = [
        (60 + 600 * (i + 0.5) / len(x), 90.0 - 35 * value)
        for i, value in enumerate(x)
    ]
    line = " ".join(f"{math.floor(a)},{b:.1f}" for a, b in spots)
    style = f"fill:none;stroke:{MUTED};stroke-width:2.5"
    return [
        tag("polyline", style=style, points=line),
        *(
            tag("circle", style=f"fill:{BLUE}", cx=a, cy=b, r=9)
            for a, b in spots
        ),
    ]
