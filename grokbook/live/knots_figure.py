"""One function of one variable, written with knots and with harmonics."""

import math
from collections.abc import Callable
from typing import Any

from grokbook.errors import GrokbookError, check_choice
from grokbook.live.figure import LiveFigure
from grokbook.live.still import (
    BLUE,
    MUTED,
    Number,
    axis,
    label,
    picture,
    tag,
)

_PERIODS = {"2π": 2 * math.pi, "4": 4.0, "2": 2.0}
_VERMILLION = "var(--fig-2,#d55e00)"
_LOW, _HIGH = -0.75, 1.75


def knots_harmonics(
    *, alt: str, target: str = "comb", M: int = 4, period: str = "2π"
) -> LiveFigure:
    """Fit one function on [0, 2] by cubic splines and by harmonics.

    Both have 2M + 1 coefficients: harmonics 0 to M of the given period, and
    splines on 2M − 2 equal intervals. The reader moves M and sees both
    fits, also where there were no data, their condition numbers and their
    largest errors.

    Args:
        alt: one sentence that says what the figure shows.
        target: "bump", "comb", "line" or "step".
        M: the highest harmonic at the start, from 2 to 16.
        period: "2π", "4" or "2".

    Raises:
        AltTextError, UnknownNameError, GrokbookError

    Examples:
        >>> knots_harmonics(alt="A comb, fitted twice.")
        <live figure: A comb, fitted twice.>
    """
    targets = _targets()
    check_choice("target", target, targets)
    check_choice("period", period, _PERIODS)
    if not 2 <= M <= 16:
        raise GrokbookError(f"M is {M}; pass a number from 2 to 16.")
    return LiveFigure(
        "knots_harmonics",
        alt=alt,
        fallback=_still(targets[target], M, _PERIODS[period], alt),
        target=target,
        M=M,
        period=period,
    )


def _targets() -> dict[str, Callable[[Any], Any]]:
    import torch

    from grokbook.targets import TARGETS

    return {
        "bump": TARGETS["band-pass"],
        "comb": TARGETS["comb"],
        "line": lambda x: x / 2,
        "step": lambda x: torch.where(x < 1, 0.0, 1.0).to(x),
    }


def bases(x: Any, M: int, period: float) -> tuple[Any, Any]:
    """The splines and the harmonics at x, 2M + 1 columns each."""
    import torch

    from grokbook.kan import bspline_basis, fourier_basis

    steps = torch.arange(-3, 2 * M + 2, dtype=x.dtype)
    knots = steps * 2 / (2 * M - 2)
    angle = 2 * math.pi * x / period
    return bspline_basis(x, knots, 3), fourier_basis(angle, M)


def _still(target: Callable, M: int, period: float, alt: str) -> str:
    """Draw the target and both fits from −1 to 3."""
    import torch

    from grokbook.filters.fitting import least_squares

    x = torch.linspace(0, 2, 201, dtype=torch.float64)
    view = torch.linspace(-1, 3, 201, dtype=torch.float64)
    parts = [
        tag(
            "rect",
            style=f"fill:{MUTED};fill-opacity:0.12",
            x=_x(0),
            y=_y(_HIGH),
            width=_x(2) - _x(0),
            height=_y(_LOW) - _y(_HIGH),
        ),
        *axis(_y(_LOW), _x),
        *(label(f"{h:g}", 24, _y(h) + 4) for h in (0.0, 0.5, 1.0)),
        label("λ; fitted in the shaded part only", _x(1.0), 286),
        *_curve(x, target(x), f"stroke:{MUTED};stroke-width:6;opacity:0.45"),
    ]
    looks = (f"stroke:{BLUE}", f"stroke:{_VERMILLION};stroke-dasharray:7 3")
    sides = zip(bases(x, M, period), bases(view, M, period), strict=True)
    for (at, seen), look in zip(sides, looks, strict=True):
        c = least_squares(at, target(x), torch.ones_like(x))
        parts += _curve(view, seen @ c, f"{look};stroke-width:2.5")
    return picture(parts, alt, 700, 294)


def _x(value: Number) -> Number:
    return 44 + 161 * (value + 1)


def _y(value: Number) -> Number:
    return 14 + 94 * (_HIGH - value)


def _curve(x: Any, h: Any, style: str) -> list[str]:
    """Draw a curve where it is in view, in as many pieces as that takes."""
    runs: list[list[str]] = [[]]
    for a, b in zip(x.tolist(), h.tolist(), strict=True):
        if _LOW <= b <= _HIGH:
            runs[-1].append(f"{_x(a):.1f},{_y(b):.1f}")
        elif runs[-1]:
            runs.append([])
    return [
        tag("polyline", style=f"fill:none;{style}", points=" ".join(run))
        for run in runs
        if run
    ]
