"""Sizes that the reader chooses, and what GrokFormer makes of them."""

from collections.abc import Mapping

from grokbook.errors import GrokbookError, check_choice
from grokbook.live.figure import LiveFigure
from grokbook.live.still import BLUE, Number, label, picture, tag

READINGS = ("paper", "released")
ORANGE = "var(--fig-2,#d55e00)"
#: What the sliders reach; H goes in steps of 4.
LIMITS = {
    "N": (2, 5000),
    "F": (1, 4000),
    "H": (4, 256),
    "C": (2, 40),
    "heads": (1, 5),
    "K": (1, 10),
    "M": (1, 32),
    "B": (1, 4),
}


def grokformer_shapes(
    starts: Mapping[str, Mapping[str, int]],
    *,
    alt: str,
    reading: str = "released",
) -> LiveFigure:
    """Let the reader choose the sizes of GrokFormer.

    The figure draws the architecture with the shape of every tensor, and
    counts parameters and multiply-adds of each part in both readings.

    Args:
        starts: name → sizes N, F, H, C, heads, K, M and B (layers), where
            to start; the first is shown.
        alt: one sentence that says what the figure shows.
        reading: "paper" or "released", the one that is drawn first.

    Raises:
        AltTextError, UnknownNameError, GrokbookError

    Examples:
        >>> sizes = dict(N=9, F=4, H=8, C=2, heads=2, K=1, M=2, B=1)
        >>> grokformer_shapes({"small": sizes}, alt="A small model.")
        <live figure: A small model.>
    """
    check_choice("reading", reading, READINGS)
    if not starts:
        raise GrokbookError("starts is empty; pass at least one.")
    for name, sizes in starts.items():
        _check(name, sizes)
    return LiveFigure(
        "grokformer_shapes",
        alt=alt,
        fallback=_still(next(iter(starts.values())), alt),
        reading=reading,
        starts=[
            {"name": name, "sizes": dict(sizes)}
            for name, sizes in starts.items()
        ],
    )


def _check(name: str, sizes: Mapping[str, int]) -> None:
    """Refuse what the sliders cannot show."""
    if set(sizes) != set(LIMITS):
        raise GrokbookError(
            f"The start {name!r} has the sizes {', '.join(sizes)}. Pass "
            f"{', '.join(LIMITS)}."
        )
    for size, (low, high) in LIMITS.items():
        value = sizes[size]
        step = 4 if size == "H" else 1
        if not low <= value <= high or value % step:
            raise GrokbookError(
                f"The start {name!r} has {size} = {value}. Pass a whole "
                f"number from {low} to {high}, H a multiple of 4."
            )


def _still(sizes: Mapping[str, int], alt: str) -> str:
    """Draw the multiply-adds of each part as two bars, one a reading."""
    from grokbook.models.cost import multiply_adds

    N, F, H, C = (sizes[key] for key in "NFHC")
    more = {key: sizes[key] for key in ("K", "M", "heads")}
    more["num_layers"] = sizes["B"]
    counts = {
        reading: multiply_adds(N, F, H, C, reading=reading, **more)
        for reading in READINGS
    }
    most = max(max(table.values()) for table in counts.values())
    parts = [label("multiply-adds: paper (above), released (below)", 350, 20)]
    for row, part in enumerate(counts["paper"]):
        y = 40 + 46 * row
        parts.append(label(part, 120, y + 22, "end"))
        for reading, top, colour in (
            ("paper", y, BLUE),
            ("released", y + 18, ORANGE),
        ):
            wide: Number = 480 * counts[reading][part] / most
            parts.append(
                tag("rect", style=f"fill:{colour}", x=130, y=top, height=14,
                    width=wide)
            )  # fmt: skip
    return picture(parts, alt, 700, 275)
