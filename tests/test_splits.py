"""Splits: disjoint, covering, of the sizes their rules say, repeatable."""

import numpy as np
import pytest
import torch
from graphs import few
from hypothesis import assume, given
from hypothesis import strategies as st
from shared_files import geom_gcn
from torch import Tensor
from torch_geometric.data import Data

from grokbook import load_graph
from grokbook.errors import SplitError
from grokbook.split_masks import Split, stack
from grokbook.splits import folds, official, released, stratified

seeds = st.integers(0, 2**32 - 1)
RELEASED_7 = [[0, 3, 4, 6, 8, 9], [1, 2], [5, 7]]
STRATIFIED_7 = [[0, 3, 4, 6, 8, 9], [2, 7], [1, 5]]
# nodes in each class, from the raw files
TEXAS = [33, 1, 18, 101, 30]
CITESEER = [264, 590, 668, 701, 596, 508]
ACTOR = [853, 1337, 1630, 1815, 1965]


def labels(sizes: list[int]) -> Tensor:
    """Labels of classes of these sizes, in one fixed shuffled order."""
    y = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
    mixed = torch.randperm(len(y), generator=torch.Generator().manual_seed(1))
    return y[mixed]


def classes(least: int, most: int = 40) -> st.SearchStrategy[list[int]]:
    """Sizes of two to six classes."""
    sizes = st.integers(least, most)
    return st.lists(sizes, min_size=2, max_size=6)


def times_held(split: Split) -> Tensor:
    """In how many parts each node is."""
    return torch.stack(list(split)).sum(0)


def same(one: Split, other: Split) -> bool:
    """Whether two splits have the same parts."""
    return all(a.equal(b) for a, b in zip(one, other, strict=True))


@few
@given(classes(8), seeds)
def test_released_parts_each_node_once_by_its_quota(
    sizes: list[int], seed: int
) -> None:
    y, N = labels(sizes), sum(sizes)
    quota = round(0.6 * N / len(sizes))
    train = [min(quota, size) for size in sizes]
    assume(N - sum(train) > round(0.2 * N))
    split = released(y, seed=seed)
    assert (times_held(split) == 1).all()
    assert split.counts(y)[0].tolist() == train
    assert split.sizes()[1] == round(0.2 * N)


@few
@given(classes(3), seeds)
def test_stratified_has_every_class_in_every_part(
    sizes: list[int], seed: int
) -> None:
    y = labels(sizes)
    split = stratified(y, seed=seed)
    assert (times_held(split) == 1).all()
    assert split.missing(y) == {"train": [], "val": [], "test": []}
    for size, (train, val, test) in zip(
        sizes, split.counts(y).T.tolist(), strict=True
    ):
        assert val == test == max(1, round(0.2 * size))
        assert train == size - val - test


@few
@given(classes(6), st.integers(3, 6), seeds)
def test_folds_test_each_graph_once_and_hold_every_class(
    sizes: list[int], k: int, seed: int
) -> None:
    y = labels(sizes)
    made = folds(y, k, seed=seed)
    assert len(made) == k
    assert (sum(split.test.int() for split in made) == 1).all()
    for split in made:
        assert (times_held(split) == 1).all()
        assert (split.counts(y) > 0).all()
        # each class gives each fold its share, to the nearest whole
        share = torch.tensor(sizes) / k
        assert ((split.counts(y)[2] - share).abs() < 1).all()


@few
@given(classes(3), seeds)
def test_a_split_depends_on_its_seed_and_on_nothing_else(
    sizes: list[int], seed: int
) -> None:
    y = labels(sizes)
    for rule in (stratified, lambda y, seed: folds(y, 3, seed=seed)[0]):
        seed = seed % 2**32
        torch.manual_seed(1)
        np.random.seed(1)  # noqa: NPY002 - the global state is the point
        one = rule(y, seed=seed)
        torch.rand(3), np.random.rand(3)  # noqa: NPY002
        assert same(one, rule(y, seed=seed))


def test_splits_are_those_of_the_stored_results() -> None:
    # Fixed once: if these change, every stored score is of other splits.
    y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    split = released(y, seed=7)
    assert [m.nonzero().flatten().tolist() for m in split] == RELEASED_7
    split = stratified(y, seed=7)
    assert [m.nonzero().flatten().tolist() for m in split] == STRATIFIED_7


def test_other_seeds_give_other_splits() -> None:
    y = labels([50, 50])
    tests = {tuple(released(y, seed=s).test.tolist()) for s in range(10)}
    assert len(tests) == 10


def test_released_validation_and_test_have_the_same_mix_of_classes() -> None:
    # The largest class must not be kept for one of the two.
    y = labels([150, 450])
    counts = sum(released(y, seed=s).counts(y) for s in range(50))
    val, test = counts[1] / counts[1].sum(), counts[2] / counts[2].sum()
    # quota 180, so class 0 is used up, and only class 1 is left
    assert val.tolist() == test.tolist() == [0, 1]
    y = labels([200, 400])
    counts = sum(released(y, seed=s).counts(y) for s in range(50))
    # 20 of 240 left over are of class 0: 8.3%, deviation 0.3% over 50 seeds
    shares = counts[1:, 0] / counts[1:].sum(1)
    assert ((shares - 20 / 240).abs() < 0.015).all()


