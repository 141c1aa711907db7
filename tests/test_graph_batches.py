"""Padding is inert, and a batch is its graphs one by one."""

import networkx as nx
import pytest
import torch
from graphs import edges_of, renumbered, without_shape_checks
from torch import Tensor
from torch_geometric.data import Data

from grokbook import laplacian, spectrum
from grokbook.errors import SignalError
from grokbook.graph_batches import (
    InPieces,
    Packed,
    Padded,
    RandomBatches,
    Rows,
    like_sizes,
)
from grokbook.graph_features import bags, label_and_degree
from grokbook.models import GrokFormer
from grokbook.models.readout import READOUTS

# From one node to twenty, with several components and isolated nodes.
GRAPHS = [
    nx.path_graph(2), nx.star_graph(19), nx.empty_graph(1),
    nx.cycle_graph(7), nx.disjoint_union(nx.cycle_graph(4), nx.path_graph(1)),
    nx.complete_graph(5), nx.petersen_graph(),
]  # fmt: skip
DATA = [Data(edge_index=edges_of(G), num_nodes=len(G)) for G in GRAPHS]
SPECTRA = [spectrum(laplacian(d.edge_index, d.num_nodes)) for d in DATA]
X = label_and_degree(DATA)
F, C = X[0].shape[1], 3


def model_of(readout: str = "max", **more: object) -> InPieces:
    """Two copies in float64."""
    seeds = [torch.Generator().manual_seed(s) for s in range(2)]
    options = {"K": 2, "M": 3, "num_layers": 2, "heads": 2} | more
    model = GrokFormer(
        F, 8, C, attention="softmax", readout=readout, copies=2,
        generator=seeds, **options,
    )  # fmt: skip
    return InPieces(model).double()


def scores_and_gradients(
    model: InPieces, store: Padded, index: Tensor
) -> tuple[Tensor, list[Tensor]]:
    """Scores in the order of the index; the gradient of a weighted sum."""
    model.zero_grad()
    batch = store.take(index)
    scores = torch.empty(2, len(X), C, dtype=torch.float64)
    scores[:, batch.index] = model(batch.x, batch.graph)
    weight = torch.arange(scores[:, index].numel(), dtype=torch.float64)
    (scores[:, index].flatten() * weight.cos()).sum().backward()
    return scores[:, index].detach(), [p.grad for p in model.parameters()]


def padded(**options: float) -> Padded:
    """The graphs with eigenvectors in float64."""
    return Padded(X, SPECTRA, dtype=torch.float64, **options)


@pytest.mark.parametrize("readout", READOUTS)
def test_padding_changes_neither_scores_nor_gradients(readout: str) -> None:
    model, index = model_of(readout), torch.arange(len(X))
    tight = scores_and_gradients(model, padded(ratio=1.0), index)
    for ratio in (1.5, float("inf")):
        loose = scores_and_gradients(model, padded(ratio=ratio), index)
        # The same sums in another order, in float64.
        torch.testing.assert_close(loose, tight, atol=1e-9, rtol=1e-9)


def test_what_stands_in_the_padding_is_never_seen() -> None:
    model, index = model_of(), torch.arange(len(X))
    store = padded(ratio=float("inf"))
    clean = scores_and_gradients(model, store, index)
    for x, graph in zip(store._x, store._graphs, strict=True):
        x[~graph.mask] = 1e3
    torch.testing.assert_close(
        scores_and_gradients(model, store, index), clean
    )


@pytest.mark.parametrize("readout", READOUTS)
def test_a_batch_is_its_graphs_one_by_one(readout: str) -> None:
    model, store = model_of(readout), padded(ratio=float("inf"))
    index = torch.tensor([3, 0, 6, 2])
    together, _ = scores_and_gradients(model, store, index)
    for place, i in enumerate(index.tolist()):
        alone = model.model(X[i].double(), SPECTRA[i])
        torch.testing.assert_close(
            together[:, place], alone, atol=1e-9, rtol=1e-9
        )


