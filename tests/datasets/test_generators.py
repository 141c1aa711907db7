"""Generated graphs: the same for a seed, and what they say they are."""

import networkx as nx
import pytest
import torch
from torch_geometric.data import Data

from grokbook import load_graph, load_graphs
from grokbook.datasets import (
    circular_skip_links,
    contextual_sbm,
    describe,
    homophily,
    minesweeper,
)
from grokbook.errors import GeneratorError


@pytest.mark.parametrize("h", [0.0, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("classes", [2, 5])
def test_the_dial_sets_the_homophily_exactly(h: float, classes: int) -> None:
    data = contextual_sbm(200, homophily=h, classes=classes, degree=8)
    E = data.num_edges // 2
    assert E == 800
    assert describe(data)["edges"] == 800  # each pair once, no loop
    # h is met up to rounding the number of edges to a whole one
    assert homophily(data.edge_index, data.y).edge == pytest.approx(
        h, abs=0.5 / E
    )
    assert data.y.bincount().tolist() == [200 // classes] * classes


def test_the_signal_is_the_distance_of_the_class_means() -> None:
    data = contextual_sbm(4000, signal=3.0, features=8, seed=1)
    means = torch.stack([data.x[data.y == c].mean(0) for c in (0, 1)])
    # a mean of 2,000 standard normals has deviation 0.02 a coordinate
    assert means.norm(dim=1).tolist() == pytest.approx([3.0, 3.0], abs=0.1)


def same(one: Data, other: Data) -> bool:
    return torch.equal(one.edge_index, other.edge_index) and torch.equal(
        one.x, other.x
    )


@pytest.mark.parametrize("make", [contextual_sbm, minesweeper])
def test_a_seed_gives_the_same_graph_and_another_seed_another(make) -> None:
    state = torch.random.get_rng_state()
    assert same(make(seed=3), make(seed=3))
    assert not same(make(seed=3), make(seed=4))
    assert torch.equal(torch.random.get_rng_state(), state)


def test_sbm_with_a_hundred_thousand_nodes_needs_no_square_of_them() -> None:
    data = contextual_sbm(100_000, degree=6, features=1)
    assert data.num_edges == 600_000


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"homophily": 1.5}, "homophily=1.5 must be between"),
        ({"classes": 1}, "classes=1"),
        ({"N": 20, "degree": 15.0, "homophily": 1.0}, "more than half"),
    ],
)
def test_graphs_that_cannot_be_are_refused(options: dict, says: str) -> None:
    with pytest.raises(GeneratorError, match=says):
        contextual_sbm(**options)


def test_a_minefield_counts_its_mines_like_the_official_one() -> None:
    data = minesweeper(30, 20, seed=2)
    grid = nx.strong_product(nx.path_graph(30), nx.path_graph(20))
    assert data.num_edges == 2 * grid.number_of_edges()
    assert int(data.y.sum()) == 120
    hidden = data.x[:, 0] == 1
    assert int(hidden.sum()) == 300
    mine = data.y.reshape(30, 20)
    for i, j in ((0, 0), (29, 19), (5, 7), (15, 0)):
        around = mine[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2].sum()
        count = min(int(around - mine[i, j]), 5)
        if not hidden[i * 20 + j]:
            assert data.x[i * 20 + j].argmax() == 1 + count
    assert not hidden[[0, 599, 107, 300]].all()
    assert minesweeper().num_edges == 2 * 39_402  # the official number


def test_skip_links_are_four_regular_and_of_ten_kinds() -> None:
    graphs = circular_skip_links(copies=2)
    assert len(graphs) == 20
    kinds = set()
    for graph in graphs:
        assert graph.edge_index[0].bincount().tolist() == [4] * 41
        G = nx.Graph(graph.edge_index.T.tolist())
        path = nx.single_source_shortest_path_length(G, 0)
        kinds.add((int(graph.y), tuple(sorted(path.values()))))
    assert len(kinds) == 10  # copies look alike from any node
    assert not torch.equal(graphs[0].edge_index, graphs[1].edge_index)
    with pytest.raises(GeneratorError, match="N=33 or more"):
        circular_skip_links(20)


def test_generated_graphs_have_names_and_options() -> None:
    assert same(load_graph("csbm", seed=5), contextual_sbm(seed=5))
    assert load_graph("minesweeper-made", height=5, width=4).num_nodes == 20
    assert load_graph("photograph", size=4).num_nodes == 16
    assert len(load_graphs("csl", copies=1)) == 10
    with pytest.raises(TypeError, match="'cora' is read, not generated"):
        load_graph("cora", seed=1)
