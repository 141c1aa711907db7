"""Class sizes that the reader drags, and what a split rule makes of them."""

from collections.abc import Mapping, Sequence

from grokbook.errors import GrokbookError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import BLUE, INK, MUTED, label, picture, tag

FEWEST, MOST = 2, 8  # classes
TRAIN = 0.6  # as in grokbook.splits, which imports PyTorch


def split_explorer(
    starts: Mapping[str, Sequence[int]], *, alt: str, most: int = 120
) -> LiveFigure:
    """Let the reader drag the sizes of classes and choose a split rule.

    The figure shows how many nodes of each class train, validate and test
    by the released quota, stratified, or drawn without regard to classes;
    which classes are never tested; and what a constant scores.

    Args:
        starts: name → sizes of the classes; the first is shown, by quota.
            2 to 8 classes, as many in each start.
        alt: one sentence that says what the figure shows.
        most: the largest size of a class.

    Raises:
        AltTextError, GrokbookError

    Examples:
        >>> split_explorer({"two": [30, 10]}, alt="Two classes.")
        <live figure: Two classes.>
    """
    if not starts:
        raise GrokbookError("starts is empty; pass at least one.")
    first = next(iter(starts.values()))
    for name, sizes in starts.items():
        fits = all(size in range(1, most + 1) for size in sizes)
        classes = len(sizes) == len(first) and FEWEST <= len(sizes) <= MOST
        if not (fits and classes):
            raise GrokbookError(
                f"The start {name!r} has classes of {list(sizes)} nodes. Pass "
                f"{FEWEST} to {MOST} whole numbers from 1 to {most}, as many "
                "in each start."
            )
    return LiveFigure(
        "split_explorer",
        alt=alt,
        fallback=_still(first, most, alt),
        most=most,
        starts=[
            {"name": name, "sizes": list(sizes)}
            for name, sizes in starts.items()
        ],
    )


def _still(sizes: Sequence[int], most: int, alt: str) -> str:
    """Draw what the quota trains on, and what it leaves, of each class."""
    quota = round(TRAIN * sum(sizes) / len(sizes))
    parts = []
    for c, size in enumerate(sizes):
        x = 60 + 600 * (c + 0.5) / len(sizes)
        train, top = min(quota, size), 220 * size / most
        low = 220 * train / most
        box = {"x": x - 22, "width": 44}
        solid = tag(
            "rect", style=f"fill:{BLUE}", y=250 - low, height=low, **box
        )
        dashed = f"fill:none;stroke:{MUTED};stroke-dasharray:4 3"
        rest = {"y": 250 - top, "height": top - low}
        parts += [solid, tag("rect", style=dashed, **rest, **box)]
        parts.append(label(f"class {c}: {train} of {size}", x, 270))
    line = {"x1": 60, "x2": 660, "y1": 250, "y2": 250}
    parts.append(tag("line", style=f"stroke:{INK}", **line))
    parts.append(
        label("filled: trains, by quota; dashed: left to be tested", 360, 296)
    )
    return picture(parts, alt, 700, 305)
