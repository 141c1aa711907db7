"""Many extreme eigenpairs at once: Chebyshev-filtered subspace iteration.

After Zhou, Saad, Tiago and Chelikowsky (2006). A block of vectors is
multiplied by a polynomial of the matrix that is small on the unwanted part
of the spectrum and large on the wanted end; what is left of the block, made
orthonormal, spans the wanted eigenvectors better and better.
"""

from collections.abc import Callable
from math import acosh, ceil, log

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array

from grokbook.errors import ConvergenceError

Block = np.ndarray
DEGREES = (8, 80)  # of the filter: at least, at most
APART = 0.004  # where the largest degree still amplifies a hundredfold


def largest_by_filtering(
    A: csr_array,
    count: int,
    avoid: Block,
    *,
    tolerance: float,
    generator: np.random.Generator,
    tell: Callable[[int], object] = lambda locked: None,
    rounds: int = 200,
) -> tuple[np.ndarray, Block]:
    r"""The largest eigenpairs of A in the orthogonal complement of `avoid`.

    .. math:: V \leftarrow \operatorname{orth}\,
       T_p\!\left(\frac{A - cI}{e}\right) V, \qquad
       [c - e, c + e] = [-1, \text{smallest Ritz value}]

    Pairs are locked from the largest down, once ‖Au − θu‖ is below the
    tolerance, and the block shrinks by as many columns. What locked pairs
    lack in accuracy stays in the complement for good, so it is allowed to
    those that follow.

    Args:
        A: symmetric, its eigenvalues in [−1, 1].
        count: how many pairs.
        avoid: orthonormal columns whose span is left out.
        tolerance: largest residual of a pair, if the locked ones permit.
        generator: draws the first block.
        tell: is called with the number of pairs locked so far.
        rounds: gives up after so many.

    Shapes:
        A (N, N), avoid (N, a) → theta (count,) descending, U (N, count)

    Raises:
        ConvergenceError
    """
    N = A.shape[0]
    spare = max(10, count // 5)  # the edge of the block converges slowly
    width = min(count + spare, N - avoid.shape[1])
    V = _orthonormal(generator.standard_normal((N, width)), avoid)
    theta, V, _ = _rayleigh_ritz(A, V)
    values, U = np.empty(0), avoid
    error = np.linalg.norm(_rayleigh_ritz(A, avoid)[2])
    for _ in range(rounds):
        need = count - len(values)
        V = _amplify(A, V, theta, need)
        theta, V, residual = _rayleigh_ritz(A, _orthonormal(V, U))
        good = _leading(residual[:need] <= max(tolerance, error))
        error = np.hypot(error, np.linalg.norm(residual[:good]))
        values = np.concatenate([values, theta[:good]])
        U = np.hstack([U, V[:, :good]])
        theta, V = theta[good:], V[:, good:]
        tell(len(values))
        if len(values) == count:
            return values, U[:, avoid.shape[1] :]
    raise ConvergenceError(
        f"{len(values)} of {count} eigenpairs converged in {rounds} rounds. "
        "Ask for fewer (k=), or filter without eigenvectors: "
        "apply_filter(..., method='chebyshev')."
    )


def _amplify(A: csr_array, V: Block, theta: np.ndarray, need: int) -> Block:
    """Multiply by T_p, which is at most 1 on [−1, a] and grows above a.

    The degree p makes the last wanted pair some 1e4 times as large as
    anything below a: more is lost to rounding, as the first pairs grow
    faster, less takes more rounds. Inside a large eigenspace all Ritz
    values agree, and a keeps its distance from them.
    """
    a = min(theta[-1], theta[need - 1] - APART)
    c, e = (a - 1) / 2, (a + 1) / 2
    growth = acosh(max((theta[need - 1] - c) / e, 1 + 1e-9))
    p = int(np.clip(ceil(log(2e4) / growth), *DEGREES))
    # Divided step by step by the filter at θ = 1, so nothing overflows.
    top = (1 - c) / e
    scale = 1 / top
    before, V = V, (A @ V - c * V) * (scale / e)
    for _ in range(p - 1):
        step = 1 / (2 * top - scale)
        after = (2 * step / e) * (A @ V - c * V) - (scale * step) * before
        before, V, scale = V, after, step
    return V


def _orthonormal(V: Block, U: Block) -> Block:
    """Orthonormal columns in the complement of U; twice is enough."""
    for _ in range(2):
        V = np.linalg.qr(V - U @ (U.T @ V))[0]
    return V


def _rayleigh_ritz(
    A: csr_array, V: Block
) -> tuple[np.ndarray, Block, np.ndarray]:
    """The best eigenpairs in the span of V, descending, and residuals."""
    AV = A @ V
    theta, turn = eigh(V.T @ AV, driver="evd")
    theta, turn = theta[::-1], turn[:, ::-1]
    V, AV = V @ turn, AV @ turn
    return theta, V, np.linalg.norm(AV - V * theta, axis=0)


def _leading(good: np.ndarray) -> int:
    """How many are true before the first that is not."""
    return len(good) if good.all() else int(np.argmin(good))
