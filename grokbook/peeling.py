"""The exact spectrum of a graph with many leaves and twins, for less."""

from typing import Any

import numpy as np
import torch
from scipy.linalg import qr
from scipy.sparse import block_array, csr_array, eye_array

from grokbook.decomposition import decompose
from grokbook.matrix import TOL, as_csr
from grokbook.spectrum import Spectrum


def peeled_spectrum(L: Any) -> Spectrum:
    r"""Decompose a Laplacian, all but the eigenvalue 1, exactly.

    Put last a set of nodes of which no two are joined. Then

    .. math:: I - L = \begin{pmatrix} A_1 & A_2 \\ A_2^\top & 0
       \end{pmatrix}, \quad A_2^\top = QZ, \quad
       I - L = V \begin{pmatrix} A_1 & Z^\top \\ Z & 0 \end{pmatrix} V^\top,
       \quad V = \begin{pmatrix} I & \\ & Q \end{pmatrix}

    What is orthogonal to V has the eigenvalue 1 of L and needs no
    eigenvector (see `deflate`). With n other nodes at most 2n are left to
    decompose: on Pubmed, where most papers cite few others, 7,808 instead
    of 19,717. Derived in chapter 14.

    Args:
        L: a symmetric normalised Laplacian.

    Returns:
        a spectrum deflated at 1, or full if 1 is no eigenvalue.

    Shapes:
        L (N, N) → Spectrum with lam (q,), U (N, q)

    Raises:
        MatrixError, SizeError

    Examples:
        >>> from grokbook import laplacian
        >>> star = [[0, 0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 4, 0, 0, 0, 0]]
        >>> peeled_spectrum(laplacian(star))
        Spectrum(5 nodes, 3 distinct eigenvalues in [0.0000, 2.0000],
        3 deflated)
    """
    rows, tol = as_csr(L)
    last = unjoined(rows)
    S, J = np.flatnonzero(~last), np.flatnonzero(last)
    Q, Z = qr(-rows[J][:, S].toarray(), mode="economic")
    small = block_array(
        [[rows[S][:, S], csr_array(-Z.T)], [-Z, eye_array(len(Z))]]
    )
    lam, Y = decompose(csr_array(small), tol)
    keep = abs(lam - 1) > TOL
    U = np.empty((len(last), keep.sum()))
    U[S] = Y[: len(S), keep]
    U[J] = Q @ Y[len(S) :, keep]
    rest = 1.0 if keep.sum() < len(last) else None
    return Spectrum(torch.from_numpy(lam[keep]), torch.from_numpy(U), rest)


def unjoined(rows: csr_array) -> np.ndarray:
    """Mark many nodes of which no two are joined: greedily, leaves first.

    Isolated nodes with a diagonal entry other than 1 are not marked.
    """
    degree = np.diff(rows.indptr)
    free = rows.diagonal() == 1
    marked = np.zeros(len(degree), dtype=bool)
    for node in np.argsort(degree, kind="stable"):
        if free[node]:
            free[rows.indices[rows.indptr[node] : rows.indptr[node + 1]]] = 0
            marked[node] = True
    return marked
