"""Six polynomial bases, each by one recurrence that serves two roads.

A basis is a function of an operator `times`, which multiplies by λ, and of
`one`, on which the terms act. With numbers, `times` multiplies by eigenvalues
and the terms are the columns of a design matrix. With signals, it multiplies
by the sparse matrix L and the terms are filtered signals: no eigenvectors.
Each yields K + 1 terms; K is 1 or more.
"""

from collections.abc import Callable, Iterator

from torch import Tensor

Times = Callable[[Tensor], Tensor]


def monomial(times: Times, one: Tensor, K: int) -> Iterator[Tensor]:
    """The powers λ^k."""
    term = one
    yield term
    for _ in range(K):
        term = times(term)
        yield term


def gpr(times: Times, one: Tensor, K: int) -> Iterator[Tensor]:
    """The powers (1 − λ)^k of the normalised adjacency."""
    yield from monomial(lambda term: term - times(term), one, K)


def chebyshev(times: Times, one: Tensor, K: int) -> Iterator[Tensor]:
    """Chebyshev polynomials at x = λ − 1: T_k = 2x T_{k−1} − T_{k−2}."""
    before, term = one, times(one) - one
    yield from (before, term)
    for _ in range(K - 1):
        before, term = term, 2 * (times(term) - term) - before
        yield term


def jacobi(
    times: Times,
    one: Tensor,
    K: int,
    *,
    beta: float,
    gamma: float,
) -> Iterator[Tensor]:
    """Jacobi polynomials with parameters (β, γ) at x = 1 − λ."""
    s = beta + gamma
    before = one
    term = (beta - gamma) / 2 * one + (s + 2) / 2 * (one - times(one))
    yield from (before, term)
    for k in range(2, K + 1):
        first = 2 * k * (k + s) * (2 * k + s - 2)
        slope = (2 * k + s - 1) * (2 * k + s) * (2 * k + s - 2) / first
        shift = (2 * k + s - 1) * (beta**2 - gamma**2) / first
        back = 2 * (k + beta - 1) * (k + gamma - 1) * (2 * k + s) / first
        step = slope * (term - times(term)) + shift * term
        before, term = term, step - back * before
        yield term


def bernstein(times: Times, one: Tensor, K: int) -> Iterator[Tensor]:
    """Bernstein polynomials C(K, k) (1 − λ/2)^{K−k} (λ/2)^k.

    Degree by degree, b_k ← (1 − λ/2) b_k + (λ/2) b_{k−1}, from which they
    add up to 1. With signals this takes K(K + 1)/2 products.
    """
    row = [one]
    for _ in range(K):
        half = [times(term) / 2 for term in row]
        stay = [term - moved for term, moved in zip(row, half, strict=True)]
        inner = [stay[k + 1] + half[k] for k in range(len(row) - 1)]
        row = [stay[0], *inner, half[-1]]
    yield from row


def appnp(
    times: Times, one: Tensor, K: int, *, alpha: float
) -> Iterator[Tensor]:
    """The terms of `gpr`; `appnp_coefficients` gives their weights."""
    yield from gpr(times, one, K)


def appnp_coefficients(K: int, alpha: float) -> list[float]:
    r"""The fixed coefficients of personalised PageRank after K steps.

    .. math:: h(\lambda) = \alpha \sum_{k=0}^{K-1} (1 - \alpha)^k
       (1 - \lambda)^k + (1 - \alpha)^K (1 - \lambda)^K

    They add up to 1. The paper's Table 11 has γ^k / (1 − γ) for every k,
    γ = 1 − α: it divides by α where PageRank multiplies, and treats the
    last term like the others.

    Examples:
        >>> appnp_coefficients(2, alpha=0.5)
        [0.5, 0.25, 0.25]
    """
    stay = 1 - alpha
    return [alpha * stay**k for k in range(K)] + [stay**K]


#: The bases by name.
BASES: dict[str, Callable[..., Iterator[Tensor]]] = {
    "monomial": monomial,
    "chebyshev": chebyshev,
    "gpr": gpr,
    "bernstein": bernstein,
    "jacobi": jacobi,
    "appnp": appnp,
}

#: The options of a basis and their defaults; the others have none.
OPTIONS: dict[str, dict[str, float]] = {
    "jacobi": {"beta": 1.0, "gamma": 1.0},
    "appnp": {"alpha": 0.1},
}
