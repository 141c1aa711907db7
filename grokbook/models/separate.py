"""S networks that know nothing of copies, trained as if they did."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.copies import Copied
from grokbook.draws import Generators, each


class Separate(Copied):
    """S separate networks behind the interface of a model with copies.

    Network s draws its parameters and its dropout from generator s, by
    way of PyTorch's global state, which is put back as it was.

    Args:
        make: makes one network, called with a table and a graph.
        generator: one for each network.
        copies: S; by default as many as there are generators.

    Shapes:
        scores (n, C) of each → (S, n, C)
    """

    def __init__(
        self,
        make: Callable[[], nn.Module],
        *,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make each network from its generator."""
        super().__init__()
        if copies is None:
            copies = len(generator) if isinstance(generator, Sequence) else 1
        made = []
        for g in each(generator, copies):
            with drawing_from(g):
                made.append(make())
        self.nets, self.copies = nn.ModuleList(made), copies

    def prepare(self, graph: Any) -> Any:
        """The graph as it is."""
        return graph

    def forward(
        self, x: Any, graph: Any, *, generator: Generators = None
    ) -> Float[Tensor, "S n C"]:
        """Score with one network after the other."""
        scores = []
        for net, g in zip(
            self.nets, each(generator, len(self.nets)), strict=True
        ):
            with drawing_from(g):
                scores.append(net(x, graph))
        return torch.stack(scores)

    def keep(
        self,
        which: Sequence[int],
        optimizer: torch.optim.Optimizer | None = None,
    ) -> None:
        """Let all networks but these leave, and the optimizer's memory."""
        self.nets = nn.ModuleList(self.nets[s] for s in which)
        self.copies = len(which)
        if optimizer is not None:
            stay = {id(p) for p in self.parameters()}
            for group in optimizer.param_groups:
                gone = [p for p in group["params"] if id(p) not in stay]
                for parameter in gone:
                    optimizer.state.pop(parameter, None)
                kept = [p for p in group["params"] if id(p) in stay]
                group["params"] = kept


@contextmanager
def drawing_from(generator: torch.Generator | None) -> Iterator[None]:
    """Let PyTorch's global randomness be a generator's, for a while."""
    if generator is None:
        yield
        return
    kind = generator.device.type  # the dice of a GPU lie there
    home = torch.random if kind == "cpu" else getattr(torch, kind)
    before = home.get_rng_state()
    home.set_rng_state(generator.get_state())
    try:
        yield
    finally:
        generator.set_state(home.get_rng_state())
        home.set_rng_state(before)
