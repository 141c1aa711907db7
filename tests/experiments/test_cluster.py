"""Sweeps on Ray: a real cluster of two nodes, one of them killed."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from toy import Log, assert_whole, gone, toys, until

from grokbook import RunSpec, Sweep
from grokbook.errors import ClusterError
from grokbook.experiments import cluster as engine
from grokbook.experiments import sweep as driver

# Ray replaces 127.0.0.1 by an address that others can reach, which the
# tests' guard of the network refuses; on Linux all of 127.* is this machine.
HOME = "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"


@pytest.fixture(scope="module")
def nodes() -> Iterator[tuple[Any, Any]]:
    """A head and a second node, each with one core."""
    folder = tempfile.mkdtemp(prefix="ray")  # short, for names of sockets
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", folder)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        here = str(Path(__file__).parent)
        patch.setenv(
            "PYTHONPATH", here + os.pathsep + os.environ["PYTHONPATH"]
        )
        from ray.cluster_utils import Cluster

        size = {"num_cpus": 1, "object_store_memory": 80 * 2**20}
        own = {"include_dashboard": False, "include_log_monitor": False}
        both = {"node_ip_address": HOME, **size}
        ray = Cluster()
        _patiently(ray.add_node, **both, **own, no_monitor=True)
        yield ray, _patiently(ray.add_node, **both)
        ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def _patiently(start: Callable, **options: object) -> Any:
    """Start a node; Ray gives up after 30 s, which a busy machine takes."""
    for _ in range(2):
        try:
            return start(**options)
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
    return start(**options)


def test_failed_and_lost_runs_are_recorded_and_the_rest_goes_on(
    nodes: tuple, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray

    monkeypatch.setattr(engine, "RETRIES", 0)  # each costs a new process
    grid = toys(fail=["", "no luck"], die=[False, True])
    on_gpu = RunSpec("toy:toy", "none", device="cuda")
    with ray.init(nodes[0].address, log_to_driver=False):
        sweep = Sweep(grid, folder, memory=2**20)
        good, lost, bad, _ = sweep.run(engine="ray")
        with pytest.raises(ClusterError, match=r"has GPU 1 for toy-toy-none"):
            Sweep([on_gpu], folder).run(engine="ray")
        assert ray.is_initialized()  # we do not leave what we did not join
    assert good["result"]["threads"] == "1"
    assert bad["error"].startswith("RuntimeError: no luck (toy.py:")
    assert lost["error"].startswith("WorkerCrashedError: the cluster lost")
    assert lost["machine"] == {"class": "unknown"}


def test_a_node_killed_in_mid_run_loses_nothing(
    nodes: tuple,
    folder: Path,
    log: Log,
    gate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import ray

    cluster, second = nodes
    told = {"x": list(range(40)), "gate": str(gate), "gated": 20}
    # The nodes are older than the log: the task hears of it by its spec.
    sweep = Sweep(toys(**told, log=str(log.path)), folder)
    written: list[str] = []

    def save(record: dict, folder: Path) -> None:
        written.append(RunSpec.from_dict(record["spec"]).key)
        keep(record, folder)

    keep = driver.store.save
    monkeypatch.setattr(driver.store, "save", save)

    def kill() -> None:
        until(lambda: len(written) == 20 and len(log.open()) == 2, 60)
        cluster.remove_node(second, allow_graceful=False)
        until(lambda: any(map(gone, log.pids())))  # its process ends too
        gate.touch()

    killer = threading.Thread(target=kill)
    killer.start()
    sweep.run(engine="ray", address=cluster.address)
    killer.join()
    assert not ray.is_initialized()  # we leave what we joined
    assert_whole(sweep)
    assert sorted(written) == sorted(s.key for s in sweep.specs)  # none twice
    # What the dead node was at is run again, and nothing else.
    assert sum(log.count("end").values()) == 40
    assert sum(log.count("start").values()) == 41


def test_without_ray_the_error_says_how_to_install_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"pip install grokbook\[ray\]"):
        Sweep(toys(x=1), folder).run(engine="ray")
    assert not folder.exists()


def test_a_cluster_that_does_not_answer_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray

    def init(**options: object) -> None:
        raise ConnectionError(options["address"])

    monkeypatch.setattr(ray, "init", init)
    with pytest.raises(ClusterError, match=r"answers at '10\.0\.0\.1:6379'"):
        Sweep(toys(x=1), folder).run(engine="ray", address="10.0.0.1:6379")


def test_ray_is_imported_only_when_it_is_asked_for() -> None:
    code = "import sys, grokbook.experiments; assert 'ray' not in sys.modules"
    env = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
