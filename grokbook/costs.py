"""What an epoch of each model costs: the stored measurements of Table 6."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from grokbook.errors import DataFileError
from grokbook.files import DATA, put

COSTS = DATA / "results" / "cost"
EPOCHS = 1000  # what Table 6 prices


@dataclass(frozen=True)
class Cost:
    """One model on one road, trained on one split or on several together.

    Attributes:
        dataset, model, road: what was trained, and how it filters.
        splits: how many copies were trained in one pass.
        eigenvectors: columns of U; 0 for a road without.
        entries: "computed", or "random": an epoch does as many operations
            whatever stands in U.
        seconds: of each measured epoch, all splits together. Those at the
            same place in the lists of two roads were taken in turn.
        memory_mb: the most that training held, in 10⁶ bytes, all splits
            together, beyond what the libraries take.
    """

    dataset: str
    model: str
    road: str
    splits: int
    eigenvectors: int = 0
    entries: str = ""
    seconds: tuple[float, ...] = ()
    memory_mb: float | None = None

    @property
    def name(self) -> tuple[str, str, str, int]:
        """What tells it from others."""
        return self.dataset, self.model, self.road, self.splits

    @property
    def time_s(self) -> float:
        """Seconds of 1,000 epochs of one split, from the median epoch."""
        return EPOCHS * statistics.median(self.seconds) / self.splits


def time_ratio(cost: Cost, unit: Cost) -> float:
    """How many times as long as another, per split: the median of rounds."""
    pairs = zip(cost.seconds, unit.seconds, strict=True)
    middle = statistics.median(a / b for a, b in pairs)
    return middle * unit.splits / cost.splits


def memory_ratio(cost: Cost, unit: Cost) -> float:
    """How many times as much memory."""
    return cost.memory_mb / unit.memory_mb


def pick(
    costs: Sequence[Cost], dataset: str, model: str, road: str, splits: int
) -> Cost:
    """The measurement with these names."""
    for cost in costs:
        if cost.name == (dataset, model, road, splits):
            return cost
    raise DataFileError(
        f"Nothing is stored for {model} ({road}) on {dataset} with {splits} "
        "split(s). Run `grokbook cost`."
    )


def read_costs(device: str = "cpu", folder: Path = COSTS) -> list[Cost]:
    """What was measured on a kind of device; empty if nothing was."""
    stored = read_file(device, folder)
    return [
        Cost(**row | {"seconds": tuple(row["seconds"])})
        for row in stored.get("rows", [])
    ]


def read_file(device: str, folder: Path = COSTS) -> dict[str, Any]:
    """The whole file: rows, machine, versions; empty if there is none."""
    try:
        return json.loads((folder / f"{device}.json").read_text())
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise DataFileError(
            f"{device}.json of the stored costs is damaged ({error}). Run "
            "`git checkout data`, or remove it and run `grokbook cost`."
        ) from error


def merged(old: Sequence[Cost], new: Sequence[Cost]) -> list[Cost]:
    """New measurements over old ones; what was not measured stays."""
    kept = {cost.name: cost for cost in old}
    for cost in new:
        before = kept.get(cost.name, cost)
        kept[cost.name] = replace(
            cost,
            seconds=cost.seconds or before.seconds,
            memory_mb=cost.memory_mb or before.memory_mb,
        )
    return [kept[name] for name in sorted(kept)]


def store(
    costs: Sequence[Cost],
    device: str,
    about: dict[str, Any],
    folder: Path = COSTS,
) -> None:
    """Write a device's file; never half of it."""
    rows = [asdict(cost) for cost in merged(read_costs(device, folder), costs)]
    text = json.dumps({**about, "rows": rows}, indent=1) + "\n"
    put(folder / f"{device}.json", text)


def table(costs: Sequence[Cost], dataset: str, splits: int) -> str:
    """One graph: time and memory of each road, and as multiples.

    The unit is GrokFormer with eigenvectors.
    """
    unit = pick(costs, dataset, "grokformer", "eigenvectors", splits)
    head = f"{dataset}, {splits} split{'s' * (splits > 1)}"
    lines = [f"{head:27}{'s':>6}{'ratio':>7}{'MB':>6}{'ratio':>6}"]
    for cost in costs:
        if (cost.dataset, cost.splits) == (dataset, splits):
            named = f"  {cost.model}, {cost.road}"
            size = f"{'–':>6}{'–':>6}"
            if cost.memory_mb and unit.memory_mb:
                ratio = memory_ratio(cost, unit)
                size = f"{cost.memory_mb:6.0f}{ratio:6.2f}"
            lines.append(
                f"{named:27}{cost.time_s:6.0f}{time_ratio(cost, unit):7.2f}"
                + size
            )
    return "\n".join(lines)
