"""Coefficients the reader drags, and the polynomial filter they make."""

from collections.abc import Callable, Mapping
from typing import Any

from grokbook.errors import GrokbookError, check_choice
from grokbook.live.figure import LiveFigure
from grokbook.live.response_figure import still_curve
from grokbook.live.still import BLUE, MUTED, label, picture, tag

BASES = ("monomial", "chebyshev", "gpr", "bernstein", "jacobi")
MOST_DEGREE = 8
_SERIES = 64  # degree of the series that stands for a ready-made response


def polynomial_filter(
    *,
    alt: str,
    basis: str = "chebyshev",
    degree: int = 4,
    presets: Mapping[str, Callable[[Any], Any]] | None = None,
) -> LiveFigure:
    """Let the reader drag the coefficients of a polynomial filter.

    The figure shows the response over [0, 2] and the filtered spike on a
    path. Another basis leaves the response where it is and changes the
    coefficients; Jacobi polynomials have both parameters 1.

    Args:
        alt: one sentence that says what the figure shows.
        basis: where the figure starts.
        degree: where it starts, 1 to 8.
        presets: name → function of a tensor of eigenvalues, cut off at the
            degree as a Chebyshev series. The first is where the figure
            starts. By default five of the paper's targets.

    Raises:
        AltTextError, UnknownNameError, GrokbookError

    Examples:
        >>> polynomial_filter(alt="A polynomial of degree 4.")
        <live figure: A polynomial of degree 4.>
    """
    check_choice("basis", basis, BASES, " here")
    if not 1 <= degree <= MOST_DEGREE:
        raise GrokbookError(
            f"degree is {degree}; the figure takes 1 to {MOST_DEGREE}."
        )
    chosen = _default_presets() if presets is None else dict(presets)
    if not chosen:
        raise GrokbookError("presets is empty; pass at least one response.")
    series = {name: _expand(h) for name, h in chosen.items()}
    start = next(iter(series.values()))[: degree + 1]
    return LiveFigure(
        "polynomial_filter",
        alt=alt,
        fallback=_still(start, alt),
        basis=basis,
        degree=degree,
        presets=[
            {"name": name, "coefficients": c} for name, c in series.items()
        ],
    )


def _default_presets() -> dict[str, Callable[[Any], Any]]:
    from grokbook.targets import TARGETS

    names = ("low-pass", "high-pass", "band-pass", "comb", "low-comb")
    return {name: TARGETS[name] for name in names}


def _expand(h: Callable[[Any], Any]) -> Any:
    from grokbook.expansion import coefficients

    return coefficients(h, degree=_SERIES)


def _still(c: Any, alt: str) -> str:
    """Draw the response, and its Chebyshev coefficients as stems."""
    size = max(float(c.abs().max()), 1e-12)
    base, step = 105, 250 / len(c)
    stems = []
    for k, value in enumerate(c.tolist()):
        x, y = 440 + step * (k + 0.5), base - 70 * value / size
        stem = f"stroke:{BLUE};stroke-width:3"
        stems += [
            tag("line", style=stem, x1=x, x2=x, y1=base, y2=y),
            tag("circle", style=f"fill:{BLUE}", cx=x, cy=y, r=6),
            label(f"θ{chr(0x2080 + k)}", x, 208),
        ]
    zero = tag(
        "line", style=f"stroke:{MUTED}", x1=440, x2=690, y1=base, y2=base
    )
    return picture([*still_curve(c), zero, *stems], alt, 700, 220)
