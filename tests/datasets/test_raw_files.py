"""Raw files: verified before they are opened, fetched whole or not at all."""

import hashlib
import http.server
import io
import pickle
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from graphs import without_shape_checks

from grokbook import load_graph, load_graphs
from grokbook.datasets import loading, node_readers, pickles, raw
from grokbook.datasets.raw import fetch, read_raw
from grokbook.datasets.registry import Entry, RawFile, entry
from grokbook.errors import DataFileError, GraphNotice, UnverifiedError

CONTENT = bytes(range(256)) * 4000  # a megabyte, in many chunks


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def flip(content: bytes) -> bytes:
    middle = len(content) // 2
    changed = bytes([content[middle] ^ 1])
    return content[:middle] + changed + content[middle + 1 :]


DAMAGE = {
    "one bit flipped": flip,
    "one byte short": lambda content: content[:-1],
    "empty": lambda content: b"",
    "replaced": lambda content: pickle.dumps("something else"),
}


@pytest.fixture
def copy(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Citeseer, Texas and PTC-MR in a folder that may be damaged."""
    for name in ("citeseer", "texas", "ptc-mr"):
        for file in entry(name).files:
            (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
            content = (shared / file.path).read_bytes()
            (tmp_path / file.path).write_bytes(content)
    monkeypatch.setenv("GROKBOOK_DATA", str(tmp_path))
    monkeypatch.setenv("GROKBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, nothing can be parsed or unpickled."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("opened a file that was not verified")

    monkeypatch.setattr(loading, "parse", refuse)
    monkeypatch.setattr(pickles, "open_pickle", refuse)
    monkeypatch.setattr(node_readers, "open_pickle", refuse)
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, refuse)


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize(
    "file",
    [
        "Planetoid/CiteSeer/raw/ind.citeseer.graph",
        "Planetoid/CiteSeer/raw/ind.citeseer.allx",
        "WebKB/texas/raw/out1_node_feature_label.txt",
        "WebKB/texas/raw/texas_split_0.6_0.2_9.npz",
        "TUDataset/PTC_MR/raw/PTC_MR_A.txt",
    ],
)
def test_a_damaged_file_is_refused_by_name_before_it_is_parsed(
    copy: Path, no_parser: None, file: str, damage: str
) -> None:
    path = copy / file
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    load = load_graphs if "TUD" in file else load_graph
    name = file.split("/")[1]
    with pytest.raises(DataFileError, match=rf"{path.name} is damaged or"):
        load(name)
    assert not (copy / "cache").exists()


class Bomb:
    """Unpickling it creates a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (Path.touch, (self.path,))


@pytest.mark.parametrize("consent", [False, True])
@pytest.mark.parametrize("name", ["citeseer", "pubmed", "zinc-resampled"])
def test_a_pickle_with_foreign_bytes_is_never_opened(
    name: str,
    consent: bool,
    nowhere: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for file in entry(name).files:
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        bomb = pickle.dumps(Bomb(tmp_path / "exploded"))
        (tmp_path / file.path).write_bytes(bomb)
    monkeypatch.setenv("GROKBOOK_DATA", str(tmp_path))
    load = load_graphs if "zinc" in name else load_graph
    with pytest.raises(DataFileError, match=r"is damaged or replaced"):
        load(name, accept_unverified=consent)
    assert not (tmp_path / "exploded").exists()
    pickle.loads(bomb)  # it is live
    assert (tmp_path / "exploded").exists()


def test_even_a_verified_pickle_builds_only_arrays(tmp_path: Path) -> None:
    bomb = pickle.dumps(Bomb(tmp_path / "exploded"))
    with pytest.raises(DataFileError, match=r"asks for pathlib"):
        pickles.open_pickle(bomb)
    nested = pickle.dumps(torch.ones(3)).replace(
        b"_rebuild_tensor_v2", b"_rebuild_tensor_v3"
    )
    with pytest.raises(DataFileError, match="_rebuild_tensor_v3"):
        pickles.open_pickle(nested)
    assert not (tmp_path / "exploded").exists()


def test_what_was_parsed_is_kept_and_read_again_without_the_files(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_graph("texas")
    monkeypatch.delenv("GROKBOOK_DATA")
    again = load_graph("texas")
    for key in first.keys():  # noqa: SIM118 - Data is no mapping
        assert torch.equal(first[key], again[key])


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_is_told_and_rebuilt(copy: Path, damage: str) -> None:
    first = load_graph("texas")
    (kept,) = (copy / "cache" / "data").glob("texas-*.safetensors")
    whole = kept.read_bytes()
    kept.write_bytes(DAMAGE[damage](whole))
    with pytest.warns(GraphNotice, match="is damaged; the set is read anew"):
        again = load_graph("texas")
    assert torch.equal(first.x, again.x)
    assert kept.read_bytes() == whole


# --- downloads, from a server on this machine


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves files with ranges; may hang up in the middle."""

    def do_GET(self) -> None:
        server: Any = self.server
        server.asked.append(self.headers.get("Range"))
        content = server.files.get(self.path.lstrip("/"))
        if content is None:
            return self.send_error(404)
        start = 0
        if wanted := self.headers.get("Range"):
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
            if start >= len(content):
                return self.send_error(416)
        rest = content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest[: server.cut] if server.cut else rest)
        server.cut = None

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        serving.files = {"file": CONTENT}
        serving.asked = []
        serving.cut = None
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        serving.url = f"http://127.0.0.1:{serving.server_port}"
        yield serving
        serving.shutdown()
        thread.join()


def test_a_download_arrives_whole(server: Any, nowhere: Path) -> None:
    path = fetch("a/b/file", f"{server.url}/file", sha(CONTENT))
    assert path == nowhere / "data" / "a" / "b" / "file"
    assert path.read_bytes() == CONTENT
    assert list(path.parent.iterdir()) == [path]


def test_a_download_that_was_cut_goes_on_where_it_stopped(
    server: Any, nowhere: Path
) -> None:
    server.cut = 300_000
    get = partial(fetch, "file", f"{server.url}/file", sha(CONTENT))
    with pytest.raises(DataFileError, match="run the same again"):
        get()
    folder = nowhere / "data"
    (part,) = folder.iterdir()  # nothing under the final name
    assert part.name == "file.part"
    have = part.stat().st_size
    assert 0 < have <= 300_000
    assert get().read_bytes() == CONTENT
    assert server.asked == [None, f"bytes={have}-"]
    assert [p.name for p in folder.iterdir()] == ["file"]


def test_a_part_that_cannot_be_right_is_thrown_away(
    server: Any, nowhere: Path
) -> None:
    (nowhere / "data").mkdir(parents=True)
    for stale in (CONTENT + b"more", b"other bytes"):
        (nowhere / "data" / "file.part").write_bytes(stale)
        get = partial(fetch, "file", f"{server.url}/file", sha(CONTENT))
        with pytest.raises(DataFileError):
            get()
        assert get().read_bytes() == CONTENT
        (nowhere / "data" / "file").unlink()


def test_wrong_bytes_are_refused_and_leave_nothing(
    server: Any, nowhere: Path
) -> None:
    with pytest.raises(DataFileError, match=r"file could not be had.*hash"):
        fetch("file", f"{server.url}/file", sha(b"other"))
    assert not nowhere.exists()


def test_an_address_without_a_file_is_named_and_leaves_nothing(
    server: Any, nowhere: Path
) -> None:
    with pytest.raises(DataFileError, match=r"/gone \(404"):
        fetch("a/file", f"{server.url}/gone", sha(CONTENT))
    assert not nowhere.exists()


def test_without_a_network_the_error_says_what_to_do_and_leaves_nothing(
    nowhere: Path,
) -> None:
    with pytest.raises(
        DataFileError, match=r"no network here.*set GROKBOOK_DATA"
    ):
        load_graph("texas")
    assert not nowhere.exists()


def test_a_file_inside_an_archive_is_verified_by_itself(
    server: Any, nowhere: Path
) -> None:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        archive.writestr("folder/inside.txt", b"1, 2")
    server.files["box.zip"] = box.getvalue()
    url = f"{server.url}/box.zip#inside.txt"
    path = fetch("inside.txt", url, sha(b"1, 2"))
    assert path.read_bytes() == b"1, 2"
    assert list(path.parent.iterdir()) == [path]
    path.unlink()
    with pytest.raises(DataFileError, match="hash"):
        fetch("inside.txt", url, sha(b"1, 3"))


def set_of(*files: RawFile) -> Entry:
    return Entry("made-up", "node classification", "raw", "", "", files=files)


def test_an_unknown_file_needs_consent_or_somebody_who_vouches(
    server: Any, nowhere: Path
) -> None:
    row = set_of(RawFile("a/file", "", "", f"{server.url}/file"))
    with pytest.raises(UnverifiedError, match="accept_unverified=True"):
        read_raw(row)
    assert not nowhere.exists()
    assert server.asked == []
    with pytest.raises(DataFileError, match="hash"):
        read_raw(row, sha256={"file": sha(b"other")})
    vouched = read_raw(row, sha256={"file": sha(CONTENT)})
    assert vouched == {"file": CONTENT}
    assert read_raw(row, accept_unverified=True) == {"file": CONTENT}


@pytest.mark.parametrize("name", ["a.pickle", "b.pt", "ind.set.x"])
def test_an_unknown_pickle_is_refused_even_with_consent(
    server: Any, nowhere: Path, name: str
) -> None:
    row = set_of(RawFile(name, "", "", f"{server.url}/file"))
    with pytest.raises(UnverifiedError, match="is a pickle, which could run"):
        read_raw(row, accept_unverified=True)
    assert not nowhere.exists()
    known = {name: sha(CONTENT)}
    assert read_raw(row, sha256=known) == {name: CONTENT}


def test_other_bytes_than_the_known_ones_are_taken_only_with_consent(
    server: Any, nowhere: Path
) -> None:
    row = set_of(RawFile("file", sha(b"other"), "", f"{server.url}/file"))
    with pytest.raises(DataFileError, match="--accept-unverified"):
        read_raw(row)
    assert read_raw(row, accept_unverified=True) == {"file": CONTENT}
    with pytest.raises(DataFileError, match="damaged or replaced"):
        read_raw(row)


def test_the_readers_folder_comes_before_the_cache(
    server: Any,
    nowhere: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = set_of(RawFile("file", sha(CONTENT), f"{server.url}/file", ""))
    read_raw(row)
    monkeypatch.setenv("GROKBOOK_DATA", str(tmp_path))
    read_raw(row)  # falls back to the cache
    assert len(server.asked) == 1
    (tmp_path / "file").write_bytes(b"damaged")
    with pytest.raises(DataFileError, match=str(tmp_path / "file")):
        read_raw(row)


def test_content_that_changed_behind_right_bytes_is_refused(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(row: Entry, files: dict[str, bytes]) -> dict[str, torch.Tensor]:
        return {"edges": torch.zeros(2, 0)}

    monkeypatch.setattr(loading, "parse", other)
    with (
        without_shape_checks(),
        pytest.raises(DataFileError, match="to other numbers than before"),
    ):
        load_graph("texas")
    assert not (raw.data_folder()).exists()
