"""GrokFormer with parts left out is what its equation says without them."""

import random

import networkx as nx
import pytest
import torch
from graphs import edges_of, renumbered, signals, spectrum_of
from torch import Tensor, nn

from grokbook import laplacian, spectrum
from grokbook.errors import UnknownNameError
from grokbook.models import GrokFormer, graph_registry, registry
from grokbook.models.layer import PARTS
from grokbook.operators import SeriesOperator

READINGS = ("paper", "released")
READOUTS = (None, "max")
ABLATED = PARTS[1:]
KARATE = nx.karate_club_graph()
F, H, C = 5, 8, 3


def model_of(parts: str, **more: object) -> GrokFormer:
    """A float64 model in evaluation."""
    seed = torch.Generator().manual_seed(0)
    options = {"K": 2, "M": 3, "heads": 2} | more
    model = GrokFormer(F, H, C, parts=parts, generator=seed, **options)
    if options.get("reading") == "released":  # whose parts start almost off
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.mul_(30)
    return model.double().eval()


def same_but_for_parts(parts: str, **more: object) -> list[GrokFormer]:
    """A model with these parts, and one of all parts with equal weights."""
    ablated, full = model_of(parts, **more), model_of("both", **more)
    full.load_state_dict(ablated.state_dict(), strict=False)
    return [ablated, full]


def switch_off(full: GrokFormer, parts: str) -> None:
    """Set to zero what a model of these parts does not have."""
    with torch.no_grad():
        for layer in full.layers:
            if parts != "filter":
                layer.filter.alpha.zero_()
            if parts != "attention":
                layer.join.weight.zero_()
                layer.join.bias.zero_()


@pytest.mark.parametrize("readout", READOUTS)
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("parts", ABLATED)
def test_a_part_left_out_is_a_part_that_gives_zero(
    parts: str, reading: str, readout: str | None
) -> None:
    ablated, full = same_but_for_parts(
        parts, reading=reading, readout=readout, num_layers=2
    )
    S, x = spectrum_of(KARATE), signals(34, F)
    assert not torch.allclose(ablated(x, S), full(x, S))
    switch_off(full, parts)
    torch.testing.assert_close(ablated(x, S), full(x, S))


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("parts", ["attention", "neither"])
def test_without_the_filter_the_graph_is_not_seen(
    parts: str, reading: str
) -> None:
    model, x = model_of(parts, reading=reading), signals(34, F)
    L = laplacian(edges_of(KARATE), 34)
    seen = model(x, spectrum_of(KARATE))
    for other in (L, spectrum_of(nx.empty_graph(34)), SeriesOperator(L, 3)):
        assert torch.equal(model(x, other), seen)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("parts", ["filter", "neither"])
def test_without_attention_components_are_not_seen_from_each_other(
    parts: str, reading: str
) -> None:
    model, x = model_of(parts, reading=reading), signals(68, F)
    S = spectrum_of(nx.disjoint_union(KARATE, KARATE))
    # Eigenvectors of both halves mix at repeated eigenvalues: rounding.
    torch.testing.assert_close(
        model(x, S)[:34], model(x[:34], spectrum_of(KARATE)),
        atol=1e-9, rtol=1e-9,
    )  # fmt: skip


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("parts", ABLATED)
def test_scores_move_with_the_nodes(parts: str, reading: str) -> None:
    model, x = model_of(parts, reading=reading), signals(34, F)
    edges = edges_of(KARATE)
    scores = model(x, spectrum(laplacian(edges, 34)))
    to, x_moved = renumbered(x, random.Random(3))
    moved = spectrum(laplacian(to[edges], 34))
    torch.testing.assert_close(model(x_moved, moved)[to], scores)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("parts", ABLATED)
def test_copies_trained_together_are_those_trained_alone(
    parts: str, reading: str
) -> None:
    together = trained(parts, reading, [3, 4, 5])
    for copy, seed in enumerate([3, 4, 5]):
        alone = trained(parts, reading, [seed])
        # float32: the same operations in matrices of another shape.
        torch.testing.assert_close(
            together[copy], alone[0], atol=2e-4, rtol=2e-4
        )


