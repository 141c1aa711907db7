"""Plausible wrong answers to the exercises of chapter 05."""

from typing import Any

import torch
from wrong_answers import wrong


def _three() -> Any:
    lam = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64)
    return torch.stack([torch.ones_like(lam), lam.cos(), lam.sin()], dim=1)


@wrong("ex-three-values")
def exchanges_cosine_and_sine(values: Any) -> Any:
    c, a, b = torch.linalg.solve(_three(), torch.tensor(values).double())
    return c, b, a


@wrong("ex-three-values")
def solves_with_the_transpose(values: Any) -> Any:
    return torch.linalg.solve(_three().T, torch.tensor(values).double())


@wrong("ex-three-values")
def multiplies_instead_of_solving(values: Any) -> Any:
    return _three().T @ torch.tensor(values).double()


@wrong("ex-three-values")
def forgets_the_constant(values: Any) -> Any:
    waves = _three()[:, 1:]
    goal = torch.tensor(values).double()[:, None]
    a, b = torch.linalg.lstsq(waves, goal).solution[:, 0]
    return 0.0, a, b


@wrong("ex-fastest")
def takes_the_last_order_always(K: int, M: int, lam: float) -> Any:
    return M * K * lam ** (K - 1)


@wrong("ex-fastest")
def forgets_the_factor_k(K: int, M: int, lam: float) -> Any:
    return max(M * lam ** (k - 1) for k in range(1, K + 1))


@wrong("ex-fastest")
def does_not_take_the_derivative(K: int, M: int, lam: float) -> Any:
    return max(M * lam**k for k in range(1, K + 1))


@wrong("ex-fastest")
def takes_the_larger_of_first_and_last(K: int, M: int, lam: float) -> Any:
    return max(M, M * K * lam ** (K - 1))


@wrong("ex-same-filter")
def compares_alpha(one: Any, two: Any) -> Any:
    return torch.allclose(one.alpha, two.alpha)


@wrong("ex-same-filter")
def compares_canonical_alpha(one: Any, two: Any) -> Any:
    return torch.allclose(one.canonical().alpha, two.canonical().alpha)


@wrong("ex-same-filter")
def compares_letter_by_letter(one: Any, two: Any) -> Any:
    pairs = zip(one.parameters(), two.parameters(), strict=True)
    return all(torch.allclose(p, q) for p, q in pairs)


@wrong("ex-same-filter")
def compares_each_constant(one: Any, two: Any) -> Any:
    pairs = zip(one.products(), two.products(), strict=True)
    return all(torch.allclose(p, q) for p, q in pairs)


@wrong("ex-same-filter")
def forgets_the_constants(one: Any, two: Any) -> Any:
    return torch.allclose(one.coefficients()[1:], two.coefficients()[1:])


@wrong("ex-orthonormal")
def forgets_the_weights(B: Any, e: Any) -> Any:
    return torch.linalg.qr(B).Q


@wrong("ex-orthonormal")
def forgets_to_divide_by_the_root(B: Any, e: Any) -> Any:
    return torch.linalg.qr(e.sqrt()[:, None] * B).Q


@wrong("ex-orthonormal")
def takes_the_weight_for_its_root(B: Any, e: Any) -> Any:
    return torch.linalg.qr(e[:, None] * B).Q / e[:, None]


@wrong("ex-orthonormal")
def only_scales_the_columns(B: Any, e: Any) -> Any:
    return B / (e[:, None] * B**2).sum(dim=0).sqrt()


@wrong("ex-orthonormal")
def gives_an_orthonormal_basis_of_another_space(B: Any, e: Any) -> Any:
    return torch.eye(*B.shape).double() / e.sqrt()[:, None]
