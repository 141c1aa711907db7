"""The task "graph": classify graphs, by k-fold cross-validation.

The splits of a spec are folds, and its seed is that of the partition: seeds
0, 1 and 2 are three partitions of the same graphs. The protocols are those
of `protocols.py`. The only reading is "paper": the released code has no
graph level. In batches of 128 graphs of all parts each fold's model trains
on those of its own training part.
"""

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from grokbook.copies import Copied
from grokbook.datasets import load_graphs
from grokbook.errors import LabelError, SpecError, check_choice
from grokbook.experiments.kernels import (
    KERNELS,
    check_kernel,
    kernel_machine,
)
from grokbook.experiments.protocols import PROTOCOLS, Contest
from grokbook.graph_batches import (
    Packed,
    Padded,
    RandomBatches,
    Rows,
    Store,
)
from grokbook.graph_features import bags, label_and_degree
from grokbook.graph_spectra import cached_spectra
from grokbook.models import graph_registry as registry
from grokbook.split_masks import Split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch_geometric.data import Data

    from grokbook.experiments.spec import RunSpec

#: Epochs at most, whatever the hyperparameter `epochs` says.
SIZES = {"smoke": 2, "laptop": 30, "full": 300}
#: Epochs without a new best of the training loss (as found) or of the
#: validation loss (fair) before a fold stops: as in the authors' history.
PATIENCE = 20
WITHOUT_MODEL = ("majority", *KERNELS)


def graph(
    spec: "RunSpec", data: "Sequence[Data] | None" = None
) -> dict[str, Any]:
    """Train a model on each fold and report the accuracies.

    Args:
        spec: what to run.
        data: graphs of your own, instead of those the spec names.

    Returns:
        metric, scores and what else the protocol reports; the
        hyperparameters.
    """
    _check(spec)
    graphs = load_graphs(spec.dataset) if data is None else list(data)
    y = labels(graphs)
    split, protocol = PROTOCOLS[spec.protocol]
    parts = split(y, spec.splits, seed=spec.seed)
    if spec.model == "majority":
        return {"metric": "accuracy", "scores": _majority(y, parts)}
    if spec.model in KERNELS:
        fitted = kernel_machine(spec.model, graphs, y, parts, spec.seed)
        return {"metric": "accuracy", **fitted}
    made = contest(spec, graphs, y)
    found = protocol(made, parts)
    used = registry.complete(spec.model, spec.hyperparameters)
    return {"metric": "accuracy", **found, "used": used}


def contest(spec: "RunSpec", graphs: "Sequence[Data]", y: Tensor) -> Contest:
    """The graphs in the form that the model takes, and how it is trained."""
    options = registry.complete(spec.model, spec.hyperparameters)
    x = label_and_degree(graphs)
    store = stored(registry.find(spec.model).form, x, graphs)
    order = torch.Generator().manual_seed(spec.seed)
    features, classes = x[0].shape[1], int(y.max()) + 1

    def build(seeds: list[torch.Generator]) -> Copied:
        return registry.build(spec.model, (features, classes), options, seeds)

    return Contest(
        RandomBatches(store, options["batch_size"], order),
        y,
        build,
        spec.seed * 1000,  # ten folds and three seeds: no weights alike
        {name: options[name] for name in ("lr", "weight_decay")},
        min(options["epochs"], SIZES[spec.size]),
        PATIENCE,
    )


def stored(form: str, x: list[Tensor], graphs: "Sequence[Data]") -> Store:
    """The graphs in one of three forms."""
    if form == "padded":
        return Padded(x, cached_spectra(graphs))
    return Packed(x, graphs) if form == "packed" else Rows(bags(x))


def labels(graphs: "Sequence[Data]") -> Tensor:
    """The class of each graph."""
    found = [graph.y for graph in graphs]
    if any(
        y is None or y.numel() != 1 or y.is_floating_point() for y in found
    ):
        raise LabelError(
            "Each graph needs one class, a whole number from 0, in `y`."
        )
    return torch.cat([y.flatten() for y in found])


def _majority(y: Tensor, parts: list[Split]) -> list[float]:
    """The scores of always answering the class most frequent elsewhere."""
    scores = []
    for part in parts:
        scored = part.test if part.tested else part.val
        answer = y[~scored].bincount().argmax()
        scores.append((y[scored] == answer).double().mean().item())
    return scores


def _check(spec: "RunSpec") -> None:
    """Refuse what this task does not know."""
    for what, name, known in (
        ("protocol", spec.protocol, PROTOCOLS),
        ("model", spec.model, [*registry.GRAPH_MODELS, *WITHOUT_MODEL]),
        ("reading", spec.reading, ["paper"]),
        ("device", spec.device, ["auto", "cpu"]),
    ):
        check_choice(what, name, known, " in the task 'graph'")
    if spec.model in KERNELS:
        check_kernel(spec.protocol)
    if spec.model in WITHOUT_MODEL and spec.hyperparameters:
        raise SpecError(
            f"{spec.model} has no hyperparameters, but was given "
            f"{', '.join(spec.hyperparameters)}. Leave them out."
        )
