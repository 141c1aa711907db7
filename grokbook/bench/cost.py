"""Table 6's experiment: what an epoch of three models costs.

All models have 64 hidden channels. An epoch is what `train` does in one:
forward, backward, Adam, then all nodes scored once for validation.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import torch
from torch import Tensor

from grokbook.adam import adam
from grokbook.bench.limits import one_thread
from grokbook.cache import cached_spectrum
from grokbook.costs import Cost
from grokbook.datasets import load_graph
from grokbook.devices import find_device
from grokbook.draws import generators
from grokbook.experiments import machine
from grokbook.experiments.node import rows_to_one
from grokbook.features import prepared
from grokbook.laplacian import laplacian
from grokbook.models import registry
from grokbook.operators import EigenOperator
from grokbook.spectrum import Spectrum
from grokbook.split_masks import stack
from grokbook.splits import stratified
from grokbook.train import CLASSIFICATION, Batch, evaluate, one_pass

HIDDEN = 64
LARGE, KEPT = 12_000, 6_000  # nodes; eigenvectors kept on larger graphs
ROADS = (
    ("grokformer", "eigenvectors"),
    ("grokformer", "series"),
    ("specformer", "eigenvectors"),
    ("polyformer", "mapped first"),
    ("polyformer", "tokens once"),
)
MOST_TOKENS = 1e9  # bytes; a larger table of tokens is not tried
# Whose published hyperparameters are taken for a graph that has none.
SIBLING = {"cornell5": "penn94"}
Epoch = Callable[[], None]


def roads(data: Any, splits: int) -> list[tuple[str, str]]:
    """The roads that are measured; tokens of all features may be too many."""
    tokens = 4 * splits * 11 * data.x.numel()
    return [r for r in ROADS if r[1] != "tokens once" or tokens < MOST_TOKENS]


def times(
    name: str, splits: int, rounds: int, device: str = "auto"
) -> list[Cost]:
    """Seconds of an epoch, all models in turn in each round."""
    where = find_device(device)
    machine.keep_freed_memory()
    data = load_graph(name)
    with one_thread():
        U = table_of(data, where)
        made = {
            road: epoch_of(name, data, road, splits, where, U)
            for road in roads(data, splits)
        }
        for _, epoch in made.values():
            epoch()  # the first makes room
        taken = [
            [_seconds(epoch, where) for _, epoch in made.values()]
            for _ in range(rounds)
        ]
    return [
        Cost(*about, seconds=tuple(column))
        for (about, _), column in zip(
            made.values(), zip(*taken, strict=True), strict=True
        )
    ]


def memories(name: str, splits: int, device: str = "auto") -> Iterator[Cost]:
    """The most memory that training takes, each model in its own process."""
    find_device(device)  # say it here, not in another process
    for road in roads(load_graph(name), splits):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            task = pool.submit(_memory, name, road, splits, device)
            about, size = task.result()
        yield Cost(*about, memory_mb=size / 1e6)


def _memory(
    name: str, road: tuple[str, str], splits: int, device: str
) -> tuple[tuple, float]:
    """Two epochs; what the process held before it read the graph is not
    counted, nor what only making the spectrum took."""
    where = find_device(device)
    machine.reset_peak()
    before = machine.peak_memory()
    with one_thread():
        data = load_graph(name)
        about, epoch = epoch_of(name, data, road, splits, where)
        del data
        if where.type == "cuda":
            torch.cuda.reset_peak_memory_stats(where)
        machine.reset_peak()
        epoch()
        epoch()
    if where.type == "cuda":
        return about, float(torch.cuda.max_memory_allocated(where))
    return about, float(max(0, machine.peak_memory() - before))


def table_of(data: Any, device: torch.device) -> EigenOperator:
    """All eigenvectors of a small graph, 6,000 columns for a large one.

    For a large one they are not computed: normal numbers of the size that
    eigenvectors have stand in, since an epoch multiplies them all the same.
    """
    N = data.num_nodes
    if N <= LARGE:
        return EigenOperator(cached_spectrum(laplacian(data)), device)
    seed = torch.Generator().manual_seed(0)
    U = torch.randn(N, KEPT, generator=seed).div_(N**0.5)
    lam = torch.linspace(0, 2, KEPT, dtype=torch.float64)
    return EigenOperator(Spectrum(lam, U), device)


def epoch_of(
    name: str,
    data: Any,
    road: tuple[str, str],
    splits: int,
    device: torch.device,
    U: EigenOperator | None = None,
) -> tuple[tuple, Epoch]:
    """An epoch of a model on a road, and what to call it."""
    model_name, way = road
    given: dict[str, Any] = {"hidden_channels": HIDDEN}
    if way == "series":
        given["K"] = 2  # no series serves the order of 10 that Penn94 has
    known = SIBLING.get(name, name)
    options = registry.complete(model_name, known, given)
    model, seeds = _built(model_name, data, options, splits, device)
    x = prepared(rows_to_one(data.x))
    columns, entries = 0, ""
    if way == "eigenvectors":
        graph = U or table_of(data, device)
        columns = graph.U.shape[1]
        entries = "computed" if data.num_nodes <= LARGE else "random"
    else:
        graph = model.prepare(laplacian(data))
    if way == "tokens once":
        x = model.tokens(rows_to_one(data.x).to(device), graph)
    batch = Batch(
        x.to(device), graph, torch.arange(len(data.y), device=device)
    )
    epoch = _epoch(model, batch, data.y, options, seeds, splits)
    return (name, model_name, way, splits, columns, entries), epoch


def _built(
    name: str,
    data: Any,
    options: dict[str, Any],
    splits: int,
    device: torch.device,
) -> tuple[Any, list[torch.Generator]]:
    """A model with a copy for each split, on its device, and its dice."""
    sizes = data.x.shape[1], int(data.y.max()) + 1
    model = registry.build(
        name, sizes, options, "released", generators(0, splits)
    )
    return model.to(device), generators(0, splits, device)


def _epoch(
    model: Any,
    batch: Batch,
    y: Tensor,
    options: dict[str, Any],
    seeds: Sequence[torch.Generator],
    splits: int,
) -> Epoch:
    """Train once and score once, as `train` does in an epoch."""
    optimizer = adam(model, options["lr"], options["weight_decay"])
    device = batch.index.device
    parts = stack([stratified(y, seed=s) for s in range(splits)])
    masks, y = torch.stack(parts).to(device), y.to(device)

    def epoch() -> None:
        one_pass(model, [batch], y, masks[0], CLASSIFICATION, optimizer, seeds)
        evaluate(model, [batch], y, masks, CLASSIFICATION)

    return epoch


def _seconds(epoch: Epoch, device: torch.device) -> float:
    """Wall time of an epoch, until the device has finished it."""
    start = time.perf_counter()
    epoch()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter() - start