def test_every_node_is_tested_about_as_often() -> None:
    y = labels([60, 40])
    held = sum(stratified(y, seed=s).test.int() for s in range(400))
    # a fifth of 400 draws: 80, with a deviation of 8; 5 deviations
    assert held.min() > 40
    assert held.max() < 120


def test_released_rule_gives_the_shares_found_on_texas() -> None:
    y = labels(TEXAS)
    split = released(y, seed=0)
    assert split.sizes() == (85, 37, 61)
    for seed in range(10):
        missing = released(y, seed=seed).missing(y)
        assert missing["train"] == []
        assert missing["test"] == [1, 2]  # the two classes below the quota
        assert set(missing["val"]) >= {1, 2}


def test_released_rule_gives_cora_57_20_22_per_cent() -> None:
    y = load_graph("cora").y
    split = released(y, seed=0)
    shares = [round(100 * size / 2708, 1) for size in split.sizes()]
    assert shares == [57.5, 20.0, 22.5]
    small = (y.bincount() <= 232).nonzero().flatten().tolist()
    assert len(small) == 2
    assert split.missing(y) == {"train": [], "val": small, "test": small}


@pytest.mark.parametrize("sizes", [CITESEER, ACTOR], ids=["citeseer", "actor"])
def test_released_rule_never_evaluates_one_class(sizes: list[int]) -> None:
    split = released(labels(sizes), seed=0)
    assert len(split.missing(labels(sizes))["test"]) == 1


def test_texas_has_the_classes_that_these_tests_use() -> None:
    _, y = geom_gcn("WebKB/texas/raw")
    assert y.bincount().tolist() == TEXAS


def test_actor_has_the_classes_that_these_tests_use() -> None:
    _, y = geom_gcn("Actor/raw")
    assert y.bincount().tolist() == ACTOR


def test_a_class_of_one_node_is_refused_or_trains_as_asked() -> None:
    y = labels(TEXAS)
    with pytest.raises(SplitError, match=r"Class 1 has 1 node.*small="):
        stratified(y, seed=0)
    split = stratified(y, seed=0, small="train")
    assert split.missing(y) == {"train": [], "val": [1], "test": [1]}
    assert (times_held(split) == 1).all()
    assert split.sizes() == (109, 37, 37)


@pytest.mark.parametrize("rule", [released, stratified])
def test_nodes_without_a_label_are_in_no_part(rule) -> None:
    y = labels([20, 20])
    y[:7] = -1
    split = rule(y, seed=3)
    assert times_held(split)[:7].sum() == 0
    assert (times_held(split)[7:] == 1).all()


def test_official_takes_the_masks_that_come_with_the_data() -> None:
    split = stratified(labels([9, 9]), seed=0)
    other = stratified(labels([9, 9]), seed=1)
    one = Data(
        train_mask=split.train, val_mask=split.val, test_mask=split.test
    )
    assert same(official(one), split)
    train, val, test = (table.T for table in stack([split, other]))
    many = Data(train_mask=train, val_mask=val, test_mask=test)
    found = official(many, 1)
    assert same(found, other)
    assert (found.name, found.seed) == ("official", 1)
    with pytest.raises(SplitError, match="pass 0 to 1"):
        official(many, 2)
    with pytest.raises(SplitError, match="brings no train_mask"):
        official(Data(num_nodes=3))


def test_stacked_splits_have_a_row_for_each_split() -> None:
    y = labels([9, 9])
    splits = [stratified(y, seed=s) for s in range(4)]
    for name, table in zip(
        ("train", "val", "test"), stack(splits), strict=True
    ):
        assert table.shape == (4, 18)
        for row, split in zip(table, splits, strict=True):
            assert row.equal(getattr(split, name))
    with pytest.raises(SplitError, match="same graph"):
        stack([splits[0], stratified(labels([9, 8]), seed=0)])
    with pytest.raises(SplitError, match="one or more"):
        stack([])


def test_overlapping_uneven_or_empty_parts_are_refused() -> None:
    a, b = torch.tensor([True, False, True]), torch.tensor([False, True, True])
    c = torch.tensor([False, True, False])
    with pytest.raises(SplitError, match="Node 2 is in two parts"):
        Split(a, b & ~c, c, "mine", 0)
    with pytest.raises(SplitError, match=r"is empty \(sizes \(2, 1, 0\)\)"):
        Split(a, c, ~(a | c), "mine", 0)
    with pytest.raises(SplitError, match="is empty"):
        released([0, 1, 2, 3, 4], seed=0)


def test_labels_that_are_none_are_refused() -> None:
    for bad in ([[0, 1]], [0.5, 1.0], [-1, -1]):
        with pytest.raises(SplitError, match="one whole number per node"):
            released(bad, seed=0)
    with pytest.raises(SplitError, match="error"):
        stratified([0, 0, 0], seed=0, small="drop")


@pytest.mark.parametrize(
    ("y", "k"), [([0] * 9 + [1] * 4, 5), ([0] * 9, 2), ([0] * 9 + [-1], 3)]
)
def test_folds_that_would_miss_a_class_are_refused(y: list, k: int) -> None:
    with pytest.raises(SplitError, match=f"Cannot make {k} stratified folds"):
        folds(y, k, seed=0)
