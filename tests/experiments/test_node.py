"""The task "node": names in, scores out; together as alone."""

from dataclasses import replace

import networkx as nx
import pytest
import torch
from graphs import edges_of
from torch_geometric.data import Data

from grokbook import RunSpec, history
from grokbook.bench.limits import one_thread
from grokbook.errors import (
    FilterError,
    GraphNotice,
    LabelError,
    SignalError,
    SpecError,
    UnknownNameError,
)
from grokbook.experiments import node as node_module
from grokbook.experiments import roads
from grokbook.experiments.node import node, rows_to_one
from grokbook.filters.fourier_kan import design_matrix
from grokbook.models import registry
from grokbook.splits import stratified

SMOKE = RunSpec("node", "cora", protocol="published", splits=2, size="smoke")
CLUB = Data(
    edge_index=edges_of(nx.karate_club_graph()),
    num_nodes=34,
    x=torch.eye(34),
    y=torch.arange(34) % 2,
)


@pytest.mark.parametrize("protocol", ["published", "fair"])
@pytest.mark.parametrize("reading", ["paper", "released"])
def test_a_run_reports_each_split(protocol: str, reading: str) -> None:
    spec = replace(SMOKE, protocol=protocol, reading=reading, splits=3)
    result = node(spec, CLUB)
    assert result["metric"] == "accuracy"
    for name in ("scores", "val_scores", "epochs", "chosen", "responses"):
        assert len(result[name]) == 3
    assert all(0 <= score <= 1 for score in result["scores"])
    assert len(result["responses"][0]) == 101


def test_a_run_keeps_the_coefficients_behind_its_responses() -> None:
    spec = replace(SMOKE, hyperparameters={"K": 3, "M": 2})
    result = node(spec, CLUB)
    c = torch.tensor(result["coefficients"], dtype=torch.float64)
    h = torch.tensor(result["responses"], dtype=torch.float64)
    lam = torch.linspace(0, 2, 101, dtype=torch.float64)
    # Both are rounded to six digits; thirteen coefficients add up.
    torch.testing.assert_close(
        c @ design_matrix(lam, 3, 2).T, h, atol=1e-5, rtol=0
    )


@pytest.mark.parametrize("parts", ["attention", "neither"])
def test_a_run_without_a_filter_keeps_no_response(parts: str) -> None:
    spec = replace(SMOKE, hyperparameters={"parts": parts})
    result = node(spec, CLUB)
    assert result["used"]["parts"] == parts
    assert not {"responses", "coefficients"} & set(result)


def test_a_run_is_a_function_of_its_spec() -> None:
    assert node(SMOKE, CLUB) == node(SMOKE, CLUB)
    other = node(replace(SMOKE, seed=7), CLUB)
    assert other["responses"] != node(SMOKE, CLUB)["responses"]


@pytest.mark.parametrize("model", ["majority", "twin", *registry.MODELS])
def test_every_model_runs_by_its_name(model: str) -> None:
    result = node(replace(SMOKE, model=model), CLUB)
    assert len(result["scores"]) == 2
    assert all(0 <= score <= 1 for score in result["scores"])


def test_a_run_can_keep_the_loops_that_a_graph_came_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = torch.tensor([[0, 33, 33], [0, 33, 33]])  # one is listed twice
    club = CLUB.clone()
    club.edge_index = torch.cat([CLUB.edge_index, own], 1)
    found = []
    monkeypatch.setattr(
        roads,
        "_cheaper_road",
        lambda model, L: found.append(L.to_dense()) or "series",
    )
    keep = replace(SMOKE, hyperparameters={"own_loops": True})
    with pytest.warns(GraphNotice, match="self-loop"):
        plain, kept = node(SMOKE, club), node(keep, club)
    without, with_loops = found
    assert torch.equal(without.diagonal(), torch.ones(34).double())
    # The club's two heads have 16 and 17 friends.
    assert with_loops[0, 0] == 1 - 1 / 17
    assert with_loops[33, 33] == 1 - 1 / 18
    assert (with_loops.diagonal()[1:33] == 1).all()
    assert kept["used"] == plain["used"]
    assert kept["responses"] != plain["responses"]


def test_the_loops_of_a_named_set_are_those_of_its_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def files(name: str, loops: bool) -> Data:
        assert (name, loops) == ("texas", True)
        return Data(edge_index=torch.tensor([[0, 2], [1, 2]]), y=CLUB.y[:3])

    monkeypatch.setattr(roads, "load_graph", files)
    assert roads.own_loops("texas").tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("model", "why"), [("gcn", "each node a loop"), ("mlp", "at no graph")]
)
def test_loops_that_a_model_cannot_see_are_refused(
    model: str, why: str
) -> None:
    spec = replace(SMOKE, model=model, hyperparameters={"own_loops": True})
    with pytest.raises(SpecError, match=why):
        node(spec, CLUB)


def test_roads_give_the_same_start() -> None:
    runs = [
        node(replace(SMOKE, hyperparameters={"road": road}), CLUB)
        for road in ("exact", "series")
    ]
    assert [run["road"] for run in runs] == ["exact", "series"]
    first, second = (torch.tensor(run["responses"]) for run in runs)
    torch.testing.assert_close(first, second, atol=1e-4, rtol=1e-3)


