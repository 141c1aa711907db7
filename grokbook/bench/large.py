"""An epoch on a large graph, with a decomposition or without."""

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import torch
from jaxtyping import Int
from torch import Tensor

from grokbook.bench.limits import seconds_of
from grokbook.bench.questions import Step, our_step
from grokbook.experiments.machine import cores, peak_memory
from grokbook.laplacian import laplacian
from grokbook.spectrum import spectrum


@dataclass(frozen=True)
class Epoch:
    """What one epoch took.

    Attributes:
        nodes, edges: the size of the graph.
        seconds: forward, backward and Adam; the best but for the first.
        memory: the process's peak, in bytes, everything included.
        road: "series", or "exact" with a decomposition.
        base: the peak before there was a graph: Python and PyTorch.
        ready: seconds from the edges to the prepared graph.
    """

    nodes: int
    edges: int
    seconds: float
    memory: int
    road: str = "series"
    base: int = 0
    ready: float = 0.0

    def __str__(self) -> str:
        """Say it in a line."""
        how = "without" if self.road == "series" else "after"
        return (
            f"An epoch on {self.nodes:,} nodes and {self.edges:,} edges "
            f"{how} a decomposition: {self.seconds:.3g} s, "
            f"{self.memory / 1e9:.2f} GB at most."
        )


def large_epoch(
    nodes: int = 100_000,
    edges: int = 1_000_000,
    *,
    road: str = "series",
    features: int = 100,
    epochs: int = 2,
) -> Epoch:
    """Measure in a process of its own, whose peak memory is this alone."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        given = (nodes, edges, road, features, epochs)
        return pool.submit(_epoch, *given).result()


def shuffled_ring(
    nodes: int, edges: int, generator: torch.Generator
) -> Int[Tensor, "2 E"]:
    """A graph in which every node has 2·edges/nodes neighbours.

    Node i and node i + gap on a ring, for as many random gaps as it takes:
    no edge twice, and no search for repetitions. Then the nodes are
    shuffled, so that neighbours lie far apart in memory.

    Examples:
        >>> seed = torch.Generator().manual_seed(0)
        >>> shuffled_ring(50, 200, seed).shape  # both directions
        torch.Size([2, 400])
    """
    start = torch.arange(nodes).repeat_interleave(edges // nodes)
    gap = torch.randperm(nodes // 2 - 1, generator=generator)
    end = (start + 1 + gap[: edges // nodes].repeat(nodes)) % nodes
    both = torch.stack([torch.cat([start, end]), torch.cat([end, start])])
    return torch.randperm(nodes, generator=generator)[both]


def _epoch(
    nodes: int, edges: int, road: str, features: int, epochs: int
) -> Epoch:
    """K = 2, M = 8, hidden 64, 10 classes, dense features, as released."""
    torch.set_num_threads(cores())
    _prepare(50, 200, road, features)[0]()  # all is imported from here on
    base = peak_memory()
    step, edges, ready = _prepare(nodes, edges, road, features)
    times = [seconds_of(step) for _ in range(epochs)]
    best = min(times[1:])
    return Epoch(nodes, edges, best, peak_memory(), road, base, ready)


def _prepare(
    nodes: int, edges: int, road: str, features: int
) -> tuple[Step, int, float]:
    """A step of training; the edges there are; seconds from them to it."""
    seed = torch.Generator().manual_seed(0)
    both = shuffled_ring(nodes, edges, seed)
    x = torch.randn(nodes, features, generator=seed)
    y = torch.randint(10, (nodes,), generator=seed)
    begin = time.perf_counter()
    L = laplacian(both, nodes)
    step = our_step(x, y, L if road == "series" else spectrum(L), splits=1)
    return step, both.shape[1] // 2, time.perf_counter() - begin
