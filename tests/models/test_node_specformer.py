"""Specformer for nodes: its equation, its symmetries, its copies."""

from itertools import pairwise

import networkx as nx
import pytest
import torch
from graphs import (
    edges_of,
    few,
    renumbered,
    signals,
    spectrum_of,
    without_shape_checks,
)
from hypothesis import given
from hypothesis import strategies as st

from grokbook import deflate, laplacian, spectrum
from grokbook.errors import FilterError, LayerError, UnknownNameError
from grokbook.models.node_specformer import (
    NodeSpecformer,
    distinct,
    on_grid,
)

G = nx.disjoint_union(nx.star_graph(5), nx.path_graph(4))
N = len(G)


def made(copies: int = 1) -> NodeSpecformer:
    """A model in float64 whose every weight matters."""
    seeds = [torch.Generator().manual_seed(s) for s in range(copies)]
    model = NodeSpecformer(6, 8, 3, heads=2, copies=copies, generator=seeds)
    with torch.no_grad():
        for net in model.nets:
            net.weight.copy_(torch.linspace(-1, 2, 18).view(2, 3, 3))
    return model.double().eval()


def test_layers_weigh_the_filtered_signals_channel_by_channel() -> None:
    model, x, S = made(), signals(N, 6), spectrum_of(G)
    net = model.nets[0]
    h = net.filter.response(S.lam)  # (N, 2)
    X = net.embed(x, lambda part, p: part)[0]
    for w in net.weight:
        views = [S.U @ (h[:, [m]] * (S.U.T @ X)) for m in range(2)]
        X = w[0] * X + w[1] * views[0] + w[2] * views[1]
    torch.testing.assert_close(model(x, model.prepare(S))[0], X)


def test_a_repeated_eigenvalue_counts_as_often_as_it_occurs() -> None:
    """Deflated, one stands for all: the star has λ = 1 four times."""
    model, x, S = made(), signals(N, 6), spectrum_of(G)
    assert S.multiplicity(1.0) >= 4
    full, fewer = (model(x, model.prepare(s)) for s in (S, deflate(S)))
    torch.testing.assert_close(fewer, full)


def test_no_eigenvalue_is_encoded_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """0 and 2 occur twice, 1 four times."""
    model, x, S = made(), signals(N, 6), spectrum_of(G)
    filter, asked = model.nets[0].filter, []
    decoded = filter.decoded

    def spy(lam: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        asked.append((lam[0], mask[0].exp()))
        return decoded(lam, mask)

    monkeypatch.setattr(filter, "decoded", spy)
    for s in (S, deflate(S)):
        model(x, model.prepare(s))
        lam, count = asked.pop()
        distinct, often = S.distinct()
        torch.testing.assert_close(lam, distinct)
        torch.testing.assert_close(count, often.double())
    assert len(distinct) < N - 3


@given(random=st.randoms(use_true_random=False))
@few
def test_scores_move_with_the_nodes(random) -> None:
    model, x, edges = made(), signals(N, 6), edges_of(G)
    to, moved = renumbered(x, random)
    ours = model(x, model.prepare(spectrum(laplacian(edges, N))))
    new = spectrum(laplacian(to[edges], N))
    torch.testing.assert_close(model(moved, model.prepare(new))[:, to], ours)


def test_a_copy_is_the_model_of_its_own_generator() -> None:
    model, x, S = made(copies=2), signals(N, 6), spectrum_of(G)
    alone = NodeSpecformer(
        6, 8, 3, heads=2, generator=[torch.Generator().manual_seed(1)]
    ).double()
    alone.nets[0].weight.data = model.nets[1].weight.data
    ours = model(x, model.prepare(S))[1]
    torch.testing.assert_close(ours, alone.eval()(x, alone.prepare(S))[0])
    model.keep([1])
    torch.testing.assert_close(model(x, model.prepare(S))[0], ours)


@torch.no_grad()
def test_as_released_every_class_starts_with_nearly_the_same_score() -> None:
    """Two layers of weights 0.01: the loss starts at log C."""
    x, S = signals(N, 6).float(), spectrum_of(G)

    def spread(start: str) -> float:
        g = torch.Generator().manual_seed(0)
        model = NodeSpecformer(6, 8, 3, start=start, generator=[g]).eval()
        return float(model(x, model.prepare(S)).std(-1).max())

    # a sum over 8 channels of 0.01 · 0.01 · |x|, and |x| is below 10
    assert spread("released") < 0.01
    assert spread("glorot") > 0.1


@torch.no_grad()
def test_the_released_start_has_a_deviation_of_a_hundredth() -> None:
    net = NodeSpecformer(200, 64, 3, heads=2).nets[0]
    layers = [net.embed.first, net.filter.encoder[0].qkv, net.filter.embed]
    for layer in layers:  # thousands of weights: within a tenth of it
        assert 0.009 < float(layer.weight.std()) < 0.011
        assert not layer.bias.any()


def test_an_unknown_start_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="glorot"):
        NodeSpecformer(6, 8, 3, start="cold")


