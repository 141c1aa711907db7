"""What a run was computed on, and how much memory it took and can take."""

import ctypes
import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

CGROUP = Path("/sys/fs/cgroup")
M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4  # of mallopt(3)
PACKAGES = ("grokbook", "numpy", "scipy", "torch", "torch-geometric")


def versions() -> dict[str, str | None]:
    """The versions of Python and of the packages behind the numbers."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def machine_class(device: str) -> str:
    """The kind of machine, without its name, its user or its address."""
    memory = round(psutil.virtual_memory().total / 2**30)
    kind = f"{cores()} cores, {memory} GiB, "
    kind += f"{platform.machine()}, {platform.system()}"
    return f"{_accelerator(device)}, {kind}"


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux: a job may own a few only
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def keep_freed_memory() -> None:
    """Let this process keep what it frees, where the system can (glibc).

    Training frees and takes the same large tables at every step. Handed
    back to the system in between, each is zeroed anew: a fifth of a step.
    """
    if (mallopt := _libc("mallopt")) is not None:
        mallopt(M_MMAP_MAX, 0)
        mallopt(M_TRIM_THRESHOLD, 2**31 - 1)


def reset_peak() -> None:
    """Start measuring the peak anew, where the system can (Linux)."""
    if (malloc_trim := _libc("malloc_trim")) is not None:
        malloc_trim(0)  # what was freed and kept is not held by this run
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def peak_memory() -> int:
    """The most bytes this process has held: since the reset, or at all."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        (line,) = [text for text in lines if text.startswith("VmHWM")]
        return int(line.split()[1]) * 1024
    except (OSError, ValueError):  # not Linux: since the process began
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak * (1 if sys.platform == "darwin" else 1024)


def free_memory() -> int:
    """The bytes that new work can take, in a container too (cgroup v2)."""
    free = psutil.virtual_memory().available
    try:
        limit = int((CGROUP / "memory.max").read_text())
        used = int((CGROUP / "memory.current").read_text())
        stat = (CGROUP / "memory.stat").read_text().split()
        cached = int(stat[stat.index("inactive_file") + 1])
    except (OSError, ValueError):  # no such limit here
        return free
    return min(free, limit - used + cached)


def _libc(name: str) -> Callable[..., int] | None:
    """A function of glibc; None if the C library is another."""
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None), name, None)


def _accelerator(device: str) -> str:
    """What did the arithmetic, if the task asked PyTorch for it."""
    torch = sys.modules.get("torch")
    if torch is None or device == "cpu":
        return "cpu"
    if torch.cuda.is_available():
        return f"cuda ({torch.cuda.get_device_name()})"
    return "mps" if torch.backends.mps.is_available() else "cpu"
