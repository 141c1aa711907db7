"""A graph that you bring works where a name does, or is told why not."""

import math

import networkx as nx
import pytest
import torch
from graphs import edges_of, without_shape_checks
from torch_geometric.data import Data
from torch_geometric.utils import homophily as pyg_homophily

from grokbook import load_graph
from grokbook.datasets import as_graph, describe, homophily
from grokbook.errors import (
    EdgeShapeError,
    GraphNotice,
    LabelError,
    NodeIndexError,
    SignalError,
)

CLUB = edges_of(nx.karate_club_graph())


def club(**changed: object) -> Data:
    given = {"x": torch.eye(34), "edge_index": CLUB, "y": torch.arange(34) % 2}
    return Data(**(given | changed))


def test_a_clean_graph_comes_back_as_it_is() -> None:
    mine = club(train_mask=torch.ones(34, dtype=torch.bool))
    clean = as_graph(mine)
    assert torch.equal(clean.x, mine.x)
    assert torch.equal(clean.y, mine.y)
    assert torch.equal(clean.train_mask, mine.train_mask)
    assert set(map(tuple, clean.edge_index.T.tolist())) == set(
        map(tuple, CLUB.T.tolist())
    )


def test_a_name_is_as_good_as_a_graph() -> None:
    assert torch.equal(as_graph("cora").y, load_graph("cora").y)


def test_a_graph_is_cleaned_with_a_notice_and_yours_is_not_changed() -> None:
    loops = torch.tensor([[0, 1], [0, 1]])
    mine = club(
        x=torch.eye(34).double(), edge_index=torch.cat([CLUB, loops], dim=1)
    )
    with pytest.warns(GraphNotice, match=r"2 self-loop\(s\) dropped"):
        clean = as_graph(mine)
    assert clean.num_edges == CLUB.shape[1]
    assert mine.num_edges == CLUB.shape[1] + 2
    assert (clean.x.dtype, mine.x.dtype) == (torch.float32, torch.float64)


def test_a_graph_without_features_keeps_its_isolated_nodes() -> None:
    clean = as_graph(Data(edge_index=CLUB, num_nodes=40))
    assert clean.num_nodes == 40
    assert as_graph(Data(edge_index=CLUB)).num_nodes == 34


NAN = torch.eye(34)
NAN[3, 5] = torch.nan


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"edge_index": None}, EdgeShapeError, "cannot be read"),
        ({"edge_index": CLUB.T}, EdgeShapeError, "looks transposed"),
        ({"x": torch.eye(20)}, NodeIndexError, "names node 33"),
        ({"x": torch.ones(34)}, SignalError, r"shape \(34,\) on 34 nodes"),
        ({"x": NAN}, SignalError, r"x\[3, 5\] is nan"),
        ({"y": torch.zeros(33)}, LabelError, r"shape \(33,\) on 34 nodes"),
        ({"y": torch.full((34,), 0.5)}, LabelError, "Number the classes"),
        ({"y": torch.full((34,), -2)}, LabelError, "-1 for a node without"),
    ],
)
def test_a_graph_that_makes_no_sense_is_refused_by_name(
    changed: dict, error: type, says: str
) -> None:
    with without_shape_checks(), pytest.raises(error, match=says):
        as_graph(club(**changed))


def test_homophily_is_that_of_pyg() -> None:
    data = club()
    ours = homophily(data.edge_index, data.y)
    for method in ("edge", "node"):
        theirs = pyg_homophily(data.edge_index, data.y, method=method)
        value = getattr(ours, method)
        assert value == pytest.approx(theirs, abs=1e-6)  # theirs is float32


def test_adjusted_homophily_is_the_assortativity_of_networkx() -> None:
    data = club()
    G = nx.Graph(data.edge_index.T.tolist())
    nx.set_node_attributes(G, dict(enumerate(data.y.tolist())), "club")
    theirs = nx.attribute_assortativity_coefficient(G, "club")
    ours = homophily(data.edge_index, data.y).adjusted
    assert ours == pytest.approx(theirs, abs=1e-12)  # rounding


def test_loops_and_unlabelled_nodes_do_not_count_in_homophily() -> None:
    edges = torch.tensor([[0, 1, 1, 2, 0, 2], [1, 0, 2, 1, 0, 2]])
    assert homophily(edges, torch.tensor([0, 0, 1]))[:2] == (0.5, 0.5)
    *known, adjusted = homophily(edges, torch.tensor([0, 0, -1]))
    assert known == [1.0, 1.0]
    assert math.isnan(adjusted)  # one class alone: chance explains it all


def test_a_graph_without_classes_is_described_without_them() -> None:
    found = describe(Data(edge_index=CLUB, num_nodes=34))
    assert found == {"nodes": 34, "edges": 78, "features": 0}


def test_sparse_features_are_read() -> None:
    x = torch.eye(2)
    graph = Data(x=x.to_sparse(), edge_index=torch.tensor([[0, 1], [1, 0]]))
    assert torch.equal(as_graph(graph).x, x)
