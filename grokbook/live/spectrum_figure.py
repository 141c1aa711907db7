"""A graph the reader edits, beside the spectrum of its Laplacian."""

import math
from collections.abc import Sequence
from typing import Any

from grokbook.errors import GrokbookError
from grokbook.live.figure import LiveFigure
from grokbook.live.still import (
    INK,
    MUTED,
    PAPER,
    Number,
    axis,
    label,
    picture,
    tag,
)

MOST_NODES = 12

Pairs = list[list[int]]
Points = list[list[float]]
Spot = tuple[Number, Number]


def graph_spectrum(
    edges: Any,
    num_nodes: int | None = None,
    positions: Any = None,
    *,
    alt: str,
    names: Sequence[str] | None = None,
) -> LiveFigure:
    """Show a small graph and the spectrum of its normalised Laplacian.

    The reader adds and removes edges, and sees the eigenvalues move; each
    eigenvalue shows its eigenvector on the graph. A node without edges has
    L_ii = 0, so the multiplicity of 0 is the number of components.

    Args:
        edges: a 2 × E table as in PyG, or a list of pairs (tuples).
        num_nodes: the number of nodes, at most 12; by default the largest
            index + 1.
        positions: x and y of each node, y upwards; by default a circle.
        alt: one sentence that says what the figure shows.
        names: what to write in the nodes; by default 0, 1, 2, ...

    Raises:
        AltTextError, GrokbookError, and the errors of `laplacian`

    Examples:
        >>> graph_spectrum([(0, 1), (1, 2)], 3, alt="A path of 3 nodes.")
        <live figure: A path of 3 nodes.>
    """
    pairs, n = _pairs(edges, num_nodes)
    if n > MOST_NODES:
        raise GrokbookError(
            f"The figure shows at most {MOST_NODES} nodes, not {n}. Pass a "
            "smaller graph, or draw this one with grokbook.plots."
        )
    points = _unit_box(positions, n) if positions is not None else _circle(n)
    shown = [str(i) for i in range(n)] if names is None else list(names)
    if len(shown) != n:
        raise GrokbookError(f"There are {len(shown)} names for {n} nodes.")
    return LiveFigure(
        "graph_spectrum",
        alt=alt,
        fallback=_still(pairs, points, shown, alt),
        edges=pairs,
        positions=points,
        names=shown,
    )


def _pairs(edges: Any, num_nodes: int | None) -> tuple[Pairs, int]:
    """Read edges in either form; list each once, smaller end first."""
    from grokbook.laplacian import clean_edges

    if isinstance(edges, list) and all(isinstance(e, tuple) for e in edges):
        both = edges + [(j, i) for i, j in edges]
        edges = [[i for i, _ in both], [j for _, j in both]]
    table, _, n = clean_edges(edges, num_nodes)
    return [[i, j] for i, j in table.T.tolist() if i < j], n


def _circle(n: int) -> Points:
    """Place n points on a circle, from the top, clockwise."""
    turn = [math.pi / 2 - 2 * math.pi * i / n for i in range(n)]
    return [[0.5 + 0.48 * math.cos(a), 0.5 + 0.48 * math.sin(a)] for a in turn]


def _unit_box(positions: Any, n: int) -> Points:
    """Move and scale positions into the unit square, shape kept."""
    import numpy as np

    points = np.asarray(positions, dtype=float)
    if points.shape != (n, 2) or not np.isfinite(points).all():
        raise GrokbookError(
            f"positions has shape {points.shape}; pass {n} rows of two "
            "finite numbers, x and y of each node."
        )
    low, high = points.min(axis=0), points.max(axis=0)
    size = max(float((high - low).max()), 1e-12)
    middle = (points - (low + high) / 2) / size + 0.5
    return middle.tolist()


def _still(pairs: Pairs, points: Points, names: list[str], alt: str) -> str:
    """Draw the graph on the left and its eigenvalues on the right."""
    spots = [(36 + 268 * x, 254 - 218 * y) for x, y in points]
    edge = f"stroke:{MUTED};stroke-width:2.5"
    disc = f"fill:{PAPER};stroke:{INK};stroke-width:1.75"
    lines = [_line(spots[i], spots[j], edge) for i, j in pairs]
    discs = [tag("circle", style=disc, cx=x, cy=y, r=15) for x, y in spots]
    texts = [
        label(name, x, y + 4.5)
        for name, (x, y) in zip(names, spots, strict=True)
    ]
    spectrum = _still_spectrum(_eigenvalues(pairs, len(names)))
    return picture(lines + discs + texts + spectrum, alt, 700, 290)


def _line(a: Spot, b: Spot, style: str) -> str:
    return tag("line", style=style, x1=a[0], y1=a[1], x2=b[0], y2=b[1])


def _eigenvalues(pairs: Pairs, n: int) -> list[float]:
    """Compute the spectrum, rounded so that it is the same everywhere."""
    import torch

    from grokbook.laplacian import laplacian

    both = pairs + [[j, i] for i, j in pairs]
    table = torch.tensor(both, dtype=torch.int64).reshape(-1, 2).T
    lam = torch.linalg.eigvalsh(laplacian(table, n).to_dense())
    return [round(value, 6) + 0.0 for value in lam.tolist()]


def _still_spectrum(lam: list[float]) -> list[str]:
    """Draw equal eigenvalues as stacked dots over the axis."""

    def x(value: Number) -> Number:
        return 370 + 150 * value

    levels = [lam[:i].count(value) for i, value in enumerate(lam)]
    spots = [
        (x(value), 178.0 - 15 * level)
        for value, level in zip(lam, levels, strict=True)
    ]
    ink = f"fill:{INK}"
    dots = [tag("circle", style=ink, cx=a, cy=b, r=6.5) for a, b in spots]
    counts = [
        label(f"×{lam.count(value)}", a, b - 12)
        for value, level, (a, b) in zip(lam, levels, spots, strict=True)
        if 0 < level == lam.count(value) - 1
    ]
    title = label("eigenvalue λ of the normalised Laplacian", x(1), 232)
    return [*axis(190, x), *dots, *counts, title]
