"""Filtered images to learn from, and the training that all models share."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from grokbook.datasets.images import grey_images
from grokbook.grid_spectrum import grid_spectrum
from grokbook.targets import TARGETS

BORDER = 2  # pixels at each side whose errors do not count
LR = 0.01


class Images:
    """Images as signals, their coordinates, and what counts of them.

    Args:
        source: as in `grey_images`.
        count: how many, the first ones.
        side: pixels on a side; less than 100 cuts the corner out.

    Shapes:
        x (N, n), x_hat (N, n), inside (N,)
    """

    def __init__(self, source: str, count: int, side: int) -> None:
        """Read the images and transform them."""
        pixels = grey_images(source)[:count, :side, :side]
        self.side = side
        self.spectrum = grid_spectrum(side)
        self.x = pixels.flatten(1).T.contiguous()
        self.x_hat = self.spectrum.fourier(self.x)
        inside = torch.zeros(side, side, dtype=torch.bool)
        inside[BORDER:-BORDER, BORDER:-BORDER] = True
        self.inside = inside.flatten()

    def filtered(
        self, i: int, h: Float[Tensor, "r P"]
    ) -> Float[Tensor, "p P"]:
        """Image i by each of P responses at the distinct eigenvalues."""
        x_hat = h[self.spectrum.place] * self.x_hat[:, i : i + 1]
        return _Inverse.apply(x_hat, self.spectrum)[self.inside]

    def wanted(self, i: int, name: str) -> Float[Tensor, " p"]:
        """Image i, exactly filtered by a target."""
        h = TARGETS[name](self.spectrum.distinct)
        return self.filtered(i, h[:, None])[:, 0]

    def spread(self, name: str) -> Float[Tensor, " n"]:
        """The sum of squares about the mean, of which R² explains a part."""
        some = [self.wanted(i, name) for i in range(self.x.shape[1])]
        return torch.stack([(y - y.mean()).square().sum() for y in some])


@lru_cache(maxsize=4)
def images(source: str, count: int, side: int) -> Images:
    """The images, read once a process."""
    return Images(source, count, side)


class _Inverse(torch.autograd.Function):
    """Coordinates → signals; both transforms are orthogonal matrices."""

    @staticmethod
    def forward(ctx: Any, x_hat: Tensor, S: Any) -> Tensor:
        ctx.S = S
        return S.inverse(x_hat)

    @staticmethod
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor, None]:
        return ctx.S.fourier(G), None


def descend(
    errors: Callable[[], Float[Tensor, " n"]],
    parameters: Iterable[nn.Parameter],
    epochs: int,
    patience: int = 100,
) -> tuple[Float[Tensor, " n"], Int[Tensor, " n"]]:
    """Train n models at once, each by its own error; Adam mixes none.

    A model ends when more than `patience` epochs in a row gave no new best.

    Returns:
        the least error of each, and the epochs it trained.
    """
    optimizer = torch.optim.Adam(parameters, lr=LR)
    best = torch.full_like(errors().detach(), torch.inf)
    since, trained = torch.zeros_like(best).long(), 0
    for _ in range(epochs):
        running = since <= patience
        if not running.any():
            break
        optimizer.zero_grad()
        error = errors()
        error.sum().backward()
        optimizer.step()
        better = running & (error.detach() < best)
        best = torch.where(better, error.detach(), best)
        since = torch.where(better, 0, since + running)
        trained = trained + running.long()
    return best, trained
