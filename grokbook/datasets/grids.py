"""Photographs as signals on the grid of their pixels."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from grokbook.errors import EmptyGraphError, check_choice

PHOTOGRAPHS = ("camera", "coins", "moon")  # inside scikit-image's wheel


def grid_edges(height: int, width: int) -> Int[Tensor, "2 E"]:
    """Join each pixel to its neighbours above, below, left and right.

    Pixel (row, column) is node ``row * width + column``.

    Examples:
        >>> grid_edges(2, 2)
        tensor([[0, 2, 0, 1, 1, 3, 2, 3],
                [1, 3, 2, 3, 0, 2, 0, 1]])
    """
    if height < 1 or width < 1:
        raise EmptyGraphError(
            f"A grid of {height} × {width} has no pixel. Both sides must "
            "be 1 or more."
        )
    node = torch.arange(height * width).reshape(height, width)
    across = torch.stack([node[:, :-1].flatten(), node[:, 1:].flatten()])
    down = torch.stack([node[:-1].flatten(), node[1:].flatten()])
    once = torch.cat([across, down], dim=1)
    return torch.cat([once, once.flip(0)], dim=1)


def photograph(
    name: str = "camera", size: int = 64
) -> Float[Tensor, "size size"]:
    """A square grey photograph, values 0 (black) to 1 (white).

    The middle square of the original, each pixel the mean of a block.

    Examples:
        >>> photograph("camera", size=32).shape
        torch.Size([32, 32])
    """
    from skimage import data
    from skimage.transform import resize_local_mean

    check_choice("photograph", name, PHOTOGRAPHS)
    if size < 1:
        raise EmptyGraphError(
            f"A photograph of size {size} has no pixel. Pass 1 or more."
        )
    full = getattr(data, name)()
    side = min(full.shape)
    top, left = (full.shape[0] - side) // 2, (full.shape[1] - side) // 2
    square = full[top : top + side, left : left + side] / 255.0
    return torch.from_numpy(resize_local_mean(square, (size, size)))
