"""The best of several settings of a model: what its lead is worth."""

from grokbook.errors import GrokbookError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import BLUE, INK, MUTED, Number, label, picture, tag

LIMITS = {"settings": (1, 100), "splits": (1, 30), "real": (0, 3),
          "noise": (0, 5)}  # fmt: skip
STEPS = {"settings": 1, "splits": 1, "real": 0.1, "noise": 0.1}


def lucky_choice(
    *,
    settings: int = 24,
    splits: int = 3,
    real: Number = 0.3,
    noise: Number = 1.5,
    alt: str,
) -> LiveFigure:
    """Let the reader choose the best of settings that differ by little.

    The worth of a setting and the noise of one split are normal. The figure
    shows one experiment, in which the setting with the best mean over its
    splits is scored again on as many fresh ones; and, exactly, what the best
    promises over the average setting in the mean over all luck, and keeps.

    Args:
        settings, splits: how many settings there are to choose from, and on
            how many splits each is tried.
        real: the standard deviation of the settings' worths, in points.
        noise: that of one setting's scores on single splits, in points.
        alt: one sentence that says what the figure shows.

    Raises:
        AltTextError, GrokbookError

    Examples:
        >>> lucky_choice(alt="The best of 24 settings.")
        <live figure: The best of 24 settings.>
    """
    given = {"settings": settings, "splits": splits, "real": real,
             "noise": noise}  # fmt: skip
    start = {}
    for name, value in given.items():
        (low, high), step = LIMITS[name], STEPS[name]
        stop = round(value / step, 6) if low <= value <= high else 0.5
        if stop != round(stop):
            raise GrokbookError(
                f"{name}={value} is off its slider: pass {low} to {high} in "
                f"steps of {step}."
            )
        start[name] = value
    return LiveFigure(
        "lucky_choice",
        alt=alt,
        fallback=_still(settings, splits, real, noise, alt),
        start=start,
    )


def expected_lead(
    settings: int, splits: int, real: Number, noise: Number
) -> tuple[float, float]:
    r"""What the best setting promises over the average one, and keeps.

    .. math:: \beta_n \sqrt{\tau^2 + \sigma^2/k}, \qquad
       \beta_n \tau^2 / \sqrt{\tau^2 + \sigma^2/k}

    Args:
        settings: n, how many there are to choose from.
        splits: k, on how many each is tried.
        real: τ, the standard deviation of what the settings are worth.
        noise: σ, that of one setting's scores on single splits.

    Examples:
        >>> expected_lead(24, 9, real=0.0, noise=1.5)[1]  # nothing to find
        0.0
        >>> promised, kept = expected_lead(2, 4, real=1.0, noise=2.0)
        >>> round(kept / promised, 6)
        0.5
    """
    from grokbook.luck import expected_best

    spread = (real**2 + noise**2 / splits) ** 0.5
    if spread == 0:
        return 0.0, 0.0  # all alike: there is no lead
    best = expected_best(settings)
    return best * spread, best * real**2 / spread


def _still(
    settings: int, splits: int, real: Number, noise: Number, alt: str
) -> str:
    """Draw what is promised and what is kept as bars, with their numbers."""
    leads = expected_lead(settings, splits, real, noise)
    far = max(*leads, 0.1)
    parts = []
    for row, (name, lead) in enumerate(
        zip(("promised", "kept on fresh splits"), leads, strict=True)
    ):
        y = 24 + 50 * row
        box = {"x": 200, "y": y, "height": 30}
        wide = max(1.0, 400 * lead / far)
        parts.append(tag("rect", style=f"fill:{BLUE}", width=wide, **box))
        parts.append(label(name, 188, y + 20, "end"))
        parts.append(label(f"{lead:.2f}", 208 + wide, y + 20, "start"))
    line = {"x1": 200, "x2": 200, "y1": 12, "y2": 116}
    parts.append(tag("line", style=f"stroke:{INK}", **line))
    for y, text in (
        (144, "the lead of the best over the average setting, in points, in "
              "the mean over all luck:"),
        (164, f"settings {settings}, splits {splits}, real differences "
              f"{real:g}, noise of one split {noise:g}"),
    ):  # fmt: skip
        middle = {"x": 350, "y": y, "text_anchor": "middle"}
        parts.append(tag("text", text, style=f"fill:{MUTED}", **middle))
    return picture(parts, alt, 700, 178)
