"""A frequency response the reader draws, and the image it makes."""

import base64
from collections.abc import Callable, Mapping
from typing import Any

from grokbook.errors import GrokbookError, ResponseError, SignalError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import (
    BLUE,
    MUTED,
    Number,
    axis,
    grey_png,
    label,
    picture,
    tag,
)

Responses = Mapping[str, Callable[[Any], Any]]

_PIXELS = 128 * 128


def response_editor(
    image: Any,
    *,
    alt: str,
    presets: Responses | None = None,
    degree: int = 64,
    energy: Any = None,
) -> LiveFigure:
    """Let the reader draw h(λ) and see h(L) applied to an image.

    L is the symmetric normalised Laplacian of the grid of pixels, each
    joined to the four beside it. The browser filters without eigenvectors:
    it expands h in Chebyshev polynomials and draws the polynomial that it
    applies.

    Args:
        image: grey values from 0 to 1, shape (height, width), at most
            16,384 pixels.
        alt: one sentence that says what the figure shows.
        presets: name → function of a tensor of eigenvalues. The first is
            where the figure starts. By default the six targets of the
            paper and the identity.
        degree: of the polynomial, 1 or more.
        energy: the image's energy (squares of its Fourier coefficients,
            summed) in equal bins of [0, 2], on any scale; by default the
            browser estimates it.

    Raises:
        AltTextError, SignalError, ResponseError, GrokbookError

    Examples:
        >>> import numpy as np
        >>> response_editor(np.eye(8), alt="A diagonal line, filtered.")
        <live figure: A diagonal line, filtered.>
    """
    grey = _grey(image)
    if degree < 1:
        raise GrokbookError(f"degree is {degree}; pass 1 or more.")
    chosen = _default_presets() if presets is None else dict(presets)
    if not chosen:
        raise GrokbookError("presets is empty; pass at least one response.")
    expansions = {name: _expand(h, degree) for name, h in chosen.items()}
    start = next(iter(expansions.values()))
    return LiveFigure(
        "response_editor",
        alt=alt,
        fallback=_still(grey, start, alt),
        image=base64.b64encode(grey.tobytes()).decode(),
        width=grey.shape[1],
        height=grey.shape[0],
        degree=degree,
        presets=[
            {"name": name, "coefficients": c} for name, c in expansions.items()
        ],
        energy=None if energy is None else _shares(energy),
    )


def _default_presets() -> dict[str, Callable[[Any], Any]]:
    import torch

    from grokbook.targets import TARGETS

    return {**TARGETS, "identity": torch.ones_like}


def _grey(image: Any) -> Any:
    """Check the image and round it to bytes, shape (height, width)."""
    import numpy as np

    values = np.asarray(image, dtype=float)
    if values.ndim != 2 or not 1 <= values.size <= _PIXELS:
        raise SignalError(
            f"The image has shape {values.shape}. Pass grey values of shape "
            f"(height, width), at most {_PIXELS} of them."
        )
    if not (values.min() >= 0 and values.max() <= 1):
        raise SignalError(
            "The image holds values outside 0 to 1, or NaN. Divide bytes by "
            "255, and fill missing pixels first."
        )
    return np.round(255 * values).astype(np.uint8)


def _shares(energy: Any) -> Any:
    """Divide bins of energy by their sum."""
    import numpy as np

    bins = np.asarray(energy, dtype=float)
    if bins.ndim != 1 or not (bins >= 0).all() or not 0 < bins.sum() < np.inf:
        raise SignalError(
            "energy must be a list of finite numbers, none negative and not "
            "all 0: one per bin. Leave it out and the browser estimates it."
        )
    return bins / bins.sum()


def _expand(response: Callable[[Any], Any], degree: int) -> Any:
    """Expand h on [0, 2] in Chebyshev polynomials of λ − 1.

    A cosine transform of h at four nodes per coefficient, as the browser
    does for the curve that the reader draws.
    """
    import torch

    count = 4 * (degree + 1)
    angle = torch.pi * (torch.arange(count, dtype=torch.float64) + 0.5) / count
    h = response(1 + torch.cos(angle))
    if h.shape != angle.shape or not torch.isfinite(h).all():
        raise ResponseError(
            "A preset must return one finite number per eigenvalue, on all "
            "of [0, 2]."
        )
    order = torch.arange(degree + 1, dtype=torch.float64)
    c = 2 / count * torch.cos(order[:, None] * angle) @ h
    c[0] /= 2
    return c


def _filter(grey: Any, c: Any) -> Any:
    """Form Σ c_p T_p(L − I) x by the three-term recurrence."""
    import torch

    from grokbook.datasets.grids import grid_edges
    from grokbook.laplacian import laplacian

    L = laplacian(grid_edges(*grey.shape), grey.size)
    x = torch.from_numpy(grey / 255.0).flatten()
    before, now = x, L @ x - x
    total = c[0] * before + c[1] * now
    for coefficient in c[2:]:
        before, now = now, 2 * (L @ now - now) - before
        total = total + coefficient * now
    return total


def _still(grey: Any, c: Any, alt: str) -> str:
    """Draw the first response, and the image before and after it."""
    import torch

    after = (255 * _filter(grey, c).clamp(0, 1)).round().to(torch.uint8)
    parts = [
        *still_curve(c),
        *_shot(grey.tobytes(), grey.shape, 430, "before"),
        *_shot(after.numpy().tobytes(), grey.shape, 570, "after"),
    ]
    return picture(parts, alt, 700, 220)


def _shot(grey: bytes, shape: tuple[int, int], x: int, name: str) -> list[str]:
    """Place an image of at most 120 × 120 under its name."""
    box = {"x": x, "y": 40, "width": 120, "height": 120}
    style = "image-rendering:pixelated"
    href = grey_png(grey, shape[1])
    return [
        tag("image", style=style, href=href, **box),
        label(name, x + 60, 180),
    ]


def still_curve(c: Any) -> list[str]:
    """Draw the polynomial from −0.5 to 1.5 over the axis of λ."""
    import torch

    lam = torch.linspace(0, 2, 81, dtype=torch.float64)
    order = torch.arange(len(c), dtype=torch.float64)
    h = torch.cos(order * torch.arccos(lam - 1)[:, None]) @ c

    def x(value: Number) -> Number:
        return 40 + 170 * value

    def y(value: Number) -> Number:
        return 130 - 80 * value

    points = " ".join(
        f"{x(a):.1f},{y(b):.1f}"
        for a, b in zip(lam.tolist(), h.tolist(), strict=True)
    )
    ends = {"x1": x(0), "x2": x(2), "y1": y(0), "y2": y(0)}
    line = f"stroke:{MUTED};stroke-dasharray:3 3"
    curve = f"fill:none;stroke:{BLUE};stroke-width:3"
    return [
        *axis(170, x),
        tag("line", style=line, **ends),
        label("0", 28, y(0) + 4),
        label("1", 28, y(1) + 4),
        label("frequency λ", x(1), 212),
        tag("polyline", style=curve, points=points),
    ]
