"""Mixed precision and `torch.compile`, on the equations as written."""

import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import nn

from grokbook.bench.limits import one_thread, seconds_of
from grokbook.bench.literal import LiteralGrokFormer
from grokbook.bench.questions import CORA
from grokbook.cache import cached_spectrum
from grokbook.datasets import load_graph
from grokbook.devices import find_device
from grokbook.experiments.node import rows_to_one
from grokbook.laplacian import laplacian
from grokbook.models import GrokFormer


@dataclass(frozen=True)
class Variant:
    """A way to run the same training step.

    Attributes:
        name: "plain", "bf16" or "compiled".
        first: seconds of the first step, a compilation included.
        seconds: of the steps after, those of all variants taken in turn.
    """

    name: str
    first: float
    seconds: tuple[float, ...]


def variants(rounds: int, device: str = "auto") -> list[dict[str, Any]]:
    """Training steps on Cora, in turn; without a compiler, two ways."""
    where = find_device(device)
    ways = ["plain", "bf16"]
    if where.type == "cuda" or any(map(shutil.which, ("g++", "clang++"))):
        ways.append("compiled")
    with one_thread():
        steps = {way: _step(way, where) for way in ways}
        first = {way: _first(step) for way, step in steps.items()}
        ways = [way for way in ways if first[way] is not None]
        steps = {way: steps[way] for way in ways}
        for step in steps.values():
            step()
        taken = [
            [seconds_of(step) for step in steps.values()]
            for _ in range(rounds)
        ]
    return [
        asdict(Variant(way, first[way], column))
        for way, column in zip(ways, zip(*taken, strict=True), strict=True)
    ]


def _step(way: str, device: torch.device) -> Callable[[], float]:
    """A step of GrokFormer as its equations are written, with dense x."""
    data = load_graph("cora")
    S = cached_spectrum(laplacian(data))
    x = rows_to_one(data.x).to(device)
    lam, U = S.lam.to(device).float(), S.U.to(device).float()
    seed = torch.Generator().manual_seed(0)
    sizes = x.shape[1], 64, int(data.y.max()) + 1
    ours = GrokFormer(*sizes, reading="released", generator=seed, **CORA)
    model: nn.Module = LiteralGrokFormer(ours).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    if way == "compiled":
        model = torch.compile(model)
    y = data.y.to(device)

    def step() -> float:
        optimizer.zero_grad()
        with torch.autocast(
            device.type, torch.bfloat16, enabled=way == "bf16"
        ):
            scores = model(x, lam, U)
        loss = nn.functional.cross_entropy(scores.float(), y)
        loss.backward()
        optimizer.step()
        return loss.item()  # waits for the device

    return step


def _first(step: Callable[[], float]) -> float | None:
    """Seconds of the first step; None if nothing could be compiled."""
    try:
        return seconds_of(step)
    except (RuntimeError, ImportError, OSError):
        return None  # a compiler or its headers are missing or broken
