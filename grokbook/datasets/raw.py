"""Raw files found, verified and, where need be, downloaded.

A file is looked for in `$GROKBOOK_DATA`, then in the cache, then at its
address. Its bytes are read once, compared with the known SHA-256, and only
then handed on; no folder but the cache is ever written to.
"""

import hashlib
import os
import zipfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from grokbook.cache import cache_folder
from grokbook.datasets.registry import Entry, RawFile
from grokbook.errors import DataFileError, UnverifiedError

CHUNK = 1 << 16


def data_folder() -> Path:
    """The cache's folder of raw files and parsed sets."""
    return cache_folder().with_name("data")


def places(file: RawFile) -> list[Path]:
    """Where a file may lie on this machine, the first place first."""
    own = os.environ.get("GROKBOOK_DATA")
    folders = [Path(own)] if own else []
    return [place / file.path for place in (*folders, data_folder())]


def missing(entry: Entry) -> list[RawFile]:
    """The files of a set that are in no place of this machine."""
    return [
        file
        for file in entry.files
        if not any(path.is_file() for path in places(file))
    ]


def read_raw(
    entry: Entry,
    *,
    accept_unverified: bool = False,
    sha256: Mapping[str, str] | None = None,
    download: bool = True,
) -> dict[str, bytes]:
    """The bytes of a set's files by file name, each verified.

    Args:
        entry: the set.
        accept_unverified: also take files whose SHA-256 is not known, or
            is another; pickles never.
        sha256: file names with the SHA-256 that you vouch for.
        download: fetch what is not on this machine.

    Raises:
        DataFileError: a file is missing, damaged, or cannot be fetched.
        UnverifiedError: a file's SHA-256 is not known.
    """
    vouched = sha256 or {}
    files = {}
    for file in entry.files:
        mine = vouched.get(file.name, "")
        known = mine or file.sha256
        if not known:
            _refuse_unknown(entry, file, accept_unverified)
        path = next((p for p in places(file) if p.is_file()), None)
        if path is None:
            url, expected = file.url, known
            if not url and (mine or accept_unverified):
                url, expected = file.unverified_url, mine
            if not (url and download):
                raise DataFileError(how_to_get(entry))
            path = fetch(file.path, url, expected)
        raw = path.read_bytes()
        if known and hashlib.sha256(raw).hexdigest() != known:
            _refuse_other(path, file, accept_unverified)
        files[file.name] = raw
    return files


def _refuse_unknown(entry: Entry, file: RawFile, accepted: bool) -> None:
    """Stop at a file whose hash nobody published, unless consent was given."""
    vouch = f"sha256={{{file.name!r}: '…'}}"
    if file.is_pickle:
        raise UnverifiedError(
            f"The SHA-256 of {file.path} is not known, and the file is a "
            "pickle, which could run any code: it is not opened. If you "
            f"have it from a source you trust, vouch for it with {vouch}. "
            f"{entry.note}"
        )
    if not accepted:
        raise UnverifiedError(
            f"The SHA-256 of {file.path} is not known, so nobody can tell "
            "whether a copy is the right one. Take it unverified with "
            "accept_unverified=True (`--accept-unverified`), or vouch for "
            f"your copy with {vouch}."
        )


def _refuse_other(path: Path, file: RawFile, accepted: bool) -> None:
    """Stop at a file with other bytes than the known ones."""
    if accepted and not file.is_pickle:
        return
    raise DataFileError(
        f"{path} is damaged or replaced: its bytes are not those with the "
        "known SHA-256, so it is not opened. Remove it, and get it again."
    )


def how_to_get(entry: Entry) -> str:
    """What is missing of a set, and what to do about it."""
    lost = missing(entry)
    said = (
        f"{entry.name} is missing: {len(lost)} of its {len(entry.files)} "
        f"file(s), such as {lost[0].path}, are neither in $GROKBOOK_DATA "
        "nor in the cache."
    )
    if all(file.url for file in lost):
        return f"{said} With a network: `grokbook data get {entry.name}`."
    if all(file.url or file.unverified_url for file in lost):
        return (
            f"{said} With a network: `grokbook data get {entry.name} "
            "--accept-unverified`; nobody published the SHA-256 of what "
            "you get."
        )
    return (
        f"{said} It has no address that serves the verified files: set "
        f"GROKBOOK_DATA to a folder that has them. {entry.note}".rstrip()
    )


def fetch(name: str, url: str, sha256: str) -> Path:
    """Download a file into the cache and compare its hash, if one is given.

    Raises:
        DataFileError: no network, no such file, or the wrong bytes.
    """
    import pooch
    import requests

    path = data_folder() / name
    part = path.with_name(f"{path.name}.part")
    new = [f for f in (path.parent, *path.parent.parents) if not f.exists()]
    try:
        pooch.retrieve(
            url,
            f"sha256:{sha256}" if sha256 else None,
            path.name,
            path.parent,
            downloader=partial(_resume, part=part),
        )
    except (requests.RequestException, OSError, ValueError) as error:
        raise DataFileError(
            f"{name} could not be had from {url} ({error}). What "
            "arrived of it is kept if it may still be right: run the same "
            "again, or set GROKBOOK_DATA to a folder that has the file."
        ) from error
    finally:
        for folder in new:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
    return path


def _resume(url: str, output_file: Any, _: Any, *, part: Path) -> None:
    """Fetch a file, going on where the last try was cut off.

    What has arrived lies in `part`. Pooch then compares the hash of
    `output_file` and moves it to its place, or removes it. An address that
    ends in `.zip#name` stands for that file inside the archive.
    """
    import requests
    from tqdm.auto import tqdm

    archive, _, member = url.partition("#")
    have = part.stat().st_size if part.is_file() else 0
    headers = {"Accept-Encoding": "identity"}  # or ranges count other bytes
    if have:
        headers["Range"] = f"bytes={have}-"
    with requests.get(archive, headers=headers, stream=True, timeout=30) as r:
        if r.status_code == 416:  # nothing after what is there
            part.unlink()
        r.raise_for_status()
        going_on = r.status_code == 206
        left = int(r.headers.get("Content-Length", 0))
        with (
            part.open("ab" if going_on else "wb") as out,
            tqdm(
                desc=part.stem,
                total=(left + have * going_on) or None,
                initial=have * going_on,
                unit="B",
                unit_scale=True,
            ) as bar,
        ):
            for chunk in r.iter_content(CHUNK):
                bar.update(out.write(chunk))
    if member:
        _take_out(part, member, Path(output_file))
        part.unlink()
    else:
        os.replace(part, output_file)


def _take_out(archive: Path, member: str, output_file: Path) -> None:
    """Copy one file out of an archive."""
    with zipfile.ZipFile(archive) as box:
        (name,) = (n for n in box.namelist() if n.split("/")[-1] == member)
        output_file.write_bytes(box.read(name))
