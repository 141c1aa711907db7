"""Split(train, val, test): which nodes train, select and test, as masks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from grokbook.errors import SplitError

PARTS = ("train", "val", "test")
Mask = Bool[Tensor, " N"]
Labels = Any  # whole numbers from 0, one per node; −1 for no label


@dataclass(frozen=True, eq=False)
class Split:
    """Three disjoint sets of nodes (or of graphs), with name and seed.

    `tested=False` says that a rule leaves nothing to test on.

    Shapes:
        train, val, test (N,), boolean; a node may be in none

    Examples:
        >>> from grokbook.splits import stratified
        >>> split = stratified([0, 0, 0, 0, 1, 1, 1], seed=0)
        >>> split
        Split('stratified', seed=0, 3/2/2 of 7)
        >>> split.missing([0, 0, 0, 0, 1, 1, 1])
        {'train': [], 'val': [], 'test': []}
    """

    train: Mask
    val: Mask
    test: Mask
    name: str
    seed: int
    tested: bool = True

    def __post_init__(self) -> None:
        """Refuse parts that are empty, overlap or differ in length."""
        shapes = {tuple(part.shape) for part in self}
        if len(shapes) > 1:
            raise SplitError(
                f"The parts of {self.name!r} have the shapes "
                f"{sorted(shapes)}. Pass three masks with one entry per node."
            )
        twice = torch.stack(list(self)).sum(0) > 1
        if twice.any():
            raise SplitError(
                f"Node {int(twice.nonzero()[0])} is in two parts of "
                f"{self.name!r}. Training, validation and test must be "
                "disjoint."
            )
        if 0 in self.sizes()[: 3 if self.tested else 2]:
            raise SplitError(
                f"A part of {self.name!r} is empty (sizes {self.sizes()}): "
                f"{len(self.train)} nodes are too few for this rule."
            )

    def __iter__(self) -> Iterator[Mask]:
        """Unpack as ``train, val, test = split``."""
        return iter((self.train, self.val, self.test))

    def sizes(self) -> tuple[int, ...]:
        """How many nodes train, validate and test."""
        return tuple(int(part.sum()) for part in self)

    def counts(self, y: Labels) -> Int[Tensor, "3 C"]:
        """How many nodes of each class are in each part."""
        y = as_labels(y)
        C = int(y.max()) + 1
        rows = [y[part & (y >= 0)].bincount(minlength=C) for part in self]
        return torch.stack(rows)

    def missing(self, y: Labels) -> dict[str, list[int]]:
        """For each part the classes of which it holds no node."""
        none = self.counts(y) == 0
        lists = [row.nonzero().flatten().tolist() for row in none]
        return dict(zip(PARTS, lists, strict=True))

    def __repr__(self) -> str:
        """Name the rule, the seed and the sizes."""
        sizes = "/".join(map(str, self.sizes()))
        N = len(self.train)
        return f"Split({self.name!r}, seed={self.seed}, {sizes} of {N})"


def as_split(
    N: int, parts: Sequence[Int[Tensor, " _"]], name: str, seed: int
) -> Split:
    """Make a split from three lists of nodes.

    Examples:
        >>> lists = [torch.tensor(part) for part in ([0, 3], [1], [2])]
        >>> as_split(4, lists, "mine", seed=0)
        Split('mine', seed=0, 2/1/1 of 4)
    """
    masks = torch.zeros(3, N, dtype=torch.bool)
    for mask, nodes in zip(masks, parts, strict=True):
        mask[nodes] = True
    return Split(masks[0], masks[1], masks[2], name, seed)


def stack(
    splits: Sequence[Split],
) -> tuple[Bool[Tensor, "S N"], Bool[Tensor, "S N"], Bool[Tensor, "S N"]]:
    """The masks of S splits as three tables, to train them all at once.

    Examples:
        >>> from grokbook.splits import stratified
        >>> y = [0, 0, 0, 1, 1, 1]
        >>> train, val, test = stack([stratified(y, seed=s) for s in (0, 1)])
        >>> train.shape
        torch.Size([2, 6])
    """
    if len({len(split.train) for split in splits}) != 1:
        raise SplitError("Pass one or more splits of the same graph.")
    train, val, test = map(torch.stack, zip(*splits, strict=True))
    return train, val, test


def as_labels(y: Labels) -> Int[Tensor, " N"]:
    """Read labels, or say how they should look."""
    y = torch.as_tensor(y).cpu()
    whole = not (y.is_floating_point() or y.is_complex())
    if y.dim() != 1 or not whole or not (y >= 0).any():
        raise SplitError(
            f"The labels have shape {tuple(y.shape)} and type {y.dtype}. "
            "Pass one whole number per node, 0 for the first class."
        )
    return y.long()
