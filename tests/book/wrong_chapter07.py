"""Plausible wrong answers to the exercises of chapter 07."""

from typing import Any

import torch
from wrong_answers import wrong

from grokbook.mode_response import gain, nearest_filter


@wrong("ex-break-even")
def counts_only_the_first_product(w: int, v: int) -> Any:
    return v


@wrong("ex-break-even")
def forgets_that_the_cheap_order_has_two_products(w: int, v: int) -> Any:
    return w * v / (w + v)


@wrong("ex-break-even")
def adds_the_widths(w: int, v: int) -> Any:
    return (w + v) / 2


@wrong("ex-contraction")
def forgets_the_half(A: Any) -> Any:
    return torch.cdist(A, A, p=1).max()


@wrong("ex-contraction")
def takes_the_second_eigenvalue(A: Any) -> Any:
    return torch.linalg.eigvals(A).abs().sort().values[-2]


@wrong("ex-contraction")
def compares_neighbouring_rows_only(A: Any) -> Any:
    return A.diff(dim=0).abs().sum(1).max() / 2


@wrong("ex-contraction")
def takes_the_largest_entry(A: Any) -> Any:
    return A.max()


@wrong("ex-filter-share")
def forgets_the_squares(A: Any, S: Any) -> Any:
    return nearest_filter(A, S).abs().sum() / A.abs().sum()


@wrong("ex-filter-share")
def counts_what_leaks_too(A: Any, S: Any) -> Any:
    return (gain(A, S) ** 2).sum() / (A**2).sum()


@wrong("ex-filter-share")
def tells_equal_eigenvalues_apart(A: Any, S: Any) -> Any:
    return ((S.U.T @ A @ S.U).diag() ** 2).sum() / (A**2).sum()


@wrong("ex-filter-share")
def does_not_divide(A: Any, S: Any) -> Any:
    return (nearest_filter(A, S) ** 2).sum()


@wrong("ex-filter-share")
def averages_instead_of_adding(A: Any, S: Any) -> Any:
    return (nearest_filter(A, S) ** 2).mean() / (A**2).mean()


@wrong("ex-high-pass")
def takes_the_fiedler_vector(S: Any) -> Any:
    return 10 * S.U[:, 1:2]


@wrong("ex-high-pass")
def is_too_weak_to_select(S: Any) -> Any:
    return S.U[:, -1:]


@wrong("ex-high-pass")
def keeps_every_mode(S: Any) -> Any:
    return 10 * S.U


@wrong("ex-high-pass")
def gives_a_vector_not_a_table(S: Any) -> Any:
    return 10 * S.U[:, -1]


@wrong("ex-contraction")
def takes_the_largest_single_difference(A: Any) -> Any:
    return (A[:, None] - A).abs().max()
