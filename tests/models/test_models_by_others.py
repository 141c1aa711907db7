"""The models by others compute the equations of their papers."""

import networkx as nx
import pytest
import torch
from graphs import edges_of, few, renumbered, signals
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch_geometric.nn import ChebConv, GATConv, GCNConv

from grokbook import laplacian, spectrum
from grokbook.errors import FilterError, LayerError, SignalError
from grokbook.features import SparseFeatures
from grokbook.filters import Polynomial
from grokbook.looped import looped_laplacian
from grokbook.models import registry
from grokbook.models.baseline import Baseline
from grokbook.models.bernnet import BernNet
from grokbook.models.chebynet import ChebyNet
from grokbook.models.gat import GAT
from grokbook.models.gcn import GCN
from grokbook.models.gprgnn import GPRGNN
from grokbook.models.graphgps import GraphGPS
from grokbook.models.jacobiconv import JacobiConv
from grokbook.models.polyformer import PolyFormer
from grokbook.models.sgformer import SGFormer
from grokbook.models.transformer import Transformer
from grokbook.splits import stratified
from grokbook.train import Batch, train

DECOUPLED = [GPRGNN, BernNet, JacobiConv]
FILTERING = [GCN, ChebyNet, *DECOUPLED, SGFormer, GraphGPS, PolyFormer]
BASELINES = [*FILTERING, GAT, Transformer]
CLUB = nx.karate_club_graph()
CLUB.add_node(34)  # an isolated node
EDGES, N = edges_of(CLUB), 35


def matrix(kind: type[Baseline], edges: Tensor = EDGES) -> Tensor:
    """The Laplacian that a model takes."""
    return (looped_laplacian if kind.loops else laplacian)(edges, N)


def made(kind: type[Baseline], copies: int | None = None) -> Baseline:
    """A model in float64 whose every parameter matters."""
    seeds = [torch.Generator().manual_seed(s) for s in range(copies or 1)]
    model = kind(6, 8, 3, copies=copies, generator=seeds).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            generator = torch.Generator().manual_seed(parameter.numel())
            noise = torch.randn(parameter.shape, generator=generator)
            parameter.add_(0.1 * noise)
    return model


@pytest.mark.parametrize("kind", BASELINES)
@given(random=st.randoms(use_true_random=False))
@few
def test_scores_move_with_the_nodes(kind: type[Baseline], random) -> None:
    model, x = made(kind), signals(N, 6)
    to, moved = renumbered(x, random)
    scores = model(x, matrix(kind))
    again = model(moved, matrix(kind, to[EDGES]))
    torch.testing.assert_close(again[to], scores)


@pytest.mark.parametrize("kind", FILTERING)
def test_with_eigenvectors_or_without_scores_are_the_same(
    kind: type[Baseline],
) -> None:
    model, x, L = made(kind), signals(N, 6), matrix(kind)
    torch.testing.assert_close(model(x, spectrum(L)), model(x, L))


@pytest.mark.parametrize("kind", BASELINES)
def test_sparse_and_dense_features_score_alike(kind: type[Baseline]) -> None:
    model, x, L = made(kind, copies=2), signals(N, 6).relu(), matrix(kind)
    torch.testing.assert_close(model(SparseFeatures(x), L), model(x, L))


@pytest.mark.parametrize("kind", BASELINES)
def test_copies_trained_together_are_those_trained_alone(
    kind: type[Baseline],
) -> None:
    L, x = matrix(kind), signals(N, 6).float()
    y = torch.arange(N) % 3
    parts = [stratified(y, seed=s) for s in range(2)]

    def trained(splits: list[int]) -> Tensor:
        seeds = [torch.Generator().manual_seed(s) for s in splits]
        model = kind(6, 8, 3, dropout=0.5, copies=len(splits), generator=seeds)
        batch = Batch(x, model.prepare(L), torch.arange(N))
        return train(
            model,
            [batch],
            y,
            [parts[s] for s in splits],
            epochs=5,
            generator=seeds,
        ).curves["val_loss"]

    together = trained([0, 1])
    for s in range(2):
        # float32, five steps
        torch.testing.assert_close(
            together[:, s], trained([s])[:, 0], rtol=1e-5, atol=1e-5
        )


