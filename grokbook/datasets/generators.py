"""Graphs that are made: every one a function of its arguments and a seed."""

from typing import TYPE_CHECKING

import torch
from jaxtyping import Int
from torch import Tensor

from grokbook.datasets.grids import grid_edges, photograph
from grokbook.errors import GeneratorError

if TYPE_CHECKING:
    from torch_geometric.data import Data

SKIPS = (2, 3, 4, 5, 6, 9, 11, 12, 13, 16)  # of Murphy et al. (2019)


def contextual_sbm(
    N: int = 1000,
    *,
    homophily: int | float = 0.8,
    classes: int = 2,
    degree: int | float = 10,
    features: int = 16,
    signal: int | float = 1.0,
    seed: int = 0,
) -> "Data":
    r"""A block model with features, and a dial for its homophily.

    .. math:: |\mathcal{E}| = N d / 2, \qquad
       |\{(i,j) \in \mathcal{E} : y_i = y_j\}| = h |\mathcal{E}|, \qquad
       x_i = \text{signal} \cdot \mu_{y_i} + \varepsilon_i

    Both counts are exact up to rounding, the edges uniform among those
    that meet them. The classes have equal sizes, each mean μ is a random
    direction of length 1, the noise ε is standard normal.

    Shapes:
        x (N, features), edge_index (2, E), y (N,)

    Examples:
        >>> contextual_sbm(100, homophily=0.2, degree=6)
        Data(x=[100, 16], edge_index=[2, 600], y=[100])
    """
    from torch_geometric.data import Data

    if not (0 <= homophily <= 1 and 2 <= classes <= N // 2):
        raise GeneratorError(
            f"homophily={homophily} must be between 0 and 1, and "
            f"classes={classes} between 2 and N/2={N // 2}."
        )
    generator = torch.Generator().manual_seed(seed)
    y = torch.randperm(N, generator=generator) % classes
    E = round(N * degree / 2)
    alike = round(homophily * E)
    once = torch.cat(
        [
            _draw_pairs(y, alike, True, generator),
            _draw_pairs(y, E - alike, False, generator),
        ],
        dim=1,
    )
    mean = torch.randn(classes, features, generator=generator)
    mean = mean / mean.norm(dim=1, keepdim=True)
    noise = torch.randn(N, features, generator=generator)
    edges = torch.cat([once, once.flip(0)], dim=1)
    return Data(x=signal * mean[y] + noise, edge_index=edges, y=y)


def _draw_pairs(
    y: Int[Tensor, " N"], count: int, alike: bool, generator: torch.Generator
) -> Int[Tensor, "2 count"]:
    """Draw different pairs until there are enough of the wanted kind."""
    N = len(y)
    inside = int((y.bincount() * (y.bincount() - 1)).sum()) // 2
    most = inside if alike else N * (N - 1) // 2 - inside
    if count > most // 2:  # beyond half, drawing goes on and on
        raise GeneratorError(
            f"{count} edges are asked for between nodes of "
            f"{'one class' if alike else 'two classes'}, more than half of "
            f"the {most} there can be. Lower the degree, or raise N."
        )
    key = torch.zeros(0, dtype=torch.int64)
    while len(key) < count:
        i, j = torch.randint(N, (2, 2 * count + 64), generator=generator)
        fits = (i != j) & ((y[i] == y[j]) == alike)
        low, high = torch.minimum(i, j)[fits], torch.maximum(i, j)[fits]
        drawn = torch.cat([key, low * N + high])
        key, place = torch.unique(drawn, return_inverse=True)
        first = torch.full_like(key, len(drawn)).scatter_reduce_(
            0, place, torch.arange(len(drawn)), "amin"
        )
        key = key[first.argsort()]  # in the order drawn: no pair favoured
    key = key[:count]
    return torch.stack([key // N, key % N])


def minesweeper(
    height: int = 100,
    width: int = 100,
    *,
    mines: int | float = 0.2,
    hidden: int | float = 0.5,
    seed: int = 0,
) -> "Data":
    """A field of mines, like the official set of Platonov et al. (2023).

    Nodes are the squares, joined to their eight neighbours; the class is 1
    where a mine lies. Feature 0 tells that a square is hidden; of the
    others, features 1 to 6 are the number of mines around, 0 to 5 or more.

    Shapes:
        x (height · width, 7), edge_index (2, E), y (height · width,)

    Examples:
        >>> minesweeper(10, 10)
        Data(x=[100, 7], edge_index=[2, 684], y=[100])
    """
    from torch_geometric.data import Data

    N = height * width
    generator = torch.Generator().manual_seed(seed)
    edges = torch.cat(
        [grid_edges(height, width), _diagonals(height, width)], 1
    )
    y = torch.zeros(N, dtype=torch.int64)
    y[torch.randperm(N, generator=generator)[: round(mines * N)]] = 1
    around = torch.zeros(N, dtype=torch.int64)
    around.index_add_(0, edges[0], y[edges[1]])
    seen = 1 + around.clamp(max=5)
    seen[torch.randperm(N, generator=generator)[: round(hidden * N)]] = 0
    x = torch.nn.functional.one_hot(seen, 7).float()
    return Data(x=x, edge_index=edges, y=y)


def _diagonals(height: int, width: int) -> Int[Tensor, "2 E"]:
    """Join each pixel to the four that touch its corners."""
    node = torch.arange(height * width).reshape(height, width)
    once = torch.cat(
        [
            torch.stack([node[:-1, :-1].flatten(), node[1:, 1:].flatten()]),
            torch.stack([node[:-1, 1:].flatten(), node[1:, :-1].flatten()]),
        ],
        dim=1,
    )
    return torch.cat([once, once.flip(0)], dim=1)


def circular_skip_links(
    N: int = 41, *, copies: int = 15, seed: int = 0
) -> "list[Data]":
    """Rings whose nodes are also joined to the R-th node after them.

    Ten values of R, the class, and of each some copies with the nodes in
    another order (Murphy et al. 2019). No two classes are isomorphic, yet
    every node has four neighbours: counting neighbours tells them not apart.

    Shapes:
        each: edge_index (2, 4 N), y (1,)

    Examples:
        >>> graphs = circular_skip_links()
        >>> len(graphs), graphs[0]
        (150, Data(edge_index=[2, 164], y=[1], num_nodes=41))
    """
    from torch_geometric.data import Data

    if 2 * max(SKIPS) + 1 > N:
        raise GeneratorError(
            f"A ring of {N} nodes has no skip of {max(SKIPS)}: pass N="
            f"{2 * max(SKIPS) + 1} or more."
        )
    generator = torch.Generator().manual_seed(seed)
    node = torch.arange(N)
    graphs = []
    for label, skip in enumerate(SKIPS):
        to = torch.cat([(node + 1) % N, (node + skip) % N])
        once = torch.stack([node.repeat(2), to])
        for _ in range(copies):
            moved = torch.randperm(N, generator=generator)[once]
            edges = torch.cat([moved, moved.flip(0)], dim=1)
            y = torch.tensor([label])
            graphs.append(Data(edge_index=edges, y=y, num_nodes=N))
    return graphs


def photograph_grid(name: str = "camera", size: int = 64) -> "Data":
    """A photograph of `photograph` as the signal of its grid of pixels.

    Shapes:
        x (size², 1), edge_index (2, E)

    Examples:
        >>> photograph_grid("moon", 8)
        Data(x=[64, 1], edge_index=[2, 224])
    """
    from torch_geometric.data import Data

    x = photograph(name, size).float().reshape(-1, 1)
    return Data(x=x, edge_index=grid_edges(size, size))
