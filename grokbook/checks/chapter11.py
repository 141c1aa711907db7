"""Checks of chapter 11, graph classification."""

from collections.abc import Callable

import torch
from torch import Tensor

from grokbook.checks import exercise, expect
from grokbook.live.selection_figure import expected_report
from grokbook.split_masks import Split


@exercise("ex-masked-std")
def _(spread: Callable) -> None:
    X = torch.tensor([[[1.0], [3.0], [7.0]], [[0.0], [3.0], [6.0]]])
    mask = torch.tensor([[True, True, False], [True, True, True]])
    found = spread(X.clone(), mask)
    expect(
        tuple(found.shape) == (2, 1),
        "give one row of c numbers for each graph",
    )
    expect(
        abs(float(found[1, 0]) - 6**0.5) < 1e-5,
        "without padding, 0, 3 and 6 have the deviation √6: divide by N, "
        "not by N − 1",
    )
    expect(
        abs(float(found[0, 0]) - 1) < 1e-5,
        "the real nodes of the first graph have 1 and 3, so the deviation "
        "1; the padded row must count neither in the mean, nor in the "
        "number of nodes, nor in the sum of squares",
    )
    X[0, 2] = 1e4
    expect(
        torch.allclose(spread(X, mask), found),
        "another number in the padding changes your answer",
    )


@exercise("ex-nested-choice")
def _(nested: Callable) -> None:
    # two options, two epochs, two folds
    val = torch.tensor([[[0.5, 0.9], [0.8, 0.1]], [[0.7, 0.4], [0.6, 0.6]]])
    test = torch.tensor([[[0.1, 0.3], [0.5, 0.2]], [[0.9, 0.8], [0.4, 1.0]]])
    found = float(nested(val.clone(), test.clone()))
    expect(
        abs(found - (0.5 + 0.3) / 2) < 1e-6,
        "fold 0 likes option 0, epoch 1 best (0.8 on its inner part) and "
        "scores 0.5 there; fold 1 likes option 0, epoch 0 (0.9) and scores "
        "0.3; the mean is 0.4",
    )
    seed = torch.Generator().manual_seed(0)
    val, test = torch.rand(2, 3, 5, 10, generator=seed)
    folds = torch.arange(10)
    best = val.reshape(15, 10).argmax(0)
    exact = test.reshape(15, 10)[best, folds].mean()
    expect(
        abs(float(nested(val, test)) - float(exact)) < 1e-6,
        "each fold chooses its option and its epoch by its own inner part "
        "alone, then the test scores there are averaged",
    )


@exercise("ex-expected-best")
def _(expected_best: Callable) -> None:
    expect(
        abs(float(expected_best(7, 1)) - 0.5) < 1e-9,
        "with one epoch there is nothing to choose: the mean is 1/2",
    )
    expect(
        abs(float(expected_best(2, 2)) - 11 / 16) < 1e-9,
        "with two graphs and two epochs it is 11/16, as counted above",
    )
    for n, epochs in ((19, 100), (188, 20)):
        exact = expected_report("published", 1, n, epochs)
        expect(
            abs(float(expected_best(n, epochs)) - exact) < 1e-7,
            f"with {n} graphs and {epochs} epochs it is {exact:.4f}: sum "
            "from i = 0 to n − 1, and raise each probability to the power "
            "of the epochs",
        )


class _Spy:
    """A model that notes what it is given, and learns by heart.

    Its score depends on how often it was fitted, so that the chosen epoch
    can be told from the score.
    """

    made: list["_Spy"]

    def __init__(self) -> None:
        self.fits: list[Tensor] = []
        self.seen: list[Tensor] = []
        self.scale = 0.5 ** len(_Spy.made)  # a later fold is harder
        _Spy.made.append(self)

    def fit(self, X: Tensor, y: Tensor) -> None:
        self.fits.append(X.clone())

    def score(self, X: Tensor, y: Tensor) -> float:
        self.seen.append(X.clone())
        curve = (0.2, 0.6, 0.6, 0.4)
        at = self.scale * curve[(len(self.fits) - 1) % 4]
        # validation labels are all 0, those of the test part all 1
        return at if not y.any() else 0.1 * len(self.fits)


@exercise("ex-find-the-leaks")
def _(honest: Callable) -> None:
    _Spy.made = []
    fold = torch.arange(12) % 4
    X = torch.arange(24.0).reshape(12, 2) ** 2
    parts, scores = [], []
    for f in range(2):
        test, val = fold == f, fold == f + 2
        parts.append(Split(~(test | val), val, test, "check", 0))
    for f, part in enumerate(parts):
        _Spy.made = []
        y = part.test.long()
        alone = honest(_Spy, X, y, [part], 4)
        expect(len(alone) == 1, "return one score for each fold")
        scores.append((f, float(alone[0])))
    expect(
        all(abs(score - 0.2) < 1e-6 for _, score in scores),
        "the inner part scores 0.2, 0.6, 0.6, 0.4 over the epochs: report "
        "the test score of the first 0.6, whatever the test scores of other "
        "epochs",
    )
    first = _Spy.made[-1].fits[0]
    expect(
        torch.allclose(first.mean(0), torch.zeros(2), atol=1e-5)
        and torch.allclose(first.std(0), torch.ones(2), atol=1e-5),
        "take mean and deviation from the training part: what the model "
        "fits then has mean 0 and deviation 1",
    )
    known = X[parts[-1].train]
    Z = (X - known.mean(0)) / known.std(0)
    expect(
        all(_is_part(seen, Z, parts[-1]) for seen in _Spy.made[-1].seen),
        "scale what is scored, too, with the training part's mean and "
        "deviation",
    )
    _Spy.made = []
    both = honest(_Spy, X, torch.zeros(12, dtype=torch.long), parts, 4)
    expect(
        len(_Spy.made) == 2,
        "make a new model for each fold: the old one has trained on what is "
        "held out now",
    )
    expect(
        all(len(spy.fits) == 4 for spy in _Spy.made),
        "train every fold for all its epochs",
    )
    expect(
        [round(float(score), 6) for score in both] == [0.6, 0.3],
        "each fold looks for its own best: what was best in the fold before "
        "must not count",
    )


def _is_part(given: Tensor, Z: Tensor, part: Split) -> bool:
    """Whether rows are those of one part of a table."""
    return any(
        given.shape == Z[rows].shape and torch.allclose(given, Z[rows])
        for rows in (part.train, part.val, part.test)
    )
