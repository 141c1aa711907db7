"""Checks of chapter 09, data and protocols."""

from collections.abc import Callable

import networkx as nx
import numpy as np
import torch
from torch import Tensor

from grokbook.baselines import twin_groups
from grokbook.checks import exercise, expect
from grokbook.checks.chapter01 import edges_of
from grokbook.split_masks import Split


@exercise("ex-homophily")
def _(simple_homophily: Callable) -> None:
    y = torch.tensor([0, 0, 1, 1, 1])
    square = torch.tensor([[0, 1, 2, 0, 3], [1, 2, 3, 3, 4]])
    messy = {
        "listed once": square,
        "listed in both directions": torch.cat([square, square.flip(0)], 1),
        "with one edge in both directions": torch.cat(
            [square, square[:, 1:2].flip(0)], 1
        ),
        "with one edge twice": torch.cat([square, square[:, :1]], 1),
        "with the edge 1–2 listed as 2–1": torch.cat(
            [square[:, 1:2].flip(0), square[:, [0, 2, 3, 4]]], 1
        ),
        "with a loop": torch.cat([square, torch.tensor([[4], [4]])], 1),
    }
    for how, edges in messy.items():
        eta = float(simple_homophily(edges, y))
        expect(
            abs(eta - 0.6) < 1e-6,
            f"three of the five edges of the square with a tail join equal "
            f"classes; {how}, you find {eta:.3f}",
        )


@exercise("ex-quota")
def _(quota_split: Callable) -> None:
    cases = {
        (50, 50): ([30, 30], 0.5),
        (33, 1, 18, 101, 30): ([22, 1, 18, 22, 22], 79 / 98),
        (100, 60, 20): ([36, 36, 20], 64 / 88),
    }
    for sizes, (train, share) in cases.items():
        found, score = quota_split(list(sizes))
        expect(
            [int(n) for n in found] == train,
            f"classes of {list(sizes)}: the quota is "
            f"{round(0.6 * sum(sizes) / len(sizes))}, so {train} train; you "
            f"have {[int(n) for n in found]}",
        )
        expect(
            abs(float(score) - share) < 1e-6,
            f"classes of {list(sizes)}: the best constant is right on "
            f"{share:.3f} of what training leaves; you have "
            f"{float(score):.3f}",
        )


@exercise("ex-twins")
def _(twins: Callable) -> None:
    lonely = nx.path_graph(3)
    lonely.add_nodes_from([3, 4])
    graphs = {
        "the square with a tail": nx.Graph(
            [(0, 1), (1, 2), (2, 3), (0, 3), (3, 4)]
        ),
        "a star": nx.star_graph(4),
        "a triangle, whose nodes have equal degrees": nx.complete_graph(3),
        "a ring of eight, where equal degrees are not enough": (
            nx.cycle_graph(8)
        ),
        "a path with two isolated nodes, who are nobody's twins": lonely,
        "a tree": nx.balanced_tree(2, 3),
    }
    for name, G in graphs.items():
        edges, N = edges_of(G), len(G)
        expect(
            _same_groups(torch.as_tensor(twins(edges, N)), edges, N),
            f"wrong groups on {name}",
        )


def _same_groups(found: Tensor, edges: Tensor, N: int) -> bool:
    """Whether two numberings put the same nodes together."""
    right = twin_groups(edges, N)
    if found.shape != right.shape:
        return False
    together = (group[:, None] == group for group in (found, right))
    return torch.equal(*together)


@exercise("ex-leak")
def _(leaked: Callable) -> None:
    group = torch.tensor([0, 0, 0, 3, 3, 5, 6, 6, 8, 9])
    #                     T  t  t  v  t  t  T  v  T  t
    part = torch.tensor([0, 2, 2, 1, 2, 2, 0, 1, 0, 2])
    split = Split(part == 0, part == 1, part == 2, "by hand", 0)
    share = float(leaked(group, split))
    expect(
        abs(share - 2 / 5) < 1e-6,
        f"of the five test nodes 1, 2, 4, 5, 9 the first two have a twin in "
        f"training (0); node 4's twin only validates. You have {share:.3f}",
    )
    part = torch.tensor([0, 0, 0, 1, 2, 2, 1, 1, 2, 2])
    split = Split(part == 0, part == 1, part == 2, "by hand", 0)
    expect(
        abs(float(leaked(group, split))) < 1e-6,
        "twins inside training leak nothing: the share is 0 here",
    )
    part = torch.tensor([2, 0, 1, 2, 0, 2, 1, 1, 0, 2])
    split = Split(part == 0, part == 1, part == 2, "by hand", 0)
    expect(
        abs(float(leaked(group, split)) - 2 / 4) < 1e-6,
        "a twin in training counts whether or not it is the first of its "
        "group: of the test nodes 0, 3, 5, 9 two have one (1 and 4)",
    )


@exercise("ex-paired")
def _(paired_interval: Callable) -> None:
    rng = np.random.default_rng(7)
    ease = 10 * rng.normal(size=10)  # splits differ a lot
    noise = rng.normal(size=10)
    a, b = 80 + ease + noise, 78 + ease
    low, high = map(float, paired_interval(a, b, np.random.default_rng(0)))
    expect(low < high, "give the low end first, then the high one")
    expect(
        high - low < 3,
        "the splits differ by tens of points, the two methods hardly: the "
        f"interval of the difference is {high - low:.1f} wide, so it has "
        "lost the pairing",
    )
    b[3] -= 20  # one split is far off: here other intervals differ
    low, high = map(float, paired_interval(a, b, np.random.default_rng(0)))
    d = a - b
    many = np.random.default_rng(1).choice(d, size=(100_000, 10)).mean(1)
    ends = np.percentile(many, [2.5, 97.5])
    # 10,000 draws know an end to about 0.02 of the deviation of a mean.
    expect(
        np.abs(ends - [low, high]).max() < 0.1 * d.std(),
        f"the middle 95% of the means of ten differences is "
        f"{ends[0]:.2f} to {ends[1]:.2f}; you have {low:.2f} to {high:.2f}. "
        "Resample the differences, and change nothing afterwards",
    )
