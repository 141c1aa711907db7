"""Three rows under every table that need no model; two of them are here.

A network that does not beat them has learnt nothing, or nothing that the
graph could not say by itself. The third, an MLP that never sees the graph,
is a model.
"""

import warnings

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from grokbook.errors import GraphNotice, SplitError
from grokbook.laplacian import Edges, clean_edges
from grokbook.split_masks import Split


def majority(y: Int[Tensor, " N"], split: Split) -> Int[Tensor, " N"]:
    """Answer one class, always: the most frequent of those one may see.

    Labels of the training and the validation part are counted, since every
    model selects by the latter. Where a quota has made the classes equal in
    training, only validation tells which is frequent. Of classes equally
    frequent, the one with the lowest number.

    Examples:
        >>> from grokbook.splits import stratified
        >>> y = torch.tensor([0, 0, 0, 1, 1, 1, 1, 1])
        >>> majority(y, stratified(y, seed=0))
        tensor([1, 1, 1, 1, 1, 1, 1, 1])
    """
    known = labels_of(y, split.train | split.val)
    return torch.full_like(y, int(known.bincount().argmax()))


def twin_groups(
    edge_index: Edges, num_nodes: int | None = None, *, directed: bool = False
) -> Int[Tensor, " N"]:
    """Number the nodes so that twins, and only they, share a number.

    Twins have exactly the same neighbours, at least one. A node without
    neighbours is nobody's twin.

    Args:
        edge_index: the edges, or a PyG `Data` object.
        num_nodes: by default the largest index + 1.
        directed: compare the nodes an edge leads *to*, instead of the
            neighbours in the undirected graph.

    Examples:
        >>> star = [[0, 0, 0, 1, 2, 3], [1, 2, 3, 0, 0, 0]]
        >>> twin_groups(star, 5).tolist()
        [0, 1, 1, 1, 4]
    """
    with warnings.catch_warnings():
        if directed:  # the cleaned edges are not used, only the checks
            warnings.simplefilter("ignore", GraphNotice)
        edges, _, N = clean_edges(edge_index, num_nodes)  # sorted
    if directed:
        given = getattr(edge_index, "edge_index", edge_index)
        row, col = torch.as_tensor(given).long()
        key = (row * N + col).unique()
        edges = torch.stack([key // N, key % N])
    degree = edges[0].bincount(minlength=N)
    first: dict[bytes, int] = {}
    group = [
        first.setdefault(ends.numpy().tobytes(), i) if len(ends) else i
        for i, ends in enumerate(edges[1].split(degree.tolist()))
    ]
    return torch.tensor(group)


def twin_lookup(
    edge_index: Edges, y: Int[Tensor, " N"], split: Split
) -> Int[Tensor, " N"]:
    """Answer the class of a node's twins in training, if it has any.

    Twins that disagree vote; of classes with as many votes the lowest
    number wins. A node without a twin in training gets the most frequent
    class of the training nodes that have none there either. No features
    and no training are used: what this scores on the test part is what
    duplicates give away.

    Examples:
        >>> from grokbook.splits import stratified
        >>> star = [[0] * 6 + [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6] + [0] * 6]
        >>> y = torch.tensor([0, 1, 1, 1, 1, 1, 1])
        >>> twin_lookup(star, y, stratified(y, seed=0, small="train"))
        tensor([0, 1, 1, 1, 1, 1, 1])
    """
    return vote(twin_groups(edge_index, len(y)), y, split)


def vote(
    group: Int[Tensor, " N"], y: Int[Tensor, " N"], split: Split
) -> Int[Tensor, " N"]:
    """Answer the class of a node's group in training; see `twin_lookup`.

    For many splits of one graph: its `twin_groups` need only be found once.

    Examples:
        >>> from grokbook.splits import stratified
        >>> y = torch.tensor([0, 0, 0, 0, 1, 1, 1, 1])
        >>> vote(y + 4, y, stratified(y, seed=0)).tolist()
        [0, 0, 0, 0, 1, 1, 1, 1]
    """
    size = int(group.max()) + 1, int(y.max()) + 1
    votes = torch.zeros(size, dtype=torch.int64)
    cast = group[split.train], labels_of(y, split.train)
    votes.index_put_(cast, torch.tensor(1), accumulate=True)
    votes = votes[group]
    alone = votes[split.train & (votes.sum(1) == 1)].sum(0)
    rest = alone.argmax() if alone.any() else majority(y, split)
    return torch.where(votes.sum(1) > 0, votes.argmax(1), rest)


def labels_of(
    y: Int[Tensor, " N"], part: Bool[Tensor, " N"]
) -> Int[Tensor, " n"]:
    """The labels of a part, which must all be there."""
    if (y[part] < 0).any():
        raise SplitError(
            "A node of the training or validation part has no label (−1). "
            "Leave it out of the split."
        )
    return y[part]
