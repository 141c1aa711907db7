"""Checks of chapter 05, the Fourier filter."""

from collections.abc import Callable

import torch

from grokbook.checks import exercise, expect
from grokbook.filters import FourierKAN
from grokbook.filters.fourier_kan import design_matrix

THREE = torch.tensor([0, 1, 2], dtype=torch.float64)


@exercise("ex-three-values")
def _(through: Callable) -> None:
    for values in ([1.0, 0.0, 1.0], [0.0, 1.0, 2.0], [3.0, 3.0, 3.0]):
        answer = torch.as_tensor(through(values), dtype=torch.float64)
        expect(answer.shape == (3,), "return three numbers: c, a and b")
        c, a, b = answer
        found = c + a * THREE.cos() + b * THREE.sin()
        expect(
            torch.allclose(found, torch.tensor(values).double(), atol=1e-9),
            f"for the values {values} your function has "
            f"{[round(v, 3) + 0.0 for v in found.tolist()]} at 0, 1, 2",
        )


@exercise("ex-fastest")
def _(fastest: Callable) -> None:
    for K, M, lam, right, why in (
        (1, 8, 0.5, 8.0, "one order: 8 everywhere"),
        (1, 8, 0.0, 8.0, "one order: 8 everywhere, at 0 too"),
        (3, 4, 2.0, 48.0, "at 2 the third order is the fastest"),
        (3, 4, 1.0, 12.0, "at 1 order k has the frequency M·k"),
        (3, 4, 0.25, 4.0, "near 0 the first order is the fastest"),
        (3, 4, 0.6, 4.8, "at 0.6 the second order is the fastest"),
    ):
        answer = float(fastest(K, M, lam))
        expect(
            abs(answer - right) < 1e-9,
            f"K = {K}, M = {M}, λ = {lam}: {right:g}, not {answer:g}; {why}",
        )


def _scaled(filter: FourierKAN, scale: list[float]) -> FourierKAN:
    """Another way to write a filter: α times, the others divided."""
    twin, factor = FourierKAN(filter.K, filter.M), torch.tensor(scale)
    twin.load_state_dict(filter.state_dict())
    with torch.no_grad():
        twin.alpha *= factor
        twin.a /= factor[:, None]
        twin.b /= factor[:, None]
    return twin


@exercise("ex-same-filter")
def _(same_filter: Callable) -> None:
    one = FourierKAN(2, 3, generator=torch.Generator().manual_seed(1))
    two = _scaled(one, [2.0, -0.5])
    expect(same_filter(one, one), "a filter is the same as itself")
    expect(
        same_filter(one, two),
        "α doubled and the coefficients of that order halved: the same",
    )
    with torch.no_grad():
        two.a[0, 0] += 0.3 / two.alpha[0]
        two.a[1, 0] -= 0.3 / two.alpha[1]
    expect(
        same_filter(one, two),
        "a constant moved from one order to another: the same",
    )
    for what, name, place in (
        ("a cosine", "a", (1, 2)),
        ("a sine", "b", (0, 0)),
        ("a constant", "a", (0, 0)),
        ("one α", "alpha", (1,)),
    ):
        other = _scaled(one, [1.0, 1.0])
        with torch.no_grad():
            getattr(other, name)[place] += 0.01
        expect(not same_filter(one, other), f"{what} changed: not the same")
    with torch.no_grad():
        one.a[1, 0] = 0.0
        other = _scaled(one, [1.0, 1.0])
        other.alpha[1] *= -1
    expect(
        not same_filter(one, other),
        "one α with the other sign: not the same, though its canonical α is",
    )


@exercise("ex-orthonormal")
def _(orthonormal: Callable) -> None:
    lam = torch.linspace(0, 2, 30, dtype=torch.float64)
    B = design_matrix(lam, 2, 2)
    for e in (torch.ones_like(lam), torch.exp(-2 * lam)):
        e = e / e.sum()
        Q = orthonormal(B, e)
        expect(Q.shape == B.shape, "return a matrix of the shape of B")
        gram = Q.T @ (e[:, None] * Q)
        expect(
            torch.allclose(gram, torch.eye(9).double(), atol=1e-8),
            "the weighted products of your columns are not 1 and 0",
        )
        # κ is near 1e4: at least eight digits are left
        rest = B - Q @ (Q.T @ (e[:, None] * B))
        expect(
            rest.abs().max() < 1e-8,
            "your columns do not span the space of the columns of B",
        )
