"""The runs of a sweep on a Ray cluster: Ray places, retries and carries.

Only the sweep's own process writes to the store, so the store is needed on
its machine alone. The others need this package, in the same version, and
the data.
"""

import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from grokbook.errors import ClusterError
from grokbook.experiments.run import compute, record_of
from grokbook.experiments.spec import RunSpec
from grokbook.experiments.store import Record

RETRIES = 3  # of a run whose machine or process dies


class Cluster:
    """The runs that are out on a cluster.

    Args:
        address: of the cluster; None finds one here, or starts one.
        declared: the bytes that a spec is said to need, or None.

    Raises:
        ClusterError: Ray is not installed, not reachable, or cannot place
            a run.
    """

    def __init__(
        self,
        address: str | None,
        declared: Callable[[RunSpec], int | None],
    ) -> None:
        """Join the cluster, unless this process already has."""
        self.ray = _import_ray()
        self.declared = declared
        self.joined = not self.ray.is_initialized()
        if self.joined:
            _join(self.ray, address)
        self.compute = self.ray.remote(compute)
        self.out: dict[Any, RunSpec] = {}

    def room(self, spec: RunSpec) -> bool:
        """Two runs a core are out, so that no core waits for us."""
        cpus = self.ray.cluster_resources().get("CPU", 1)
        return len(self.out) < 2 * max(1, cpus)

    def give(self, spec: RunSpec) -> None:
        """Hand a spec to Ray."""
        run = self.compute.options(**self._options(spec))
        self.out[run.remote(spec.to_dict())] = spec

    def back(self, timeout: float) -> list[tuple[RunSpec, Record]]:
        """What has come back; waits a little if nothing has."""
        if not self.out:
            time.sleep(timeout)
            return []
        ready, _ = self.ray.wait(list(self.out), timeout=timeout)
        return [(self.out[ref], self._fetch(ref)) for ref in ready]

    def stop(self) -> None:
        """Call back what is out, and leave the cluster if we joined it."""
        for ref in self.out:
            self.ray.cancel(ref, force=True)
        if self.joined:
            self.ray.shutdown()

    def _fetch(self, ref: Any) -> Record:
        """The record; a failed one if the cluster lost it too often."""
        spec = self.out.pop(ref)
        try:
            return self.ray.get(ref)
        except self.ray.exceptions.RayTaskError as error:
            # a task's own error is in its record: this one is ours
            raise ClusterError(
                "A machine of the cluster cannot run grokbook "
                f"({error.cause!r:.200}). Install the same version there."
            ) from error
        except self.ray.exceptions.RayError as error:
            said = f"the cluster lost this run, {RETRIES} retries too"
            said = f"{type(error).__name__}: {said}"
            unknown = {"machine": {"class": "unknown"}, "versions": {}}
            return {**record_of(spec, 0.0, error=said), **unknown}

    def _options(self, spec: RunSpec) -> dict[str, Any]:
        """What Ray must give a run, if any of its machines has it."""
        wanted = {"GPU": int(spec.device == "cuda")}
        wanted["memory"] = self.declared(spec) or 0
        nodes = [n["Resources"] for n in self.ray.nodes() if n["Alive"]]
        for kind, amount in wanted.items():
            if not any(amount <= node.get(kind, 0) for node in nodes):
                raise ClusterError(
                    f"No machine of the cluster has {kind} {amount} for "
                    f"{spec.key}. Change its device or memory, or add one."
                )
        return {
            "num_cpus": 1,
            "num_gpus": wanted["GPU"],
            "memory": wanted["memory"] or None,
            "max_retries": RETRIES,
        }


def _import_ray() -> ModuleType:
    """Ray, which is an extra."""
    try:
        import ray
    except ImportError as error:
        raise ClusterError(
            "Ray is not installed. Run `pip install grokbook[ray]`, or "
            'leave engine="local".'
        ) from error
    return ray


def _join(ray: ModuleType, address: str | None) -> None:
    """Join the cluster at an address, or start one on this machine."""
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ClusterError(
            f"No Ray cluster answers at {address!r}. Start one with "
            "`ray start --head`, or leave the address out."
        ) from error
