"""The spectra of many small graphs, kept on disk in one file."""

import hashlib
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from grokbook.cache import Tensors, cache_key, place, store, stored
from grokbook.errors import GraphNotice
from grokbook.laplacian import laplacian
from grokbook.spectrum import Spectrum, spectrum

if TYPE_CHECKING:
    from torch_geometric.data import Data


def cached_spectra(
    graphs: "Sequence[Data]", *, folder: str | Path | None = None
) -> list[Spectrum]:
    """The full spectrum of each graph, each decomposed once for all time.

    An isolated node has the diagonal entry 1, as the authors have it.

    Args:
        graphs: a data set, as `load_graphs` gives it.
        folder: where the files are; by default `cache_folder()`.

    Examples:
        >>> import tempfile
        >>> from grokbook import load_graphs
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     cached_spectra(load_graphs("mutag"), folder=folder)[0]
        Spectrum(17 nodes, 17 distinct eigenvalues in [0.0000, 2.0000])
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphNotice)  # told by `data check`
        Ls = [
            laplacian(graph.edge_index, graph.num_nodes, isolated=1.0)
            for graph in graphs
        ]
    digest = hashlib.sha256(b"together")
    for L in Ls:
        one = cache_key(L, k=None, ends="both", dtype=torch.float64)
        digest.update(one.encode())
    key = digest.hexdigest()
    path = place(key, folder)
    found = stored(path, key, _unpack)
    if found is None:
        found = [spectrum(L) for L in Ls]
        store(path, key, _pack(found))
    return found


def _pack(spectra: Sequence[Spectrum]) -> Tensors:
    """Spectra end to end; `rest` has their sizes."""
    return {
        "lam": torch.cat([S.lam for S in spectra]),
        "U": torch.cat([S.U.flatten() for S in spectra]),
        "rest": torch.tensor([S.num_nodes for S in spectra]),
        "truncated": torch.tensor([False], dtype=torch.uint8),
    }


def _unpack(tensors: Tensors) -> list[Spectrum]:
    """Spectra again."""
    sizes = tensors["rest"].tolist()
    parts = zip(
        tensors["lam"].split(sizes),
        tensors["U"].split([N * N for N in sizes]),
        strict=True,
    )
    return [Spectrum(lam, U.view(len(lam), -1)) for lam, U in parts]
