"""A ring filtered with its first q waves, in a basis the reader turns."""

import math
from collections.abc import Callable
from typing import Any

from grokbook.errors import GrokbookError, ResponseError, SignalError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import (
    BLUE,
    INK,
    MUTED,
    across,
    axis,
    label,
    picture,
    tag,
)

FEWEST, MOST = 3, 24


def eigenspace_cut(
    signal: Any,
    response: Callable[[Any], Any],
    *,
    alt: str,
    q: int,
) -> LiveFigure:
    """Filter a signal on a ring with its q lowest waves alone.

    The reader chooses q and turns the two waves of each repeated
    eigenvalue in their plane. Where q parts such a pair, the output turns
    with the basis; elsewhere it stays.

    Args:
        signal: one number per node of the ring, 3 to 24 nodes.
        response: h, a function of a tensor of eigenvalues.
        alt: one sentence that says what the figure shows.
        q: how many waves are kept at the start.

    Raises:
        AltTextError, SignalError, ResponseError, GrokbookError

    Examples:
        >>> eigenspace_cut([1, 0, 0, 0], lambda lam: 1 - lam, q=2,
        ...                alt="A ring of four.")
        <live figure: A ring of four.>
    """
    x = _signal(signal)
    if not 1 <= q <= len(x):
        raise GrokbookError(
            f"q is {q}; a ring of {len(x)} nodes has 1 to {len(x)} waves."
        )
    h = _values(response, len(x))
    return LiveFigure(
        "eigenspace_cut",
        alt=alt,
        fallback=_still(x, h, q, alt),
        signal=x,
        response=h,
        start=q,
    )


def _signal(signal: Any) -> list[float]:
    """Check the signal and list its numbers."""
    import numpy as np

    x = np.asarray(signal, dtype=float)
    fits = x.ndim == 1 and FEWEST <= len(x) <= MOST
    if not fits or not np.isfinite(x).all():
        raise SignalError(
            f"The signal has shape {x.shape}. Pass {FEWEST} to {MOST} finite "
            "numbers, one per node of the ring."
        )
    return x.tolist()


def _values(response: Callable[[Any], Any], n: int) -> list[float]:
    """Evaluate h at the distinct eigenvalues 1 − cos(2πk/n) of a ring."""
    import torch

    k = torch.arange(n // 2 + 1, dtype=torch.float64)
    h = response(1 - torch.cos(2 * math.pi * k / n))
    if h.shape != k.shape or not torch.isfinite(h).all():
        raise ResponseError(
            "The response must return one finite number per eigenvalue."
        )
    return h.tolist()


def _waves(n: int) -> list[tuple[int, list[float]]]:
    """List the waves (k, u) of a ring by ascending eigenvalue."""
    waves = []
    for k in range(n // 2 + 1):
        single = k == 0 or 2 * k == n
        size = math.sqrt((1 if single else 2) / n)
        for shift in (0.0,) if single else (0.0, math.pi / 2):
            angles = [2 * math.pi * k * i / n - shift for i in range(n)]
            waves.append((k, [size * math.cos(a) for a in angles]))
    return waves


def _still(x: list[float], h: list[float], q: int, alt: str) -> str:
    """Draw the eigenvalues, those kept filled, over the output's bars."""
    n = len(x)
    y = [0.0] * n
    dots = []
    level: dict[int, int] = {}
    for i, (k, u) in enumerate(_waves(n)):
        lam = 1 - math.cos(2 * math.pi * k / n)
        level[k] = level.get(k, -1) + 1
        fill = f"fill:{BLUE};stroke:{BLUE}" if i < q else f"stroke:{MUTED}"
        style = f"fill:none;{fill};stroke-width:2"
        spot = {"cx": across(lam), "cy": 52.0 - 18 * level[k]}
        dots.append(tag("circle", style=style, r=6.5, **spot))
        if i < q:
            part = h[k] * sum(a * b for a, b in zip(u, x, strict=True))
            y = [old + part * entry for old, entry in zip(y, u, strict=True)]
    parts = [*axis(70), *dots, *_still_bars(y)]
    return picture(parts, alt, 700, 290)


def _still_bars(y: list[float]) -> list[str]:
    """Draw one bar per node over the nodes' numbers."""
    tall = 70 / max(max(map(abs, y)), 1e-12)
    step = 600 / len(y)
    bars = []
    for i, value in enumerate(y):
        box = {"x": 60 + step * (i + 0.25), "width": step / 2}
        box |= {"y": 185 - tall * max(0.0, value), "height": tall * abs(value)}
        bars += [
            tag("rect", style=f"fill:{BLUE}", **box),
            label(str(i), 60 + step * (i + 0.5), 278),
        ]
    ends = {"x1": 60, "x2": 660, "y1": 185, "y2": 185}
    return [*bars, tag("line", style=f"stroke:{INK}", **ends)]
