"""Each copy of a model draws from its own generator."""

from collections.abc import Callable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.errors import LayerError

Generators = Sequence[torch.Generator | None] | torch.Generator | None


def dropout(
    X: Float[Tensor, "S *B"], p: float, generator: Generators = None
) -> Float[Tensor, "S *B"]:
    """Set each entry to zero with probability p, and scale the others up.

    Each copy draws from its own generator.
    """
    if p == 0:
        return X
    # Laid out in order, whatever X is: else the draws would land elsewhere.
    scale = torch.empty(X.shape, dtype=X.dtype, device=X.device)
    draw(scale, lambda copy, g: copy.uniform_(generator=g), generator)
    return X * scale.ge_(p).div_(1 - p)


@torch.no_grad()
def draw(
    parameter: Float[Tensor, "S *shape"],
    fill: Callable[[Tensor, torch.Generator | None], object],
    generator: Generators = None,
) -> None:
    """Fill each copy of a parameter from its own generator."""
    for copy, g in zip(
        parameter, each(generator, len(parameter)), strict=True
    ):
        fill(copy, g)


def draw_uniform(
    parameter: Float[Tensor, "S *shape"],
    bound: float,
    generator: Generators = None,
) -> None:
    """Fill each copy with numbers between −bound and bound."""
    draw(
        parameter,
        lambda copy, g: copy.uniform_(-bound, bound, generator=g),
        generator,
    )


def each(
    generator: Generators, copies: int
) -> Sequence[torch.Generator | None]:
    """One generator for each copy; a single one belongs to a single copy."""
    if generator is None:
        return [None] * copies
    if isinstance(generator, torch.Generator):
        generator = [generator]
    if len(generator) != copies:
        raise LayerError(
            f"There are {len(generator)} generators for {copies} copies. "
            "Pass a list with one for each copy."
        )
    return generator


def generators(
    first: int, copies: int, device: torch.device | str = "cpu"
) -> list[torch.Generator]:
    """A generator for each copy, seeded with the numbers from `first` on."""
    return [
        torch.Generator(device).manual_seed(first + s) for s in range(copies)
    ]