def test_ten_splits_of_cora_in_one_pass_are_ten_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Rounding grows with every epoch, so the losses of the first twenty
    # are compared; over hundreds, single splits part by a node or two. On
    # one thread: with more, products are cut otherwise and round otherwise.
    monkeypatch.setitem(node_module.SIZES, "smoke", (20, 20))
    kept: list[history.History] = []
    train = node_module.train
    monkeypatch.setattr(
        node_module,
        "train",
        lambda *a, **k: kept.append(train(*a, **k)) or kept[-1],
    )
    spec = replace(SMOKE, splits=10)
    with one_thread():
        node(spec)
    for split in (0, 9):
        with one_thread():
            node(replace(spec, splits=1, seed=split))
        for curve in ("train_loss", "val_loss"):
            torch.testing.assert_close(
                kept[0].curves[curve][:, split],
                kept[-1].curves[curve][:, 0],
                atol=1e-4,
                rtol=0,
            )


def test_published_hyperparameters_are_used_unless_others_are_given() -> None:
    used = node(SMOKE)["used"]
    assert (used["hidden_channels"], used["heads"]) == (128, 2)
    assert used["filter_dropout"] == 0.6
    spec = replace(SMOKE, hyperparameters={"heads": 1, "dropout": 0.0})
    used = node(spec)["used"]
    assert (used["heads"], used["dropout"], used["M"]) == (1, 0.0, 8)


def test_every_published_row_is_complete_and_in_range() -> None:
    for dataset in ("cora", "pubmed", "penn94", "squirrel", "texas"):
        row = registry.published("grokformer", dataset)
        whole = registry.complete("grokformer", dataset, {})
        assert set(row) == set(whole) - {"parts"}  # of which none is left out
        for name, values in registry.find("grokformer").ranges.items():
            assert whole[name] in values
    assert registry.published("grokformer", "nowhere") == {}
    assert registry.published("mlp", "cora") == {}


def test_features_are_divided_by_their_sum() -> None:
    x = torch.tensor([[1.0, 3.0], [0.0, 0.0]])
    wanted = torch.tensor([[0.25, 0.75], [0.0, 0.0]])
    assert torch.equal(rows_to_one(x), wanted)


@pytest.mark.parametrize(
    ("change", "error", "word"),
    [
        ({"protocol": "lucky"}, UnknownNameError, "protocol"),
        ({"model": "oracle"}, UnknownNameError, "model.*mlp.*majority, twin"),
        (
            {"model": "twin", "hyperparameters": {"lr": 1}},
            SpecError,
            "twin has no hyperparameters",
        ),
        ({"hyperparameters": {"road": "x"}}, UnknownNameError, "road"),
        ({"hyperparameters": {"depth": 3}}, FilterError, "depth"),
    ],
)
def test_unknown_names_are_refused(
    change: dict, error: type, word: str
) -> None:
    with pytest.raises(error, match=word):
        node(replace(SMOKE, **change), CLUB)


def test_a_name_in_capitals_has_the_same_hyperparameters() -> None:
    assert registry.published("grokformer", "Cora") == registry.published(
        "grokformer", "cora"
    )
    assert registry.published("grokformer", "Cora")["heads"] == 2


def test_an_order_too_high_for_a_series_takes_the_exact_road() -> None:
    spec = replace(SMOKE, hyperparameters={"K": 10, "M": 8})
    assert node(spec, CLUB)["road"] == "exact"


def test_a_graph_without_classes_or_features_is_refused() -> None:
    bare = Data(edge_index=CLUB.edge_index, num_nodes=34)
    with pytest.raises(LabelError, match="classes"):
        node(SMOKE, bare)
    bare.y = CLUB.y
    with pytest.raises(SignalError, match="features"):
        node(SMOKE, bare)
    assert len(node(replace(SMOKE, model="majority"), bare)["scores"]) == 2


def test_scores_are_fractions_of_the_part_not_their_float32() -> None:
    spec = replace(SMOKE, splits=5, protocol="fair")
    split = stratified(CLUB.y, seed=0)
    result = node(spec, CLUB)
    for name, part in [
        ("scores", split.test),
        ("val_scores", split.val),
        ("scores_at_least_loss", split.test),
    ]:
        n = int(part.sum())
        right = [i / n for i in range(n + 1)]
        assert all(score in right for score in result[name])


def test_equal_specs_run_alike() -> None:
    given = {"K": 2, "hidden_channels": 16, "dropout": 0}
    specs = [
        replace(SMOKE, hyperparameters={k: kind(v) for k, v in given.items()})
        for kind in (int, float)
    ]
    assert specs[0] == specs[1]
    assert node(specs[0], CLUB) == node(specs[1], CLUB)


@pytest.mark.parametrize("model", ["gcn", "gat"])
def test_few_splits_at_a_time_are_all_of_them_in_one_pass(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = replace(SMOKE, model=model, splits=3)
    whole = node(spec, CLUB)
    for room in (1, 4 * 34 * 64 * 2):  # one at a time, and two, then one
        monkeypatch.setattr(node_module, "CACHE", room)
        assert node(spec, CLUB) == whole
