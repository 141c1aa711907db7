"""The task "node": classify the nodes of one graph, on several splits."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from grokbook import splits
from grokbook.baselines import majority, twin_lookup
from grokbook.datasets import as_graph
from grokbook.devices import find_device
from grokbook.draws import generators
from grokbook.errors import (
    LabelError,
    SignalError,
    SpecError,
    check_choice,
)
from grokbook.experiments.roads import own_loops, take_road
from grokbook.features import prepared
from grokbook.history import exact
from grokbook.models import registry
from grokbook.split_masks import Split
from grokbook.train import Batch, train

if TYPE_CHECKING:
    from torch_geometric.data import Data

    from grokbook.experiments.spec import RunSpec

#: How nodes are split and the epoch chosen. Both stop when the validation
#: loss has had no new best, and report the epoch of the best validation
#: score; they differ in the split.
#: A class of one or two nodes cannot be in three parts: it trains.
PROTOCOLS = {
    "published": splits.released,
    "fair": partial(splits.stratified, small="train"),
}
#: Epochs at most, and without a new best.
SIZES = {"smoke": (5, 5), "laptop": (300, 50), "full": (2000, 200)}
WITHOUT_MODEL = {
    "majority": lambda data, split: majority(data.y, split),
    "twin": lambda data, split: twin_lookup(data, data.y, split),
}
GRID = 101  # eigenvalues at which learned responses are kept
CACHE = 2**23  # bytes that hidden channels of all nodes and copies may take


def node(spec: "RunSpec", data: "str | Data | None" = None) -> dict[str, Any]:
    """Train a model on each split and report the test accuracies.

    Args:
        spec: what to run.
        data: a graph of your own, instead of the one the spec names.

    Returns:
        metric, scores and, for trained models, per split the epochs
        trained, the epoch chosen and the validation accuracy there; the
        road taken; the hyperparameters; learned responses and the
        coefficients behind them.
    """
    given = spec.dataset if data is None else data
    data = as_graph(given)
    if data.y is None:
        raise LabelError(
            f"The nodes of {spec.dataset} have no classes (y), so there is "
            "nothing to learn. Choose a graph with labels."
        )
    parts = [
        _split(spec.protocol, data, seed=spec.seed + s)
        for s in range(spec.splits)
    ]
    check_choice("model", spec.model, [*registry.MODELS, *WITHOUT_MODEL])
    if spec.model in WITHOUT_MODEL:
        if spec.hyperparameters:
            raise SpecError(
                f"{spec.model} has no hyperparameters, but was given "
                f"{', '.join(spec.hyperparameters)}. Leave them out."
            )
        guess = WITHOUT_MODEL[spec.model]
        right = [guess(data, part) == data.y for part in parts]
        scores = [
            r[part.test].double().mean().item()
            for r, part in zip(right, parts, strict=True)
        ]
        return {"metric": "accuracy", "scores": scores}
    return _trained(spec, data, parts, given)


def _trained(
    spec: "RunSpec", data: "Data", parts: list[Split], raw: "str | Data"
) -> dict[str, Any]:
    """Train all splits in one pass, or as many as fit the cache.

    `raw` is the graph, or its name, before `as_graph` has cleaned it.
    """
    if data.x is None:
        raise SignalError(
            f"The nodes of {spec.dataset} have no features (x). Give them "
            "some, such as x=torch.eye(num_nodes)."
        )
    given = dict(spec.hyperparameters)
    road = given.pop("road", "auto")
    loops = own_loops(raw) if given.pop("own_loops", False) else None
    options = registry.complete(spec.model, spec.dataset, given)
    device = find_device(spec.device)
    x = prepared(rows_to_one(data.x)).to(device)
    y, units = data.y.to(device), torch.arange(len(data.y), device=device)
    epochs, patience = SIZES[spec.size]
    training = {"epochs": epochs, "patience": patience}
    training |= {name: options[name] for name in ("lr", "weight_decay")}
    count, found, graph = len(parts), [], None
    if device.type == "cpu" and registry.find(spec.model).wide:
        count = together(len(y), options["hidden_channels"])
    for first in range(0, len(parts), count):
        some = parts[first : first + count]
        # Weights start alike on every device.
        dice = generators(spec.seed + first, len(some))
        model = _model(spec, data, options, dice).to(device)
        if device.type != "cpu":
            dice = generators(spec.seed + first, len(some), device)
        if graph is None:
            graph, road = take_road(model, data, road, loops)
        batch = Batch(x, graph, units)
        found.append(_fit(model, batch, y, some, generator=dice, **training))
    result = {
        name: [row for part in found for row in part[name]]
        for name in found[0]
    }
    return {"metric": "accuracy", **result, "road": road, "used": options}


def _model(
    spec: "RunSpec",
    data: "Data",
    options: dict[str, Any],
    dice: list[torch.Generator],
) -> Any:
    """A copy for each generator."""
    sizes = data.x.shape[1], int(data.y.max()) + 1
    return registry.build(spec.model, sizes, options, spec.reading, dice)


def together(N: int, hidden_channels: int) -> int:
    """How many copies of a wide model train fastest in one pass.

    Examples:
        >>> together(2708, 64), together(19717, 64)
        (12, 1)
    """
    return max(1, CACHE // (4 * N * hidden_channels))


def _fit(
    model: Any,
    batch: Batch,
    y: Tensor,
    parts: list[Split],
    **training: Any,
) -> dict[str, list[Any]]:
    """Train some splits in one pass; an entry of each list is one split's."""
    watch = _watch(model, y.device)
    history = train(model, [batch], y, parts, watch=watch, **training)
    result = {
        "scores": exact(history.at_chosen("test_score"), parts, "test"),
        "val_scores": exact(history.at_chosen("val_score"), parts, "val"),
        "scores_at_least_loss": exact(
            _at_least_loss(history.curves), parts, "test"
        ),
        "epochs": history.epochs().tolist(),
        "chosen": history.chosen.tolist(),
    }
    if watch is not None:
        kept = [row.double().tolist() for row in history.watched]
        rows = [[round(number, 6) for number in row] for row in kept]
        result["responses"] = [row[:GRID] for row in rows]
        if len(rows[0]) > GRID:
            result["coefficients"] = [row[GRID:] for row in rows]
    return result


def _watch(model: Any, device: torch.device) -> Callable[[], Tensor] | None:
    """What to keep of learned filters: responses, and their coefficients.

    A row for each copy; None for a model that has no filter.
    """
    parts = getattr(model, "parts", "both")
    if not hasattr(model, "response") or parts in ("attention", "neither"):
        return None
    lam = torch.linspace(0, 2, GRID, dtype=torch.float64, device=device)

    def look() -> Tensor:
        found = [model.response(lam)]
        if hasattr(model, "coefficients"):
            found.append(model.coefficients().to(found[0]))
        return torch.cat(found).T

    return look


def rows_to_one(x: Tensor) -> Tensor:
    """Divide each node's features by their sum, as the authors do."""
    total = x.abs().sum(1, keepdim=True)
    return x / torch.where(total == 0, 1, total)


def _at_least_loss(curves: dict[str, Tensor]) -> Tensor:
    """The test score at the least validation loss: the other rule."""
    loss = curves["val_loss"].nan_to_num(nan=torch.inf)
    return curves["test_score"].gather(0, loss.argmin(0)[None])[0]


def _split(protocol: str, data: "Data", seed: int) -> Split:
    """A split by the protocol's rule."""
    check_choice("protocol", protocol, PROTOCOLS)
    return PROTOCOLS[protocol](data.y, seed=seed)
