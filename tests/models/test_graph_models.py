"""Models of whole graphs: one by one as in a batch, each copy alone."""

import networkx as nx
import pytest
import torch
from graphs import edges_of, renumbered
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.nn import GCN, GIN, global_add_pool
from torch_geometric.nn.aggr import SortAggregation

from grokbook import laplacian, spectrum
from grokbook.batch_operator import BatchOperator
from grokbook.copies import Copied
from grokbook.errors import LayerError, UnknownNameError
from grokbook.experiments.graph import stored
from grokbook.graph_features import label_and_degree
from grokbook.models import graph_registry
from grokbook.models.dgcnn import first_nodes
from grokbook.models.neighbours import Neighbours
from grokbook.models.pooled import Pooled
from grokbook.models.separate import Separate, drawing_from

GRAPHS = [nx.path_graph(3), nx.star_graph(9), nx.cycle_graph(7)]
DATA = [Data(edge_index=edges_of(G), num_nodes=len(G)) for G in GRAPHS]
MODELS = list(graph_registry.GRAPH_MODELS)
SMALL = {"hidden_channels": 8, "batch_size": 3}


def seeds(*numbers: int) -> list[torch.Generator]:
    return [torch.Generator().manual_seed(number) for number in numbers]


def model_of(name: str, *numbers: int) -> Copied:
    options = graph_registry.complete(name, SMALL)
    F = label_and_degree(DATA)[0].shape[1]
    return graph_registry.build(name, (F, 3), options, seeds(*numbers)).eval()


def scores_of(
    model: Copied, name: str, data: list[Data], index: list[int]
) -> Tensor:
    """The scores of these graphs, in this order."""
    form = graph_registry.find(name).form
    batch = stored(form, label_and_degree(data), data).take(
        torch.tensor(index)
    )
    found = model(batch.x, batch.graph)
    order = [batch.index.tolist().index(i) for i in index]
    return found[:, order]


@pytest.fixture(autouse=True)
def _no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spectra are computed, not stored."""
    monkeypatch.setattr(
        "grokbook.experiments.graph.cached_spectra",
        lambda graphs: [
            spectrum(laplacian(g.edge_index, g.num_nodes)) for g in graphs
        ],
    )


@pytest.mark.parametrize("name", MODELS)
def test_a_batch_is_its_graphs_one_by_one(name: str) -> None:
    model = model_of(name, 0, 1)
    together = scores_of(model, name, DATA, [2, 0, 1])
    assert together.shape == (2, 3, 3)
    for place, i in enumerate([2, 0, 1]):
        alone = scores_of(model, name, DATA, [i])
        # float32, and products of matrices of other shapes
        torch.testing.assert_close(
            together[:, place], alone[:, 0], atol=1e-5, rtol=1e-4
        )


@pytest.mark.parametrize("name", MODELS)
def test_new_numbers_for_the_nodes_change_nothing(name: str) -> None:
    import random

    moved = []
    for data in DATA:
        to, _ = renumbered(torch.empty(data.num_nodes), random.Random(1))
        moved.append(
            Data(edge_index=to[data.edge_index], num_nodes=data.num_nodes)
        )
    model = model_of(name, 0)
    before, after = (
        scores_of(model, name, data, [0, 1, 2]) for data in (DATA, moved)
    )
    torch.testing.assert_close(after, before, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", MODELS)
def test_a_copy_among_others_is_the_one_made_alone(name: str) -> None:
    both = scores_of(model_of(name, 4, 5), name, DATA, [0, 1, 2])
    alone = scores_of(model_of(name, 5), name, DATA, [0, 1, 2])
    torch.testing.assert_close(both[1], alone[0], atol=1e-5, rtol=1e-4)
    assert not torch.allclose(both[0], both[1])


@pytest.mark.parametrize("name", MODELS)
def test_copies_leave_and_the_others_go_on(name: str) -> None:
    model = model_of(name, 0, 1, 2)
    optimizer = torch.optim.Adam(model.groups(), lr=0.01)
    scores_of(model, name, DATA, [0, 1, 2]).square().sum().backward()
    optimizer.step()
    # Nothing that was computed may still wait for a gradient.
    before = scores_of(model, name, DATA, [0, 1, 2]).detach()
    model.keep([0, 2], optimizer)
    assert model.copies == 2
    after = scores_of(model, name, DATA, [0, 1, 2])
    torch.testing.assert_close(after, before[[0, 2]], atol=1e-5, rtol=1e-4)
    optimizer.zero_grad()
    after.square().sum().backward()
    optimizer.step()
    assert not torch.allclose(scores_of(model, name, DATA, [0, 1, 2]), after)


@pytest.mark.parametrize("name", MODELS)
def test_only_what_knows_edges_sees_them(name: str) -> None:
    # A ring of six and two rings of three: equal labels, equal degrees.
    one, two = (
        nx.cycle_graph(6),
        nx.disjoint_union_all([nx.cycle_graph(3)] * 2),
    )
    data = [Data(edge_index=edges_of(G), num_nodes=6) for G in (one, two)]
    options = graph_registry.complete(name, SMALL)
    F = label_and_degree(data)[0].shape[1]
    model = graph_registry.build(name, (F, 3), options, seeds(0)).eval()
    first, second = scores_of(model, name, data, [0, 1])[0]
    # All nodes have equal features: even with their spectrum at hand a
    # filter sees the mean alone. Specformer's looks at all eigenvalues.
    differ = name == "specformer"
    assert torch.allclose(first, second, atol=1e-5) != differ


def test_dropout_of_a_network_is_drawn_from_its_own_generator() -> None:
    model = Separate(lambda: _Drop(), generator=seeds(0, 1))
    state = torch.get_rng_state()
    x = torch.ones(50, 1)
    first = model(x, None, generator=seeds(7, 8))
    again = model(x, None, generator=seeds(9, 8))
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(first[1], again[1])
    assert not torch.equal(first[0], again[0])
    with pytest.raises(LayerError, match="2 copies"):
        model(x, None, generator=seeds(1))


class _Drop(nn.Module):
    """Dropout alone."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.rand(1))

    def forward(self, x: Tensor, graph: object) -> Tensor:
        return nn.functional.dropout(self.scale * x)