def test_a_laplacian_is_not_enough() -> None:
    with pytest.raises(LayerError, match="eigenvalues"):
        made().prepare(laplacian(edges_of(G), N))


def test_it_runs_on_the_meta_device() -> None:
    model = NodeSpecformer(6, 8, 3, heads=2, copies=2).to("meta")
    x = torch.empty(N, 6, device="meta")
    for S in (spectrum_of(G), deflate(spectrum_of(G))):
        scores = model(x, model.prepare(S))
        assert scores.is_meta
        assert scores.shape == (2, N, 3)


def test_dropout_takes_terms_of_the_sum_and_not_what_is_filtered() -> None:
    """With zero responses only X is added: kept entries are X / (1 - p)."""
    x, S, p = signals(N, 6), spectrum_of(G), 0.5
    g = [torch.Generator().manual_seed(0)]
    model = NodeSpecformer(
        6, 8, 40, num_layers=1, heads=2, filter_dropout=p, generator=g
    ).double()
    net = model.nets[0]
    with torch.no_grad():
        net.filter.decode.weight.zero_()  # and its bias starts at 0
        whole = net.embed(x, lambda part, p: part)[0]
        seen = model.train()(x, model.prepare(S))[0]
        flat = torch.ones(N, 2, dtype=torch.float64)
        net.filter.decoded = lambda lam, mask: flat[None, : lam.shape[1]]
        net.weight[:, 0].zero_()  # now only the filtered terms, each X
        both = model(x, model.prepare(S))[0] / whole
    kept = seen != 0
    torch.testing.assert_close(seen[kept], whole[kept] / (1 - p))
    assert 0.3 < kept.double().mean() < 0.7
    # each of the two terms is kept or not: 0, 1 or 2 times 1 / (1 - p)
    counts = (both * (1 - p)).round()
    torch.testing.assert_close(both * (1 - p), counts)
    assert set(counts.flatten().tolist()) == {0.0, 1.0, 2.0}


def test_the_encoder_has_its_own_dropout() -> None:
    """In training responses differ from pass to pass; later they do not."""
    g = [torch.Generator().manual_seed(0)]
    model = NodeSpecformer(6, 8, 3, heads=2, encoder_dropout=0.5, generator=g)
    filter, lam = model.nets[0].filter, spectrum_of(G).lam
    with torch.no_grad():
        assert not torch.equal(filter(lam), filter(lam))
        model.eval()
        assert torch.equal(filter(lam), filter(lam))
    with pytest.raises(LayerError, match=r"dropout rate of -1\.0"):
        NodeSpecformer(6, 8, 3, heads=2, encoder_dropout=-1.0)


def test_points_that_are_eigenvalues_stand_for_them_exactly() -> None:
    """The star has 0, 1 and 2: all are points of a grid of five."""
    S = spectrum_of(nx.star_graph(5))
    model, x = made(), signals(6, 6)
    exact = model(x, model.prepare(S))
    for s in (S, deflate(S)):
        model.nets[0].grid = 5
        torch.testing.assert_close(model(x, model.prepare(s)), exact)


