"""Table 6 beside our costs: other machines agree on ratios, not on seconds."""

from collections.abc import Sequence

from grokbook.costs import Cost, memory_ratio, time_ratio
from grokbook.ledger_files import Cell

UNIT = "GrokFormer"
STAND_IN = {"penn94": "cornell5"}
RATIO = {"time_s": time_ratio, "memory_mb": memory_ratio}


def judge_cost(
    cell: Cell, cells: Sequence[Cell], costs: Sequence[Cost]
) -> tuple[str, str] | None:
    """The verdict on a cost and its reason; None if nothing was measured.

    Costs are compared as multiples of GrokFormer's. *met*: GrokFormer
    costs less, as in the paper, however many splits are trained together,
    and whichever of its roads the other model takes. *missed*: else. A
    graph that stands in for the paper's meets nothing.
    """
    if cell.model == UNIT or cell.metric not in RATIO:
        return None
    graph = cell.dataset.lower()
    there = {cost.dataset for cost in costs}
    used = graph if graph in there else STAND_IN.get(graph, graph)
    ours = ratios(costs, used, cell.model.lower(), cell.metric)
    if not ours:
        return None
    unit = next(
        c
        for c in cells
        if (c.dataset, c.model, c.metric) == (cell.dataset, UNIT, cell.metric)
    )
    paper = cell.mean / unit.mean
    listed = ", ".join(f"{ratio:.2f} ({n})" for n, ratio in ours.items())
    told = (
        f"as a multiple of {UNIT}'s: paper {paper:.2f}, ours, by splits "
        f"trained together, {listed}"
    )
    if used != graph:
        return "not run", f"data not at hand; on {used}, {told}"
    ahead = {ratio > 1 for ratio in ours.values()}
    return ("met" if ahead == {paper > 1} else "missed"), told


def ratios(
    costs: Sequence[Cost], dataset: str, model: str, metric: str
) -> dict[int, float]:
    """What a model costs at least, as a multiple of GrokFormer's.

    Of its roads the cheapest counts; GrokFormer takes the paper's, with
    eigenvectors. One number for each count of splits.
    """
    found: dict[int, float] = {}
    here = [c for c in costs if c.dataset == dataset]
    units = {
        c.splits: c
        for c in here
        if (c.model, c.road) == (UNIT.lower(), "eigenvectors")
    }
    for cost in here:
        measured = metric == "time_s" or cost.memory_mb
        if cost.model == model and cost.splits in units and measured:
            ratio = RATIO[metric](cost, units[cost.splits])
            best = found.get(cost.splits, ratio)
            found[cost.splits] = min(best, ratio)
    return dict(sorted(found.items()))
