"""What splits have learned: responses to walk through, graph by graph."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grokbook.errors import GrokbookError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import Number, band

DECIMALS = 3  # a thousandth is far below a pixel of these curves


class Learned(NamedTuple):
    """The responses of one model on one graph.

    Attributes:
        responses: a row for each split, evenly spaced on [0, 2].
        scores: the test accuracy of each split, from 0 to 1.
        readable: up to which λ the points are dense enough for the curve.
    """

    responses: Any  # a table of numbers
    scores: Sequence[Number]
    readable: Number = 2


def learned_filters(
    graphs: Mapping[str, Mapping[str, Learned]], *, alt: str
) -> LiveFigure:
    """Let the reader leaf through learned responses by graph and split.

    Args:
        graphs: data set → model → what it has learned. The first of each
            is shown at the start.
        alt: one sentence that says what the figure shows.

    Raises:
        AltTextError, GrokbookError

    Examples:
        >>> one = Learned([[1, 0.5, 0], [1, 0.4, 0]], [0.8, 0.9])
        >>> learned_filters({"Cora": {"BernNet": one}}, alt="Two curves.")
        <live figure: Two curves.>
    """
    if not graphs or not all(graphs.values()):
        raise GrokbookError(
            "There is nothing to show. Pass at least one data set with at "
            "least one model."
        )
    rows = {
        (graph, model): _rows(f"{model} on {graph}", learned)
        for graph, models in graphs.items()
        for model, learned in models.items()
    }
    return LiveFigure(
        "learned_filters",
        alt=alt,
        fallback=band(next(iter(rows.values())), alt),
        graphs=[
            {
                "name": graph,
                "models": [
                    {
                        "name": model,
                        "h": rows[graph, model],
                        "scores": [float(s) for s in learned.scores],
                        "readable": float(min(2, learned.readable)),
                    }
                    for model, learned in models.items()
                ],
            }
            for graph, models in graphs.items()
        ],
    )


def _rows(name: str, learned: Learned) -> Any:
    """The responses, rounded, if a curve for each split can be drawn."""
    import numpy as np

    h = np.asarray(learned.responses, dtype=np.float64)
    good = h.ndim == 2 and len(h) > 1 and h.shape[1] > 1
    if not good or not np.isfinite(h).all() or len(learned.scores) != len(h):
        raise GrokbookError(
            f"The responses of {name} have the shape {h.shape}, its scores "
            f"the length {len(learned.scores)}. Pass a row of finite numbers "
            "and a score for each of two or more splits."
        )
    return h.round(DECIMALS)
