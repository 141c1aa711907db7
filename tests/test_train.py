"""The training loop: each split alone, whatever trains beside it."""

import gc

import networkx as nx
import pytest
import torch
from graphs import edges_of
from torch import Tensor

from grokbook import laplacian, spectrum
from grokbook.errors import GrokbookError, TrainingError
from grokbook.features import SparseFeatures
from grokbook.history import CURVES, RULES, Recorder
from grokbook.models import MLP, GrokFormer
from grokbook.splits import stratified
from grokbook.train import (
    Batch,
    Objective,
    cross_entropy,
    is_right,
    train,
)

# Two cliques, one of each class, and features that tell them apart badly.
G = nx.barbell_graph(15, 0)
Y = torch.arange(30) // 15
S = spectrum(laplacian(edges_of(G)))
X = Y[:, None] * 0.3 + torch.randn(
    30, 6, generator=torch.Generator().manual_seed(0)
)
SPLITS = [stratified(Y, seed=seed) for seed in range(4)]


def seeds(*numbers: int) -> list[torch.Generator]:
    return [torch.Generator().manual_seed(number) for number in numbers]


def run(*splits: int, x: object = X, **options: object) -> tuple:
    """Train a copy for each of these splits, seeded by their numbers."""
    generators = seeds(*splits)
    model = GrokFormer(
        6, 8, 2, K=1, M=2, reading="released", dropout=0.3,
        feature_dropout=0.3, copies=len(splits), generator=generators,
    )  # fmt: skip
    batch = Batch(x, model.prepare(S), torch.arange(30))
    options = {"epochs": 30, "patience": 5, "generator": generators} | options
    chosen = [SPLITS[s] for s in splits]
    return train(model, [batch], Y, chosen, **options), model


def test_splits_trained_together_are_those_trained_alone() -> None:
    together, _ = run(0, 1, 2, 3)
    for split in range(4):
        alone, _ = run(split)
        epochs = int(alone.epochs()[0])
        assert together.epochs()[split] == epochs
        for name, curve in alone.curves.items():
            # float32, and products of matrices of other shapes.
            torch.testing.assert_close(
                together.curves[name][:epochs, split],
                curve[:, 0],
                atol=1e-4,
                rtol=1e-4,
            )
        assert together.curves["val_loss"][epochs:, split].isnan().all()


def test_splits_leave_when_they_stop() -> None:
    history, _ = run(0, 1, 2, 3)
    assert len(history.epochs().unique()) > 1
    loss = history.curves["val_loss"]
    for split, epochs in enumerate(history.epochs().tolist()):
        best = int(loss[:epochs, split].argmin())
        assert epochs in (best + 6, 30)


def test_chosen_epoch_is_the_first_best_of_the_rule() -> None:
    for rule in ("val_score", "val_loss", "train_loss"):
        history, _ = run(0, 1, select=rule)
        curve = history.curves[rule].nan_to_num(nan=-1e9)
        best = curve.argmax(0)
        if rule.endswith("loss"):
            best = history.curves[rule].nan_to_num(nan=1e9).argmin(0)
        assert torch.equal(history.chosen, best)
        assert torch.equal(
            history.at_chosen("test_score"),
            history.curves["test_score"][best, [0, 1]],
        )


def test_the_last_epoch_can_be_reported() -> None:
    history, _ = run(0, 1, select="last")
    assert torch.equal(history.chosen, history.epochs() - 1)


def test_no_rule_looks_at_the_test_part() -> None:
    assert "test_score" not in RULES
    with pytest.raises(TrainingError, match="test_score"):
        run(0, select="test_score")


def test_what_is_watched_is_that_of_the_chosen_epoch() -> None:
    seen: list[Tensor] = []
    generators = seeds(0, 1)
    model = MLP(6, 8, 2, copies=2, generator=generators)
    batch = Batch(X, None, torch.arange(30))

    def watch() -> Tensor:
        return model.embed.first.bias

    history = train(
        model,
        [batch],
        Y,
        SPLITS[:2],
        epochs=8,
        patience=8,
        stop_on="last",
        generator=generators,
        watch=lambda: (seen.append(watch().detach().clone()), watch())[1],
    )
    # Called only when some split has a new best, so compare the last calls.
    kept = torch.stack(history.watched)
    assert any(torch.equal(kept[0], row[0]) for row in seen)
    assert any(torch.equal(kept[1], row[1]) for row in seen)
    assert len(seen) <= 8


def test_training_lowers_the_loss_and_the_same_seed_gives_the_same() -> None:
    first, _ = run(0, patience=100)
    again, _ = run(0, patience=100)
    loss = first.curves["train_loss"][:, 0]
    assert loss[-5:].mean() < loss[:5].mean()
    for name, curve in first.curves.items():
        assert torch.equal(curve, again.curves[name])


def test_batches_are_parts_of_one_pass() -> None:
    generators = seeds(0, 1)
    model = MLP(6, 8, 2, copies=2, generator=generators)
    index = torch.arange(30)
    whole = [Batch(X, None, index)]
    halves = [Batch(X[p], None, p) for p in (index[::2], index[1::2])]
    # Nothing is learned at lr 0: both see the same losses and scores.
    curves = [
        train(
            model, batches, Y, SPLITS[:2], lr=0.0, weight_decay=0.0,
            epochs=1, generator=generators,
        ).curves
        for batches in (whole, halves)
    ]  # fmt: skip
    for name in curves[0]:
        torch.testing.assert_close(curves[0][name], curves[1][name])