@pytest.mark.parametrize("kind", BASELINES)
def test_models_run_on_the_meta_device(kind: type[Baseline]) -> None:
    model = kind(6, 8, 3).to("meta")
    scores = model(torch.empty(N, 6, device="meta"), matrix(kind))
    assert scores.is_meta
    assert scores.shape == (N, 3)


@pytest.mark.parametrize("kind", BASELINES)
def test_dropout_works_in_training_only(kind: type[Baseline]) -> None:
    seed = torch.Generator().manual_seed(0)
    model = kind(6, 8, 3, dropout=0.5, generator=seed)
    x, L = signals(N, 6).float(), matrix(kind)
    assert not torch.equal(model(x, L, generator=seed), model.eval()(x, L))
    assert torch.equal(model(x, L), model(x, L))


def test_gcn_is_two_of_pygs_layers() -> None:
    model, x = made(GCN), signals(N, 6)
    first, second = GCNConv(6, 8).double(), GCNConv(8, 3).double()
    for ours, bias, theirs in zip(
        model.layers, model.biases, (first, second), strict=True
    ):
        theirs.lin.weight.data = ours.weight.data[0].T
        theirs.bias.data = bias.data[0]
    wanted = second(first(x, EDGES).relu(), EDGES)
    torch.testing.assert_close(model(x, matrix(GCN)), wanted)


def test_chebynet_is_two_of_pygs_layers() -> None:
    """But for the isolated node, where PyG's L is 1 and ours 0."""
    model, x = made(ChebyNet), signals(N, 6)
    layers = ChebConv(6, 8, 3).double(), ChebConv(8, 3, 3).double()
    for ours, bias, theirs in zip(
        (model.first, model.second), model.biases, layers, strict=True
    ):
        for k, part in enumerate(ours.weight.data[0].chunk(3, dim=1)):
            theirs.lins[k].weight.data = part.T
        theirs.bias.data = bias.data[0]
    largest = torch.tensor(2.0)
    hidden = layers[0](x, EDGES, lambda_max=largest).relu()
    wanted = layers[1](hidden, EDGES, lambda_max=largest)
    L = laplacian(EDGES, N, isolated=1.0)
    torch.testing.assert_close(model(x, L)[:34], wanted[:34])


def test_gat_is_two_of_pygs_layers() -> None:
    model, x = made(GAT), signals(N, 6)
    layers = GATConv(6, 1, heads=8).double(), GATConv(8, 3).double()
    for theirs, ours, ask, bias in zip(
        layers,
        (model.first, model.second),
        (model.ask, model.ask_2),
        (model.bias, model.bias_2),
        strict=True,
    ):
        theirs.lin.weight.data = ours.weight.data[0].T
        theirs.att_dst.data, theirs.att_src.data = ask.data[0, :, None]
        theirs.bias.data = bias.data[0]
    hidden = torch.nn.functional.elu(layers[0](x, EDGES))
    torch.testing.assert_close(model(x, matrix(GAT)), layers[1](hidden, EDGES))


def test_gats_gradients_are_those_of_finite_differences() -> None:
    model, L = made(GAT, copies=2), matrix(GAT)
    graph = model.prepare(L)
    names = [name for name, _ in model.named_parameters()]
    values = [p.detach().clone() for p in model.parameters()]
    x = signals(N, 6)

    def loss(*parameters: Tensor) -> Tensor:
        given = dict(zip(names, parameters, strict=True))
        return torch.func.functional_call(model, given, (x, graph)).sum(1)

    values = [value.requires_grad_() for value in values]
    assert torch.autograd.gradcheck(loss, values, fast_mode=True)


