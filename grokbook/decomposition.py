"""The full decomposition: announced when long, checked, in float64."""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from scipy.sparse import csr_array

from grokbook.errors import GraphNotice, SizeError
from grokbook.matrix import outside

LONG = 30  # seconds from which work is announced and shows its progress
LARGEST = 32_766  # LAPACK's workspace overflows 32-bit counts above
ENDS_ALONE = "k=200 for the ends of the spectrum alone"


def decompose(rows: csr_array, tol: float) -> tuple[np.ndarray, np.ndarray]:
    """All eigenvalues of a symmetric matrix, ascending, and eigenvectors.

    Shapes:
        rows (N, N) → lam (N,) in [0, 2], U (N, N)

    Raises:
        MatrixError: an eigenvalue outside [0, 2] by more than `tol`.
        SizeError: too large for LAPACK.
    """
    N = rows.shape[0]
    if N > LARGEST:
        raise SizeError(
            f"A full decomposition of {N} nodes is beyond LAPACK, which "
            f"ends at {LARGEST}. {_cheaper(ENDS_ALONE)}"
        )
    seconds, gigabytes = 0.2e-9 * N**3, 4 * 8e-9 * N**2
    what = f"A full decomposition of {N} nodes"
    announce(what, seconds, gigabytes, stacklevel=4, cheaper=ENDS_ALONE)
    lam, U = _eigh(rows.toarray(), seconds)
    if lam[0] < -tol or lam[-1] > 2 + tol:
        raise outside(f"from {lam[0]:.4g} to {lam[-1]:.4g}")
    # Rounding leaves values such as -3e-16 at the ends; the true ones
    # cannot be outside [0, 2].
    return lam.clip(0, 2), U


def announce(
    what: str,
    seconds: float,
    gigabytes: float,
    stacklevel: int,
    cheaper: str,
) -> None:
    """Before long work, say how much it is and what is cheaper."""
    if seconds > LONG:
        warnings.warn(
            f"{what} takes about {_spell(seconds)} and "
            f"{gigabytes:.1g} GB. {_cheaper(cheaper)}",
            GraphNotice,
            stacklevel=stacklevel,
        )


def _spell(seconds: float) -> str:
    """Seconds below two minutes, minutes above."""
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes"


def _cheaper(road: str) -> str:
    """Name the cheaper roads."""
    return (
        f"Cheaper: {road}, or no decomposition at all, "
        "apply_filter(..., method='chebyshev')."
    )


def _eigh(dense: np.ndarray, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """LAPACK's divide and conquer, with a bar when it takes long.

    PyTorch's call of the same routine lets other threads run, so the bar
    can move; SciPy's, which does not, is the one for everyday use.
    """
    if seconds <= LONG:
        from scipy.linalg import eigh

        return eigh(dense, driver="evd")
    import torch

    with _clock(f"decomposing {len(dense)} nodes", seconds):
        lam, U = torch.linalg.eigh(torch.from_numpy(dense))
    return lam.numpy(), U.numpy()


@contextmanager
def _clock(what: str, seconds: float) -> Iterator[None]:
    """A bar that moves with the time, over an estimate of the whole."""
    from tqdm.auto import tqdm

    done = threading.Event()
    with tqdm(desc=what, total=round(seconds), unit=" s (estimate)") as bar:

        def tick() -> None:
            while not done.wait(1):
                bar.update()

        ticking = threading.Thread(target=tick, daemon=True)
        ticking.start()
        try:
            yield
        finally:
            done.set()
            ticking.join()
