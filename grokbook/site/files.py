"""Write the files of the site so that nobody ever reads half of one."""

import os
import shutil
from pathlib import Path


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
    return path.with_name(f".{path.name}.new")
