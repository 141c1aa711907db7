"""The repository's own tables, and files of which nobody ever reads half."""

import csv
import os
import shutil
from pathlib import Path

from grokbook.errors import DataFileError

DATA = Path(__file__).parents[1] / "data"
RUNS = DATA / "results" / "runs"


def read_csv(path: Path) -> list[dict[str, str]]:
    """Read a table of this repository; lines with # are its heading."""
    if not path.is_file():
        raise DataFileError(
            f"{path.name} is missing. It is part of the repository: run "
            "`git checkout data`."
        )
    lines = path.read_text().splitlines()
    return list(csv.DictReader(x for x in lines if not x.startswith("#")))


def put(path: Path, data: str | bytes) -> None:
    """Write a file, with its folders, and replace the old one at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = beside(path)
    new.write_bytes(data.encode() if isinstance(data, str) else data)
    os.replace(new, path)


def copy(source: str | Path, target: str | Path) -> None:
    """Copy a file, and replace the old one at once."""
    new = beside(Path(target))
    shutil.copyfile(source, new)
    os.replace(new, target)


def beside(path: Path) -> Path:
    """Return the name a file has until it is whole."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")
