"""The Laplacian of a graph whose nodes are linked to themselves."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.errors import EdgeWeightError
from grokbook.laplacian import Edges, clean_edges


def looped_laplacian(
    edge_index: Edges,
    num_nodes: int | None = None,
    edge_weight: Any = None,
    *,
    loops: Any = None,
) -> Float[Tensor, "N N"]:
    r"""The Laplacian of the graph in which each node is its own neighbour.

    .. math:: \tilde L = I - \tilde D^{-1/2} (A + W) \tilde D^{-1/2},
       \qquad \tilde D = D + W

    Kipf and Welling (2017) mix by :math:`I - \tilde L` with W = I. Then the
    eigenvalues lie in [0, 2), and an isolated node has the diagonal entry
    0. Other diagonal matrices W keep the loops that a graph came with; a
    node with neither edge nor loop has the diagonal entry 1.

    Args:
        edge_index, num_nodes, edge_weight: as in `laplacian`, which drops
            loops among the edges, with a notice. So does this.
        loops: the diagonal of W: 0 or more for each node; by default 1.

    Shapes:
        edge_index (2, E), edge_weight (E,), loops (N,) → L (N, N)

    Raises:
        whatever `laplacian` raises; EdgeWeightError also for bad loops.

    Examples:
        >>> looped_laplacian([[0, 1], [1, 0]]).to_dense()
        tensor([[ 0.5000, -0.5000],
                [-0.5000,  0.5000]], dtype=torch.float64)
    """
    edges, weight, N = clean_edges(edge_index, num_nodes, edge_weight)
    row, col = edges
    own = _as_loops(loops, N)
    degree = own.index_add(0, row, weight)
    degree = torch.where(degree > 0, degree, 1)
    scale = degree.rsqrt()
    node = torch.arange(N)
    return torch.sparse_coo_tensor(
        torch.cat([edges, node.expand(2, N)], dim=1),
        torch.cat([-scale[row] * weight * scale[col], 1 - own / degree]),
        size=(N, N),
        check_invariants=True,
    ).coalesce()


def _as_loops(loops: Any, N: int) -> Float[Tensor, " N"]:
    """The weight of each node's loop, 1 by default."""
    if loops is None:
        return torch.ones(N, dtype=torch.float64)
    try:
        own = torch.as_tensor(loops, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise EdgeWeightError(
            "loops cannot be read as numbers. Pass one finite number for "
            f"each of the {N} nodes, 0 where it has no loop."
        ) from error
    if own.shape != (N,) or not (torch.isfinite(own) & (own >= 0)).all():
        raise EdgeWeightError(
            f"loops has shape {tuple(own.shape)} for {N} nodes. Pass one "
            "finite number for each node, 0 where it has no loop, none "
            "below 0."
        )
    return own
