"""Plausible wrong answers to the exercises of chapter 10."""

from typing import Any

import numpy as np
import torch
from scipy.stats import t as student
from wrong_answers import wrong


def _around(d: Any, error: Any, times: float) -> Any:
    return d.mean() - times * error, d.mean() + times * error


@wrong("ex-corrected-interval")
def forgets_the_overlap(a: Any, b: Any, ratio: float) -> Any:
    d = np.asarray(a) - np.asarray(b)
    error = d.std(ddof=1) / np.sqrt(len(d))
    return _around(d, error, student.ppf(0.975, len(d) - 1))


@wrong("ex-corrected-interval")
def takes_the_normal_quantile(a: Any, b: Any, ratio: float) -> Any:
    d = np.asarray(a) - np.asarray(b)
    return _around(d, d.std(ddof=1) * np.sqrt(1 / len(d) + ratio), 1.96)


@wrong("ex-corrected-interval")
def throws_the_pairing_away(a: Any, b: Any, ratio: float) -> Any:
    a, b = np.asarray(a), np.asarray(b)
    spread = a.var(ddof=1) + b.var(ddof=1)
    error = np.sqrt((1 / len(a) + ratio) * spread)
    return _around(a - b, error, student.ppf(0.975, len(a) - 1))


@wrong("ex-corrected-interval")
def divides_by_n(a: Any, b: Any, ratio: float) -> Any:
    d = np.asarray(a) - np.asarray(b)
    error = d.std() * np.sqrt(1 / len(d) + ratio)
    return _around(d, error, student.ppf(0.975, len(d) - 1))


@wrong("ex-corrected-interval")
def leaves_five_per_cent_on_each_side(a: Any, b: Any, ratio: float) -> Any:
    d = np.asarray(a) - np.asarray(b)
    error = d.std(ddof=1) * np.sqrt(1 / len(d) + ratio)
    return _around(d, error, student.ppf(0.95, len(d) - 1))


@wrong("ex-tie-rule")
def takes_the_first_best(val_score: Any, val_loss: Any) -> Any:
    return val_score.argmax(dim=0)


@wrong("ex-tie-rule")
def takes_the_least_loss(val_score: Any, val_loss: Any) -> Any:
    return val_loss.argmin(dim=0)


@wrong("ex-tie-rule")
def takes_the_last_best(val_score: Any, val_loss: Any) -> Any:
    return len(val_score) - 1 - val_score.flip(0).argmax(dim=0)


@wrong("ex-tie-rule")
def looks_along_the_splits(val_score: Any, val_loss: Any) -> Any:
    best = val_score == val_score.max(dim=1, keepdim=True).values
    return val_loss.where(best, torch.inf).argmin(dim=1)


@wrong("ex-tie-rule")
def subtracts_the_loss(val_score: Any, val_loss: Any) -> Any:
    return (val_score - val_loss).argmax(dim=0)


@wrong("ex-tie-rule")
def subtracts_a_little_of_the_loss(val_score: Any, val_loss: Any) -> Any:
    return (val_score - 0.1 * val_loss).argmax(dim=0)


@wrong("ex-tie-rule")
def counts_the_close_as_tied(val_score: Any, val_loss: Any) -> Any:
    near = val_score >= val_score.max(dim=0).values - 0.05
    return val_loss.where(near, torch.inf).argmin(dim=0)


@wrong("ex-tie-rule")
def subtracts_a_hair_of_the_loss(val_score: Any, val_loss: Any) -> Any:
    return (val_score - 0.001 * val_loss).argmax(dim=0)


@wrong("ex-tie-rule")
def rounds_to_a_per_cent(val_score: Any, val_loss: Any) -> Any:
    score = val_score.round(decimals=2)
    best = score == score.max(dim=0).values
    return val_loss.where(best, torch.inf).argmin(dim=0)


@wrong("ex-tie-rule")
def gives_others_the_loss_one(val_score: Any, val_loss: Any) -> Any:
    best = val_score == val_score.max(dim=0).values
    return val_loss.where(best, 1.0).argmin(dim=0)


def _votes(edge_index: Any, y: Any, count: Any) -> Any:
    i, j = edge_index[:, count[edge_index[1]]]
    votes = torch.zeros(len(y), int(y.max()) + 1)
    votes.index_put_((i, y[j]), torch.tensor(1.0), accumulate=True)
    return votes


@wrong("ex-neighbour-vote")
def counts_all_neighbours(edge_index: Any, y: Any, split: Any) -> Any:
    return _votes(edge_index, y, torch.ones_like(split.train)).argmax(1)


@wrong("ex-neighbour-vote")
def answers_class_0_to_the_lonely(edge_index: Any, y: Any, split: Any) -> Any:
    return _votes(edge_index, y, split.train).argmax(1)


@wrong("ex-neighbour-vote")
def falls_back_on_all_labels(edge_index: Any, y: Any, split: Any) -> Any:
    votes = _votes(edge_index, y, split.train)
    common = y.bincount().argmax()
    return torch.where(votes.sum(1) > 0, votes.argmax(1), common)


@wrong("ex-neighbour-vote")
def counts_validation_too(edge_index: Any, y: Any, split: Any) -> Any:
    votes = _votes(edge_index, y, split.train | split.val)
    common = y[split.train].bincount().argmax()
    return torch.where(votes.sum(1) > 0, votes.argmax(1), common)


@wrong("ex-neighbour-vote")
def weighs_votes_by_degree(edge_index: Any, y: Any, split: Any) -> Any:
    i, j = edge_index[:, split.train[edge_index[1]]]
    degree = edge_index[0].bincount(minlength=len(y)).float()
    votes = torch.zeros(len(y), int(y.max()) + 1)
    votes.index_put_((i, y[j]), degree[j].rsqrt(), accumulate=True)
    common = y[split.train].bincount().argmax()
    return torch.where(votes.sum(1) > 0, votes.argmax(1), common)


@wrong("ex-neighbour-vote")
def takes_the_median_class(edge_index: Any, y: Any, split: Any) -> Any:
    i, j = edge_index[:, split.train[edge_index[1]]]
    answer = y[split.train].bincount().argmax().repeat(len(y))
    for node in i.unique():
        answer[node] = y[j[i == node]].median()
    return answer


@wrong("ex-neighbour-vote")
def sees_no_edge(edge_index: Any, y: Any, split: Any) -> Any:
    return torch.full((len(y),), int(y[split.train].bincount().argmax()))


@wrong("ex-low-share")
def forgets_the_one(h: Any, S: Any) -> Any:
    energy = h(S.lam) ** 2
    return energy[S.lam < 0.25].sum() / energy.sum()


@wrong("ex-low-share")
def forgets_the_square(h: Any, S: Any) -> Any:
    size = 1 + h(S.lam)
    return size[S.lam < 0.25].sum() / size.sum()


@wrong("ex-low-share")
def reads_the_curve_on_an_even_grid(h: Any, S: Any) -> Any:
    lam = torch.linspace(0, 2, 101, dtype=torch.float64)
    energy = (1 + h(lam)) ** 2
    return energy[lam < 0.25].sum() / energy.sum()


@wrong("ex-low-share")
def counts_a_repeated_eigenvalue_once(h: Any, S: Any) -> Any:
    lam = S.lam.round(decimals=9).unique()
    energy = (1 + h(lam)) ** 2
    return energy[lam < 0.25].sum() / energy.sum()


@wrong("ex-low-share")
def takes_half_of_the_axis(h: Any, S: Any) -> Any:
    energy = (1 + h(S.lam)) ** 2
    return energy[S.lam < 1].sum() / energy.sum()
