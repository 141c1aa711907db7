"""The grid's spectrum by symmetry is the spectrum of the grid."""

import networkx as nx
import pytest
import torch
from graphs import signals, spectrum_of

from grokbook import laplacian
from grokbook.datasets.grids import grid_edges
from grokbook.errors import SizeError
from grokbook.grid_spectrum import GridSpectrum, grid_spectrum


@pytest.mark.parametrize("n", [2, 6, 8])
def test_the_grid_falls_into_blocks_with_the_spectrum_of_the_whole(
    n: int,
) -> None:
    S = GridSpectrum(n)
    whole = spectrum_of(nx.grid_2d_graph(n, n)).lam
    torch.testing.assert_close(S.lam.sort().values, whole, atol=1e-7, rtol=0)
    x = signals(n * n, 2)
    L = laplacian(grid_edges(n, n))
    torch.testing.assert_close(S.inverse(S.fourier(x)), x)
    y = S.inverse(S.lam[:, None] * S.fourier(x))
    torch.testing.assert_close(y, L @ x)


def test_half_of_the_eigenvalues_are_the_other_half() -> None:
    assert len(grid_spectrum(100).distinct) == 5001


def test_energy_gathers_the_coordinates_of_equal_eigenvalues() -> None:
    S = GridSpectrum(6)
    x = signals(36)
    found = S.energy(S.fourier(x))
    whole = spectrum_of(nx.grid_2d_graph(6, 6))
    for value, energy in zip(S.distinct, found, strict=True):
        there = whole.fourier(x)[(whole.lam - value).abs() < 1e-7]
        torch.testing.assert_close(energy, (there**2).sum())


@pytest.mark.parametrize("n", [0, 1, 7])
def test_grids_that_cannot_be_folded_are_refused(n: int) -> None:
    with pytest.raises(SizeError, match=f"side is {n}. Pass an even"):
        GridSpectrum(n)
