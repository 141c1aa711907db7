"""Results on disk: one JSON file a spec, whole or not there at all.

A file is written beside its place and moved there in one step, by whoever
holds the claim to its spec. A claim is a lock that the system takes back
when its owner dies, however it dies, so none is ever stale.
"""

import fcntl
import hashlib
import json
import os
import time
import warnings
from pathlib import Path
from typing import IO, Any

from grokbook.errors import DamagedRecordError, GraphNotice, StoreError
from grokbook.experiments.spec import RunSpec, canonical
from grokbook.files import RUNS

Record = dict[str, Any]


def path_of(spec: RunSpec, folder: Path) -> Path:
    """Where the record of a spec is kept."""
    return folder / f"{spec.key}.json"


def load(spec: RunSpec, folder: Path) -> Record | None:
    """The record of a spec, or None if there is none.

    Raises:
        DamagedRecordError: the file is not what its name says.
        StoreError: it cannot be read.
    """
    try:
        return read(path_of(spec, folder))
    except FileNotFoundError:
        return None


def read(path: Path) -> Record:
    """Read one record; verify its bytes and its name."""
    try:
        record = json.loads(path.read_bytes(), parse_constant=_refuse)
        _verify(record, path.stem)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreError(
            f"{path.name} cannot be read ({error.strerror})."
        ) from error
    except (ValueError, RecursionError) as error:
        raise DamagedRecordError(
            f"{path.name} is not the record its name says ({error}). "
            "Run its spec again: the file is moved aside, not deleted."
        ) from error
    return record


def save(record: Record, folder: Path) -> None:
    """Write a record; only for the one who holds the claim to its spec.

    Raises:
        StoreError: the disk is full or refuses. The place of the record
            is as it was.
    """
    path = path_of(RunSpec.from_dict(record["spec"]), folder)
    part = path.with_suffix(".part")
    sealed = {**record, "checksum": checksum(record)}
    text = json.dumps(sealed, indent=1, allow_nan=False) + "\n"
    try:
        with open(part, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        raise StoreError(
            f"{path.name} could not be stored ({error.strerror}). Make room "
            "or pass another folder, then run it again."
        ) from error
    finally:
        part.unlink(missing_ok=True)


def checksum(record: Record) -> str:
    """The SHA-256 of all that a record says beside it."""
    said = {k: v for k, v in record.items() if k != "checksum"}
    return hashlib.sha256(canonical(said).encode()).hexdigest()


def records(folder: str | Path = RUNS) -> dict[str, Record | None]:
    """Every record of the store by its key; None for a damaged one."""
    found: dict[str, Record | None] = {}
    for path in sorted(Path(folder).glob("*.json")):
        try:
            found[path.stem] = read(path)
        except DamagedRecordError:
            found[path.stem] = None
    return found


def set_aside(spec: RunSpec, folder: Path) -> None:
    """Keep a damaged file under another name, and say so."""
    path = path_of(spec, folder)
    aside = path.with_suffix(f".damaged-{time.time_ns()}")
    os.replace(path, aside)
    warnings.warn(
        f"{path.name} was damaged or foreign; it is now {aside.name}, and "
        "its spec is computed anew.",
        GraphNotice,
        stacklevel=3,
    )


def claim(spec: RunSpec, folder: Path, *, wait: bool) -> IO | None:
    """Take the only right to compute a spec; None if another holds it.

    The right lasts until the returned file is closed, or its owner dies.

    Raises:
        StoreError: nothing can be written in the folder.
    """
    path = folder / ".claims" / spec.key
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # The file stays when the claim ends: removing it could be raced.
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT))
    except OSError as error:
        raise StoreError(
            f"Nothing can be written in the folder {folder.name} "
            f"({error.strerror}). Pass another folder."
        ) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        file.close()
        return None
    return file


def _verify(record: Any, key: str) -> None:
    """Raise ValueError with what is wrong with a record."""
    if not isinstance(record, dict) or "checksum" not in record:
        raise ValueError("it is no record")
    if record["checksum"] != checksum(record):
        raise ValueError("its checksum does not match")
    if RunSpec.from_dict(record["spec"]).key != key:
        raise ValueError("it belongs to another spec")


def _refuse(constant: str) -> None:
    """NaN and infinity are no JSON."""
    raise ValueError(f"it holds {constant}")
