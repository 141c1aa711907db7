"""Data sets that are files of this repository, verified when read."""

import hashlib

import numpy as np
from scipy.sparse import csr_matrix

from grokbook.datasets.registry import Entry
from grokbook.datasets.tables import Tables, node_tables
from grokbook.errors import DataFileError
from grokbook.files import DATA


def read_embedded(row: Entry) -> Tables:
    """The tables of an embedded set, after its bytes are verified.

    Raises:
        DataFileError: its file is missing or its bytes have changed.
    """
    from safetensors.torch import load

    (file,) = row.files
    path = DATA / file.path
    if not path.is_file():
        raise DataFileError(
            f"data/{file.path} is missing. It is part of the repository: run "
            "`git checkout data`, and install the package from a clone "
            "(`pip install -e .`)."
        )
    raw = path.read_bytes()
    if hashlib.sha256(raw).hexdigest() != file.sha256:
        raise DataFileError(
            f"data/{file.path} is damaged: its bytes are not those that were "
            f"published. Restore it with `git checkout data/{file.path}`."
        )
    stored = load(raw)
    return _cora(stored) if row.name == "cora" else stored


def _cora(stored: Tables) -> Tables:
    """Lists of words as a table of zeros and ones."""
    words = stored["words"].numpy().astype(np.int32)
    start = np.cumsum([0, *stored["words_per_paper"].tolist()])
    x = csr_matrix((np.ones(len(words)), words, start))
    return node_tables(stored["edges"], x, stored["subject"])
