"""Data sets that are files of this repository, verified when read."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float, Int
from torch import Tensor

from grokbook.errors import DataFileError, UnknownNameError

if TYPE_CHECKING:
    from torch_geometric.data import Data

DATA = Path(__file__).parents[2] / "data"
# name -> (file in data/, SHA-256 of its bytes)
EMBEDDED = {
    "cora": (
        "cora/cora.safetensors",
        "940f50844d31de07651163b1d5ecdfa6413702e04b9e4ec576281b1a5489ba0b",
    ),
}


def load_graph(name: str) -> "Data":
    """Load a graph by name as a PyG `Data` object.

    Args:
        name: "cora".

    Shapes:
        x (N, F) float32, edge_index (2, E) with each edge in both
        directions, y (N,)

    Raises:
        UnknownNameError: there is no graph of that name.
        DataFileError: its file is missing or its bytes have changed.

    Examples:
        >>> load_graph("cora")
        Data(x=[2708, 1433], edge_index=[2, 10556], y=[2708])
    """
    from torch_geometric.data import Data

    tables = _read(str(name).lower())
    edges = tables["edges"].long()
    return Data(
        x=_words_to_features(tables["words_per_paper"], tables["words"]),
        edge_index=torch.cat([edges, edges.flip(0)], dim=1),
        y=tables["subject"].long(),
    )


def _read(name: str) -> dict[str, Tensor]:
    """Read an embedded file after its bytes are verified."""
    from safetensors.torch import load

    if name not in EMBEDDED:
        raise UnknownNameError(
            f"There is no graph {name!r}. Choose from: {', '.join(EMBEDDED)}."
        )
    file, expected = EMBEDDED[name]
    path = DATA / file
    if not path.is_file():
        raise DataFileError(
            f"data/{file} is missing. It is part of the repository: run "
            "`git checkout data`, and install the package from a clone "
            "(`pip install -e .`)."
        )
    raw = path.read_bytes()
    if hashlib.sha256(raw).hexdigest() != expected:
        raise DataFileError(
            f"data/{file} is damaged: its bytes are not those that were "
            f"published. Restore it with `git checkout data/{file}`."
        )
    return load(raw)


def _words_to_features(
    words_per_paper: Int[Tensor, " N"], words: Int[Tensor, " nnz"]
) -> Float[Tensor, "N F"]:
    """Turn lists of words into a table of zeros and ones."""
    papers = torch.arange(len(words_per_paper))
    row = papers.repeat_interleave(words_per_paper.long())
    x = torch.zeros(len(papers), int(words.max()) + 1)
    x[row, words.long()] = 1.0
    return x
