"""Many runs: whatever is not yet in the store is computed, here or on Ray."""

import itertools
import json
import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tqdm import tqdm

from grokbook.errors import SpecError, UnknownNameError
from grokbook.experiments.cluster import Cluster
from grokbook.experiments.local import Crew
from grokbook.experiments.machine import cores
from grokbook.experiments.run import stored, take, target
from grokbook.experiments.spec import RunSpec
from grokbook.experiments.store import RUNS, Record, claim, load, save

POLL = 0.25  # seconds between looks at free memory and at other sweeps
GUESS = 2**30  # bytes that a run may need, until one like it was measured


class Sweep:
    """A list of specs and the store of their results.

    Args:
        specs: the specs, or a grid: a dict of a spec's fields in which a
            list stands for each of its values in turn. A value that is a
            list itself is written as a list in a list.
        folder: the store.
        memory: the bytes that a run may need, as a number or a function of
            the spec (None: not known). Not part of the spec. By default
            what the store measured for the same task, dataset, model and
            size, and 1 GiB before anything was measured.

    Raises:
        SpecError: the grid or the file is no list of specs.
        UnknownNameError: there is no such task, size or device.

    Examples:
        >>> grid = {"task": "m:f", "dataset": ["cora", "texas"],
        ...         "hyperparameters": {"K": [1, 2, 3]}}
        >>> len(Sweep(grid).specs)
        6
    """

    def __init__(
        self,
        specs: Iterable[RunSpec] | Mapping[str, Any],
        folder: str | Path = RUNS,
        *,
        memory: int | Callable[[RunSpec], int | None] | None = None,
    ) -> None:
        """Expand the grid and drop what is there twice."""
        found = expand(specs) if isinstance(specs, Mapping) else specs
        self.specs = tuple(dict.fromkeys(found))
        self.folder = Path(folder)
        self.declared = memory if callable(memory) else lambda spec: memory
        self._measured: dict[tuple, int] = {}
        for spec in self.specs:
            target(spec.task)

    @classmethod
    def from_file(cls, path: str | Path, folder: str | Path = RUNS) -> "Sweep":
        """Read a TOML or JSON file with a list of grids under "grid".

        `memory_gb` in a grid declares what each of its runs may need.
        """
        memory: dict[RunSpec, int] = {}
        for grid in read_grids(Path(path)):
            gigabytes = grid.pop("memory_gb", 0)
            if not isinstance(gigabytes, int | float) or gigabytes < 0:
                raise SpecError(f"memory_gb={gigabytes!r} is no size.")
            for spec in expand(grid):
                memory[spec] = int(gigabytes * 2**30)
        return cls([*memory], folder, memory=memory.get)

    def run(
        self,
        processes: int | None = None,
        *,
        engine: str = "local",
        address: str | None = None,
        retry: bool = False,
    ) -> list[Record]:
        """Compute what is missing; return the records, in order.

        Killed at any point, it goes on from there when it is run again.
        Several sweeps may share a store: no spec is computed twice.

        Args:
            processes: how many at once, on this machine; one a core.
            engine: "local", or "ray" for a cluster.
            address: of the cluster; None finds or starts one here.
            retry: compute those stored as failed once more.
        """
        left = [s for s in self.specs if not self._stored(s, retry)]
        shown = {"total": len(self.specs), "unit": "run"}
        shown["initial"] = len(self.specs) - len(left)
        with tqdm(**shown) as bar:
            for spec in self._work(left, retry, processes, engine, address):
                self._stored(spec, retry=False)
                bar.update()
        return [load(spec, self.folder) for spec in self.specs]

    def status(self) -> dict[str, list[RunSpec]]:
        """The specs that are done, failed and missing; writes nothing."""
        found: dict[str, list] = {"done": [], "failed": [], "missing": []}
        for spec in self.specs:
            record = stored(spec, self.folder, retry=False)
            found[record["status"] if record else "missing"].append(spec)
        return found

    def need(self, spec: RunSpec) -> int:
        """The bytes that a run may need: declared, measured or guessed."""
        like = self._measured.get(_kind(spec), GUESS)
        return self.declared(spec) or like

    def _work(
        self, left: list[RunSpec], retry: bool, *how: Any
    ) -> Iterator[RunSpec]:
        """Yield each spec when its record is in the store."""
        todo, elsewhere = deque(left), deque()
        crew = self._crew(*how)
        with ExitStack() as end:
            end.callback(crew.stop)
            out: dict[RunSpec, ExitStack] = {}
            while todo or elsewhere or out:
                while todo and crew.room(todo[0]):
                    spec = todo.popleft()
                    hold = end.enter_context(ExitStack())
                    held = claim(spec, self.folder, wait=False)
                    if not hold.enter_context(held):
                        hold.close()
                        elsewhere.append(spec)
                    elif take(spec, self.folder, retry=retry):
                        hold.close()
                        yield spec
                    else:
                        crew.give(spec)
                        out[spec] = hold
                back = crew.back(POLL)
                for spec, record in back:
                    with out.pop(spec):
                        save(record, self.folder)
                    yield spec
                if not back:  # time has passed: other sweeps may be done
                    todo.extend(elsewhere)
                    elsewhere.clear()

    def _crew(
        self, processes: int | None, engine: str, address: str | None
    ) -> Crew | Cluster:
        """What computes the specs."""
        if engine == "local":
            return Crew(processes or cores(), self.need)
        if engine == "ray":
            return Cluster(address, self.declared)
        raise UnknownNameError(
            f"engine={engine!r} is unknown. Choose from: local, ray."
        )

    def _stored(self, spec: RunSpec, retry: bool) -> bool:
        """Whether a spec's record is there; learns the memory it took."""
        record = stored(spec, self.folder, retry=retry)
        if record and record["peak_memory"]:
            kind, peak = _kind(spec), record["peak_memory"]
            self._measured[kind] = max(peak, self._measured.get(kind, 0))
        return record is not None


def expand(grid: Mapping[str, Any]) -> Iterator[RunSpec]:
    """Every spec of a grid: the product of its lists."""
    hyper = grid.get("hyperparameters", {})
    if not isinstance(hyper, Mapping):
        raise SpecError(f"hyperparameters={hyper!r} of a grid is no table.")
    axes = {(name,): value for name, value in grid.items()}
    axes.pop(("hyperparameters",), None)
    axes |= {("hyperparameters", name): v for name, v in hyper.items()}
    lists = [v if isinstance(v, list | tuple) else [v] for v in axes.values()]
    if [] in lists or () in lists:
        raise SpecError("A list of a grid is empty, so it has no spec at all.")
    for values in itertools.product(*lists):
        fields: dict[str, Any] = {"hyperparameters": {}}
        for name, value in zip(axes, values, strict=True):
            inner = fields if len(name) == 1 else fields["hyperparameters"]
            inner[name[-1]] = value
        yield RunSpec.from_dict(fields)


def read_grids(path: Path) -> list[dict[str, Any]]:
    """The grids of a sweep's file."""
    parse = json.loads if path.suffix == ".json" else tomllib.loads
    try:
        grids = parse(path.read_text(encoding="utf-8"))["grid"]
        return [dict(grid) for grid in grids]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SpecError(
            f"{path.name} is no sweep ({error}). It is TOML or JSON with a "
            'list of tables called "grid", each with the fields of a spec.'
        ) from error


def _kind(spec: RunSpec) -> tuple[str, ...]:
    """Runs of one kind take about the same memory."""
    return spec.task, spec.dataset, spec.model, spec.size
