"""Checks of chapter 10, node classification."""

from collections.abc import Callable

import networkx as nx
import numpy as np
import torch
from torch import Tensor

from grokbook.checks import exercise, expect
from grokbook.checks.chapter01 import edges_of
from grokbook.laplacian import laplacian
from grokbook.spectrum import spectrum
from grokbook.split_masks import Split
from grokbook.stats import paired_interval


@exercise("ex-corrected-interval")
def _(interval: Callable) -> None:
    a, b = [0.90, 0.84, 0.88], [0.89, 0.82, 0.85]
    low, high = map(float, interval(a, b, 0))
    expect(
        abs(low + high - 0.04) < 1e-6,
        "the middle of the interval is the mean difference, 0.02 for "
        "differences of 0.01, 0.02 and 0.03",
    )
    expect(
        abs(high - low - 2 * 4.302653 * 0.01 / 3**0.5) < 1e-6,
        "with ratio 0 and differences 0.01, 0.02, 0.03 it reaches 4.30 "
        "standard errors of 0.01/√3 to either side: n − 1 degrees of "
        "freedom, and n − 1 in the deviation of the differences",
    )
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 10)) + 10 * rng.normal(size=10)
    exact = paired_interval(a, b, test_over_train=1 / 3)
    expect(
        np.allclose(interval(a, b, 1 / 3), exact[1:], rtol=1e-4),
        "add the ratio to 1/n before you take the root, and subtract split "
        "by split",
    )


@exercise("ex-tie-rule")
def _(choose: Callable) -> None:
    score = torch.tensor(
        [
            [0.5, 0.9, 0.8999, 0.5],
            [0.9, 0.8, 0.9, 0.6],
            [0.9, 0.9, 0.9, 0.9],
            [0.7, 0.9, 0.8, 0.7],
        ]
    )
    loss = torch.tensor(
        [
            [1.0, 5.0, 1.0, 2.0],
            [6.0, 1.0, 6.0, 3.0],
            [4.0, 7.0, 5.0, 9.0],
            [3.0, 6.0, 3.0, 1.0],
        ]
    )
    found = torch.as_tensor(choose(score, loss))
    expect(
        tuple(found.shape) == (4,),
        "give one epoch for each split: rows are epochs, columns splits",
    )
    expect(
        found[0] == 2,
        "in the first split epochs 1 and 2 tie at 0.9; epoch 2 has the lower "
        "loss of the two, and a lower loss elsewhere does not count",
    )
    expect(
        found[1] == 0,
        "in the second split epochs 0, 2 and 3 tie; epoch 0 has the least "
        "loss of the three",
    )
    expect(
        found[2] == 2,
        "in the third split epochs 1 and 2 tie at 0.9; epoch 0 is close, "
        "and close is no tie",
    )
    expect(
        found[3] == 2,
        "in the fourth split epoch 2 has the best score alone; its loss is "
        "the largest, and does not matter",
    )
    expect(
        torch.as_tensor(choose(score.flip(0), loss.flip(0))).tolist()
        == [1, 3, 1, 1],
        "the rule must not depend on the order of the epochs",
    )


def _parts(N: int, train: list[int]) -> Split:
    """These nodes train, half of the others validate, half test."""
    known = torch.zeros(N, dtype=torch.bool)
    known[train] = True
    odd = torch.arange(N) % 2 == 1
    return Split(known, ~known & odd, ~known & ~odd, "check", 0)


@exercise("ex-neighbour-vote")
def _(neighbour_vote: Callable) -> None:
    star = edges_of(nx.star_graph(5))
    y = torch.tensor([2, 0, 1, 1, 2, 2])
    answer = torch.as_tensor(neighbour_vote(star, y, _parts(6, [1, 2, 3])))
    expect(
        tuple(answer.shape) == (6,) and answer[0] == 1,
        "the middle of the star has training neighbours of the classes 0, 1 "
        "and 1: it answers 1",
    )
    expect(
        (answer[1:] == 1).all(),
        "the leaves have no training neighbour (the middle does not train): "
        "they answer the most frequent class of the training part",
    )
    tie = neighbour_vote(star, y, _parts(6, [1, 2]))
    expect(tie[0] == 0, "if classes tie, answer the smaller one")
    path, y = edges_of(nx.path_graph(4)), torch.tensor([1, 0, 0, 0])
    ends = neighbour_vote(path, y, _parts(4, [0, 3]))
    expect(
        ends[1] == 1 and ends[2] == 0,
        "on a path whose ends train, each inner node answers the class of "
        "the end beside it",
    )
    club = edges_of(nx.karate_club_graph())
    y = torch.arange(34) * 7 % 4
    split = _parts(34, list(range(0, 34, 3)))
    A = torch.zeros(34, 34).index_put_(tuple(club), torch.tensor(1.0))
    votes = A @ torch.eye(4)[y].mul(split.train[:, None])
    heard = votes.sum(1) > 0
    answer = torch.as_tensor(neighbour_vote(club, y, split))
    expect(
        torch.equal(answer[heard], votes.argmax(1)[heard]),
        "on the karate club: every training neighbour has one vote, however "
        "many friends it has itself, and the class with most votes wins",
    )
    G = nx.barbell_graph(5, 3)
    y = (torch.arange(13) * 5 % 7) % 3
    split = _parts(13, [0, 2, 5, 6, 9, 11])
    expect(
        torch.equal(
            torch.as_tensor(neighbour_vote(edges_of(G), y, split)),
            torch.as_tensor(
                neighbour_vote(edges_of(G), _shuffled(y, split), split)
            ),
        ),
        "your answers change when labels outside the training part change: "
        "that is leakage",
    )


def _shuffled(y: Tensor, split: Split) -> Tensor:
    """Other labels wherever they must not matter, of the same classes."""
    other = y.clone()
    other[~split.train] = (y[~split.train] + 1) % 3
    return other


@exercise("ex-low-share")
def _(low_share: Callable) -> None:
    S = spectrum(laplacian(edges_of(nx.path_graph(8)), 8))
    low = int((S.lam < 0.25).sum())
    expect(
        abs(float(low_share(torch.zeros_like, S)) - low / 8) < 1e-9,
        "with h = 0 the layer passes everything: the share is that of the "
        "eigenvalues below 1/4",
    )
    gone = float(low_share(lambda lam: -(lam < 0.25).double(), S))
    expect(abs(gone) < 1e-9, "h = −1 below λ = 1/4 lets nothing out there")
    S = spectrum(laplacian(edges_of(nx.complete_graph(6)), 6))
    share = float(low_share(lambda lam: 2 - lam, S))
    # λ = 0 once, 6/5 five times; (1 + h)² = 9 and 81/25
    expect(
        abs(share - 9 / (9 + 5 * 3.24)) < 1e-9,
        "on six nodes, all joined, λ = 0 occurs once and λ = 6/5 five "
        "times; with h = 2 − λ their energies are 9 and 1.8², each counted "
        "as often as it occurs",
    )
