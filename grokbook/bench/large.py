"""An epoch on a graph of a million edges, without a decomposition."""

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import torch

from grokbook.bench.questions import our_step
from grokbook.experiments.machine import peak_memory
from grokbook.laplacian import laplacian


@dataclass(frozen=True)
class Epoch:
    """What one epoch took.

    Attributes:
        nodes, edges: the size of the graph.
        seconds: forward, backward and Adam; the second of two.
        memory: the process's peak, in bytes, everything included.
    """

    nodes: int
    edges: int
    seconds: float
    memory: int

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"An epoch on {self.nodes:,} nodes and {self.edges:,} edges "
            f"without a decomposition: {self.seconds:.1f} s, "
            f"{self.memory / 1e9:.2f} GB at most."
        )


def large_epoch(nodes: int = 100_000, edges: int = 1_000_000) -> Epoch:
    """Measure in a process of its own, whose peak memory is this alone."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_epoch, nodes, edges).result()


def _epoch(nodes: int, edges: int) -> Epoch:
    """K = 2, M = 8, hidden 64, 10 classes, 100 dense features."""
    seed = torch.Generator().manual_seed(0)
    # Node i and node i + gap, for as many gaps as it takes: no edge twice.
    # Then the nodes are shuffled, so that neighbours lie far apart.
    start = torch.arange(nodes).repeat_interleave(edges // nodes)
    gap = torch.randperm(nodes // 2 - 1, generator=seed)[: edges // nodes]
    end = (start + 1 + gap.repeat(nodes)) % nodes
    both = torch.stack([torch.cat([start, end]), torch.cat([end, start])])
    both = torch.randperm(nodes, generator=seed)[both]
    x = torch.randn(nodes, 100, generator=seed)
    y = torch.randint(10, (nodes,), generator=seed)
    step = our_step(x, y, laplacian(both, nodes), splits=1)
    step()
    begin = time.perf_counter()
    step()
    seconds = time.perf_counter() - begin
    return Epoch(nodes, both.shape[1] // 2, seconds, peak_memory())
