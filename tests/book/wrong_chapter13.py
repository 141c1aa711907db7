"""Plausible wrong answers to the exercises of chapter 13."""

import statistics
from typing import Any

from wrong_answers import wrong


@wrong("ex-balance")
def counts_a_multiply_add_once(gemm: float, memory: float) -> Any:
    return 4 * gemm / memory


@wrong("ex-balance")
def forgets_the_bytes_of_a_number(gemm: float, memory: float) -> Any:
    return gemm / memory


@wrong("ex-balance")
def divides_the_wrong_way(gemm: float, memory: float) -> Any:
    return 2 * memory / gemm


@wrong("ex-road")
def counts_each_edge_once(N: int, E: int, P: int, s: float) -> Any:
    return "series" if 2 * P * E * s < 4 * N**2 else "exact"


@wrong("ex-road")
def forgets_that_sparse_is_slower(N: int, E: int, P: int, s: float) -> Any:
    return "series" if 2 * P * 2 * E < 4 * N**2 else "exact"


@wrong("ex-road")
def always_takes_the_series(N: int, E: int, P: int, s: float) -> Any:
    return "series"


@wrong("ex-kept-energy")
def keeps_the_low_end_only(S: Any, x: Any, k: int) -> Any:
    energy = S.fourier(x) ** 2
    return energy[:k].sum() / energy.sum()


@wrong("ex-kept-energy")
def forgets_to_square(S: Any, x: Any, k: int) -> Any:
    size = S.fourier(x).abs()
    low = (k + 1) // 2
    kept = size[:low].sum() + size[len(size) - (k - low) :].sum()
    return kept / size.sum()


@wrong("ex-kept-energy")
def does_not_divide(S: Any, x: Any, k: int) -> Any:
    energy = S.fourier(x) ** 2
    low = (k + 1) // 2
    return energy[:low].sum() + energy[len(energy) - (k - low) :].sum()


@wrong("ex-kept-energy")
def gives_the_high_end_the_larger_half(S: Any, x: Any, k: int) -> Any:
    energy = S.fourier(x) ** 2
    low = k // 2
    high = len(energy) - (k - low)
    return (energy[:low].sum() + energy[high:].sum()) / energy.sum()


@wrong("ex-kept-energy")
def has_at_least_one_low(S: Any, x: Any, k: int) -> Any:
    energy = S.fourier(x) ** 2
    low = max(1, k // 2)
    high = len(energy) - (k - low)
    return (energy[:low].sum() + energy[high:].sum()) / energy.sum()


@wrong("ex-in-turn")
def takes_the_least_ratio(slow: Any, fast: Any) -> Any:
    return min(a / b for a, b in zip(slow, fast, strict=True))


@wrong("ex-in-turn")
def divides_the_medians(slow: Any, fast: Any) -> Any:
    return statistics.median(slow) / statistics.median(fast)


@wrong("ex-in-turn")
def divides_the_totals(slow: Any, fast: Any) -> Any:
    return sum(slow) / sum(fast)


@wrong("ex-in-turn")
def takes_the_mean_of_the_ratios(slow: Any, fast: Any) -> Any:
    return statistics.mean(a / b for a, b in zip(slow, fast, strict=True))


@wrong("ex-in-turn")
def divides_the_best_times(slow: Any, fast: Any) -> Any:
    return min(slow) / min(fast)
