"""Order and harmonics of the Fourier filter, and the fit they make."""

from collections.abc import Mapping
from typing import Any

from grokbook.errors import GrokbookError, ResponseError, check_choice
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

POINTS = 121  # eigenvalues shown: enough for 1 + 2·4·10 functions
CUT = 1e-12  # of the largest singular value, as in the module


def fourier_filter(
    spectra: Mapping[str, Any],
    *,
    alt: str,
    target: str = "low-comb",
    K: int = 2,
    M: int = 8,
) -> LiveFigure:
    """Let the reader choose K and M and see the best fit of a target.

    Of each spectrum 121 eigenvalues are shown, evenly by rank. The fit is
    by least squares on them, with singular values below 1e-12 of the
    largest left out.

    Args:
        spectra: name → eigenvalues, at least one; the figure starts with
            the first.
        alt: one sentence that says what the figure shows.
        target: one of the six responses of `grokbook.TARGETS`.
        K: the highest order at the start, from 1 to 4.
        M: the highest harmonic at the start, from 1 to 10.

    Raises:
        AltTextError, UnknownNameError, ResponseError, GrokbookError

    Examples:
        >>> fourier_filter({"ring": [0, 1, 1, 2]}, alt="A ring's fit.")
        <live figure: A ring's fit.>
    """
    from grokbook.targets import TARGETS

    check_choice("target", target, TARGETS)
    if not (1 <= K <= 4 and 1 <= M <= 10):
        raise GrokbookError(
            f"K is {K} and M is {M}; pass K from 1 to 4 and M from 1 to 10."
        )
    if not spectra:
        raise GrokbookError("spectra is empty; pass at least one spectrum.")
    sampled = {name: _sample(name, lam) for name, lam in spectra.items()}
    first = next(iter(sampled))
    return LiveFigure(
        "fourier_filter",
        alt=alt,
        fallback=_still(target, sampled[first], K, M, alt),
        spectra=sampled,
        spectrum=first,
        target=target,
        K=K,
        M=M,
    )


def _sample(name: str, lam: Any) -> Any:
    """Take eigenvalues evenly by rank, at most `POINTS` of them."""
    import torch

    lam = torch.as_tensor(lam, dtype=torch.float64).sort().values
    if lam.dim() != 1 or not len(lam) or not ((lam >= 0) & (lam <= 2)).all():
        raise ResponseError(
            f"The spectrum {name!r} is no list of eigenvalues. Pass numbers "
            "from 0 to 2, such as the lam of a Spectrum."
        )
    if len(lam) <= POINTS:
        return lam
    return lam[torch.linspace(0, len(lam) - 1, POINTS).round().long()]


def _still(target: str, lam: Any, K: int, M: int, alt: str) -> str:
    """Draw the target, its fit and the eigenvalues."""
    import torch

    from grokbook.filters import FourierKAN
    from grokbook.targets import TARGETS

    h = TARGETS[target]
    fine = torch.linspace(0, 2, 201, dtype=torch.float64)
    fit = FourierKAN(K, M).fit(lam, h(lam), rcond=CUT)
    ticks = [
        tag("line", style=f"stroke:{MUTED}", x1=x, x2=x, y1=216, y2=225)
        for x in map(_x, lam.tolist())
    ]
    wide = f"stroke:{MUTED};stroke-width:6;opacity:0.45"
    parts = [
        *axis(225, _x),
        *ticks,
        *(label(f"{level}", 40, _y(level) + 4) for level in (0, 1)),
        label("frequency λ", _x(1), 266),
        _curve(fine, h(fine), wide),
        _curve(fine, fit(fine), f"stroke:{BLUE};stroke-width:2.2"),
    ]
    return picture(parts, alt, 700, 275)


def _x(lam: Number) -> Number:
    return 60 + 310 * lam


def _y(h: Number) -> Number:
    return 175 - 125 * max(-0.35, min(1.35, h))


def _curve(lam: Any, h: Any, style: str) -> str:
    points = " ".join(
        f"{_x(a):.1f},{_y(b):.1f}"
        for a, b in zip(lam.tolist(), h.tolist(), strict=True)
    )
    return tag("polyline", style=f"fill:none;{style}", points=points)
