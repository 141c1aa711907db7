"""Cora is the Cora everybody uses; grids and photographs stand upright."""

import os
import shutil
import socket
from pathlib import Path

import pytest
import torch
from scipy.linalg import eigvalsh
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from torch_geometric.data import Data

from grokbook import laplacian, load_graph
from grokbook.datasets import embedded, grid_edges, photograph
from grokbook.datasets.grids import PHOTOGRAPHS
from grokbook.errors import DataFileError, EmptyGraphError, UnknownNameError

CORA = Path("cora/cora.safetensors")
CLASSES = [180, 217, 298, 351, 418, 426, 818]


@pytest.fixture(scope="module")
def cora() -> Data:
    return load_graph("cora")


def test_cora_has_its_published_counts(cora: Data) -> None:
    assert cora.x.shape == (2708, 1433)
    assert int(cora.x.sum()) == 49_216
    assert cora.edge_index.shape == (2, 2 * 5278)
    assert sorted(cora.y.bincount().tolist()) == CLASSES


def test_coras_features_are_zeros_and_ones(cora: Data) -> None:
    assert cora.x.unique().tolist() == [0, 1]
    assert cora.x.dtype == torch.float32
    assert cora.x.sum(1).min() >= 1  # every paper has a word


def test_coras_edges_are_simple_and_go_both_ways(cora: Data) -> None:
    row, col = cora.edge_index
    assert (row != col).all()
    there = set(zip(row.tolist(), col.tolist(), strict=True))
    assert len(there) == 10_556
    assert there == {(j, i) for i, j in there}


def test_cora_has_78_components_and_no_isolated_paper(cora: Data) -> None:
    ones = torch.ones(cora.num_edges).numpy()
    A = coo_array((ones, cora.edge_index.numpy()), shape=(2708, 2708))
    assert connected_components(A, directed=False)[0] == 78
    assert cora.edge_index[0].bincount(minlength=2708).min() == 1


def test_words_that_papers_share_tell_cora_is_not_scrambled(
    cora: Data,
) -> None:
    same = cora.y[cora.edge_index[0]] == cora.y[cora.edge_index[1]]
    assert float(same.float().mean()) == pytest.approx(0.81, abs=0.005)


def test_names_are_read_in_any_case(cora: Data) -> None:
    assert torch.equal(load_graph("Cora").edge_index, cora.edge_index)


def test_unknown_graphs_are_answered_with_the_list() -> None:
    with pytest.raises(UnknownNameError, match=r"'corra'.*from: cora"):
        load_graph("corra")


def test_every_embedded_file_is_in_the_repository() -> None:
    for file, digest in embedded.EMBEDDED.values():
        assert (embedded.DATA / file).is_file()
        assert len(digest) == 64


def flip(raw: bytes) -> bytes:
    """Change one bit in the middle."""
    middle = len(raw) // 2
    return raw[:middle] + bytes([raw[middle] ^ 1]) + raw[middle + 1 :]


@pytest.mark.parametrize(
    "damage", [flip, lambda raw: raw[:-1], lambda raw: b"", lambda r: r + b" "]
)
def test_a_damaged_file_is_refused_by_name(
    damage: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / CORA
    copy.parent.mkdir()
    copy.write_bytes(damage((embedded.DATA / CORA).read_bytes()))
    monkeypatch.setattr(embedded, "DATA", tmp_path)
    with pytest.raises(
        DataFileError,
        match=r"data/cora/cora\.safetensors is damaged.*git checkout data",
    ):
        load_graph("cora")


def test_a_missing_file_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "DATA", tmp_path)
    with pytest.raises(
        DataFileError,
        match=r"data/cora/cora\.safetensors is missing.*git checkout data",
    ):
        load_graph("cora")