def test_curves_are_means_over_each_splits_own_parts() -> None:
    model = MLP(6, 8, 2, copies=2, generator=seeds(0, 1))
    batch = Batch(X, None, torch.arange(30))
    history = train(
        model, [batch], Y, SPLITS[:2], lr=0.0, weight_decay=0.0, epochs=1
    )
    scores = model.eval()(X)
    for s, split in enumerate(SPLITS[:2]):
        for name, part in [("train_loss", 0), ("val_loss", 1)]:
            mask = list(split)[part]
            loss = torch.nn.functional.cross_entropy(scores[s, mask], Y[mask])
            torch.testing.assert_close(history.curves[name][0, s], loss)
        for name, mask in [
            ("val_score", split.val), ("test_score", split.test)
        ]:  # fmt: skip
            right = (scores[s, mask].argmax(1) == Y[mask]).float().mean()
            torch.testing.assert_close(history.curves[name][0, s], right)


def test_a_node_without_a_label_is_in_no_part() -> None:
    y = Y.clone()
    y[0] = -1
    scores = torch.zeros(1, 30, 2)
    assert torch.isfinite(cross_entropy(scores, y)).all()
    assert is_right(scores, y)[0, 0] == 0


def test_sparse_features_train_as_dense_ones_without_dropout() -> None:
    losses = []
    for x in (X, SparseFeatures(X)):
        model = MLP(6, 8, 2, copies=2, generator=seeds(0, 1))
        batch = Batch(x, None, torch.arange(30))
        history = train(model, [batch], Y, SPLITS[:2], epochs=10)
        losses.append(history.curves["train_loss"])
    torch.testing.assert_close(losses[0], losses[1])


def test_a_loss_that_is_not_finite_stops_with_advice() -> None:
    bad = Objective(lambda s, y: s.sum(-1) * torch.nan, is_right)
    with pytest.raises(TrainingError, match="Lower lr"):
        run(0, 1, objective=bad)


def test_generators_are_as_many_as_splits() -> None:
    with pytest.raises(GrokbookError, match="generators"):
        run(0, 1, generator=seeds(0))


def test_an_epoch_leaves_no_small_tensor_behind() -> None:
    """Between large ones they split the heap, which then grows for ever."""
    record = Recorder(2, "val_loss", "val_score")
    row = {name: torch.zeros(2) for name in CURVES}

    def alive() -> int:
        return sum(type(thing) is torch.Tensor for thing in gc.get_objects())

    record.add(row)
    before = alive()
    for _ in range(20):
        record.add(row)
    assert alive() == before
    assert record.history().curves["val_loss"].shape == (21, 2)


def test_recorder_counts_waiting_from_the_last_new_best() -> None:
    record = Recorder(2, "val_loss", "val_score")
    for loss in ([3.0, 3.0], [2.0, 4.0], [2.0, 5.0], [2.5, 1.0]):
        row = dict.fromkeys(["train_loss", "val_score", "test_score"])
        row = {name: torch.zeros(2) for name in row}
        record.add(row | {"val_loss": torch.tensor(loss)})
    assert record.stay(patience=2) == [1]
    assert record.live.tolist() == [1]


@pytest.mark.parametrize("copies", [None, 1, 3])
def test_a_model_has_a_copy_for_each_split(copies: int | None) -> None:
    # One copy would else be trained on the training parts of both splits,
    # and see in the one what it is tested on in the other.
    model = MLP(6, 8, 2, copies=copies)
    batch = Batch(X, None, torch.arange(30))
    with pytest.raises(TrainingError, match="copies=2"):
        train(model, [batch], Y, SPLITS[:2], epochs=1)


@pytest.mark.parametrize(("splits", "epochs"), [(0, 5), (1, 0)])
def test_there_is_something_to_train(splits: int, epochs: int) -> None:
    model = MLP(6, 8, 2, copies=1)
    batch = Batch(X, None, torch.arange(30))
    with pytest.raises(TrainingError, match="one or more"):
        train(model, [batch], Y, SPLITS[:splits], epochs=epochs)


@pytest.mark.parametrize("part", ["train", "val", "test"])
def test_a_part_with_an_unlabelled_node_is_refused(part: str) -> None:
    y = Y.clone()
    unit = int(getattr(SPLITS[1], part).nonzero()[0])
    y[unit] = -1
    whole = stratified(y, seed=0)
    batch = Batch(X, None, torch.arange(30))
    model = MLP(6, 8, 2, copies=2)
    with pytest.raises(TrainingError, match=f"Unit {unit} .* split 1 "):
        train(model, [batch], y, [whole, SPLITS[1]], epochs=1)
    train(model, [batch], y, [whole, whole], epochs=1)


def test_numbers_below_zero_are_labels_of_a_regression() -> None:
    square = Objective(
        lambda s, y: (s[..., 0] - y) ** 2, lambda s, y: -(s[..., 0] - y).abs()
    )
    model = MLP(6, 8, 1, copies=1)
    batch = Batch(X, None, torch.arange(30))
    y = Y.float() - 0.5
    history = train(model, [batch], y, SPLITS[:1], objective=square, epochs=2)
    assert history.epochs().tolist() == [2]
