"""The task "official": graph-level sets that come with a split of their own.

ZINC (a number, mean absolute error), Peptides-func (ten properties, average
precision) and CIFAR10 as superpixels (a class), Tables 9 and 10. The model
is GrokFormer with message passing inside; NAME-no-edges is the same set with
the features of edges left out, which the paper marks by a star.

In the sizes "smoke" and "laptop" only the first graphs of each part are
used: such a run is labelled as reduced, and no result of the benchmark.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional

from grokbook.datasets import load_graphs
from grokbook.draws import generators
from grokbook.errors import check_choice
from grokbook.experiments.edge_batches import EdgePadded, one_hot_columns
from grokbook.graph_batches import InPieces, RandomBatches
from grokbook.graph_spectra import cached_spectra
from grokbook.history import History
from grokbook.models.registry import merged
from grokbook.models.with_edges import edge_grokformer
from grokbook.split_masks import Split
from grokbook.train import CLASSIFICATION, Objective, train

if TYPE_CHECKING:
    from torch_geometric.data import Data

    from grokbook.experiments.spec import RunSpec

NO_EDGES = "-no-edges"
#: Graphs that train, graphs that validate and that test, and epochs.
SIZES = {
    "smoke": (24, 12, 2),
    "laptop": (1000, 250, 20),
    "full": (10**9, 10**9, 200),
}
#: Sets of large graphs, about 150 atoms each, are reduced further.
LARGE = {"peptides-func": {"laptop": (300, 150, 12)}}
PATIENCE = 20
OPTIONS = {  # of the paper's ranges
    "lr": 0.001,
    "weight_decay": 5e-5,
    "hidden_channels": 32,
    "batch_size": 64,
    "num_layers": 4,
    "K": 3,
    "M": 16,
    "heads": 4,
    "dropout": 0.0,
    "readout": "mean",
}
TRAINING = ("lr", "weight_decay", "hidden_channels", "batch_size")


def _gap(scores: Tensor, y: Tensor) -> Float[Tensor, "S n"]:
    """How far each prediction is off."""
    return (scores[..., 0] - y).abs()


def _surprise(scores: Tensor, y: Tensor) -> Float[Tensor, "S n"]:
    """Cross-entropy of yes and no, the mean over the properties."""
    given = y.expand_as(scores)
    return functional.binary_cross_entropy_with_logits(
        scores, given, reduction="none"
    ).mean(-1)


#: The smaller a loss, the better; the larger a score.
OBJECTIVES = {
    "mae": Objective(_gap, lambda s, y: -_gap(s, y)),
    "ap": Objective(_surprise, lambda s, y: -_surprise(s, y)),
    "accuracy": CLASSIFICATION,
}
METRICS = {
    "zinc": "mae",
    "zinc-resampled": "mae",
    "peptides-func": "ap",
    "cifar10": "accuracy",
}


def official(
    spec: "RunSpec", data: "Sequence[Data] | None" = None
) -> dict[str, Any]:
    """Train on the official split, select on validation, test once.

    Args:
        spec: what to run; its splits are models with other weights.
        data: graphs of your own, each with a `split` of 0, 1 or 2.

    Returns:
        metric and scores; `constant`, the score of the best answer that is
        the same for all; the validation loss of each epoch, a mean over
        the models; epochs, chosen; how many graphs of each part; the
        hyperparameters.
    """
    name, metric = _check(spec)
    few, fewer, epochs = (SIZES | LARGE.get(name, {}))[spec.size]
    graphs = first_of_each(
        load_graphs(name) if data is None else data, few, fewer
    )
    split = official_split(graphs)
    y = torch.cat([graph.y for graph in graphs])
    options = merged(spec.model, OPTIONS, {}, spec.hyperparameters)
    model, batches = _made(spec, graphs, y, options)

    def watch() -> Tensor:
        return predictions(model, batches, split.test).flatten(1)

    history = train(
        model,
        batches,
        y,
        [split] * spec.splits,
        objective=OBJECTIVES[metric],
        lr=options["lr"],
        weight_decay=options["weight_decay"],
        epochs=epochs,
        patience=PATIENCE,
        select="val_loss",
        generator=_seeds(spec),
        watch=watch,
    )
    return _found(metric, history, y, split) | {"used": options}


def _found(
    metric: str, history: History, y: Tensor, split: Split
) -> dict[str, Any]:
    """What training came to."""
    truth = y[split.test]
    said = [row.view(len(truth), -1) for row in history.watched]
    curve = history.curves["val_loss"].double().nanmean(1)
    return {
        "metric": metric,
        "scores": [measured(metric, row, truth) for row in said],
        "constant": constant(metric, y, split),
        "curve": [round(loss, 6) for loss in curve.tolist()],
        "epochs": history.epochs().tolist(),
        "chosen": history.chosen.tolist(),
        "graphs": list(split.sizes()),
    }


def _made(
    spec: "RunSpec", graphs: "Sequence[Data]", y: Tensor, options: dict
) -> tuple[InPieces, RandomBatches]:
    """The models, and the graphs in the form that they take."""
    x = one_hot_columns([_features(graph) for graph in graphs])
    edges = one_hot_columns([graph.edge_attr for graph in graphs])
    store = EdgePadded(x, cached_spectra(graphs), graphs, edges)
    numbers = y.shape[1] if y.dim() == 2 else 1
    outputs = numbers if y.is_floating_point() else int(y.max()) + 1
    blind = spec.dataset.endswith(NO_EDGES)
    own = {k: v for k, v in options.items() if k not in TRAINING}
    model = edge_grokformer(
        x[0].shape[1],
        options["hidden_channels"],
        outputs,
        edge_channels=edges[0].shape[1],
        message="gcn" if blind else "gatedgcn",
        generator=_seeds(spec),
        **own,
    )
    order = torch.Generator().manual_seed(spec.seed)
    return InPieces(model), RandomBatches(store, options["batch_size"], order)


def _features(graph: "Data") -> Tensor:
    """The features of the nodes, with their places in a photograph."""
    if getattr(graph, "pos", None) is None:
        return graph.x
    return torch.cat([graph.x, graph.pos], dim=1)


def _seeds(spec: "RunSpec") -> list[torch.Generator]:
    """A generator for each model."""
    return generators(spec.seed * 1000, spec.splits)


def first_of_each(
    graphs: "Sequence[Data]", few: int, fewer: int
) -> "list[Data]":
    """The first graphs of each part: a few that train, fewer that do not."""
    parts: list[list[Data]] = [[], [], []]
    for graph in graphs:
        parts[int(graph.split)].append(graph)
    return [*parts[0][:few], *parts[1][:fewer], *parts[2][:fewer]]


def official_split(graphs: "Sequence[Data]") -> Split:
    """The split that the graphs carry."""
    part = torch.cat([graph.split.flatten() for graph in graphs])
    return Split(part == 0, part == 1, part == 2, "official", 0)


@torch.no_grad()
def predictions(
    model: InPieces, batches: RandomBatches, units: Bool[Tensor, " N"]
) -> Float[Tensor, "S n C"]:
    """The outputs for these graphs, in their order."""
    model.eval()
    some = batches.among(units)
    index, found = zip(
        *((b.index, model(b.x, b.graph)) for b in some), strict=True
    )
    return torch.cat(found, dim=1)[:, torch.cat(index).argsort()]


def measured(metric: str, said: Tensor, y: Tensor) -> float:
    """The score of predictions."""
    from sklearn.metrics import average_precision_score

    if metric == "mae":
        return float((said[:, 0].double() - y).abs().mean())
    if metric == "accuracy":
        return float((said.argmax(1) == y).double().mean())
    there = (y == 1).any(0)  # a property that nobody has cannot be ranked
    return float(
        average_precision_score(y[:, there].numpy(), said[:, there].numpy())
    )


def constant(metric: str, y: Tensor, split: Split) -> float:
    """The score of one answer for all: median, majority, or any ranking."""
    train, test = y[split.train], y[split.test]
    if metric == "mae":
        return float((test.double() - train.median()).abs().mean())
    if metric == "accuracy":
        return float((test == train.bincount().argmax()).double().mean())
    share = test.double().mean(0)
    return float(share[share > 0].mean())


def _check(spec: "RunSpec") -> tuple[str, str]:
    """The set without its suffix and its metric, if all names are known."""
    name = spec.dataset.removesuffix(NO_EDGES)
    for what, given, known in (
        ("data set", name, METRICS),
        ("protocol", spec.protocol, ["published"]),
        ("model", spec.model, ["grokformer"]),
        ("reading", spec.reading, ["paper"]),
        ("device", spec.device, ["auto", "cpu"]),
    ):
        check_choice(what, given, known, " in the task 'official'")
    return name, METRICS[name]