def test_a_generator_goes_on_where_it_was() -> None:
    (seed,) = seeds(3)
    with drawing_from(seed):
        first = torch.rand(2)
    with drawing_from(seed):
        second = torch.rand(2)
    torch.testing.assert_close(
        torch.cat([first, second]), torch.rand(4, generator=seeds(3)[0])
    )


def test_unknown_models_are_refused_with_the_list() -> None:
    with pytest.raises(UnknownNameError, match="grokformer, gcn, gin"):
        graph_registry.find("oracle")


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, entry in graph_registry.GRAPH_MODELS.items()
        # PyG asks for the number of graphs, which a meta tensor cannot tell.
        if entry.form != "packed"
    ],
)
def test_models_run_on_the_meta_device(name: str) -> None:
    model = model_of(name, 0, 1).to("meta")
    F = label_and_degree(DATA)[0].shape[1]
    spectra = [spectrum(laplacian(g.edge_index, g.num_nodes)) for g in DATA]
    if graph_registry.find(name).form == "padded":
        graph = BatchOperator(spectra, device="meta")
        x = torch.empty(3, 10, F, device="meta")
        model = model.model  # no pieces: sizes are those of the batch
    else:
        graph, x = None, torch.empty(3, F, device="meta")
    scores = model(x, graph)
    assert scores.is_meta
    assert scores.shape == (2, 3, 3)


PACKED = stored("packed", label_and_degree(DATA), DATA)
PYGS = {"gcn": GCN, "gin": GIN}


@pytest.mark.parametrize("kind", PYGS)
def test_pooled_layers_are_pygs(kind: str) -> None:
    batch = PACKED.take(torch.arange(3))
    (edges, owner), F = batch.graph, batch.x.shape[1]
    (seed,) = seeds(0)
    ours = Pooled(F, 8, 3, kind=kind, num_layers=3, generator=seed)
    theirs = PYGS[kind](
        F, 8, 3, 8, norm="layer_norm", norm_kwargs={"mode": "node"}, jk="cat"
    )
    for layer, map in zip(theirs.convs, ours.maps, strict=True):
        if kind == "gcn":
            put(layer.lin, map, layer.bias)
        else:
            first, _, _, second = map
            put(layer.nn.lins[0], first)
            put(layer.nn.lins[1], second)
    put(theirs.lin, ours.join)
    with torch.no_grad():
        rows = global_add_pool(theirs(batch.x, edges), owner)
        wanted = rows @ ours.leave.weight[0] + ours.leave.bias[0]
        found = ours(batch.x, batch.graph)
    # float32, sums in another order
    torch.testing.assert_close(found, wanted, atol=1e-5, rtol=1e-4)


def put(
    theirs: nn.Module, ours: nn.Module, bias: Tensor | None = None
) -> None:
    """Give a layer of PyG's our weights."""
    theirs.weight.data = ours.weight.data[0].T
    (theirs.bias if bias is None else bias).data = ours.bias.data[0]


@pytest.mark.parametrize("k", [2, 5, 40])
def test_sort_pooling_is_pygs(k: int) -> None:
    owner = PACKED.take(torch.tensor([1, 0, 2])).graph[1]
    Z = torch.randn(2, len(owner), 4, generator=seeds(0)[0])
    found = first_nodes(Z, owner, k)
    for ours, z in zip(found, Z, strict=True):
        wanted = SortAggregation(k)(z, owner)
        torch.testing.assert_close(ours.flatten(1), wanted)


def test_gradients_flow_along_directed_neighbours() -> None:
    # Not symmetric, and node 3 looks at nobody.
    A = torch.tensor(
        [[0.0, 2, 0, 1], [1, 0, 0, 0], [3, 1, 0, 0], [0, 0, 0, 0]]
    ).double()
    graph = Neighbours(A.to_sparse(), "cpu")
    X = torch.randn(2, 4, 3, dtype=torch.float64, requires_grad=True)
    w = torch.randn(2, 5, dtype=torch.float64, requires_grad=True)
    torch.testing.assert_close(graph.mix(X, graph.value[None]), A @ X)
    assert torch.autograd.gradcheck(graph.mix, (X, w))


def test_weights_of_directed_neighbours_sum_to_one() -> None:
    # Scores so far apart that exp alone would overflow.
    A = torch.tensor([[0.0, 1, 0], [1, 1, 1], [0, 0, 0]]).to_sparse()
    graph = Neighbours(A, "cpu")
    u = torch.tensor([[3.0], [-900.0], [0.0]]).double().requires_grad_()
    v = torch.tensor([[1.0], [800.0], [950.0]]).double().requires_grad_()
    w = graph.softmax(u, v)
    # of node 1: LeakyReLU gives −179.8, −20 and 50
    wanted = torch.tensor([-179.8, -20, 50]).double().softmax(0)
    torch.testing.assert_close(w[:, 0], torch.cat([w.new_ones(1), wanted]))
    u, v = (torch.randn(3, 2).double().requires_grad_() for _ in range(2))
    assert torch.autograd.gradcheck(graph.softmax, (u, v))
