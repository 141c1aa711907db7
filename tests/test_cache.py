"""The cache: the same spectrum again, whatever happened to its file."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import networkx as nx
import pytest
import torch
from graphs import PATH, edges_of, laplacian_of
from safetensors.torch import load_file, save_file
from scipy.sparse import coo_array

from grokbook import Spectrum, cached_spectrum, laplacian, spectrum
from grokbook.cache import FORMAT, cache_folder, cache_key
from grokbook.errors import GraphNotice, MatrixError
from grokbook.peeling import peeled_spectrum

cache = import_module("grokbook.cache")
L = laplacian_of(nx.karate_club_graph())


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """The file of the karate club's spectrum."""
    cached_spectrum(L, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    return path


def same(S: Spectrum, T: Spectrum) -> bool:
    """Equal to the last bit."""
    return (
        torch.equal(S.lam, T.lam)
        and torch.equal(S.U, T.U)
        and (S.rest, S.truncated) == (T.rest, T.truncated)
    )


@pytest.fixture
def no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, nothing can be decomposed."""

    def refuse(*_: object) -> None:
        raise AssertionError("decomposed again")

    monkeypatch.setattr(cache, "spectrum", refuse)


@pytest.mark.parametrize("k", [None, 4])
def test_a_spectrum_is_decomposed_once_and_comes_back_to_the_bit(
    k: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cached_spectrum(L, k=k, folder=tmp_path)
    assert same(first, spectrum(L, k))
    monkeypatch.setattr(cache, "spectrum", None)
    again = cached_spectrum(L, k=k, folder=tmp_path)
    assert same(first, again)
    assert again.truncated == (k is not None)


def test_a_peeled_spectrum_is_kept_apart_from_the_full_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = cached_spectrum(L, folder=tmp_path)
    first = cached_spectrum(L, peeled=True, folder=tmp_path)
    assert full.rest is None
    assert first.rest == 1.0
    assert same(first, peeled_spectrum(L))
    monkeypatch.setattr(cache, "peeled_spectrum", None)
    assert same(first, cached_spectrum(L, peeled=True, folder=tmp_path))
    assert same(full, cached_spectrum(L, folder=tmp_path))


def test_eigenvectors_may_be_kept_in_single_precision(tmp_path: Path) -> None:
    for _ in range(2):
        S = cached_spectrum(L, dtype=torch.float32, folder=tmp_path)
        assert S.U.dtype == torch.float32
        assert S.lam.dtype == torch.float64


def key(L: object = L, **changed: object) -> str:
    given = {"k": 5, "ends": "both", "dtype": torch.float64}
    return cache_key(L, **(given | changed))


def test_equal_matrices_have_one_key_however_they_are_stored() -> None:
    sparse = laplacian(edges_of(nx.karate_club_graph()))
    kinds = [L, sparse, L.numpy(), L.tolist(), coo_array(L.numpy())]
    assert len({key(matrix) for matrix in kinds}) == 1


def test_whatever_the_result_depends_on_changes_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved = L.clone()
    moved[0, 1] = moved[1, 0] = L[0, 1] + 1e-15
    apart = [
        key(),
        key(k=6),
        key(k=None),
        key(ends="low"),
        key(dtype=torch.float32),
        key(moved),
        key(laplacian(PATH, 5), k=2),
        key(laplacian(PATH, 5, isolated=1.0), k=2),
        key(laplacian(PATH, 6), k=2),
    ]
    for name in ("SOLVER", "CONVENTION", "FORMAT"):
        monkeypatch.setattr(cache, name, "another")
        apart.append(key())
        monkeypatch.undo()
    assert len(set(apart)) == len(apart)


def test_all_nodes_or_more_are_the_same_full_spectrum() -> None:
    assert key(k=None) == key(k=34) == key(k=50, ends="low")


def write(path: Path, tensors: dict, **says: str) -> None:
    """A well-formed file with other contents, checksum included."""
    told = {"format": FORMAT, "key": path.stem}
    told["checksum"] = cache.fingerprint(tensors)
    save_file(tensors, path, told | says)


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-100] ^= 1
    path.write_bytes(content)


def change(**changed: torch.Tensor) -> Callable[[Path], None]:
    return lambda path: write(path, load_file(path) | changed)


def tell(**says: str) -> Callable[[Path], None]:
    return lambda path: write(path, load_file(path), **says)


NAN = torch.full((34, 34), torch.nan, dtype=torch.float64)
FAULTS = {
    "empty": lambda path: path.write_bytes(b""),
    "truncated": lambda path: os.truncate(path, path.stat().st_size // 2),
    "one byte short": lambda path: os.truncate(path, path.stat().st_size - 1),
    "cut in the header": lambda path: os.truncate(path, 20),
    "one bit flipped": flip_a_bit,
    "foreign bytes": lambda path: path.write_bytes(os.urandom(5000)),
    "foreign text": lambda path: path.write_text("not a spectrum"),
    "foreign tensors": lambda path: save_file({"w": torch.ones(3)}, path),
    "other format": tell(format="grokbook spectrum 0"),
    "other graph": tell(key="0" * 64),
    "other checksum": tell(checksum="0" * 64),
    "NaN": change(U=NAN),
    "wrong shape": change(U=torch.eye(34, 33, dtype=torch.float64)),
    "wrong dtype": change(U=torch.eye(34)),
    "tensor missing": lambda path: save_file(
        {"lam": load_file(path)["lam"]},
        path,
        {"format": FORMAT, "key": path.stem},
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_is_not_what_it_says_is_told_and_rebuilt(
    fault: str, stored: Path
) -> None:
    FAULTS[fault](stored)
    with pytest.warns(GraphNotice, match=r"is not used .* computed anew"):
        S = cached_spectrum(L, folder=stored.parent)
    assert same(S, spectrum(L))
    # The repaired file is good: no notice, which would be an error here.
    assert same(cached_spectrum(L, folder=stored.parent), S)
    assert list(stored.parent.iterdir()) == [stored]


def test_faults_really_are_faults(stored: Path) -> None:
    write(stored, load_file(stored))
    assert same(cached_spectrum(L, folder=stored.parent), spectrum(L))


def test_the_file_itself_is_what_is_read(
    stored: Path, no_solver: None
) -> None:
    write(stored, load_file(stored) | {"lam": torch.zeros(34).double()})
    assert cached_spectrum(L, folder=stored.parent).lam.sum() == 0


def test_a_disk_that_takes_nothing_costs_only_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(cache, "_flush", full)
    with pytest.warns(GraphNotice, match="not be stored .*No space left"):
        S = cached_spectrum(L, folder=tmp_path)
    assert same(S, spectrum(L))
    assert list(tmp_path.iterdir()) == []


def test_a_bad_matrix_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(MatrixError):
        cached_spectrum(torch.ones(2, 3), folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROKBOOK_CACHE", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "mine" / "spectra"
    cached_spectrum(L)
    assert len(list((tmp_path / "mine" / "spectra").iterdir())) == 1
    monkeypatch.delenv("GROKBOOK_CACHE")
    assert cache_folder() == tmp_path / "xdg" / "grokbook" / "spectra"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    home = tmp_path / "home" / ".cache" / "grokbook" / "spectra"
    assert cache_folder() == home


def start(code: str, *args: object) -> subprocess.Popen:
    """Start another Python that has read this package."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )


# Stops with half of the file's bytes on the disk.
HALF_WAY = """
import sys, time
import networkx as nx
import grokbook.cache as cache
from safetensors.torch import save
from grokbook import laplacian

def half(tensors, name, says):
    content = save(tensors, says)
    with open(name, "wb") as file:
        file.write(content[: len(content) // 2])
        file.flush()
        print("half", flush=True)
        time.sleep(600)

cache.save_file = half
A = nx.to_numpy_array(nx.karate_club_graph(), weight=None)
cache.cached_spectrum(laplacian(A.nonzero()), folder=sys.argv[1])
"""


def test_a_writer_killed_half_way_leaves_no_file_under_the_name(
    tmp_path: Path,
) -> None:
    child = start(HALF_WAY, tmp_path)
    try:
        assert child.stdout.readline() == "half\n"
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.communicate()
    assert child.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.suffix == ".part"
    S = cached_spectrum(L, folder=tmp_path)  # no notice: nothing is broken
    assert same(S, spectrum(L))
    assert left.exists()  # its writer might still be at work ...
    old = time.time() - 2 * cache.STALE
    os.utime(left, (old, old))
    cached_spectrum(L, k=3, folder=tmp_path)
    assert not left.exists()  # ... but not since the day before yesterday


def test_a_file_that_goes_while_it_is_opened_was_never_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # safetensors reads the head, then lets torch open the file again
    def gone(path: Path, framework: str) -> None:
        Path(path).unlink()
        raise RuntimeError(f"unable to open file <{path}> in read-only mode")

    L = laplacian([[0, 1], [1, 0]])
    first = cached_spectrum(L, folder=tmp_path)
    monkeypatch.setattr(cache, "safe_open", gone)
    again = cached_spectrum(L, folder=tmp_path)
    assert torch.equal(first.U, again.U)
    assert len(list(tmp_path.iterdir())) == 1  # stored anew

    def broken(path: Path, framework: str) -> None:
        raise RuntimeError("something else")

    monkeypatch.setattr(cache, "safe_open", broken)
    with pytest.raises(RuntimeError, match="something else"):
        cached_spectrum(L, folder=tmp_path)


# Writes the same file again and again, and reads it in between.
BUSY = """
import sys, warnings
from pathlib import Path
import torch
from grokbook import cached_spectrum, laplacian
warnings.simplefilter("error")
node = torch.arange(100)
ring = torch.stack([node, node.roll(1)])
L = laplacian(torch.cat([ring, ring.flip(0)], dim=1))
print("ready", flush=True)
input()
for turn in range(15):
    S = cached_spectrum(L, folder=sys.argv[1])
    for path in Path(sys.argv[1]).glob("*.safetensors"):
        path.unlink(missing_ok=True)
    T = cached_spectrum(L, folder=sys.argv[1])
    assert torch.equal(S.lam, T.lam) and torch.equal(S.U, T.U)
print("done", flush=True)
"""


def test_two_writers_at_once_do_not_harm_each_other(tmp_path: Path) -> None:
    children = [start(BUSY, tmp_path) for _ in range(2)]
    assert [c.stdout.readline() for c in children] == ["ready\n"] * 2
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    assert [c.communicate(timeout=120)[0] for c in children] == ["done\n"] * 2
    (path,) = tmp_path.iterdir()
    assert path.suffix == ".safetensors"
