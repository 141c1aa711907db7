"""Many runs: whatever is not yet in the store is computed, here or on Ray."""

import itertools
import json
import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from tqdm import tqdm

from grokbook.errors import SpecError, UnknownNameError
from grokbook.experiments import store
from grokbook.experiments.cluster import Cluster
from grokbook.experiments.local import Crew, interrupts
from grokbook.experiments.machine import cores
from grokbook.experiments.run import stored, take, target
from grokbook.experiments.spec import RunSpec

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
        folder: str | Path = store.RUNS,
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
    def from_file(
        cls, path: str | Path, folder: str | Path = store.RUNS
    ) -> "Sweep":
        """Read a TOML or JSON file: a list of grids called "grid".

        `memory_gb` in a grid declares what each of its runs may need.
        """
        memory: dict[RunSpec, int] = {}
        for grid in read_grids(Path(path)):
            need = int(grid.pop("memory_gb", 0) * 2**30)
            memory |= dict.fromkeys(expand(grid), need)
        return cls([*memory], folder, memory=memory.get)

    def run(
        self,
        processes: int | None = None,
        *,
        engine: str = "local",
        address: str | None = None,
        retry: bool = False,
    ) -> list[store.Record]:
        """Compute what is missing; return the records, in order.

        Killed at any point, it goes on from there when it is run again.
        Several sweeps may share a store: no spec is computed twice.

        Args:
            processes: how many at once, on this machine; one a core.
            engine: "local", or "ray" for a cluster.
            address: of the cluster; None finds or starts one here.
            retry: compute those stored as failed once more.

        Raises:
            StoreError: the store cannot be read, or cannot be written to.
            ClusterError: Ray is not there, or cannot place a run.
        """
        left = [s for s in self.specs if not self._stored(s, retry)]
        done = len(self.specs) - len(left)
        crew = self._crew(engine, processes or cores(), address)
        bar = tqdm(total=len(self.specs), initial=done, unit="run")
        with (
            bar,
            interrupts() as check,
            closing(self._work(left, crew, retry, check)) as work,
        ):
            for spec in work:
                self._stored(spec, retry=False)
                bar.update()
        return [store.load(spec, self.folder) for spec in self.specs]

    def need(self, spec: RunSpec) -> int:
        """The bytes that a run may need: declared, measured or guessed."""
        return self.declared(spec) or self._measured.get(_kind(spec), GUESS)

    def _crew(
        self, engine: str, processes: int, address: str | None
    ) -> Crew | Cluster:
        """What computes the specs."""
        if engine == "local":
            return Crew(processes, self.need)
        if engine == "ray":
            return Cluster(address, self.declared)
        raise UnknownNameError(
            f"engine={engine!r} is unknown. Choose from: local, ray."
        )

    def _work(
        self,
        left: list[RunSpec],
        crew: Crew | Cluster,
        retry: bool,
        check: Callable[[], None],
    ) -> Iterator[RunSpec]:
        """Yield each spec when its record is in the store."""
        todo, elsewhere, out = deque(left), deque(), {}
        try:
            while todo or elsewhere or out:
                check()
                while todo and crew.room(todo[0]):
                    spec = todo.popleft()
                    claim = store.claim(spec, self.folder, wait=False)
                    if claim is None:
                        elsewhere.append(spec)
                    elif take(spec, self.folder, retry=retry):
                        claim.close()
                        yield spec
                    else:
                        out[spec] = claim
                        crew.give(spec)
                back = crew.back(POLL)
                for spec, record in back:
                    with out.pop(spec):
                        store.save(record, self.folder)
                    yield spec
                if not back:  # time has passed: other sweeps may be done
                    todo.extend(elsewhere)
                    elsewhere.clear()
        finally:
            crew.stop()
            for claim in out.values():
                claim.close()

    def _stored(self, spec: RunSpec, retry: bool) -> bool:
        """Whether a spec's record is there; learns the memory it took."""
        record = stored(spec, self.folder, retry=retry)
        if record and record["peak_memory"]:
            known = self._measured.get(_kind(spec), 0)
            self._measured[_kind(spec)] = max(known, record["peak_memory"])
        return record is not None


def expand(grid: Mapping[str, Any]) -> Iterator[RunSpec]:
    """Every spec of a grid: the product of its lists."""
    inner = [*_product(grid.get("hyperparameters", {}))]
    for fields in _product({**grid, "hyperparameters": inner}):
        yield RunSpec.from_dict(fields)


def read_grids(path: Path) -> list[dict[str, Any]]:
    """The grids of a sweep's file."""
    parse = json.loads if path.suffix == ".json" else tomllib.loads
    try:
        grids = parse(path.read_text(encoding="utf-8"))["grid"]
        gigabytes = [grid.get("memory_gb", 0) for grid in grids]
        if not all(isinstance(g, int | float) and g >= 0 for g in gigabytes):
            raise ValueError("a memory_gb is no number of gigabytes")
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as e:
        raise SpecError(
            f"{path.name} is no sweep ({e}). It is TOML or JSON with a list "
            'of tables called "grid", each with the fields of a spec.'
        ) from e
    return grids


def _product(table: Any) -> Iterator[dict[str, Any]]:
    """Every choice of one value from each list of a table."""
    if not isinstance(table, Mapping):
        raise SpecError(f"{table!r:.60} of a grid is no table.")
    lists = [v if isinstance(v, list | tuple) else [v] for v in table.values()]
    if not all(lists):
        raise SpecError("A list of a grid is empty, so it has no spec at all.")
    for values in itertools.product(*lists):
        yield dict(zip(table, values, strict=True))


def _kind(spec: RunSpec) -> tuple[str, ...]:
    """Runs of one kind take about the same memory."""
    return spec.task, spec.dataset, spec.model, spec.size
