"""Spectra kept on disk, found by the content of the Laplacian.

A file holds what `spectrum` returned, as safetensors, under a name that is
the SHA-256 of everything the result depends on. It is written beside its
place and moved there in one step, so a file under its final name is whole;
on reading it is verified all the same, and rebuilt if it is not what it
says.
"""

import hashlib
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from grokbook.errors import GraphNotice
from grokbook.matrix import as_csr
from grokbook.peeling import peeled_spectrum
from grokbook.spectrum import Spectrum, spectrum

FORMAT = "grokbook spectrum 1"
SOLVER = "1"  # raised when the solvers' results change
CONVENTION = "symmetric normalised"
NAMES = ("U", "lam", "rest", "truncated")
STALE = 24 * 3600  # seconds after which an unfinished file is litter

Tensors = dict[str, Tensor]


def cached_spectrum(
    L: Any,
    *,
    k: int | None = None,
    ends: str = "both",
    peeled: bool = False,
    dtype: torch.dtype = torch.float64,
    folder: str | Path | None = None,
) -> Spectrum:
    """Like `spectrum`, but decompose each Laplacian only once.

    Args:
        L, k, ends: as in `spectrum`.
        peeled: all but the eigenvalue 1, as `peeled_spectrum`; k and ends
            are then not looked at.
        dtype: of the eigenvectors; the eigenvalues stay in float64.
        folder: where the files are; by default `cache_folder()`.

    Raises:
        whatever `spectrum` raises. A damaged file or a full disk is told
        with a `GraphNotice` and costs no more than the time.

    Examples:
        >>> from grokbook import laplacian
        >>> L = laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     first = cached_spectrum(L, folder=folder)
        ...     again = cached_spectrum(L, folder=folder)
        >>> torch.equal(first.U, again.U)
        True
    """
    key = cache_key(L, k=k, ends=ends, dtype=dtype, peeled=peeled)
    path = place(key, folder)
    S = stored(path, key, lambda tensors: _unpack(tensors, dtype))
    if S is None:
        S = peeled_spectrum(L) if peeled else spectrum(L, k, ends)
        S = Spectrum(S.lam, S.U.to(dtype), S.rest, S.truncated)
        store(path, key, _pack(S))
    return S


def cache_folder() -> Path:
    """The folder of spectra.

    `$GROKBOOK_CACHE`, or else a folder of the user's cache as the XDG rules
    place it: `$XDG_CACHE_HOME/grokbook`, `~/.cache/grokbook`.
    """
    if named := os.environ.get("GROKBOOK_CACHE"):
        return Path(named) / "spectra"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "grokbook" / "spectra"


def cache_key(
    L: Any,
    *,
    k: int | None,
    ends: str,
    dtype: torch.dtype,
    peeled: bool = False,
) -> str:
    """The SHA-256 of all that a spectrum depends on.

    Equal matrices have equal keys, however they are stored.
    """
    rows, tol = as_csr(L)
    N = rows.shape[0]
    if peeled:
        k, ends = N, "peeled"
    elif k is None or k >= N:
        k, ends = N, "both"  # the same full decomposition
    says = [FORMAT, SOLVER, CONVENTION, str(dtype), N, k, ends, tol]
    digest = hashlib.sha256("\n".join(map(str, says)).encode() + b"\0")
    for part, kind in (
        (rows.indptr, "<i8"),
        (rows.indices, "<i8"),
        (rows.data, "<f8"),
    ):
        digest.update(np.ascontiguousarray(part, dtype=kind).tobytes())
    return digest.hexdigest()


def place(key: str, folder: str | Path | None) -> Path:
    """Where the file of a key is."""
    home = Path(folder) if folder is not None else cache_folder()
    return home / f"{key}.safetensors"


def stored(path: Path, key: str, unpack: Callable[[Tensors], Any]) -> Any:
    """What a file holds; None if there is none, or none to be trusted."""
    try:
        return unpack(_read(path, key))
    except FileNotFoundError:
        return None
    except (SafetensorError, OSError, ValueError) as error:
        _tell(f"{path} is not used ({error}); it is computed anew.")
    except RuntimeError as error:
        # It went between the two times that safetensors opens it.
        if "unable to open file" not in str(error):
            raise
    return None


def store(path: Path, key: str, tensors: Tensors) -> None:
    """Write a file; a full disk costs no more than the time."""
    try:
        _write(path, tensors, key)
    except (OSError, SafetensorError) as error:
        _tell(f"The spectrum could not be stored in {path} ({error}).")


def _pack(S: Spectrum) -> Tensors:
    """A spectrum as named tensors."""
    rest = [] if S.rest is None else [S.rest]
    return {
        "lam": S.lam.contiguous(),
        "U": S.U.contiguous(),
        "rest": torch.tensor(rest, dtype=torch.float64),
        "truncated": torch.tensor([S.truncated], dtype=torch.uint8),
    }


def _unpack(tensors: Tensors, dtype: torch.dtype) -> Spectrum:
    """Named tensors as a spectrum, checked for sense."""
    lam, U = tensors["lam"], tensors["U"]
    rest = tensors["rest"].tolist()
    shaped = lam.dim() == 1 and U.dim() == 2 and U.shape[1] == len(lam)
    if not shaped or U.shape[0] < U.shape[1]:
        raise ValueError("its tensors have the wrong shape")
    if lam.dtype != torch.float64 or U.dtype != dtype:
        raise ValueError("its tensors have the wrong dtype")
    if not (torch.isfinite(lam).all() and torch.isfinite(U).all()):
        raise ValueError("it holds NaN or infinity")
    return Spectrum(
        lam, U, rest[0] if rest else None, bool(tensors["truncated"])
    )


def fingerprint(tensors: Tensors) -> str:
    """The SHA-256 of tensors: their names, kinds, shapes and numbers."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name].contiguous()
        says = f"{name} {tensor.dtype} {tuple(tensor.shape)}\0"
        digest.update(says.encode())
        digest.update(tensor.flatten().view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _read(path: Path, key: str) -> Tensors:
    """Read a file and check that it is whole and the one asked for."""
    with safe_open(path, framework="pt") as file:
        says = file.metadata() or {}
        if says.get("format") != FORMAT:
            raise ValueError("it was not written by this package")
        if says.get("key") != key:
            raise ValueError("it belongs to another Laplacian")
        tensors = {name: file.get_tensor(name) for name in NAMES}
    if says.get("checksum") != fingerprint(tensors):
        raise ValueError("its checksum does not match")
    return tensors


def _write(path: Path, tensors: Tensors, key: str) -> None:
    """Write a file beside its place, then move it there in one step.

    Whoever is killed on the way leaves only an unfinished file of another
    name, which a later writer clears away; of two writers the last wins.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _clear_litter(path.parent)
    says = {"format": FORMAT, "key": key, "checksum": fingerprint(tensors)}
    handle, name = tempfile.mkstemp(".part", key[:16], path.parent)
    os.close(handle)
    try:
        save_file(tensors, name, says)
        _flush(name)
        os.replace(name, path)
        _flush(path.parent)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _flush(path: str | Path) -> None:
    """Make sure that a file or a folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _clear_litter(folder: Path) -> None:
    """Remove what killed writers left more than a day ago."""
    for part in folder.glob("*.part"):
        try:
            if time.time() - part.stat().st_mtime > STALE:
                part.unlink()
        except FileNotFoundError:  # another writer was faster
            continue


def _tell(what: str) -> None:
    """Say what went wrong with a file, and go on."""
    warnings.warn(what, GraphNotice, stacklevel=4)
