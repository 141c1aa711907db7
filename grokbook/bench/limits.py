"""What one thread of this machine can do at most."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Limits:
    """Arithmetic and memory speed, the best of several tries.

    Attributes:
        gemm: float32 operations per second, in 10⁹, of a matrix product of
            size 1024.
        memory: bytes per second, in 10⁹, read from a table too large for
            the cache.
    """

    gemm: float
    memory: float

    def __str__(self) -> str:
        """Say it, with what it means for a step of training on Cora."""
        N, C, splits = 2708, 7, 10
        read = 4 * (4 * N**2) / self.memory / 1e6  # ms
        multiply = 4 * (2 * N**2 * C) / self.gemm / 1e6
        return (
            f"One thread: {self.gemm:.0f} GFLOP/s in a matrix product, "
            f"{self.memory:.1f} GB/s from memory. A step on Cora reads U "
            f"four times, {read:.1f} ms, which bounds one split, and "
            f"multiplies it with 7 columns per split, {multiply:.1f} ms, "
            f"which bounds {splits} splits together. Without eigenvectors "
            "neither is done: there the sparse products and the embedding "
            "share the time."
        )


def limits(tries: int = 7) -> Limits:
    """Measure both, on one thread."""
    A = torch.ones(1024, 1024)
    big = torch.ones(2**26)  # 268 MB
    with one_thread():
        return Limits(
            gemm=2 * 1024**3 / _best(lambda: A @ A, tries) / 1e9,
            memory=4 * len(big) / _best(big.sum, tries) / 1e9,
        )


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread, then on as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _best(work: Callable[[], object], tries: int) -> float:
    """The shortest of several times."""
    return min(seconds_of(work) for _ in range(tries))


def seconds_of(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