def test_sgformers_attention_is_that_of_all_pairs() -> None:
    model = made(SGFormer)
    Z = signals(1, N, 8)
    Q, K, V = model.query(Z)[0], model.key(Z)[0], model.value(Z)[0]
    pairs = torch.eye(N) + (Q / Q.norm()) @ (K / K.norm()).T / N
    wanted = pairs @ V / pairs.sum(1, keepdim=True)
    torch.testing.assert_close(model.attend(Z)[0], wanted)


def test_a_transformer_is_pytorchs_encoder_layer() -> None:
    """One layer, with the norm first and gelu between."""
    model = made(Transformer)
    layer = model.layers[0]
    theirs = torch.nn.TransformerEncoderLayer(
        8, 1, 8, 0.0, "gelu", batch_first=True, norm_first=True
    ).double()
    Q, K, V = (m.weight.data[0].T for m in layer.attention.maps)
    q, k, v = (m.bias.data[0] for m in layer.attention.maps)
    theirs.self_attn.in_proj_weight.data = torch.cat([Q, K, V])
    theirs.self_attn.in_proj_bias.data = torch.cat([q, k, v])
    for ours, other in (
        (layer.attention.join, theirs.self_attn.out_proj),
        (layer.network.first, theirs.linear1),
        (layer.network.second, theirs.linear2),
        (layer.norm, theirs.norm1),
        (layer.norm_2, theirs.norm2),
    ):
        weight = ours.weight.data[0]
        other.weight.data = weight.T if weight.dim() == 2 else weight
        other.bias.data = ours.bias.data[0]
    X = signals(1, N, 8)
    torch.testing.assert_close(layer(X, lambda part, p: part), theirs(X))


@pytest.mark.parametrize(("kind", "sees"), [(Transformer, 0), (GraphGPS, 1)])
def test_a_transformer_is_blind_to_edges_and_graphgps_is_not(
    kind: type[Baseline], sees: int
) -> None:
    model, x = made(kind), signals(N, 6)
    other = looped_laplacian(edges_of(nx.path_graph(N)), N)
    same = torch.allclose(model(x, matrix(kind)), model(x, other))
    assert same == (not sees)
    with pytest.raises(LayerError, match="heads"):
        kind(6, 8, 3, heads=3)


def test_sgformer_mixes_attention_and_graph() -> None:
    x, L = signals(N, 6), matrix(SGFormer)
    other = looped_laplacian(edges_of(nx.path_graph(N)), N)

    def scores(share: float, graph: Tensor) -> Tensor:
        seed = torch.Generator().manual_seed(0)
        model = SGFormer(6, 8, 3, graph_weight=share, generator=seed)
        return model.double()(x, graph)

    assert torch.equal(scores(0.0, L), scores(0.0, other))  # not seen
    assert not torch.allclose(scores(0.5, L), scores(0.5, other))
    mean = (scores(0.0, L) + scores(1.0, L)) / 2
    torch.testing.assert_close(scores(0.5, L), mean)  # one linear map ends it
    with pytest.raises(LayerError, match="graph_weight"):
        SGFormer(6, 8, 3, graph_weight=1.5)


@pytest.mark.parametrize(
    ("kind", "basis"), [(GPRGNN, "gpr"), (BernNet, "bernstein")]
)
def test_decoupled_models_filter_what_a_network_gives(
    kind: type[Baseline], basis: str
) -> None:
    model, x, L = made(kind), signals(N, 6), matrix(kind)
    first, second = model.first, model.second
    hidden = (x @ first.weight[0] + first.bias[0]).relu()
    scores = hidden @ second.weight[0] + second.bias[0]
    filter = Polynomial(basis, 10)
    filter.set_coefficients(model.coefficients().detach())
    wanted = filter.apply_recursively(L, scores)
    torch.testing.assert_close(model(x, L), wanted)
    lam = torch.linspace(0, 2, 5, dtype=torch.float64)
    torch.testing.assert_close(model.response(lam), filter(lam))


def test_bernnets_response_is_never_negative() -> None:
    model = BernNet(6, 8, 3)
    model.theta.data = torch.linspace(-3, 2, 11)[None]
    lam = torch.linspace(0, 2, 50, dtype=torch.float64)
    assert (model.response(lam) >= 0).all()


