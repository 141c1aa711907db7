"""`grokbook cost`: measure Table 6 on a device, store it, say what it says."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from grokbook import costs
from grokbook.bench import cost
from grokbook.bench.limits import limits
from grokbook.bench.variants import variants
from grokbook.devices import find_device
from grokbook.errors import DataFileError
from grokbook.experiments import machine

# The small graph is trained on ten splits, the large one on five: as many
# as the paper has for each.
SPLITS = {"cora": (1, 10)}


def run(
    graphs: Sequence[str],
    device: str,
    rounds: int,
    time: bool,
    memory: bool,
    variant: bool = False,
    splits: Sequence[int] = (),
    folder: Path | None = None,
) -> Iterator[str]:
    """Measure each graph, one split and several; a line for what is told.

    Raises:
        DeviceError: there is no such device; nothing is stored.
    """
    folder = folder or costs.COSTS
    kind = find_device(device).type
    old = costs.read_file(kind, folder)
    about = {
        "device": kind,
        "machine": machine.machine_class(kind),
        "versions": machine.versions(),
        "threads": 1,
        "variants": old.get("variants", []),
        "limits": asdict(limits()) if time else old.get("limits"),
    }
    if variant:
        about["variants"] = variants(3 * rounds, device)
    for name in graphs:
        for count in splits or SPLITS.get(name, (1, 5)):
            try:
                found = cost.times(name, count, rounds, device) if time else []
                if memory:
                    sizes = list(cost.memories(name, count, device))
                    found = costs.merged(found, sizes)
            except DataFileError as error:
                yield f"{name} is left out. {error}"
                break
            costs.store(found, kind, about, folder)
            stored = costs.read_costs(kind, folder)
            mine = [
                c for c in stored if (c.dataset, c.splits) == (name, count)
            ]
            if all(c.seconds and c.memory_mb for c in mine):
                yield costs.table(stored, name, count)
