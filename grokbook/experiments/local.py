"""The processes of a sweep on this machine: one a core, one thread each."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait

import psutil

from grokbook.experiments.machine import free_memory
from grokbook.experiments.run import record_of
from grokbook.experiments.spec import RunSpec
from grokbook.experiments.store import Record

# read by the libraries under PyTorch and NumPy when they load
THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


class Worker:
    """One process, and the spec it is at."""

    def __init__(self) -> None:
        """Start the process; it takes its packages from where we do."""
        path = os.pathsep.join(filter(None, sys.path))
        more = {"PYTHONPATH": path, "TQDM_DISABLE": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "grokbook.experiments.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **dict.fromkeys(THREADS, "1"), **more},
        )

    def give(self, spec: RunSpec) -> None:
        """Ask for a spec. A process that has died will not answer."""
        self.spec, self.since = spec, time.monotonic()
        try:
            print(json.dumps(spec.to_dict()), file=self.process.stdin)
            self.process.stdin.flush()
        except BrokenPipeError:
            return

    def answer(self) -> Record | None:
        """The record that was asked for; None if the process has died."""
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else None

    def held(self) -> int:
        """The bytes that the process holds now."""
        try:
            return psutil.Process(self.process.pid).memory_info().rss
        except psutil.Error:
            return 0

    def death(self) -> str:
        """How the process died."""
        code = self.process.wait()
        self.stop()
        if code >= 0:
            return f"WorkerKilled: its process ended with code {code}, twice"
        name = signal.Signals(-code).name
        short = "; was memory short?" if name == "SIGKILL" else ""
        return f"WorkerKilled: its process got {name}, twice{short}"

    def stop(self) -> None:
        """End the process, which holds nothing that could be left half."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def interrupts() -> Iterator[Callable[[], None]]:
    """Hear Ctrl-C for good: gives a function that raises it once more.

    Python drops an interrupt that falls into a destructor or a callback. A
    loop that asks here at every turn ends all the same.
    """
    heard: list[int] = []

    def hear(number: int, frame: object) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    def check() -> None:
        if heard:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield check  # only the main thread is told of signals
        return
    before = signal.signal(signal.SIGINT, hear)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


class Crew:
    """The workers of one sweep.

    A run starts when the memory it may need is free, over and above what
    the running ones may still take; alone, it always starts. A run whose
    process dies is tried once more, alone, then recorded as failed.
    """

    def __init__(self, size: int, need: Callable[[RunSpec], int]) -> None:
        """Hire nobody yet."""
        self.size, self.need = size, need
        self.idle: list[Worker] = []
        self.busy: list[Worker] = []
        self.killed: list[RunSpec] = []  # to be tried once more

    def room(self, spec: RunSpec) -> bool:
        """Whether a process and the memory are free for a spec."""
        if not self.busy:
            return not self.killed
        promised = sum(max(0, self.need(w.spec) - w.held()) for w in self.busy)
        enough = self.need(spec) + promised <= free_memory()
        return enough and len(self.busy) < self.size and not self.killed

    def give(self, spec: RunSpec) -> None:
        """Hand a spec to an idle worker, or to a new one."""
        worker = self.idle.pop() if self.idle else Worker()
        self.busy.append(worker)
        worker.give(spec)

    def back(self, timeout: float) -> list[tuple[RunSpec, Record]]:
        """What has come back; waits a little if nothing has."""
        if self.killed and not self.busy:
            self.give(self.killed[0])
        ready = wait([w.process.stdout for w in self.busy], timeout)
        done = [w for w in self.busy if w.process.stdout in ready]
        found = [(w.spec, self._hear(w)) for w in done]
        return [(spec, record) for spec, record in found if record]

    def stop(self) -> None:
        """End all processes."""
        for worker in self.idle + self.busy:
            worker.stop()

    def _hear(self, worker: Worker) -> Record | None:
        """The record of a worker's spec, or None: it is tried once more."""
        record, spec = worker.answer(), worker.spec
        self.busy.remove(worker)
        if record:
            self.idle.append(worker)
        else:
            how, spent = worker.death(), time.monotonic() - worker.since
            if spec not in self.killed:
                self.killed.append(spec)
                return None
            record = record_of(spec, spent, error=how)
        if spec in self.killed:
            self.killed.remove(spec)
        return record
