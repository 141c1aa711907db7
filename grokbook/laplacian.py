"""Edges → cleaned, validated, symmetric normalised Laplacian.

The convention of the whole book, in one place: the graph is undirected and
simple, the Laplacian is symmetric and normalised, and an isolated node has
the diagonal entry 0.
"""

import warnings
from collections.abc import Sequence
from operator import index
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from grokbook.errors import (
    EdgeShapeError,
    EdgeWeightError,
    EmptyGraphError,
    GraphNotice,
    NodeIndexError,
)

Edges = Tensor | Sequence[Any] | Any
NOT_COUNTS = (torch.bool, torch.complex64, torch.complex128)
MOST_NODES = 2**31  # an edge's key i·N + j must fit into 64 bits


def laplacian(
    edge_index: Edges,
    num_nodes: int | None = None,
    edge_weight: Any = None,
    *,
    isolated: float = 0.0,
) -> Float[Tensor, "N N"]:
    r"""Build the symmetric normalised Laplacian of a graph.

    .. math:: L = I - D^{-1/2} A D^{-1/2}, \qquad L_{ii} = 0
       \text{ where } D_{ii} = 0

    Derived in chapter 01. The matrix is sparse (COO, float64); call
    ``.to_dense()`` to print it.

    Args:
        edge_index: the two ends of each edge, each edge in both directions
            as in PyG. A PyG `Data` object also works, alone.
        num_nodes: the number of nodes N; by default the largest index + 1.
        edge_weight: one positive weight per edge; by default 1.
        isolated: the diagonal entry of a node without edges. The book's
            convention is 0, as in SciPy; PyG and the released GrokFormer
            code have 1.

    Shapes:
        edge_index (2, E), edge_weight (E,) → L (N, N)

    Raises:
        EmptyGraphError, EdgeShapeError, NodeIndexError, EdgeWeightError

    Examples:
        >>> path = [[0, 1, 1, 2], [1, 0, 2, 1]]
        >>> laplacian(path).to_dense()
        tensor([[ 1.0000, -0.7071,  0.0000],
                [-0.7071,  1.0000, -0.7071],
                [ 0.0000, -0.7071,  1.0000]], dtype=torch.float64)
    """
    edges, weight, N = clean_edges(edge_index, num_nodes, edge_weight)
    row, col = edges
    degree = torch.zeros(N, dtype=weight.dtype).index_add_(0, row, weight)
    scale = torch.where(degree > 0, degree, 1).rsqrt()
    node = torch.arange(N)
    diagonal = torch.full_like(degree, isolated)
    diagonal[degree > 0] = 1.0
    return torch.sparse_coo_tensor(
        torch.cat([edges, node.expand(2, N)], dim=1),
        torch.cat([-scale[row] * weight * scale[col], diagonal]),
        size=(N, N),
        check_invariants=True,
    ).coalesce()


def clean_edges(
    edge_index: Edges, num_nodes: int | None = None, edge_weight: Any = None
) -> tuple[Int[Tensor, "2 E"], Float[Tensor, " E"], int]:
    """Turn any edge list into that of an undirected simple graph.

    Loops are dropped, edges given twice count once, and each edge is
    listed in both directions. Nothing is changed silently: a `GraphNotice`
    says what was done.

    Returns:
        the edges (2, E) in both directions, sorted; their weights (E,) in
        float64; and the number of nodes.

    Examples:
        >>> edges, weight, N = clean_edges([[1, 0, 2, 1], [0, 1, 1, 2]])
        >>> edges.tolist(), N
        ([[0, 1, 1, 2], [1, 0, 2, 1]], 3)
    """
    if hasattr(edge_index, "edge_index"):  # a PyG Data object
        data = edge_index
        edge_index = data.edge_index
        num_nodes = data.num_nodes if num_nodes is None else num_nodes
        if edge_weight is None:
            edge_weight = data.edge_weight
    edges = _as_edges(edge_index)
    N = _count_nodes(edges, num_nodes)
    weight = _as_weights(edge_weight, edges.shape[1])
    loop = edges[0] == edges[1]
    forward = edges[:, ~loop]
    low, high = forward.min(dim=0).values, forward.max(dim=0).values
    key, place = torch.unique(low * N + high, return_inverse=True)
    once = torch.zeros(len(key), dtype=weight.dtype)
    once.scatter_reduce_(0, place, weight[~loop], "amax", include_self=False)
    one_way = len(torch.unique(forward[0] * N + forward[1]))
    _tell(forward, loop, one_way, key, weight[~loop], once[place])
    low, high = key // N, key % N
    both = torch.stack([torch.cat([low, high]), torch.cat([high, low])])
    order = torch.argsort(both[0] * N + both[1])
    return both[:, order], once.repeat(2)[order], N


