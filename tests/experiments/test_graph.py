"""The task "graph": who sees which graphs, and what is reported."""

from dataclasses import replace
from importlib import import_module

import pytest
import torch
from torch import Tensor
from torch_geometric.data import Data

from grokbook import RunSpec, load_graphs
from grokbook.errors import (
    FilterError,
    LabelError,
    SpecError,
    UnknownNameError,
)
from grokbook.experiments import graph as task
from grokbook.experiments import protocols
from grokbook.experiments.graph import graph
from grokbook.experiments.run import TASKS
from grokbook.history import History
from grokbook.models.graph_registry import GRAPH_MODELS
from grokbook.split_masks import Split
from grokbook.splits import folds, held_out

MUTAG = load_graphs("mutag")[::3]
Y = task.labels(MUTAG)
SMOKE = RunSpec(
    "graph", "mutag", reading="paper", splits=3, size="smoke",
    hyperparameters={"hidden_channels": 8, "batch_size": 24},
)  # fmt: skip


@pytest.fixture
def histories(monkeypatch: pytest.MonkeyPatch) -> list[History]:
    """What every call of `train` returned."""
    kept: list[History] = []
    train = protocols.train

    def spy(*given: object, **more: object) -> History:
        kept.append(train(*given, **more))
        return kept[-1]

    monkeypatch.setattr(protocols, "train", spy)
    return kept


def changed(graphs: list[Data], which: Tensor) -> list[Data]:
    """The same, but for these: bonds and labels move, the class flips.

    The largest degree stays: the columns of the features are those of all
    graphs.
    """
    made = [graph.clone() for graph in graphs]
    for i in which.nonzero().flatten().tolist():
        one = made[i]
        one.edge_index = (one.edge_index + 1) % one.num_nodes
        one.x, one.y = one.x.roll(1, 1), 1 - one.y
    return made


def trained(
    spec: RunSpec, parts: list[Split], graphs: list[Data], kept: list
) -> list[dict[str, Tensor]]:
    """The curves of each fold that training and selection go by."""
    kept.clear()
    made = task.contest(spec, graphs, task.labels(graphs))
    protocols.PROTOCOLS[spec.protocol][1](made, parts)
    names = ["train_loss"]
    if spec.protocol == "fair":
        names += ["val_loss", "val_score"]
    rows = [{n: h.curves[n] for n in names} for h in kept]
    return [
        {n: c[:, s] for n, c in row.items()}
        for row in rows
        for s in range(row["train_loss"].shape[1])
    ]


def sees_what_scores_it(
    spec: RunSpec, parts: list[Split], fold: int, kept: list
) -> bool:
    """Whether a fold trains or selects otherwise if what scores it changes."""
    part = parts[fold]
    scored = part.test if part.tested else part.val
    before = trained(spec, parts, MUTAG, kept)[fold]
    after = trained(spec, parts, changed(MUTAG, scored), kept)[fold]
    return any(not torch.equal(before[n], after[n]) for n in before)


@pytest.mark.parametrize("model", list(GRAPH_MODELS))
def test_in_the_fair_protocol_no_fold_sees_the_graphs_that_test_it(
    model: str, histories: list
) -> None:
    options = {"hidden_channels": 8, "batch_size": 24}
    spec = replace(SMOKE, model=model, hyperparameters=options)
    parts = folds(Y, 3, seed=0)
    for fold in range(3):
        assert not sees_what_scores_it(spec, parts, fold, histories)


def test_as_found_every_fold_but_the_first_has_seen_them(
    histories: list,
) -> None:
    spec = replace(SMOKE, protocol="as-found")
    parts = held_out(Y, 3, seed=0)
    seen = [
        sees_what_scores_it(spec, parts, fold, histories) for fold in range(3)
    ]
    assert seen == [False, True, True]


def test_as_published_they_select_but_do_not_train(histories: list) -> None:
    spec = replace(SMOKE, protocol="published")
    parts = held_out(Y, 3, seed=0)
    assert not sees_what_scores_it(spec, parts, 1, histories)
    assert all((part.val | part.train).all() for part in parts)