def trained(parts: str, reading: str, numbers: list[int]) -> Tensor:
    """The scores after five steps with dropout everywhere."""
    seeds = [torch.Generator().manual_seed(number) for number in numbers]
    model = GrokFormer(
        F, H, C, M=3, heads=2, reading=reading, dropout=0.3,
        feature_dropout=0.2, filter_dropout=0.4, parts=parts,
        copies=len(seeds), generator=seeds,
    )  # fmt: skip
    graph = model.prepare(spectrum_of(KARATE))
    x, y = signals(34, F).float(), torch.arange(34) % C
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(5):
        optimizer.zero_grad()
        scores = model(x, graph, generator=seeds)
        loss = nn.functional.cross_entropy(
            scores.flatten(0, 1), y.repeat(len(seeds)), reduction="sum"
        )
        (loss / 34).backward()
        optimizer.step()
    return model.eval()(x, graph)


@pytest.mark.parametrize("reading", READINGS)
def test_a_part_left_out_has_no_parameters_and_draws_nothing(
    reading: str,
) -> None:
    filtering = {"alpha", "a", "b"}
    attending = {"norm", "query", "key", "value", "join"}
    full = dict(model_of("both", reading=reading).named_parameters())
    for parts, gone in (
        ("attention", filtering),
        ("filter", attending),
        ("neither", filtering | attending),
    ):
        kept = dict(model_of(parts, reading=reading).named_parameters())
        left_out = {name.split(".")[2] for name in full.keys() - kept.keys()}
        last = {name.split(".")[-1] for name in full.keys() - kept.keys()}
        assert gone <= left_out | last
        assert kept.keys() < full.keys()
    # What follows the embedding starts where the embedding left off.
    seed = torch.Generator().manual_seed(0)
    bare = GrokFormer(
        F, H, C, reading=reading, parts="neither", generator=seed
    )
    again = torch.Generator().manual_seed(0)
    for name in ("embed.first", "embed.second", "layers.0.first"):
        drawn = bare.get_submodule(name).weight.detach().clone()
        linear = bare.get_submodule(name)
        linear.reset_parameters(again, 0.01 if reading == "released" else None)
        assert torch.equal(linear.weight, drawn), name


@pytest.mark.parametrize("reading", READINGS)
def test_by_default_the_model_is_whole_and_draws_as_ever(reading: str) -> None:
    seed = torch.Generator().manual_seed(4)
    model = GrokFormer(F, H, C, reading=reading, generator=seed)
    again = torch.Generator().manual_seed(4)
    std = 0.01 if reading == "released" else None
    names = ["embed.first", "embed.second"]
    names += [f"layers.0.{x}" for x in ("query", "key", "value", "join")]
    names += ["layers.0.filter", "layers.0.first", "layers.0.second"]
    before = {n: p.detach().clone() for n, p in model.named_parameters()}
    for name in names:
        part = model.get_submodule(name)
        if name.endswith("filter"):
            part.reset_parameters(generator=again)
        else:
            part.reset_parameters(again, std)
    for name, parameter in model.named_parameters():
        if not name.startswith("score"):
            assert torch.equal(parameter, before[name]), name


def test_a_model_without_a_filter_has_a_response_of_zero() -> None:
    lam = torch.linspace(0, 2, 7, dtype=torch.float64)
    assert torch.equal(model_of("attention").response(lam), 0 * lam)
    assert model_of("filter").response(lam).abs().max() > 0.1


def test_parts_are_named_in_the_repr() -> None:
    assert "parts='filter'" in repr(model_of("filter"))
    assert "K=2, M=3" in repr(model_of("attention"))
    assert "parts" not in repr(model_of("both"))


def test_unknown_parts_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="parts"):
        GrokFormer(F, H, C, parts="residual")


def test_parts_are_options_of_both_registries() -> None:
    for options in (
        registry.complete("grokformer", "texas", {"parts": "filter"}),
        graph_registry.complete("grokformer", {"parts": "filter"}),
    ):
        assert options["parts"] == "filter"
    assert registry.complete("grokformer", "texas", {})["parts"] == "both"


def test_the_transformer_of_graphs_is_grokformer_without_its_filter() -> None:
    def built(name: str, **more: object) -> GrokFormer:
        options = graph_registry.complete(name, more)
        seeds = [torch.Generator().manual_seed(s) for s in (0, 1)]
        return graph_registry.build(name, (F, C), options, seeds)

    first, second = (
        dict(model.named_parameters())
        for model in (
            built("transformer"), built("grokformer", parts="attention"),
        )
    )  # fmt: skip
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)