def _as_edges(edge_index: Edges) -> Int[Tensor, "2 E"]:
    """Read an edge list, or say how it should look."""
    advice = (
        "Pass a 2 × E table of node numbers: the first row holds one end "
        "of each edge, the second row the other."
    )
    try:
        edges = torch.as_tensor(edge_index)
    except (TypeError, ValueError, RuntimeError) as error:
        raise EdgeShapeError(
            f"edge_index cannot be read as a table of numbers. {advice}"
        ) from error
    if edges.shape in ((0,), (2, 0)):
        return torch.zeros((2, 0), dtype=torch.int64)
    if edges.dim() != 2 or edges.shape[0] != 2:
        hint = " Yours looks transposed: try edge_index.T." * (
            edges.dim() == 2 and edges.shape[1] == 2
        )
        raise EdgeShapeError(
            f"edge_index has shape {tuple(edges.shape)}, not (2, E)."
            f"{hint} {advice}"
        )
    if edges.dtype.is_floating_point or edges.dtype in NOT_COUNTS:
        raise EdgeShapeError(
            f"edge_index holds {edges.dtype}, not whole numbers. {advice}"
        )
    return edges.to("cpu", torch.int64)


def _count_nodes(edges: Int[Tensor, "2 E"], num_nodes: int | None) -> int:
    """Settle the number of nodes and check every index against it."""
    if edges.numel() and int(edges.min()) < 0:
        raise NodeIndexError(
            f"edge_index names node {int(edges.min())}. Nodes are counted "
            "from 0: subtract the smallest index, or drop that edge."
        )
    largest = int(edges.max()) if edges.numel() else -1
    try:
        N = largest + 1 if num_nodes is None else index(num_nodes)
    except TypeError as error:
        raise NodeIndexError(
            f"num_nodes={num_nodes!r} is not a whole number. Pass the number "
            "of nodes, as in num_nodes=5."
        ) from error
    if N > MOST_NODES:
        raise NodeIndexError(
            f"{N} nodes are more than a Laplacian here can have "
            f"({MOST_NODES}). Are the node numbers really numbered from 0?"
        )
    if N < 1:
        raise EmptyGraphError(
            "The graph has no node. Pass at least one edge, or "
            "num_nodes=1 or more for a graph without edges."
        )
    if largest >= N:
        raise NodeIndexError(
            f"edge_index names node {largest}, but there are num_nodes={N} "
            f"nodes (0 to {N - 1}). Pass num_nodes={largest + 1} or more, "
            "or drop that edge."
        )
    return N


def _as_weights(edge_weight: Any, E: int) -> Float[Tensor, " E"]:
    """Read the weights in float64, or name the first bad one."""
    if edge_weight is None:
        return torch.ones(E, dtype=torch.float64)
    weight = _as_numbers(edge_weight, E)
    if weight.shape != (E,):
        raise EdgeWeightError(
            f"edge_weight has shape {tuple(weight.shape)} for {E} edges. "
            f"Pass one number per column of edge_index: shape ({E},)."
        )
    bad = ~(torch.isfinite(weight) & (weight > 0))
    if bad.any():
        place = int(bad.nonzero()[0])
        raise EdgeWeightError(
            f"edge_weight[{place}] is {weight[place].item():g}. Weights "
            "must be positive and finite: drop edges of weight 0, and "
            "decide what a negative or missing weight means before you "
            "build a Laplacian."
        )
    if not torch.isfinite(weight.sum()):
        raise EdgeWeightError(
            "The weights add up to infinity. Divide them all by the "
            "largest: the Laplacian stays the same."
        )
    return weight


def _as_numbers(edge_weight: Any, E: int) -> Float[Tensor, "..."]:
    """Read weights of any kind, a list at once in float64."""
    try:
        if torch.is_tensor(edge_weight) and edge_weight.is_complex():
            raise TypeError("complex numbers are not ordered")
        return torch.as_tensor(edge_weight, dtype=torch.float64, device="cpu")
    except (TypeError, ValueError, RuntimeError) as error:
        raise EdgeWeightError(
            "edge_weight cannot be read as real numbers. Pass one number "
            f"per column of edge_index: shape ({E},)."
        ) from error


def _tell(
    links: Int[Tensor, "2 E"],
    loop: Tensor,
    distinct: int,
    key: Tensor,
    weight: Tensor,
    kept: Tensor,
) -> None:
    """Say what cleaning changed; say nothing if nothing changed."""
    said = [
        f"{count} {what}"
        for count, what in [
            (int(loop.sum()), "self-loop(s) dropped"),
            (links.shape[1] - distinct, "repeated edge(s) counted once"),
            (2 * len(key) - distinct, "one-way edge(s) made two-way"),
            (
                int((weight != kept).sum()),
                "weight(s) differed from the same edge's: the larger kept",
            ),
        ]
        if count
    ]
    if said:
        warnings.warn("; ".join(said) + ".", GraphNotice, stacklevel=4)
