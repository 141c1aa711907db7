"""Baselines without a model: what a constant and duplicates score."""

import networkx as nx
import pytest
import torch
from graphs import edge_lists, edges_of, few
from hypothesis import given
from shared_files import geom_gcn
from torch import Tensor
from torch_geometric.data import Data

from grokbook.baselines import majority, twin_groups, twin_lookup, vote
from grokbook.errors import GraphNotice, SplitError
from grokbook.laplacian import clean_edges
from grokbook.split_masks import Split
from grokbook.splits import released, stratified

SEEDS = range(10)


def mask(N: int, *nodes: int) -> Tensor:
    """True at these nodes."""
    return torch.isin(torch.arange(N), torch.tensor(nodes))


def accuracy(answer: Tensor, y: Tensor, part: Tensor) -> float:
    """The share of right answers in a part."""
    return float((answer == y)[part].double().mean())


def test_majority_counts_what_a_model_may_see_and_no_test_label() -> None:
    y = torch.tensor([0, 1, 1, 0, 0, 2, 2, 2, 2, 2])
    split = Split(mask(10, 0, 1), mask(10, 2), mask(10, 5, 6, 7), "mine", 0)
    assert majority(y, split).tolist() == [1] * 10
    y[2] = 0
    assert majority(y, split).tolist() == [0] * 10
    y[0] = -1
    with pytest.raises(SplitError, match="has no label"):
        majority(y, split)


@few
@given(edge_lists())
def test_twins_are_the_nodes_with_equal_rows_of_the_adjacency(
    graph: tuple[Tensor, int, Tensor],
) -> None:
    edges, N, _ = graph
    A = torch.zeros(N, N, dtype=torch.bool)
    A[edges[0], edges[1]] = True
    same = (A[:, None] == A[None]).all(-1) & A.any(1)
    same |= torch.eye(N, dtype=torch.bool)
    group = twin_groups(edges, N)
    assert torch.equal(group[:, None] == group[None], same)


def test_directed_twins_lead_to_the_same_nodes() -> None:
    # 0 and 1 lead to 2; 3 leads to 2 and 4; 2 and 4 lead nowhere
    edges = torch.tensor([[0, 1, 3, 3, 0], [2, 2, 4, 2, 2]])
    assert twin_groups(edges, directed=True).tolist() == [0, 0, 2, 3, 4]
    data = Data(edge_index=edges, num_nodes=6)
    assert twin_groups(data, directed=True).tolist() == [0, 0, 2, 3, 4, 5]
    with pytest.warns(GraphNotice):
        assert twin_groups(data).tolist() == [0, 0, 2, 3, 4, 5]


def test_twins_vote_and_who_has_none_gets_the_class_of_such_nodes() -> None:
    # two stars: leaves 1 to 5 around 0, leaves 7 to 9 around 6, joined
    G = nx.Graph([(0, i) for i in range(1, 6)] + [(6, i) for i in (7, 8, 9)])
    G.add_edges_from([(0, 6), (10, 11)])
    edges = edges_of(G)
    y = torch.tensor([3, 1, 1, 0, 1, 1, 3, 2, 2, 2, 3, 1])
    train = mask(12, 0, 1, 2, 3, 7, 6)
    split = Split(train, mask(12, 4), mask(12, 5, 8, 9, 10, 11), "mine", 0)
    answer = twin_lookup(edges, y, split)
    assert answer[[4, 5]].tolist() == [1, 1]  # two of three say 1
    assert answer[[8, 9]].tolist() == [2, 2]  # their one twin says 2
    # alone in training are 0, 6 (class 3) and 7 (class 2)
    assert answer[[10, 11]].tolist() == [3, 3]


def test_lookup_never_reads_a_label_outside_training() -> None:
    edges, _, N = clean_edges(edges_of(nx.complete_bipartite_graph(6, 8)))
    y = torch.arange(N) % 3
    split = stratified(y, seed=0)
    before = twin_lookup(edges, y, split)
    hidden = y.clone()
    hidden[~split.train] = 2 - hidden[~split.train]
    assert torch.equal(twin_lookup(edges, hidden, split), before)


def test_a_constant_scores_80_per_cent_on_texas_as_released() -> None:
    _, y = geom_gcn("WebKB/texas/raw")
    scores = [
        accuracy(majority(y, split), y, split.test)
        for split in (released(y, seed=s) for s in SEEDS)
    ]
    # of the 98 nodes that do not train, 101 − 22 = 79 are of one class,
    # 80.6%; a mean over ten splits has a deviation of one point
    assert sum(scores) / 10 == pytest.approx(79 / 98, abs=0.03)
    fair = stratified(y, seed=0, small="train")
    assert accuracy(majority(y, fair), y, fair.test) == pytest.approx(20 / 37)


@pytest.mark.parametrize(
    ("name", "twins", "score", "beside"),
    [("chameleon", 0.571, 0.640, 0.774), ("squirrel", 0.496, 0.598, 0.815)],
)
def test_duplicates_give_wikipedia_away(
    name: str, twins: float, score: float, beside: float
) -> None:
    directed, y = geom_gcn(f"WikipediaNetwork/{name}/geom_gcn/raw")
    with pytest.warns(GraphNotice):
        edges, _, N = clean_edges(directed)
    group, ahead = twin_groups(edges, N), twin_groups(directed, directed=True)
    has_twin = group.bincount(minlength=N)[group] > 1
    assert float(has_twin.double().mean()) == pytest.approx(twins, abs=5e-4)
    scores, agree, out = [], [], []
    for seed in SEEDS:
        split = released(y, seed=seed)
        answer = vote(group, y, split)
        known = split.test & torch.isin(group, group[split.train])
        scores.append(accuracy(answer, y, split.test))
        agree.append(accuracy(answer, y, known))
        out.append(accuracy(vote(ahead, y, split), y, split.test))
    # ten splits with seeds: repeatable, so only rounding is allowed for
    assert sum(scores) / 10 == pytest.approx(score, abs=5e-4)
    assert sum(agree) / 10 > 0.99
    assert sum(out) / 10 == pytest.approx(beside, abs=5e-4)


def test_twins_without_a_label_do_not_vote() -> None:
    y = torch.tensor([0, 0, 0, 1, 1, 1])
    split = stratified(y, seed=0)
    y[split.train.nonzero()[0]] = -1  # would count for the last class
    with pytest.raises(SplitError, match="no label"):
        vote(torch.zeros(6, dtype=torch.int64), y, split)
