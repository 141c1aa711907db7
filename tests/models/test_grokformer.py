"""GrokFormer computes its equations, in both readings, on every road."""

import itertools
import warnings

import networkx as nx
import pytest
import torch
import written_out
from graphs import (
    edge_lists,
    edges_of,
    few,
    laplacian_of,
    renumbered,
    signals,
    spectrum_of,
    without_shape_checks,
)
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from grokbook import Spectrum, deflate, laplacian, spectrum
from grokbook.attention import ATTENTION
from grokbook.errors import (
    EmptyGraphError,
    FilterError,
    GrokbookError,
    LayerError,
    SignalError,
    UnknownNameError,
)
from grokbook.features import SparseFeatures
from grokbook.models import MLP, GrokFormer
from grokbook.operators import EigenOperator, SeriesOperator

READINGS = ("paper", "released")
KARATE = nx.karate_club_graph()
F, H, C = 5, 8, 3


def model_of(reading: str, **more: object) -> GrokFormer:
    """A float64 model with a filter that is not near zero."""
    copies = more.get("copies")
    seeds = [torch.Generator().manual_seed(s) for s in range(copies or 1)]
    sizes = {"K": 2, "M": 3, "heads": 2, "reading": reading} | more
    model = GrokFormer(F, H, C, generator=seeds, **sizes).double().eval()
    with torch.no_grad():
        for layer in model.layers:
            layer.filter.alpha.fill_(0.7)
            layer.filter.a.mul_(0).add_(0.3)
            layer.filter.b.mul_(0).sub_(0.2)
    return model


