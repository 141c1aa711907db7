"""Cross-validation of labels that a coin has tossed: what is reported."""

from itertools import accumulate
from math import comb

from grokbook.errors import GrokbookError, check_choice
from grokbook.live.figure import LiveFigure
from grokbook.live.still import BLUE, INK, MUTED, label, picture, tag

PROTOCOLS = ("as-found", "published", "own", "fair")
LIMITS = {"graphs": (20, 1000), "folds": (2, 20), "epochs": (1, 300)}


def selection_bias(
    *, graphs: int = 190, folds: int = 10, epochs: int = 100, alt: str
) -> LiveFigure:
    """Let the reader move folds, epochs and graphs where nothing is learned.

    Each answer of each epoch is the toss of a coin, so 50% is the truth. The
    figure shows one experiment and the exact distribution of all: what is
    reported if one model goes through all folds and knows by heart what it
    has trained on; at the best epoch on average; at each fold's own best
    epoch; or at the epoch that an inner part selects.

    Args:
        graphs, folds, epochs: where the sliders stand at the start.
        alt: one sentence that says what the figure shows.

    Raises:
        AltTextError, GrokbookError

    Examples:
        >>> selection_bias(alt="Pure noise.")
        <live figure: Pure noise.>
    """
    start = {"graphs": graphs, "folds": folds, "epochs": epochs}
    for name, value in start.items():
        low, high = LIMITS[name]
        if not low <= value <= high:
            raise GrokbookError(
                f"{name}={value} is off its slider: pass {low} to {high}."
            )
    return LiveFigure(
        "selection_bias", alt=alt, fallback=_still(start, alt), start=start
    )


def expected_report(
    protocol: str, folds: int, size: int, epochs: int
) -> float:
    """The mean accuracy that a protocol reports where 1/2 is the truth.

    Args:
        protocol: one of `PROTOCOLS`.
        folds, size: how many folds, of how many graphs each.
        epochs: how many epochs there are to choose from, independent.

    Examples:
        >>> expected_report("published", 2, 1, epochs=2)  # (8/2 + 7)/16
        0.6875
        >>> expected_report("as-found", 10, 19, epochs=100)
        0.95
    """
    check_choice("protocol", protocol, PROTOCOLS)
    if protocol == "fair":
        return 0.5
    if protocol == "as-found":
        return 1 - 0.5 / folds
    return _expected_largest(size * (folds if protocol == "published" else 1),
                             epochs)  # fmt: skip


def _expected_largest(n: int, times: int) -> float:
    """The mean of the largest of `times` shares of heads in n tosses."""
    at_most = accumulate(comb(n, i) / 2**n for i in range(n))
    return sum(1 - min(1.0, share) ** times for share in at_most) / n


def _still(start: dict[str, int], alt: str) -> str:
    """Draw the mean report of each protocol as a bar from 50%."""
    folds, epochs = start["folds"], start["epochs"]
    size = max(1, round(start["graphs"] / folds))
    names = ("one model for all folds", "best epoch on average",
             "each fold's own best", "an inner part selects")  # fmt: skip

    def x(share: float) -> float:
        return 200 + 440 * (share - 0.5) / 0.5

    parts = []
    for row, (protocol, name) in enumerate(zip(PROTOCOLS, names, strict=True)):
        y = 30 + 46 * row
        share = expected_report(protocol, folds, size, epochs)
        box = {"x": x(0.5), "y": y, "height": 26}
        wide = max(1.0, x(share) - x(0.5))
        parts.append(tag("rect", style=f"fill:{BLUE}", width=wide, **box))
        parts.append(label(name, 188, y + 18, "end"))
        told = f"{100 * share:.1f}%"
        parts.append(label(told, x(share) + 8, y + 18, "start"))
    line = {"x1": x(0.5), "x2": x(0.5), "y1": 18, "y2": 212}
    parts.append(tag("line", style=f"stroke:{INK}", **line))
    parts.append(
        tag(
            "text",
            f"reported in the mean, where 50% is the truth: {folds} folds "
            f"of {size} graphs, {epochs} epochs",
            style=f"fill:{MUTED}",
            x=350,
            y=240,
            text_anchor="middle",
        )
    )
    return picture(parts, alt, 700, 252)