def test_gprgnn_starts_as_a_random_walk_that_returns() -> None:
    for alpha in (0.0, 0.1, 1.0):
        gamma = GPRGNN(6, 8, 3, alpha=alpha).theta
        assert gamma.sum().item() == pytest.approx(1)
    assert gamma[0, 0] == 1  # it never leaves
    with pytest.raises(FilterError, match="alpha"):
        GPRGNN(6, 8, 3, alpha=1.5)


def test_jacobiconv_filters_each_class_by_its_own_polynomial() -> None:
    model = JacobiConv(6, 1, 3, K=4, alpha=1.5, beta=0.5, gamma=-0.25)
    model = model.double()
    model.theta.data = signals(1, 5, 3)
    model.eta.data = signals(1, 4, seed=1)
    x, L = signals(N, 6), laplacian(EDGES, N)
    scores = x @ model.first.weight[0] + model.first.bias[0]
    factors = 1.5 * torch.tanh(model.eta[0])
    for c in range(3):
        filter = Polynomial("jacobi", 4, beta=0.5, gamma=-0.25)
        scale = torch.tensor([factors[:k].prod().item() for k in range(5)])
        filter.set_coefficients(scale.double() * model.theta[0, :, c].data)
        wanted = filter.apply_recursively(L, scores[:, c])
        torch.testing.assert_close(
            model(x, L)[:, c], wanted, rtol=1e-5, atol=1e-5
        )  # the products were rounded to float32


def test_learned_coefficients_have_rates_of_their_own() -> None:
    model = BernNet(6, 8, 3, filter_lr=0.002)
    optimizer = torch.optim.Adam(model.groups(), lr=0.1, weight_decay=0.3)
    layers, theta = optimizer.param_groups
    assert (layers["lr"], layers["weight_decay"]) == (0.1, 0.3)
    assert (theta["lr"], theta["weight_decay"]) == (0.002, 0.0)
    rates = {"filter_weight_decay": 0.0, "factor_lr": 0.5}
    model = JacobiConv(6, 1, 3, **rates)
    optimizer = torch.optim.Adam(model.groups(), lr=0.1, weight_decay=0.3)
    found = [(g["lr"], g["weight_decay"]) for g in optimizer.param_groups]
    assert found == [(0.1, 0.3), (0.1, 0.0), (0.5, 0.3)]
    grouped = [p for g in model.groups() for p in g["params"]]
    assert {id(p) for p in grouped} == {id(p) for p in model.parameters()}


@pytest.mark.parametrize("name", sorted(registry.MODELS))
def test_every_model_by_name_is_built_from_its_published_options(
    name: str,
) -> None:
    for dataset in ("cora", "texas", "a graph of my own"):
        options = registry.complete(name, dataset, {})
        seeds = [torch.Generator().manual_seed(s) for s in range(2)]
        reading = registry.find(name).readings[0]
        model = registry.build(name, (6, 3), options, reading, seeds)
        assert model.copies == 2
        grouped = [p for group in model.groups() for p in group["params"]]
        assert {id(p) for p in grouped} == {id(p) for p in model.parameters()}


def test_layers_and_heads_that_cannot_be_are_refused() -> None:
    with pytest.raises(LayerError, match="1 or more"):
        GCN(6, 8, 3, num_layers=0)
    with pytest.raises(LayerError, match="9 heads"):
        GAT(6, 8, 3, heads=9)


@pytest.mark.parametrize("kind", [*FILTERING, GAT])
def test_features_of_another_graph_are_refused(kind: type[Baseline]) -> None:
    with pytest.raises(SignalError, match="35"):
        made(kind)(signals(4, 6), matrix(kind))


@pytest.mark.parametrize("kind", BASELINES)
def test_bad_sizes_get_a_named_error(kind: type[Baseline]) -> None:
    with pytest.raises(LayerError, match="1 or more"):
        kind(6, 8, 0)
    with pytest.raises(LayerError, match="dropout"):
        kind(6, 8, 3, dropout=1.0)
