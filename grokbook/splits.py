"""Rules that split: labels → Split(train, val, test).

A split rule is a function of the labels and a seed. The random numbers are
NumPy's PCG64, whose stream is fixed, drawn as plain uniform numbers and
sorted: the same seed gives the same split whatever version of PyTorch is
installed and whatever was drawn before.
"""

from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from grokbook.errors import SplitError
from grokbook.split_masks import PARTS, Labels, Split, as_labels, as_split

if TYPE_CHECKING:
    from torch_geometric.data import Data

TRAIN, VAL = 0.6, 0.2  # shares of the labelled nodes; the rest is the test


def released(y: Labels, *, seed: int) -> Split:
    r"""The authors' rule: the same quota of training nodes for each class.

    .. math:: q = \operatorname{round}(0.6\,N/C), \qquad
       \min(q, N_c) \text{ nodes of class } c \text{ train}

    Then round(0.2 N) of the nodes left validate and all others test. A
    class with at most q nodes is used up in training and never evaluated,
    so the shares are 60/20/20 only where the classes are of one size. This
    is what the published numbers were made with; see `Split.missing`.

    Args:
        y: the class of each node; −1 for none (such nodes are in no part).
        seed: which of the random splits.

    Examples:
        >>> y = [0] * 10 + [1] * 10 + [2] * 4
        >>> released(y, seed=0)
        Split('released', seed=0, 14/5/5 of 24)
        >>> released(y, seed=0).missing(y)
        {'train': [], 'val': [2], 'test': [2]}
    """
    y = as_labels(y)
    # Two orders: in the first, what a quota leaves over stands at the end.
    order, again = shuffled(y, seed, times=2)
    N, C = len(order), int(y.max()) + 1
    quota = round(TRAIN * N / C)
    train = torch.cat([order[y[order] == c][:quota] for c in range(C)])
    left = again[~torch.isin(again, train)]
    val, test = left[: round(VAL * N)], left[round(VAL * N) :]
    return as_split(len(y), (train, val, test), "released", seed)


def stratified(y: Labels, *, seed: int, small: str = "error") -> Split:
    r"""Part each class on its own: 60/20/20, every class in every part.

    .. math:: \max(1, \operatorname{round}(0.2\,N_c))
       \text{ nodes of class } c \text{ validate, as many test}

    and the others train.

    Args:
        y: the class of each node; −1 for none (such nodes are in no part).
        seed: which of the random splits.
        small: what to do with a class of one or two nodes, which cannot be
            in three parts (Texas has one of a single node): "error", or
            "train" to put it into training, where `missing` shows it.

    Raises:
        SplitError: a class has fewer than three nodes.

    Examples:
        >>> y = [0] * 10 + [1] * 5 + [2]
        >>> stratified(y, seed=0, small="train").counts(y)
        tensor([[6, 3, 1],
                [2, 1, 0],
                [2, 1, 0]])
    """
    y = as_labels(y)
    if small not in ("error", "train"):
        raise SplitError(f'small={small!r}: pass "error" or "train".')
    (order,) = shuffled(y, seed, times=1)
    parts: list[list[Tensor]] = [[], [], []]
    for c in y[y >= 0].unique().tolist():
        nodes = order[y[order] == c]
        if len(nodes) < 3 and small == "error":
            raise SplitError(
                f"Class {c} has {len(nodes)} node(s), too few for three "
                'parts. Pass small="train" to train on them, or drop them.'
            )
        few = max(1, round(VAL * len(nodes))) if len(nodes) > 2 else 0
        sizes = [len(nodes) - 2 * few, few, few]
        for part, piece in zip(parts, nodes.split(sizes), strict=True):
            part.append(piece)
    return as_split(len(y), [torch.cat(p) for p in parts], "stratified", seed)


def folds(y: Labels, k: int = 10, *, seed: int) -> list[Split]:
    """Stratified k-fold, with an inner validation part for each fold.

    Fold i tests once; of the other k−1 folds' worth, one in k−1, again
    stratified, validates (stopping, selection) and the rest trains. At
    k=10 that is 80/10/10. The folds are scikit-learn's.

    Raises:
        SplitError: k < 3, a graph without a label, or a class with fewer
            than k members, which could not be in every fold.

    Examples:
        >>> folds([0] * 20 + [1] * 10, k=5, seed=0)[4]
        Split('fold 5 of 5', seed=0, 18/6/6 of 30)
    """
    from sklearn.model_selection import StratifiedKFold

    labels = as_labels(y).numpy()
    members = np.bincount(labels[labels >= 0])
    if k < 3 or labels.min() < 0 or members[members > 0].min() < k:
        raise SplitError(
            f"Cannot make {k} stratified folds with a validation part: k "
            "must be 3 or more, every graph needs a label, and every class "
            f"{k} members; yours have {members.tolist()}."
        )
    outer = StratifiedKFold(k, shuffle=True, random_state=seed)
    inner = StratifiedKFold(k - 1, shuffle=True, random_state=seed)
    made = []
    for i, (rest, test) in enumerate(outer.split(labels, labels)):
        train, val = next(inner.split(labels[rest], labels[rest]))
        parts = [torch.from_numpy(p) for p in (rest[train], rest[val], test)]
        made.append(as_split(len(labels), parts, f"fold {i + 1} of {k}", seed))
    return made


def held_out(y: Labels, k: int = 10, *, seed: int) -> list[Split]:
    """The same k folds with no part to test on: fold i validates.

    What the epoch is chosen by is then also what is reported, as in the
    paper's "maximum average validation accuracy across folds".

    Examples:
        >>> held_out([0] * 20 + [1] * 10, k=5, seed=0)[4]
        Split('fold 5 of 5', seed=0, 24/6/0 of 30)
    """
    return [
        Split(
            fold.train | fold.val,
            fold.test,
            torch.zeros_like(fold.test),
            fold.name,
            seed,
            tested=False,
        )
        for fold in folds(y, k, seed=seed)
    ]


def official(data: "Data", number: int = 0) -> Split:
    """A split that comes with the data: its `train_mask` and so on.

    Args:
        data: with masks (N,), or (N, S) as PyG keeps several splits.
        number: which of the S; it is the split's seed.

    Raises:
        SplitError: there are no masks, or not so many.
    """
    masks = [getattr(data, f"{part}_mask", None) for part in PARTS]
    if any(mask is None for mask in masks):
        raise SplitError(
            "This graph brings no train_mask, val_mask and test_mask. Use "
            "stratified(data.y, seed=0)."
        )
    tables = [mask.bool().reshape(len(mask), -1) for mask in masks]
    S = min(table.shape[1] for table in tables)
    if not 0 <= number < S:
        raise SplitError(f"There is no split {number}: pass 0 to {S - 1}.")
    train, val, test = (table[:, number] for table in tables)
    return Split(train, val, test, "official", number)


def shuffled(
    y: Int[Tensor, " N"], seed: int, times: int
) -> list[Int[Tensor, " n"]]:
    """The labelled nodes, in several random orders.

    Examples:
        >>> shuffled(torch.tensor([0, -1, 1, 0]), seed=0, times=1)
        [tensor([3, 2, 0])]
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    orders = rng.random((times, len(y))).argsort(axis=1, kind="stable")
    return [order[y[order] >= 0] for order in torch.from_numpy(orders)]
