"""The spectrum of a square pixel grid, block by block.

The Laplacian of the n × n grid commutes with the two reflections and with
the exchange of rows and columns. Signals that are even or odd under each
reflection do not mix, nor do those that are symmetric or antisymmetric under
the exchange. In a basis of such signals the matrix falls into six blocks,
two of which are equal: for n = 100 the largest has 2,500 rows, not 10,000,
and the work is some 200 times less.
"""

from functools import cache

import numpy as np
import scipy.sparse as sp
import torch
from jaxtyping import Float
from scipy.linalg import eigh
from torch import Tensor

from grokbook.datasets.grids import grid_edges
from grokbook.errors import SizeError
from grokbook.laplacian import laplacian

Block = tuple[np.ndarray, np.ndarray, sp.csr_array]


class GridSpectrum:
    """All eigenvalues of the n × n grid and both transforms.

    `lam` (n²,) is in the order of the blocks, not ascending; it is
    `distinct[place]`, where `distinct` (r,) is ascending: nearly half of
    the eigenvalues are the other half.

    Args:
        n: pixels on a side, an even number.

    Shapes:
        lam (n²,), distinct (r,), place (n²,)

    Raises:
        SizeError: n is not even, or less than 2.

    Examples:
        >>> S = GridSpectrum(2)  # a ring of four: 0, 1 twice, 2
        >>> len(S.lam), S.distinct.round(decimals=6).abs().tolist()
        (4, [0.0, 1.0, 2.0])
    """

    def __init__(self, n: int) -> None:
        """Decompose the six blocks and gather equal eigenvalues."""
        if n < 2 or n % 2:
            raise SizeError(
                f"The grid's side is {n}. Pass an even number, 2 or more: "
                "the blocks fold the square along its middle lines. For "
                "other grids use spectrum(laplacian(grid_edges(n, n)))."
            )
        self.blocks = list(_blocks(n))
        found = np.concatenate([lam for lam, _, _ in self.blocks]).clip(0, 2)
        order = np.argsort(found)
        step = np.diff(found[order], prepend=found[order[0]]) > 1e-8
        place = np.empty_like(order)
        place[order] = step.cumsum()
        count = np.bincount(place)
        mean = np.bincount(place, weights=found) / count
        self.place = torch.from_numpy(place)
        self.distinct = torch.from_numpy(mean)
        self.lam = self.distinct[self.place]

    def energy(self, x_hat: Float[Tensor, " N"]) -> Float[Tensor, " r"]:
        """The sum of squares of coordinates at each distinct eigenvalue."""
        total = torch.zeros_like(self.distinct)
        return total.index_add_(0, self.place, x_hat**2)

    def fourier(self, x: Float[Tensor, "N *F"]) -> Float[Tensor, "N *F"]:
        """Coordinates of signals (n²,) or (n², F)."""
        parts = [U.T @ (P.T @ x.numpy()) for _, U, P in self.blocks]
        return torch.from_numpy(np.concatenate(parts))

    def inverse(self, x_hat: Float[Tensor, "N *F"]) -> Float[Tensor, "N *F"]:
        """The signals with these coordinates."""
        ends = np.cumsum([len(lam) for lam, _, _ in self.blocks])[:-1]
        parts = np.split(x_hat.numpy(), ends)
        return torch.from_numpy(
            sum(
                P @ (U @ part)
                for (_, U, P), part in zip(self.blocks, parts, strict=True)
            )
        )


@cache
def grid_spectrum(n: int) -> GridSpectrum:
    """The spectrum of the n × n grid, computed once a session."""
    return GridSpectrum(n)


def _blocks(n: int) -> list[Block]:
    """Eigenvalues, eigenvectors and the signals each block is made of."""
    L = _as_scipy(laplacian(grid_edges(n, n)))
    even, odd = _folded(n, 1), _folded(n, -1)
    found = []
    for half in (even, odd):
        both = sp.kron(half, half, format="csr")
        for sign in (1, -1):
            P = both @ _exchanged(n // 2, sign)
            found.append((*_decompose(L, P), P))
    mixed = sp.kron(even, odd, format="csr")
    lam, U = _decompose(L, mixed)
    turned = sp.kron(odd, even, format="csr") @ _swap(n // 2)
    return [*found, (lam, U, mixed), (lam, U, turned)]


def _decompose(
    L: sp.csr_array, P: sp.csr_array
) -> tuple[np.ndarray, np.ndarray]:
    return eigh((P.T @ L @ P).toarray(), driver="evd")


def _folded(n: int, sign: int) -> sp.csr_array:
    """Signals on a line that a reflection leaves (1) or negates (-1)."""
    half = sp.eye_array(n // 2)
    flipped = half.tocsr()[::-1]
    return sp.vstack([half, sign * flipped]).tocsr() / np.sqrt(2)


def _exchanged(h: int, sign: int) -> sp.csr_array:
    """Signals on a square that the exchange leaves (1) or negates (-1)."""
    i, j = np.triu_indices(h, 1)
    pair = np.arange(len(i))
    ones = np.full(len(i), np.sqrt(0.5))
    shape = (h * h, len(i))
    P = sp.coo_array((ones, (i * h + j, pair)), shape)
    P = P + sign * sp.coo_array((ones, (j * h + i, pair)), shape)
    if sign == -1:
        return P.tocsr()
    diagonal = sp.coo_array(
        (np.ones(h), (np.arange(h) * (h + 1), np.arange(h))), (h * h, h)
    )
    return sp.hstack([diagonal, P]).tocsr()


def _swap(h: int) -> sp.csr_array:
    """The exchange of rows and columns of an h × h square."""
    place = np.arange(h * h).reshape(h, h)
    ones = np.ones(h * h)
    return sp.coo_array((ones, (place.ravel(), place.T.ravel()))).tocsr()


def _as_scipy(L: Tensor) -> sp.csr_array:
    row, col = L.indices().numpy()
    return sp.coo_array((L.values().numpy(), (row, col)), L.shape).tocsr()
