"""Models of whole graphs by name: how to build each, and what it takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from grokbook.copies import Copied
from grokbook.errors import check_choice
from grokbook.graph_batches import InPieces
from grokbook.models.dgcnn import DGCNN
from grokbook.models.grokformer import GrokFormer
from grokbook.models.layer import PARTS
from grokbook.models.mlp import MLP
from grokbook.models.pooled import Pooled
from grokbook.models.registry import Entry, merged
from grokbook.models.specformer import specformer

#: What the authors' repository had as defaults, in its history; of the
#: epochs that the paper tried (100, 200, 300), the fewest.
TRAINING = {
    "epochs": 100,
    "lr": 0.005,
    "weight_decay": 5e-5,
    "hidden_channels": 32,
    "batch_size": 128,
}
DROPOUT = (0.0, 0.05, 0.1)
READOUT = ("max", "mean", "sum")
LAYERS = {"num_layers": (4, 2, 3, 5), "dropout": (0.5, 0.0)}


@dataclass(frozen=True)
class GraphEntry(Entry):
    """A model of graphs, and the form in which it takes them.

    Attributes:
        form: "padded" (spectra), "packed" (edges) or "bag" (neither).
    """

    form: str = "padded"


GRAPH_MODELS: dict[str, GraphEntry] = {
    "grokformer": GraphEntry(
        partial(GrokFormer, attention="softmax"),
        {  # the paper's appendix; first the defaults of the history
            "num_layers": (1, 2),
            "M": (16, 32, 64),
            "K": (3, 1, 2, 4, 5, 6),
            "heads": (1, 2, 4),
            "dropout": DROPOUT,
            "readout": READOUT,
            "parts": PARTS,
        },
    ),
    "gcn": GraphEntry(
        partial(Pooled, kind="gcn"),
        LAYERS | {"readout": ("mean", "sum", "max")},
        form="packed",
    ),
    "gin": GraphEntry(
        partial(Pooled, kind="gin"),
        LAYERS | {"readout": ("sum", "mean", "max")},
        form="packed",
    ),
    "dgcnn": GraphEntry(
        DGCNN, {"k": (30,), "dropout": (0.5, 0.0)}, form="packed"
    ),
    "transformer": GraphEntry(
        # Vaswani et al. (2017), with the normalisation before each part.
        partial(GrokFormer, attention="softmax", parts="attention"),
        {
            "num_layers": (1, 2),
            "heads": (1, 2, 4),
            "dropout": DROPOUT,
            "readout": READOUT,
        },
    ),
    "specformer": GraphEntry(
        specformer,
        {
            "num_layers": (1, 2),
            "heads": (4, 1, 2),
            "dropout": DROPOUT,
            "readout": READOUT,
        },
    ),
    "bag": GraphEntry(MLP, {"dropout": (0.0, 0.5)}, form="bag"),
}


def find(model: str) -> GraphEntry:
    """The entry of a model.

    Examples:
        >>> find("bag").form
        'bag'
    """
    check_choice("model", model, GRAPH_MODELS, " of graphs")
    return GRAPH_MODELS[model]


def complete(model: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Hyperparameters given, else the model's defaults.

    Raises:
        FilterError: an option that the model does not have.
    """
    base = TRAINING | find(model).defaults()
    return merged(model, base, {}, given)


def build(
    model: str,
    sizes: tuple[int, int],
    options: Mapping[str, Any],
    seeds: Sequence[torch.Generator],
) -> Copied:
    """A copy of a model for each generator.

    Args:
        model: its name.
        sizes: features and classes.
        options: hyperparameters; those of training are left alone.
        seeds: a generator for each copy.
    """
    entry = find(model)
    made = entry.build(
        sizes[0],
        options["hidden_channels"],
        sizes[1],
        copies=len(seeds),
        generator=seeds,
        **{name: options[name] for name in entry.ranges},
    )
    return InPieces(made) if entry.form == "padded" else made
