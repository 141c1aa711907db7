"""One run: a pure function of its spec, computed once and then kept."""

import re
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

from grokbook.errors import (
    DamagedRecordError,
    DataFileError,
    DeviceError,
    SpecError,
    UnknownNameError,
)
from grokbook.experiments import machine, store
from grokbook.experiments.spec import RunSpec, plain
from grokbook.experiments.store import RUNS, Record

# name -> "module:function" of a pure function of the spec, imported when it
# is first run; it returns {"metric": name, "scores": [one a split], ...}
TASKS = {
    "node": "grokbook.experiments.node:node",
    "fit": "grokbook.experiments.fit:fit",
    "graph": "grokbook.experiments.graph:graph",
    "official": "grokbook.experiments.official:official",
}

FOLDERS = re.compile(
    r"(?<![\w.:/~<-])(?:[A-Za-z]:)?[/\\](?:[^\s'\"/\\]+[/\\])+"
)


def run(
    spec: RunSpec,
    folder: str | Path = RUNS,
    *,
    again: bool = False,
    retry: bool = False,
) -> Record:
    """The record of a spec, from the store or computed and stored.

    A task that raises is recorded as failed, with its error, and is not
    tried a second time unless asked to. While another process computes the
    same spec this one waits, and takes its result.

    Args:
        spec: what to run.
        folder: the store.
        again: compute even what is stored.
        retry: compute what is stored as failed.

    Raises:
        UnknownNameError: there is no such task.
        DeviceError: the device is not here, and nothing is stored.
        StoreError: the store cannot be read, or cannot be written to.
    """
    target(spec.task)
    folder = Path(folder)
    record = None if again else stored(spec, folder, retry=retry)
    if record is None:
        _must_have(spec.device)
        with store.claim(spec, folder, wait=True):
            record = None if again else take(spec, folder, retry=retry)
            if record is None:
                store.save(compute(spec.to_dict()), folder)
                record = store.load(spec, folder)
    return record


def stored(spec: RunSpec, folder: Path, *, retry: bool) -> Record | None:
    """The record, unless it is missing, damaged, or failed and retried.

    What failed because its data or its device were not at hand is always
    retried: that says nothing of the spec.
    """
    try:
        record = store.load(spec, folder)
    except DamagedRecordError:
        return None
    error = (record or {}).get("error") or ""
    lacked = error.startswith((DataFileError.__name__, DeviceError.__name__))
    return None if lacked or (retry and error) else record


def _must_have(device: str) -> None:
    """Refuse a device that is not here; PyTorch is not asked for the CPU."""
    if device not in ("auto", "cpu"):
        from grokbook.devices import find_device

        find_device(device)


def take(spec: RunSpec, folder: Path, *, retry: bool) -> Record | None:
    """Like `stored`, for the holder of the claim: clears what is damaged."""
    try:
        store.load(spec, folder)
    except DamagedRecordError:
        store.set_aside(spec, folder)
    return stored(spec, folder, retry=retry)


def compute(values: dict[str, Any]) -> Record:
    """Run the task of a spec, given as a dict; nothing is stored."""
    spec = RunSpec.from_dict(values)
    machine.keep_freed_memory()
    machine.reset_peak()
    start, busy = time.perf_counter(), time.process_time()
    result, error = None, None
    try:
        task = _find(spec.task)
        # its imports are not its time
        start, busy = time.perf_counter(), time.process_time()
        result = _checked(task(spec))
    except (Exception, SystemExit) as raised:
        error = _describe(raised)
    seconds = time.perf_counter() - start
    record = record_of(spec, seconds, result, error, machine.peak_memory())
    return record | {"cpu_seconds": time.process_time() - busy}


def record_of(
    spec: RunSpec,
    seconds: float,
    result: dict[str, Any] | None = None,
    error: str | None = None,
    peak: int | None = None,
) -> Record:
    """The record of a run that ended, well or not."""
    return {
        "spec": spec.to_dict(),
        "result": result,
        "versions": machine.versions(),
        "machine": {"class": machine.machine_class(spec.device)},
        "seconds": seconds,
        "peak_memory": peak,
        "status": "failed" if error else "done",
        "error": error,
    }


def target(task: str) -> str:
    """The "module:function" of a task."""
    found = TASKS.get(task, task)
    if ":" not in found:
        raise UnknownNameError(
            f"task={task!r} is unknown. Choose from: "
            f'{", ".join(sorted(TASKS))}; or name a "module:function".'
        )
    return found


def _find(task: str) -> Any:
    """Import the function of a task."""
    module, _, function = target(task).partition(":")
    return getattr(import_module(module), function)


def _checked(result: Any) -> dict[str, Any]:
    """A task's result, if it is one."""
    result = plain(result, "result")
    good = isinstance(result, dict) and isinstance(result.get("metric"), str)
    if not good or not isinstance(result.get("scores"), list):
        raise SpecError(
            'A task returns a dict with "metric", a name, and "scores", a '
            f"list; this one returned {result!r:.60}."
        )
    return result


def _describe(raised: BaseException) -> str:
    """The error in one line: kind, message, file and line, no folder."""
    last = traceback.extract_tb(raised.__traceback__)[-1]
    place = f"{Path(last.filename).name}:{last.lineno}"
    said = " ".join(FOLDERS.sub("", str(raised)).split())
    if len(said) > 500:  # an error begins with what and ends with advice
        said = f"{said[:248]} … {said[-249:]}"
    return f"{type(raised).__name__}: {said} ({place})"