@torch.no_grad()
def test_half_the_step_leaves_a_quarter_of_the_error() -> None:
    """Both what is read off and what is summed up are of second order."""
    model, S = made(), spectrum_of(nx.cycle_graph(200))
    filter = model.nets[0].filter
    filter.epsilon = 5.0  # slow waves: the law shows on coarse grids
    counts = torch.ones_like(S.lam)
    exact = model.nets[0].responses(S.lam, counts)
    errors = []
    for size in (33, 65, 129, 257):
        model.nets[0].grid = size
        found = model.nets[0].responses(S.lam, counts)
        errors.append(float((found - exact).abs().max()))
    for coarse, fine in pairwise(errors):
        assert 3 < coarse / fine < 5.5  # 4, but for where eigenvalues lie


def test_a_grid_keeps_how_many_and_where_on_average() -> None:
    lam, counts = spectrum_of(G).lam, torch.arange(1.0, N + 1).double()
    points, often, left, t = on_grid(lam, counts, 7)
    assert float(often.sum()) == pytest.approx(float(counts.sum()))
    assert float(often @ points) == pytest.approx(float(counts @ lam))
    back = points[left].lerp(points[left + 1], t)
    torch.testing.assert_close(back, lam)


def test_gradients_pass_through_a_grid() -> None:
    model, S = made(), spectrum_of(G)
    net, counts = model.nets[0], torch.ones_like(S.lam)
    net.grid = 6
    weight = net.filter.embed.weight
    total = net.responses(S.lam, counts).sin().sum()
    (slope,) = torch.autograd.grad(total, weight)
    ends = []
    for step in (1e-5, -1e-5):
        with torch.no_grad():
            weight[0, 0] += step
            ends.append(net.responses(S.lam, counts).sin().sum())
            weight[0, 0] -= step
    # central differences err by the square of the step, rounding by 1e-11
    assert float(slope[0, 0]) == pytest.approx(
        float(ends[0] - ends[1]) / 2e-5, rel=1e-6
    )


@pytest.mark.parametrize("grid", [1, -2])
def test_a_grid_that_is_none_is_refused(grid: int) -> None:
    with pytest.raises(FilterError, match="2 or more"):
        NodeSpecformer(6, 8, 3, heads=2, grid=grid)


def test_copies_that_train_together_draw_as_they_would_alone() -> None:
    x, S = signals(N, 6), spectrum_of(G)

    def trained(seeds: list[int]) -> list[torch.Tensor]:
        dice = [torch.Generator().manual_seed(s) for s in seeds]
        model = NodeSpecformer(
            6,
            8,
            3,
            heads=2,
            dropout=0.3,
            filter_dropout=0.4,
            encoder_dropout=0.2,
            start="glorot",
            generator=dice,
        ).double()
        graph = model.prepare(deflate(S))
        return [model(x, graph, generator=dice) for _ in range(2)]

    alone = [trained([s]) for s in range(3)]
    for i, scores in enumerate(trained([0, 1, 2])):
        for s in range(3):
            torch.testing.assert_close(scores[s], alone[s][i][0])
    first, second = alone[0]
    assert not torch.allclose(first, second)  # dropout draws on


def test_a_grid_of_a_whole_number_is_one_however_it_is_written() -> None:
    x, S = signals(N, 6).float(), spectrum_of(G)
    with without_shape_checks():
        found = [
            NodeSpecformer(
                6, 8, 3, grid=grid, generator=torch.Generator().manual_seed(0)
            )
            for grid in (9, 9.0)
        ]
    one, other = (model(x, model.prepare(S)) for model in found)
    assert torch.equal(one, other)


def test_rounding_at_the_ends_stays_on_the_grid() -> None:
    points = torch.tensor([-1e-12, 2 + 1e-12], dtype=torch.float64)
    _, often, left, t = on_grid(points, torch.ones(2).double(), 5)
    assert left.tolist() == [0, 3]
    assert t.tolist() == [0.0, 1.0]
    assert often.tolist() == [1, 0, 0, 0, 1]


def test_eigenvalues_that_differ_by_more_than_rounding_are_two() -> None:
    points = torch.tensor([1.0, 1.0 + 1e-7, 1.5], dtype=torch.float64)
    lam, _, _ = distinct(points, torch.ones(3).double())
    assert len(lam) == 3
