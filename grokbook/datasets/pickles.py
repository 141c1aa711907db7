"""Old pickles, opened with a list of what they may build.

The bytes are compared with their known SHA-256 before they come here. The
list is the second lock: whatever a pickle names that is not a plain array,
matrix or container is refused, not imported.
"""

import io
import pickle
import warnings
from collections import OrderedDict, defaultdict
from typing import Any

import numpy as np
import torch
from numpy._core.multiarray import _reconstruct
from scipy.sparse import csr_matrix

from grokbook.errors import DataFileError


def _storage(raw: bytes) -> Any:
    """The numbers of a tensor, read by PyTorch's own restricted reader."""
    return torch.load(io.BytesIO(raw), weights_only=True)


ALLOWED = {
    ("__builtin__", "list"): list,
    ("collections", "defaultdict"): defaultdict,
    ("collections", "OrderedDict"): OrderedDict,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("numpy.core.multiarray", "_reconstruct"): _reconstruct,
    ("scipy.sparse.csr", "csr_matrix"): csr_matrix,
    ("torch._utils", "_rebuild_tensor_v2"): torch._utils._rebuild_tensor_v2,
    ("torch.storage", "_load_from_bytes"): _storage,
}


class _Unpickler(pickle.Unpickler):
    """Builds what is in `ALLOWED` and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """Answer a name the pickle asks for."""
        try:
            return ALLOWED[module, name]
        except KeyError:
            raise DataFileError(
                f"A pickle asks for {module}.{name}, which no data file "
                "needs. It is not opened."
            ) from None


def open_pickle(raw: bytes) -> Any:
    """Open a pickle whose bytes were verified.

    Examples:
        >>> open_pickle(pickle.dumps({"a": [1, 2]}))
        {'a': [1, 2]}
        >>> open_pickle(pickle.dumps(eval))
        Traceback (most recent call last):
            ...
        grokbook.errors.DataFileError: A pickle asks for builtins.eval, \
which no data file needs. It is not opened.
    """
    with warnings.catch_warnings():
        # dtypes of 2016 carry an `align` that NumPy has since renamed
        warnings.simplefilter("ignore")
        return _Unpickler(io.BytesIO(raw), encoding="latin1").load()
