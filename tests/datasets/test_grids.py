"""Grids and photographs stand upright."""

import socket

import pytest
import torch

from grokbook.datasets import grid_edges, photograph
from grokbook.datasets.grids import PHOTOGRAPHS
from grokbook.errors import EmptyGraphError, UnknownNameError


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