@pytest.mark.parametrize("num_layers", [1, 3])
@pytest.mark.parametrize("reading", READINGS)
def test_model_computes_the_papers_equations(
    reading: str, num_layers: int
) -> None:
    # The graph has an isolated node and two components.
    G = nx.disjoint_union(KARATE, nx.empty_graph(1))
    model = model_of(reading, num_layers=num_layers, copies=2)
    x = signals(len(G), F)
    ours = model(x, spectrum_of(G))
    for copy in range(2):
        theirs = written_out.forward(model, x, laplacian_of(G), copy)
        # The same sums in another order, in float64.
        torch.testing.assert_close(ours[copy], theirs, atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize("reading", READINGS)
def test_every_road_gives_the_same_scores(reading: str) -> None:
    # A star and its leaves: eigenvalue 1 is repeated, deflation has work.
    G = nx.barbell_graph(5, 2)
    G.add_edges_from((0, leaf) for leaf in range(20, 25))
    S, model = spectrum_of(G), model_of(reading)
    x = signals(len(G), F)
    exact = model(x, S)
    assert len(deflate(S).lam) < len(S.lam)
    torch.testing.assert_close(model(x, deflate(S)), exact)
    series = SeriesOperator(laplacian(edges_of(G), len(G)), degree=40)
    torch.testing.assert_close(model(x, series), exact)


@pytest.mark.parametrize("reading", READINGS)
def test_a_laplacian_is_enough(reading: str) -> None:
    L = laplacian(edges_of(KARATE), len(KARATE))
    model, x = model_of(reading), signals(len(KARATE), F)
    # The degree is chosen for an error of 1e-4 in each of the 13 basis
    # functions, whose coefficients are 0.2 and 0.3.
    torch.testing.assert_close(
        model(x, L), model(x, spectrum(L)), atol=1e-3, rtol=0
    )
    degree = model.prepare(L).degree
    assert 8 < degree < 40


def test_higher_orders_and_harmonics_need_a_higher_degree() -> None:
    L = laplacian(edges_of(KARATE), len(KARATE))
    degree = [
        model_of("paper", K=K, M=M).prepare(L).degree
        for K, M in [(1, 4), (1, 8), (2, 8), (3, 8)]
    ]
    assert degree == sorted(set(degree))


@given(edge_lists(), st.sampled_from(READINGS), st.randoms())
@few
def test_scores_move_with_the_nodes(
    graph: tuple[Tensor, int, Tensor], reading: str, random: object
) -> None:
    edges, N, weight = graph
    model, x = model_of(reading, num_layers=2), signals(N, F)
    scores = model(x, spectrum(laplacian(edges, N, weight)))
    to, x_moved = renumbered(x, random)
    moved = spectrum(laplacian(to[edges], N, weight))
    # The released attention multiplies three channels without a scale, so
    # rounding is relative to scores of any size.
    torch.testing.assert_close(
        model(x_moved, moved)[to], scores, atol=1e-8, rtol=1e-8
    )


@pytest.mark.parametrize("reading", READINGS)
def test_scores_do_not_depend_on_the_eigenbasis(reading: str) -> None:
    S = spectrum_of(nx.star_graph(6))
    turn = torch.linalg.qr(signals(5, 5)).Q
    U = S.U.clone()
    U[:, S.at(1.0)] = U[:, S.at(1.0)] @ turn
    U[:, 0] *= -1
    model, x = model_of(reading), signals(7, F)
    torch.testing.assert_close(model(x, S), model(x, Spectrum(S.lam, U)))


@pytest.mark.parametrize("reading", READINGS)
def test_without_filter_and_attention_the_graph_is_not_seen(
    reading: str,
) -> None:
    model, x = model_of(reading), signals(34, F)
    with torch.no_grad():
        for layer in model.layers:
            layer.filter.alpha.fill_(0)
            layer.join.weight.fill_(0)
    empty = spectrum_of(nx.empty_graph(34))
    torch.testing.assert_close(model(x, spectrum_of(KARATE)), model(x, empty))
    alone = model(x[:1], spectrum_of(nx.empty_graph(1)))
    torch.testing.assert_close(model(x, empty)[:1], alone)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("road", ["exact", "series"])
def test_gradients_are_those_of_finite_differences(
    reading: str, road: str
) -> None:
    G = nx.lollipop_graph(4, 3)
    model = model_of(reading)
    graph = spectrum_of(G)
    if road == "series":
        graph = SeriesOperator(laplacian(edges_of(G), len(G)), degree=12)
    names = [name for name, _ in model.named_parameters()]
    values = [p.detach().clone() for p in model.parameters()]
    for value in values:
        value.requires_grad_()
    x = signals(7, F).requires_grad_()

    def scores(x: Tensor, *values: Tensor) -> Tensor:
        parameters = dict(zip(names, values, strict=True))
        return torch.func.functional_call(model, parameters, (x, graph))

    assert torch.autograd.gradcheck(scores, (x, *values), fast_mode=True)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("road", ["exact", "series"])
def test_copies_trained_together_are_those_trained_alone(
    reading: str, sparse: bool, road: str
) -> None:
    L = laplacian(edges_of(KARATE), len(KARATE))
    x = signals(34, F).relu().float()
    x = SparseFeatures(x) if sparse else x
    graph = SeriesOperator(L, 12) if road == "series" else spectrum(L)
    together = trained(reading, x, graph, seeds=[3, 4, 5])
    for copy, seed in enumerate([3, 4, 5]):
        alone = trained(reading, x, graph, seeds=[seed])
        # float32: the same operations in matrices of another shape.
        torch.testing.assert_close(
            together[copy], alone[0], atol=2e-4, rtol=2e-4
        )


def trained(
    reading: str, x: Tensor | SparseFeatures, graph: object, seeds: list[int]
) -> Tensor:
    """The scores after five steps with dropout everywhere."""
    seeds = [torch.Generator().manual_seed(seed) for seed in seeds]
    model = GrokFormer(
        F, H, C, K=2, M=3, heads=2, reading=reading, dropout=0.3,
        feature_dropout=0.2, filter_dropout=0.4, copies=len(seeds),
        generator=seeds,
    )  # fmt: skip
    graph = model.prepare(graph)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    y = torch.arange(34) % C
    for _ in range(5):
        optimizer.zero_grad()
        scores = model(x, graph, generator=seeds)
        loss = nn.functional.cross_entropy(
            scores.flatten(0, 1), y.repeat(len(seeds)), reduction="sum"
        )
        (loss / 34).backward()
        optimizer.step()
    return model.eval()(x, graph)


def test_one_copy_has_no_leading_axis() -> None:
    S, x = spectrum_of(KARATE), signals(34, F)
    assert model_of("paper")(x, S).shape == (34, C)
    assert model_of("paper", copies=1)(x, S).shape == (1, 34, C)
    lam = torch.linspace(0, 2, 7, dtype=torch.float64)
    assert model_of("paper").response(lam).shape == (7,)
    assert model_of("paper", copies=4).response(lam).shape == (7, 4)


def test_released_layers_share_their_weights_and_the_papers_do_not() -> None:
    assert len(model_of("released", num_layers=3).layers) == 1
    assert len(model_of("paper", num_layers=3).layers) == 3


def test_released_heads_widen_and_the_papers_split() -> None:
    released = model_of("released", heads=2).layers[0]
    assert released.query.weight.shape == (1, C, 2 * C)
    assert model_of("paper", heads=2).layers[0].query.weight.shape == (1, H, H)


def test_released_filter_starts_almost_off() -> None:
    seed = torch.Generator().manual_seed(0)
    lam = torch.linspace(0, 2, 50, dtype=torch.float64)
    off = GrokFormer(F, H, C, reading="released", generator=seed)
    on = GrokFormer(F, H, C, reading="paper", generator=seed)
    assert off.response(lam.float()).abs().max() < 0.01
    assert on.response(lam.float()).abs().max() > 0.1


def test_dropout_works_in_training_only() -> None:
    S, x = spectrum_of(KARATE), signals(34, F)
    model = model_of("paper", dropout=0.5)
    assert torch.equal(model(x, S), model(x, S))
    model.train()
    seeds = [torch.Generator().manual_seed(s) for s in (0, 0, 1)]
    first, again, other = (model(x, S, generator=seed) for seed in seeds)
    assert torch.equal(first, again)
    assert not torch.allclose(first, other)


@pytest.mark.parametrize(
    "rate", ["dropout", "feature_dropout", "filter_dropout"]
)
@pytest.mark.parametrize("reading", READINGS)
def test_each_dropout_rate_is_used(reading: str, rate: str) -> None:
    S, x = spectrum_of(KARATE), signals(34, F)
    model = model_of(reading, **{rate: 0.5}).train()
    seed = torch.Generator().manual_seed(0)
    assert not torch.allclose(model(x, S, generator=seed), model.eval()(x, S))


def test_basis_follows_the_graph_that_is_given() -> None:
    model, x = model_of("paper"), signals(6, F)
    ring, star = spectrum_of(nx.cycle_graph(6)), spectrum_of(nx.star_graph(5))
    first = model(x, ring)
    model(x, star)
    torch.testing.assert_close(model(x, ring), first)
    graph = model.prepare(ring)
    torch.testing.assert_close(model(x, graph), first)
    torch.testing.assert_close(model(x, graph), first)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("readout", [None, "sum", "mean", "max"])
@pytest.mark.parametrize("attention", list(ATTENTION))
def test_model_runs_on_the_meta_device(
    reading: str, readout: str | None, attention: str
) -> None:
    with torch.device("meta"):
        model = GrokFormer(
            F, H, C, reading=reading, readout=readout, attention=attention,
            dropout=0.5, copies=2,
        )  # fmt: skip
        x = torch.empty(2, 9, F)
    lam = torch.empty(18, dtype=torch.float64, device="meta")
    S = spectrum_of(nx.cycle_graph(9))
    batch = model.prepare([S, S])
    assert batch.U.is_meta
    assert batch.points.shape == lam.shape
    scores = model(x, batch)
    assert scores.is_meta
    assert scores.shape == ((2, 2, C) if readout else (2, 2, 9, C))
    scores.sum().backward()
    single = GrokFormer(F, H, C, reading=reading).to("meta")
    assert single(x[0], S).is_meta
    L = laplacian(edges_of(nx.cycle_graph(9)), 9)
    assert single(x[0], L).is_meta


def test_repr_tells_sizes_reading_and_parameters() -> None:
    model = model_of("released", copies=3, num_layers=2)
    count = sum(p.numel() for p in model.parameters()) // 3
    assert repr(model) == (
        "GrokFormer(5 → 8 → 3, K=2, M=3, 2 layers, 2 heads, "
        f"reading='released', {count:,} parameters in 3 copies)"
    )


def test_parameters_are_those_the_readings_describe() -> None:
    def linear(a: int, b: int) -> int:
        return a * b + b

    K, M, heads = 2, 3, 2
    fourier = K + K * (M + 1) + K * M
    block = 2 * 2 * C + 3 * linear(C, heads * C) + linear(heads * C, C)
    released = linear(F, H) + linear(H, C) + fourier + block + 2 * linear(C, C)
    block = 2 * 2 * H + 4 * linear(H, H) + 2 * linear(H, H) + fourier
    paper = linear(F, H) + linear(H, H) + 2 * block + linear(H, C)
    for reading, layers, wanted in [
        ("released", 1, released), ("released", 2, released),
        ("paper", 2, paper),
    ]:  # fmt: skip
        model = model_of(reading, num_layers=layers)
        assert sum(p.numel() for p in model.parameters()) == wanted


def test_model_can_be_copied_and_its_state_restored() -> None:
    S, x = spectrum_of(KARATE), signals(34, F)
    model, other = model_of("paper"), model_of("paper", K=2)
    with torch.no_grad():
        other.embed.first.weight.add_(1)
    other.load_state_dict(model.state_dict())
    torch.testing.assert_close(other(x, S), model(x, S))


def test_reset_draws_the_same_parameters_again() -> None:
    def seed() -> torch.Generator:
        return torch.Generator().manual_seed(9)

    model = GrokFormer(F, H, C, generator=seed())
    before = [p.clone() for p in model.parameters()]
    model.reset_parameters(generator=torch.Generator().manual_seed(1))
    assert not torch.equal(before[0], model.embed.first.weight)
    model.reset_parameters(generator=seed())
    for old, new in zip(before, model.parameters(), strict=True):
        assert torch.equal(old, new)


BAD = [
    ({"reading": "printed"}, UnknownNameError, "reading"),
    ({"attention": "full"}, UnknownNameError, "attention"),
    ({"readout": "median"}, UnknownNameError, "readout"),
    ({"heads": 3}, LayerError, "heads"),
    ({"heads": 0}, LayerError, "1 or more"),
    ({"num_layers": 0}, LayerError, "1 or more"),
    ({"dropout": 1.0}, LayerError, "dropout"),
    ({"filter_dropout": -0.1}, LayerError, "dropout"),
    ({"K": 0}, FilterError, "K"),
]


@pytest.mark.parametrize(("options", "error", "word"), BAD)
def test_bad_options_get_a_named_error(
    options: dict, error: type[GrokbookError], word: str
) -> None:
    with pytest.raises(error, match=word):
        GrokFormer(F, H, C, **options)


def test_bad_input_gets_a_named_error() -> None:
    model, S = model_of("paper"), spectrum_of(KARATE)
    with without_shape_checks():
        with pytest.raises(SignalError, match="in_channels"):
            model(signals(34, F + 1), S)
        with pytest.raises(SignalError, match="34"):
            model(signals(33, F), S)
        with pytest.raises(EmptyGraphError):
            model(signals(34, F), [])
        model = model_of("paper", dropout=0.5).train()
        seeds = [torch.Generator(), torch.Generator()]
        with pytest.raises(LayerError, match="generators"):
            model(signals(34, F), S, generator=seeds)


def test_a_prepared_graph_is_not_prepared_again() -> None:
    model = model_of("paper")
    graph = model.prepare(spectrum_of(KARATE))
    assert isinstance(graph, EigenOperator)
    assert model.prepare(graph) is graph


def test_no_warning_on_any_road() -> None:
    L = laplacian(edges_of(KARATE), len(KARATE))
    x = SparseFeatures(signals(34, F).relu())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for reading, graph in itertools.product(READINGS, [L, spectrum(L)]):
            model = model_of(reading)
            model(x, graph).sum().backward()
            assert all(p.grad.isfinite().all() for p in model.parameters())


def test_a_single_graph_is_read_out_as_a_batch_of_one() -> None:
    S = spectrum(laplacian([[0, 1, 1, 2], [1, 0, 2, 1]]))
    model = GrokFormer(4, 8, 2, readout="mean")
    x = torch.eye(3, 4)
    alone = model(x, S)
    assert alone.shape == (2,)
    torch.testing.assert_close(alone, model(x[None], [S])[0])


def test_features_of_another_precision_are_converted() -> None:
    S = spectrum(laplacian([[0, 1, 1, 2], [1, 0, 2, 1]]))
    model = GrokFormer(4, 8, 2)
    x = torch.eye(3, 4)
    assert torch.equal(model(x.double(), S), model(x, S))


def test_a_model_trains_after_it_was_used_for_inference() -> None:
    L = laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
    for graph in (spectrum(L), L):
        model = GrokFormer(4, 8, 2)
        graph = model.prepare(graph)
        with torch.inference_mode():
            model(torch.eye(3, 4), graph)
        model(torch.eye(3, 4), graph).sum().backward()
        assert model.layers[0].filter.alpha.grad is not None


@pytest.mark.parametrize("kind", [GrokFormer, MLP])
def test_no_copies_make_no_model(kind: type) -> None:
    with pytest.raises(LayerError, match="copies"):
        kind(4, 8, 2, copies=0)
