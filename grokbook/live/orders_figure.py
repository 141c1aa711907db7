"""What filters of each order have learned, to slide through."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grokbook.errors import GrokbookError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import Number, band

DECIMALS = 4  # two hundred coefficients err by less than a pixel


class OrderRun(NamedTuple):
    """Filters of one highest order on one graph.

    Attributes:
        coefficients: a row for each split, as `design_matrix` lists them.
        scores: the test accuracy of each split, from 0 to 1.
    """

    coefficients: Any  # a table of numbers
    scores: Sequence[Number]


def order_explorer(
    graphs: Mapping[str, tuple[int, Mapping[int, OrderRun]]], *, alt: str
) -> LiveFigure:
    """Let the reader slide the order, and leave orders out.

    Args:
        graphs: data set → (M, K → the runs with that order); the first is
            shown at the start, with its least K.
        alt: one sentence that says what the figure shows.

    Raises:
        AltTextError, GrokbookError

    Examples:
        >>> run = OrderRun([[0, 1, 0], [0, 1, 0.5]], [0.8, 0.9])
        >>> order_explorer({"Cora": (1, {1: run})}, alt="Two filters.")
        <live figure: Two filters.>
    """
    if not graphs or not all(runs for _, runs in graphs.values()):
        raise GrokbookError(
            "There is nothing to show. Pass at least one data set with the "
            "runs of at least one order."
        )
    tables = {
        (name, K): _rows(f"{name}, K = {K}", run, K, M)
        for name, (M, runs) in graphs.items()
        for K, run in sorted(runs.items())
    }
    (name, K), first = next(iter(tables.items()))
    return LiveFigure(
        "order_explorer",
        alt=alt,
        fallback=_still(first, K, graphs[name][0], alt),
        graphs=[
            {
                "name": name,
                "M": M,
                "runs": [
                    {
                        "K": K,
                        "c": tables[name, K],
                        "scores": [float(s) for s in runs[K].scores],
                    }
                    for K in sorted(runs)
                ],
            }
            for name, (M, runs) in graphs.items()
        ],
    )


def _rows(name: str, run: OrderRun, K: int, M: int) -> Any:
    """The coefficients, rounded, if there is a row for each split."""
    import numpy as np

    c = np.asarray(run.coefficients, dtype=np.float64)
    good = c.ndim == 2 and c.shape[1] == 1 + 2 * K * M and 1 <= K <= 6
    if not good or not np.isfinite(c).all() or len(run.scores) != len(c):
        raise GrokbookError(
            f"The coefficients of {name} have the shape {c.shape}, its "
            f"scores the length {len(run.scores)}. Pass K from 1 to 6, a "
            f"row of 1 + 2KM = {1 + 2 * K * M} finite numbers and a score "
            "for each split."
        )
    return c.round(DECIMALS)


def _still(c: Any, K: int, M: int, alt: str) -> str:
    """Draw the mean response of the first runs over its band."""
    import numpy as np

    lam = np.linspace(0, 2, 101)
    phase = (lam[:, None] ** np.arange(1, K + 1))[..., None]
    phase = phase * np.arange(1, M + 1)  # (n, K, M)
    waves = np.concatenate([np.cos(phase), np.sin(phase)], 2)
    B = np.concatenate([np.ones((101, 1)), waves.reshape(101, -1)], 1)
    return band((B @ c.T).T, alt)