def test_the_maximum_average_is_that_of_one_epoch_for_all_folds(
    histories: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(task.SIZES, "smoke", 8)
    result = graph(replace(SMOKE, protocol="published"), MUTAG)
    curves = histories[0].curves["val_score"]
    assert curves.shape == (8, 3)  # nobody stops early
    best = result["chosen"][0]
    assert result["chosen"] == [best] * 3
    assert result["scores"] == pytest.approx(curves[best].tolist())
    mean = curves.mean(1)
    assert all(mean[best] >= other for other in mean)
    assert result["curve"] == pytest.approx(mean.tolist(), abs=1e-6)
    # Never worse than without selection, never better than by fold.
    last, own = result["scores_at_last_epoch"], result["scores_at_own_best"]
    assert sum(last) <= sum(result["scores"]) <= sum(own)


def test_best_on_average_is_not_the_average_best() -> None:
    curves = torch.tensor([[0.9, 0.1], [0.1, 0.9], [0.6, 0.6], [0.6, 0.6]])
    assert protocols.best_on_average(curves) == 2  # the first of equals


def test_one_model_and_one_optimizer_go_through_all_folds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []
    train = protocols.train

    def spy(model: object, *given: object, **more: object) -> History:
        seen.append((model, more["optimizer"], len(more["optimizer"].state)))
        return train(model, *given, **more)

    monkeypatch.setattr(protocols, "train", spy)
    graph(replace(SMOKE, protocol="as-found"), MUTAG)
    models, optimizers, memory = zip(*seen, strict=True)
    assert len(seen) == 3
    assert len(set(map(id, models))) == len(set(map(id, optimizers))) == 1
    assert memory[0] == 0 < memory[1] == memory[2]


@pytest.mark.parametrize("protocol", list(protocols.PROTOCOLS))
@pytest.mark.parametrize("model", list(GRAPH_MODELS))
def test_a_run_is_a_function_of_its_spec(model: str, protocol: str) -> None:
    options = {"hidden_channels": 8, "batch_size": 24}
    spec = replace(
        SMOKE, model=model, protocol=protocol, hyperparameters=options
    )
    torch.manual_seed(1)
    result = graph(spec, MUTAG)
    torch.manual_seed(2)  # nobody looks at the global state
    assert graph(spec, MUTAG) == result
    assert len(result["scores"]) == 3
    sizes = [int(p.test.sum()) for p in folds(Y, 3, seed=0)]
    for score, n in zip(result["scores"], sizes, strict=True):
        assert score in [i / n for i in range(n + 1)]
    assert result["used"]["batch_size"] == 24


def test_folds_trained_together_are_those_trained_alone(
    histories: list,
) -> None:
    made = task.contest(SMOKE, MUTAG, Y)
    parts = folds(Y, 3, seed=0)
    protocols.fair(made, parts)
    for fold in range(3):
        made = task.contest(SMOKE, MUTAG, Y)
        alone = replace(made, seed=made.seed + fold)
        protocols.fair(alone, parts[fold : fold + 1])
        for name in ("train_loss", "val_loss"):
            # float32: the same operations in matrices of another shape.
            torch.testing.assert_close(
                histories[0].curves[name][:, fold],
                histories[-1].curves[name][:, 0],
                atol=1e-5,
                rtol=1e-4,
            )


def test_majority_is_that_of_the_other_folds() -> None:
    for protocol in protocols.PROTOCOLS:
        spec = replace(
            SMOKE, model="majority", protocol=protocol, hyperparameters={}
        )
        result = graph(spec, MUTAG)
        for score, part in zip(
            result["scores"], folds(Y, 3, seed=0), strict=True
        ):
            assert score == pytest.approx(float(Y[part.test].float().mean()))


def test_the_task_runs_by_name_on_all_of_mutag() -> None:
    spec = replace(SMOKE, model="majority", hyperparameters={}, splits=10)
    module, _, name = TASKS["graph"].partition(":")
    result = getattr(import_module(module), name)(spec)
    # 125 of 188 are mutagenic.
    assert sum(result["scores"]) / 10 == pytest.approx(125 / 188, abs=1e-3)


@pytest.mark.parametrize(
    ("change", "error", "word"),
    [
        ({"protocol": "lucky"}, UnknownNameError, "as-found, published, fair"),
        ({"model": "oracle"}, UnknownNameError, "no model 'oracle'"),
        ({"reading": "released"}, UnknownNameError, "no reading 'released'"),
        ({"device": "cuda"}, UnknownNameError, "no device 'cuda'"),
        ({"hyperparameters": {"depth": 3}}, FilterError, "depth"),
        ({"model": "majority"}, SpecError, "no hyperparameters"),
    ],
)
def test_unknown_names_are_refused(
    change: dict, error: type, word: str
) -> None:
    with pytest.raises(error, match=word):
        graph(replace(SMOKE, **change), MUTAG)


def test_graphs_without_a_class_are_refused() -> None:
    bare = [Data(edge_index=g.edge_index, num_nodes=9) for g in MUTAG]
    with pytest.raises(LabelError, match="one class"):
        graph(SMOKE, bare)
