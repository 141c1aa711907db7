"""Models by name: how to build each, and what it takes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from grokbook.errors import FilterError, check_choice
from grokbook.files import DATA, read_csv
from grokbook.models.bernnet import BernNet
from grokbook.models.chebynet import ChebyNet
from grokbook.models.gat import GAT
from grokbook.models.gcn import GCN
from grokbook.models.gprgnn import GPRGNN
from grokbook.models.graphgps import GraphGPS
from grokbook.models.grokformer import GrokFormer
from grokbook.models.jacobiconv import JacobiConv
from grokbook.models.layer import PARTS
from grokbook.models.mlp import MLP
from grokbook.models.node_specformer import STARTS, NodeSpecformer
from grokbook.models.polyformer import PolyFormer
from grokbook.models.sgformer import SGFormer
from grokbook.models.transformer import Transformer

PUBLISHED = DATA / "hyperparameters"
TRAINING = {"lr": 0.01, "weight_decay": 5e-4, "hidden_channels": 64}


@dataclass(frozen=True)
class Entry:
    """A model that can be trained by name.

    Attributes:
        build: called with the three widths and the options.
        ranges: its options, and the values a search may try; the first is
            the default.
        readings: the readings it has.
        training: where it departs from `TRAINING`.
        wide: whether its hidden channels pass along the edges. Copies then
            share little, and on a large graph few of them fit a cache.
    """

    build: Callable[..., nn.Module]
    ranges: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    readings: Sequence[str] = ("paper",)
    training: Mapping[str, Any] = field(default_factory=dict)
    wide: bool = False

    def defaults(self) -> dict[str, Any]:
        """The first value of each range."""
        return {name: values[0] for name, values in self.ranges.items()}


DROPOUT = (0.5, 0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8)
ENCODER = {"num_layers": (1, 2), "heads": (4, 1, 2), "dropout": DROPOUT}
RATES = (0.01, 0.0005, 0.001, 0.005, 0.05)
DECAYS = (0.0, 5e-5, 1e-4, 5e-4, 1e-3)
MODELS = {
    "grokformer": Entry(
        GrokFormer,
        {  # the paper's appendix on node classification
            "num_layers": (1, 2, 3),
            "M": (8, 16, 32),
            "heads": (1, 2, 3, 4, 5),
            "K": (2, 1, 3, 4, 5, 6, 10),
            "dropout": DROPOUT,
            "feature_dropout": DROPOUT,
            "filter_dropout": DROPOUT,
            "parts": PARTS,
        },
        readings=("released", "paper"),
    ),
    "mlp": Entry(MLP, {"dropout": DROPOUT}),
    # Widths and rates of GCN, GAT and ChebyNet as in the comparison of
    # Chien et al. (2021), which later papers follow; where these do not
    # fit, a search chose others.
    "gcn": Entry(GCN, {"num_layers": (2, 3), "dropout": DROPOUT}, wide=True),
    "chebynet": Entry(
        ChebyNet,
        {"K": (2, 3), "dropout": DROPOUT},
        training={"hidden_channels": 32},
        wide=True,
    ),
    "gat": Entry(GAT, {"heads": (8,), "dropout": DROPOUT}, wide=True),
    "sgformer": Entry(
        SGFormer,
        {
            "num_layers": (2, 4, 8),
            "graph_weight": (0.8, 0.5, 0.7),
            "dropout": DROPOUT,
            "attention_dropout": (0.2, 0.0, 0.3, 0.6),
        },
        wide=True,
    ),
    "specformer": Entry(
        NodeSpecformer,
        {
            "num_layers": (2, 1),
            "heads": (4, 1, 2),
            "dropout": DROPOUT,
            "filter_dropout": DROPOUT,
            "encoder_dropout": (0.0, 0.1, 0.2, 0.5),
            "grid": (0, 1025, 2049),
            "start": tuple(STARTS),
        },
        training={"lr": 0.001, "hidden_channels": 32},
    ),
    # In the book for its cost: with its authors' degree, and no more.
    "polyformer": Entry(
        PolyFormer,
        {
            "K": (10,),
            "num_layers": (1, 2),
            "heads": (1, 2, 4),
            "dropout": DROPOUT,
        },
    ),
    # No values are published for these graphs.
    "transformer": Entry(
        Transformer, ENCODER, training={"lr": 0.001}, wide=True
    ),
    "graphgps": Entry(GraphGPS, ENCODER, training={"lr": 0.001}, wide=True),
    "gprgnn": Entry(
        GPRGNN,
        {
            "K": (10,),
            "alpha": (0.1, 0.0, 0.2, 0.5, 0.9, 1.0),
            "dropout": DROPOUT,
            "filter_dropout": DROPOUT,
        },
    ),
    "bernnet": Entry(
        BernNet,
        {
            "K": (10,),
            "dropout": DROPOUT,
            "filter_dropout": DROPOUT,
            "filter_lr": (0.01, 0.001, 0.002, 0.05),
        },
    ),
    "jacobiconv": Entry(
        JacobiConv,
        {
            "K": (10,),
            "alpha": (1.0, 0.5, 1.5, 2.0),
            "beta": (1.0, -0.5, 0.0, 0.5, 1.5, 2.0),
            "gamma": (1.0, -0.5, 0.0, 0.5, 1.5, 2.0),
            "dropout": DROPOUT,
            "filter_dropout": DROPOUT,
            "filter_lr": RATES,
            "filter_weight_decay": DECAYS,
            "factor_lr": RATES,
            "factor_weight_decay": DECAYS,
        },
    ),
}


def find(model: str) -> Entry:
    """The entry of a model.

    Examples:
        >>> find("mlp").defaults()
        {'dropout': 0.5}
    """
    check_choice("model", model, MODELS)
    return MODELS[model]


def published(model: str, dataset: str) -> dict[str, Any]:
    """The hyperparameters that a model's authors published for a data set.

    The name is read as `load_graph` reads it, in any case. An empty table
    if they published none.

    Examples:
        >>> published("grokformer", "texas")["K"]
        1
    """
    dataset = dataset.lower().replace("_", "-")
    path = PUBLISHED / f"{model}.csv"
    for row in read_csv(path) if path.is_file() else ():
        if row.pop("dataset") == dataset:
            return {name: _number(text) for name, text in row.items()}
    return {}


def complete(
    model: str, dataset: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Hyperparameters given, else published, else the model's defaults.

    Raises:
        FilterError: an option that the model does not have.
    """
    entry = find(model)
    base = TRAINING | dict(entry.training) | entry.defaults()
    return merged(model, base, published(model, dataset), given)