@pytest.fixture
def planetoid(tmp_path: Path) -> Data:
    """Cora as PyG reads it from its raw files, in a folder of our own."""
    folder = os.environ.get("GROKBOOK_DATA")
    raw = Path(folder or ".") / "Planetoid" / "Cora" / "raw"
    if not folder or not raw.is_dir():
        pytest.skip("GROKBOOK_DATA names no folder with Planetoid/Cora/raw")
    from torch_geometric.datasets import Planetoid

    shutil.copytree(raw, tmp_path / "Cora" / "raw")
    return Planetoid(str(tmp_path), "Cora")[0]


def eigenvalues(data: Data) -> torch.Tensor:
    """All eigenvalues and no eigenvector, which takes a fifth of the time."""
    dense = laplacian(data).to_dense().numpy()
    return torch.from_numpy(eigvalsh(dense, driver="evd"))


def test_embedded_cora_is_the_planetoid_cora(
    cora: Data, planetoid: Data
) -> None:
    for count in (
        lambda data: data.edge_index[0].bincount(),
        lambda data: data.x.sum(0).long(),
        lambda data: data.x.sum(1).long(),
        lambda data: data.y.bincount(),
    ):
        ours, theirs = count(cora).sort()[0], count(planetoid).sort()[0]
        assert torch.equal(ours, theirs)
    ours, theirs = eigenvalues(cora), eigenvalues(planetoid)
    torch.testing.assert_close(ours, theirs, atol=1e-10, rtol=0)
    assert (ours < 1e-10).sum() == 78


@pytest.mark.parametrize(("H", "W"), [(1, 1), (1, 5), (4, 1), (3, 4), (5, 5)])
def test_grids_have_the_right_edges_and_degrees(H: int, W: int) -> None:
    edges = grid_edges(H, W)
    assert edges.shape == (2, 2 * (H * (W - 1) + (H - 1) * W))
    down = torch.zeros(H, W, dtype=torch.int64)
    for i in range(H):
        for j in range(W):
            down[i, j] = (i > 0) + (i < H - 1) + (j > 0) + (j < W - 1)
    degree = edges[0].bincount(minlength=H * W).reshape(H, W)
    assert torch.equal(degree, down)


def test_grid_neighbours_are_one_step_apart() -> None:
    H, W = 4, 7
    a, b = grid_edges(H, W)
    step = (a // W - b // W).abs() + (a % W - b % W).abs()
    assert (step == 1).all()


@pytest.mark.parametrize(("H", "W"), [(0, 3), (3, 0), (-1, 2)])
def test_grids_without_pixels_are_refused(H: int, W: int) -> None:
    with pytest.raises(EmptyGraphError, match=r"no pixel\. Both sides"):
        grid_edges(H, W)


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_photographs_are_square_grey_and_need_no_network(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a photograph asked for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    image = photograph(name, size=32)
    assert image.shape == (32, 32)
    assert image.dtype == torch.float64
    assert image.min() >= 0
    assert image.max() <= 1
    assert image.std() > 0.02  # not a plain surface


def test_a_pixel_is_the_mean_of_its_block_in_place() -> None:
    from skimage.data import camera

    full = torch.from_numpy(camera()) / 255.0  # 512 × 512
    image = photograph("camera", size=64)
    for i, j in ((0, 0), (5, 50), (50, 5), (63, 63)):
        block = full[8 * i : 8 * i + 8, 8 * j : 8 * j + 8]
        assert float(image[i, j]) == pytest.approx(
            float(block.mean()), abs=1e-6
        )


def test_a_wide_photograph_loses_its_left_and_right() -> None:
    from skimage.data import coins

    full = torch.from_numpy(coins()).double() / 255  # 303 × 384
    image = photograph("coins", size=1)
    middle = full[:, 40 : 40 + 303].mean()
    assert float(image[0, 0]) == pytest.approx(float(middle), abs=1e-9)


def test_unknown_photographs_are_answered_with_the_list() -> None:
    with pytest.raises(UnknownNameError, match=r"'cat'.*camera, coins, moon"):
        photograph("cat")


@pytest.mark.parametrize("size", [0, -3])
def test_photographs_without_pixels_are_refused(size: int) -> None:
    with pytest.raises(EmptyGraphError, match=r"no pixel\. Pass 1 or more"):
        photograph("camera", size)
