"""Plausible wrong answers to the exercises; each must be refused.

The name of each says the mistake. A check that lets one pass is no check.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch

from grokbook import apply_filter, laplacian, spectrum

WRONG: dict[str, list[Callable]] = defaultdict(list)


def wrong(label: str) -> Callable[[Callable], Callable]:
    """List a wrong answer to an exercise."""

    def add(answer: Callable) -> Callable:
        WRONG[label].append(answer)
        return answer

    return add


@wrong("ex-variation")
def counts_each_edge_twice(x: Any, edge_index: Any) -> Any:
    i, j = edge_index
    scaled = x / torch.bincount(i).sqrt()
    return ((scaled[i] - scaled[j]) ** 2).sum()


@wrong("ex-variation")
def forgets_the_degrees(x: Any, edge_index: Any) -> Any:
    i, j = edge_index
    return ((x[i] - x[j]) ** 2).sum() / 2


@wrong("ex-variation")
def divides_by_the_degree_not_its_root(x: Any, edge_index: Any) -> Any:
    i, j = edge_index
    scaled = x / torch.bincount(i)
    return ((scaled[i] - scaled[j]) ** 2).sum() / 2


@wrong("ex-variation")
def adds_where_it_should_subtract(x: Any, edge_index: Any) -> Any:
    i, j = edge_index
    scaled = x / torch.bincount(i).sqrt()
    return ((scaled[i] + scaled[j]) ** 2).sum() / 2


@wrong("ex-ring")
def is_the_unnormalised_laplacian(n: int) -> Any:
    k = torch.arange(n).double()
    return (2 - 2 * torch.cos(2 * torch.pi * k / n)).sort().values


@wrong("ex-ring")
def is_the_path(n: int) -> Any:
    k = torch.arange(n).double()
    return (1 - torch.cos(torch.pi * k / (n - 1))).sort().values


@wrong("ex-ring")
def is_not_sorted(n: int) -> Any:
    k = torch.arange(n).double()
    return 1 - torch.cos(2 * torch.pi * k / n)


@wrong("ex-ring")
def lists_each_value_once(n: int) -> Any:
    k = torch.arange(n // 2 + 1).double()
    return 1 - torch.cos(2 * torch.pi * k / n)


@wrong("ex-components")
def compares_with_zero_exactly(lam: Any) -> Any:
    return int((lam == 0).sum())


@wrong("ex-components")
def takes_small_for_zero(lam: Any) -> Any:
    return int((lam < 0.01).sum())


@wrong("ex-components")
def takes_a_thousandth_for_zero(lam: Any) -> Any:
    return int((lam < 0.001).sum())


@wrong("ex-components")
def answers_one(lam: Any) -> Any:
    return 1


@wrong("ex-bipartite")
def asks_only_for_one_two(edge_index: Any, num_nodes: int) -> Any:
    S = spectrum(laplacian(edge_index, num_nodes))
    return S.multiplicity(2) >= 1


@wrong("ex-bipartite")
def takes_nearly_two_for_two(edge_index: Any, num_nodes: int) -> Any:
    S = spectrum(laplacian(edge_index, num_nodes))
    isolated = num_nodes - len(edge_index.unique())
    near = int((S.lam > 1.99).sum())
    return near >= S.multiplicity(0) - isolated


@wrong("ex-bipartite")
def forgets_isolated_nodes(edge_index: Any, num_nodes: int) -> Any:
    S = spectrum(laplacian(edge_index, num_nodes))
    return S.multiplicity(2) == S.multiplicity(0)


@wrong("ex-bipartite")
def asks_whether_the_nodes_are_even_in_number(
    edge_index: Any, num_nodes: int
) -> Any:
    return num_nodes % 2 == 0


@wrong("ex-heat")
def heats_up(t: float) -> Any:
    return lambda lam: torch.exp(t * lam)


@wrong("ex-heat")
def divides_by_the_time(t: float) -> Any:
    return lambda lam: torch.exp(-lam / t)


@wrong("ex-heat")
def is_one_implicit_step(t: float) -> Any:
    return lambda lam: 1 / (1 + t * lam)


@wrong("ex-heat")
def returns_numbers_not_a_function(t: float) -> Any:
    return torch.exp(-t * torch.linspace(0, 2, 41))


@wrong("ex-energy")
def forgets_to_square(S: Any, x: Any, cut: float) -> Any:
    x_hat = S.fourier(x).abs()
    return x_hat[S.lam <= cut].sum() / x_hat.sum()


@wrong("ex-energy")
def leaves_the_cut_out(S: Any, x: Any, cut: float) -> Any:
    energy = S.fourier(x) ** 2
    return energy[S.lam < cut].sum() / energy.sum()


@wrong("ex-energy")
def does_not_divide(S: Any, x: Any, cut: float) -> Any:
    return (S.fourier(x)[S.lam <= cut] ** 2).sum()


@wrong("ex-energy")
def transforms_with_u_instead_of_its_transpose(
    S: Any, x: Any, cut: float
) -> Any:
    energy = (S.U @ x) ** 2
    return energy[S.lam <= cut].sum() / energy.sum()


@wrong("ex-undo")
def subtracts_from_one(h: Callable) -> Any:
    return lambda lam: 1 - h(lam)


@wrong("ex-undo")
def changes_the_sign(h: Callable) -> Any:
    return lambda lam: -h(lam)


@wrong("ex-undo")
def does_nothing(h: Callable) -> Any:
    return lambda lam: torch.ones_like(lam)


@wrong("ex-lazy-walk")
def forgets_the_half(L: Any, x: Any, k: int) -> Any:
    for _ in range(k):
        x = x - L @ x
    return x


@wrong("ex-lazy-walk")
def decomposes_all_the_same(L: Any, x: Any, k: int) -> Any:
    return apply_filter(lambda lam: (1 - lam / 2) ** k, L, x)


@wrong("ex-lazy-walk")
def does_one_step_too_many(L: Any, x: Any, k: int) -> Any:
    for _ in range(k + 1):
        x = x - L @ x / 2
    return x


@wrong("ex-lazy-walk")
def multiplies_by_l_alone(L: Any, x: Any, k: int) -> Any:
    for _ in range(k):
        x = L @ x / 2
    return x


import wrong_chapter03  # noqa: E402, F401 - adds its own
import wrong_chapter04  # noqa: E402, F401 - adds its own
import wrong_chapter05  # noqa: E402, F401 - adds its own
import wrong_chapter06  # noqa: E402, F401 - adds its own
import wrong_chapter07  # noqa: E402, F401 - adds its own
import wrong_chapter08  # noqa: E402, F401 - adds its own
import wrong_chapter09  # noqa: E402, F401 - adds its own
import wrong_chapter10  # noqa: E402, F401 - adds its own
import wrong_chapter10b  # noqa: E402, F401 - adds its own
import wrong_chapter11  # noqa: E402, F401 - adds its own
import wrong_chapter12  # noqa: E402, F401 - adds its own
import wrong_chapter13  # noqa: E402, F401 - adds its own
import wrong_chapter14  # noqa: E402, F401 - adds its own