def test_new_numbers_for_the_nodes_change_nothing() -> None:
    import random

    model, index = model_of(), torch.arange(len(X))
    before, _ = scores_and_gradients(model, padded(), index)
    moved, spectra = [], []
    for data, x in zip(DATA, X, strict=True):
        to, rows = renumbered(x, random.Random(5))
        moved.append(rows)
        edges = to[data.edge_index]
        spectra.append(spectrum(laplacian(edges, data.num_nodes)))
    batch = Padded(moved, spectra, dtype=torch.float64).take(index)
    after = torch.empty_like(before)
    after[:, batch.index] = model(batch.x, batch.graph)
    torch.testing.assert_close(after, before, atol=1e-9, rtol=1e-9)


def test_pieces_hold_graphs_of_like_size() -> None:
    sizes = [S.num_nodes for S in SPECTRA]
    pieces = like_sizes(sizes)
    assert sorted(i for piece in pieces for i in piece) == list(range(7))
    for piece in pieces:
        held = [sizes[i] for i in piece]
        assert held == sorted(held)
        assert max(held) <= 1.5 * min(held)
    assert len(like_sizes(sizes, float("inf"))) == 1


def test_batches_go_through_all_graphs_each_time_in_another_order() -> None:
    seed = torch.Generator().manual_seed(0)
    batches = RandomBatches(padded(), 3, seed)
    rounds = [[batch.index.tolist() for batch in batches] for _ in range(2)]
    for parts in rounds:
        assert [len(part) for part in parts] == [3, 3, 1]
        assert sorted(i for part in parts for i in part) == list(range(7))
    assert rounds[0] != rounds[1]
    again = RandomBatches(padded(), 3, torch.Generator().manual_seed(0))
    assert [batch.index.tolist() for batch in again] == rounds[0]


def test_asking_for_some_graphs_leaves_the_rest_of_chance_alone() -> None:
    whole, some = (
        RandomBatches(Rows(bags(X)), 3, torch.Generator().manual_seed(0))
        for _ in range(2)
    )
    units = torch.tensor([True, False, True, True, False, True, True])
    order = torch.cat([batch.index for batch in whole])
    parts = [batch.index for batch in some.among(units)]
    assert [len(part) for part in parts] == [3, 2]
    assert torch.equal(torch.cat(parts), order[units[order]])
    for next_whole, next_some in zip(whole, some, strict=True):
        assert torch.equal(next_whole.index, next_some.index)
    assert not list(some.among(torch.zeros(7, dtype=torch.bool)))


def test_every_store_gives_the_rows_of_the_index() -> None:
    index = torch.tensor([4, 1])
    batch = padded().take(index)
    for x, graph, i in zip(
        batch.x, batch.graph, batch.index.tolist(), strict=True
    ):
        assert torch.equal(x[0][graph.mask[0]], X[i])
    batch = Packed(X, DATA).take(index)
    assert torch.equal(batch.x, torch.cat([X[4], X[1]]))
    edges, owner = batch.graph
    assert owner.bincount().tolist() == [5, 20]
    assert torch.equal(edges[:, owner[edges[0]] == 1] - 5, DATA[1].edge_index)
    assert torch.equal(Rows(bags(X)).take(index).x, bags(X)[index])


def test_features_are_label_and_degree() -> None:
    labelled = Data(
        edge_index=edges_of(nx.path_graph(3)), x=torch.eye(3, 2), num_nodes=3
    )
    (x,) = label_and_degree([labelled])
    wanted = [[1, 0, 0, 1, 0], [0, 1, 0, 0, 1], [0, 0, 0, 1, 0]]
    assert x.tolist() == wanted


def test_features_of_other_graphs_are_refused() -> None:
    with without_shape_checks(), pytest.raises(SignalError, match="one row"):
        Padded(X[1:], SPECTRA[:-1])