def merged(
    model: str,
    base: Mapping[str, Any],
    known: Mapping[str, Any],
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Options given, else known, else the base's; no others.

    Raises:
        FilterError: an option that is not in the base.
    """
    strange = sorted(set(given) - set(base))
    if strange:
        raise FilterError(
            f"{model} has no option {', '.join(strange)}. It has: "
            f"{', '.join(base)}."
        )
    made = (
        dict(base)
        | {k: v for k, v in known.items() if k in base}
        | dict(given)
    )
    # A rate may be given as 0 or 1; it is a fraction all the same.
    return {k: _like(base[k], value) for k, value in made.items()}


def build(
    model: str,
    sizes: tuple[int, int],
    options: Mapping[str, Any],
    reading: str,
    seeds: Sequence[torch.Generator],
) -> nn.Module:
    """A copy of a model for each generator.

    Args:
        model: its name.
        sizes: features and classes.
        options: hyperparameters; those of the optimizer are left alone.
        reading: for models that have several.
        seeds: a generator for each copy.
    """
    entry = find(model)
    mine = {name: options[name] for name in entry.ranges}
    if len(entry.readings) > 1:
        mine["reading"] = reading
    features, classes = sizes
    hidden = options["hidden_channels"]
    return entry.build(
        features, hidden, classes, copies=len(seeds), generator=seeds, **mine
    )


def _like(default: Any, value: Any) -> Any:
    """A whole number as a fraction, where the default is one."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return float(value) if whole and isinstance(default, float) else value


def _number(text: str) -> int | float:
    """A whole number if it is written as one."""
    return int(text) if text.isdigit() else float(text)
