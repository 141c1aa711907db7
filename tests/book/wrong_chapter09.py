"""Plausible wrong answers to the exercises of chapter 09."""

from typing import Any

import numpy as np
import torch
from wrong_answers import wrong

from grokbook.stats import bootstrap


@wrong("ex-homophily")
def counts_every_line_of_the_list(edges: Any, y: Any) -> Any:
    return (y[edges[0]] == y[edges[1]]).double().mean()


@wrong("ex-homophily")
def keeps_the_loops(edges: Any, y: Any) -> Any:
    i, j = edges.sort(dim=0).values.unique(dim=1)
    return (y[i] == y[j]).double().mean()


@wrong("ex-homophily")
def counts_an_edge_per_direction(edges: Any, y: Any) -> Any:
    i, j = edges[:, edges[0] != edges[1]].unique(dim=1)
    return (y[i] == y[j]).double().mean()


@wrong("ex-homophily")
def takes_the_mean_over_nodes(edges: Any, y: Any) -> Any:
    i, j = edges.sort(dim=0).values[:, edges[0] != edges[1]].unique(dim=1)
    i, j = torch.cat([i, j]), torch.cat([j, i])
    same = (y[i] == y[j]).double()
    return torch.stack([same[i == n].mean() for n in i.unique()]).mean()


@wrong("ex-quota")
def trains_sixty_per_cent_of_each_class(sizes: list[int]) -> Any:
    train = [round(0.6 * n) for n in sizes]
    left = [n - t for n, t in zip(sizes, train, strict=True)]
    return train, max(left) / sum(left)


@wrong("ex-quota")
def takes_more_than_a_class_has(sizes: list[int]) -> Any:
    quota = round(0.6 * sum(sizes) / len(sizes))
    return [quota] * len(sizes), max(sizes) / sum(sizes)


@wrong("ex-quota")
def scores_the_constant_on_all_nodes(sizes: list[int]) -> Any:
    quota = round(0.6 * sum(sizes) / len(sizes))
    train = [min(quota, n) for n in sizes]
    return train, max(sizes) / sum(sizes)


@wrong("ex-quota")
def cuts_instead_of_rounding(sizes: list[int]) -> Any:
    quota = int(0.6 * sum(sizes) / len(sizes))
    train = [min(quota, n) for n in sizes]
    left = [n - t for n, t in zip(sizes, train, strict=True)]
    return train, max(left) / sum(left)


def neighbours(edge_index: Any, num_nodes: int) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in range(num_nodes)]
    for i, j in edge_index.T.tolist():
        near[i].append(j)
    return near


@wrong("ex-twins")
def takes_equal_degrees_for_twins(edge_index: Any, num_nodes: int) -> Any:
    return edge_index[0].bincount(minlength=num_nodes)


@wrong("ex-twins")
def calls_isolated_nodes_twins(edge_index: Any, num_nodes: int) -> Any:
    first: dict = {}
    near = neighbours(edge_index, num_nodes)
    keys = (frozenset(n) for n in near)
    return torch.tensor(
        [first.setdefault(key, i) for i, key in enumerate(keys)]
    )


@wrong("ex-twins")
def joins_nodes_that_share_one_neighbour(
    edge_index: Any, num_nodes: int
) -> Any:
    near = neighbours(edge_index, num_nodes)
    return torch.tensor([min(n, default=-i) for i, n in enumerate(near)])


@wrong("ex-twins")
def lets_neighbours_be_twins(edge_index: Any, num_nodes: int) -> Any:
    first: dict = {}
    near = neighbours(edge_index, num_nodes)
    closed = (frozenset([*n, i]) for i, n in enumerate(near))
    return torch.tensor(
        [first.setdefault(key, i) for i, key in enumerate(closed)]
    )


@wrong("ex-leak")
def counts_twins_of_any_part(group: Any, split: Any) -> Any:
    return (group.bincount()[group] > 1)[split.test].double().mean()


@wrong("ex-leak")
def divides_by_all_nodes(group: Any, split: Any) -> Any:
    known = torch.isin(group, group[split.train])
    return (known & split.test).double().mean()


@wrong("ex-leak")
def counts_training_nodes_with_a_twin_in_test(group: Any, split: Any) -> Any:
    known = torch.isin(group, group[split.test])
    return known[split.train].double().mean()


@wrong("ex-leak")
def counts_validation_as_training(group: Any, split: Any) -> Any:
    known = torch.isin(group, group[~split.test])
    return known[split.test].double().mean()


@wrong("ex-paired")
def resamples_each_list_for_itself(a: Any, b: Any, rng: Any) -> Any:
    means = [rng.choice(x, size=(10_000, len(x))).mean(1) for x in (a, b)]
    return np.percentile(means[0] - means[1], [2.5, 97.5])


@wrong("ex-paired")
def gives_the_spread_of_single_differences(a: Any, b: Any, rng: Any) -> Any:
    return np.percentile(np.asarray(a) - np.asarray(b), [2.5, 97.5])


@wrong("ex-paired")
def draws_without_replacement(a: Any, b: Any, rng: Any) -> Any:
    d = np.asarray(a) - np.asarray(b)
    means = [rng.permutation(d).mean() for _ in range(1000)]
    return np.percentile(means, [2.5, 97.5])


@wrong("ex-paired")
def subtracts_the_wrong_way_round(a: Any, b: Any, rng: Any) -> Any:
    d = np.asarray(b) - np.asarray(a)
    again = rng.choice(d, size=(10_000, len(d))).mean(axis=1)
    return np.percentile(again, [2.5, 97.5])


@wrong("ex-paired")
def takes_normal_ends_without_resampling(a: Any, b: Any, rng: Any) -> Any:
    d = np.asarray(a) - np.asarray(b)
    half = 1.96 * d.std(ddof=1) / len(d) ** 0.5
    return d.mean() - half, d.mean() + half


@wrong("ex-paired")
def corrects_the_bootstrap(a: Any, b: Any, rng: Any) -> Any:
    return bootstrap(np.asarray(a) - np.asarray(b))[1:]


@wrong("ex-homophily")
def drops_edges_listed_from_the_larger_number(edges: Any, y: Any) -> Any:
    i, j = edges[:, edges[0] < edges[1]].unique(dim=1)
    return (y[i] == y[j]).double().mean()


@wrong("ex-leak")
def asks_only_the_first_of_a_group(group: Any, split: Any) -> Any:
    return split.train[group][split.test].double().mean()
