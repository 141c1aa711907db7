"""Three ways to cross-validate, of which one is honest.

Each takes a `Contest`, a data set with a model to be trained on it, and the
folds; and returns what a result holds: the score of each fold and how it was
come by.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.adam import adam
from grokbook.copies import Copied
from grokbook.draws import generators
from grokbook.history import History, exact
from grokbook.split_masks import Split
from grokbook.splits import folds, held_out
from grokbook.train import Batch, train

Result = dict[str, Any]


@dataclass(frozen=True)
class Contest:
    """Graphs, and a model to be trained on them.

    Attributes:
        batches: the graphs, in batches.
        y: the class of each.
        build: makes a copy of the model for each generator.
        seed: of the first copy's weights; those of copy s are + s.
        options: of training: lr, weight_decay.
        epochs, patience: at most so many; of the rules that stop early, so
            many without a new best.
    """

    batches: Sequence[Batch]
    y: Tensor
    build: Callable[[list[torch.Generator]], Copied]
    seed: int
    options: dict[str, float]
    epochs: int
    patience: int

    def fresh(self, copies: int) -> tuple[Copied, list[torch.Generator]]:
        """New models, with the generators of their dropout."""
        seeds = generators(self.seed, copies)
        return self.build(seeds), seeds

    def train(
        self,
        model: Copied,
        parts: Sequence[Split],
        seeds: Sequence[torch.Generator],
        **rules: Any,
    ) -> History:
        """Train, with the rules of a protocol."""
        given = self.options | {"epochs": self.epochs} | rules
        return train(
            model, self.batches, self.y, parts, generator=seeds, **given
        )


def as_found(contest: Contest, parts: Sequence[Split]) -> Result:
    """One model and one optimizer go through all folds, in order.

    So it was in the history of the authors' repository: from the second
    fold on, the model has trained on what it is now scored on. A fold ends
    when its training loss has had no new best for a while; its score is
    that of the epoch with the least training loss.
    """
    model, seeds = contest.fresh(1)
    optimizer = adam(model, **contest.options)
    rules = {"stop_on": "train_loss", "select": "train_loss"}
    runs = [
        contest.train(
            model,
            [part],
            seeds,
            optimizer=optimizer,
            patience=contest.patience,
            **rules,
        )
        for part in parts
    ]
    scores = torch.cat([run.at_chosen("val_score") for run in runs])
    first = torch.stack([run.curves["val_score"][0, 0] for run in runs])
    return {
        "scores": exact(scores, parts, "val"),
        "scores_after_one_epoch": exact(first, parts, "val"),
        "epochs": [int(run.epochs()[0]) for run in runs],
        "chosen": [int(run.chosen[0]) for run in runs],
    }


def published(contest: Contest, parts: Sequence[Split]) -> Result:
    """A fresh model for each fold; the maximum average validation accuracy.

    All folds train equally long. The epoch at which their mean score on
    what is held out is largest is reported, which is what the paper's text
    says: the held-out graphs choose the epoch that they score.
    """
    model, seeds = contest.fresh(len(parts))
    history = contest.train(model, parts, seeds, stop_on="last", select="last")
    curves = history.curves["val_score"]
    best = best_on_average(curves)
    return {
        "scores": exact(curves[best], parts, "val"),
        "scores_at_last_epoch": exact(curves[-1], parts, "val"),
        "scores_at_own_best": exact(curves.amax(0), parts, "val"),
        "curve": [round(mean, 6) for mean in curves.double().mean(1).tolist()],
        "epochs": history.epochs().tolist(),
        "chosen": [best] * len(parts),
    }


def fair(contest: Contest, parts: Sequence[Split]) -> Result:
    """A fresh model for each fold; an inner part selects, the fold tests.

    The epoch is that of the best score on a part of the training graphs
    that is kept from training; the fold is looked at once, there.
    """
    model, seeds = contest.fresh(len(parts))
    history = contest.train(
        model,
        parts,
        seeds,
        stop_on="val_loss",
        select="val_score",
        patience=contest.patience,
    )
    return {
        "scores": exact(history.at_chosen("test_score"), parts, "test"),
        "val_scores": exact(history.at_chosen("val_score"), parts, "val"),
        "epochs": history.epochs().tolist(),
        "chosen": history.chosen.tolist(),
    }


#: The folds of each protocol, and how it goes through them.
PROTOCOLS = {
    "as-found": (held_out, as_found),
    "published": (held_out, published),
    "fair": (folds, fair),
}


def best_on_average(curves: Float[Tensor, "epochs S"]) -> int:
    """The first epoch with the largest mean over the folds.

    Examples:
        >>> best_on_average(torch.tensor([[1.0, 0.0], [0.6, 0.6]]))
        1
    """
    return int(curves.double().mean(1).argmax())
