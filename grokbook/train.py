"""One training loop: one split or many at once, nodes or graphs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from tqdm.auto import tqdm

from grokbook.adam import adam
from grokbook.copies import Copied
from grokbook.draws import Generators, each
from grokbook.errors import TrainingError
from grokbook.history import History, Recorder
from grokbook.split_masks import Split, stack

PerUnit = Callable[[Tensor, Tensor], Tensor]  # (S, n, C), (n,) → (S, n)


@dataclass(frozen=True)
class Batch:
    """Features and graph of some units: all nodes, or several graphs.

    Attributes:
        x: what the model takes as features.
        graph: what the model takes as graph, prepared.
        index: which units of the data set these are.
    """

    x: Any
    graph: Any
    index: Int[Tensor, " n"]


@dataclass(frozen=True)
class Objective:
    """What is minimised and what is reported, for each unit.

    Attributes:
        loss: the smaller, the better.
        score: the larger, the better; its mean over a part is the result.
    """

    loss: PerUnit
    score: PerUnit


def cross_entropy(
    scores: Float[Tensor, "S n C"], y: Int[Tensor, " n"]
) -> Float[Tensor, "S n"]:
    """Minus the logarithm of the probability given to the right class."""
    y = y.clamp(min=0).expand(scores.shape[:2])  # −1: no label, in no part
    return nn.functional.cross_entropy(scores.mT, y, reduction="none")


def is_right(
    scores: Float[Tensor, "S n C"], y: Int[Tensor, " n"]
) -> Float[Tensor, "S n"]:
    """1 where the largest score is that of the right class."""
    return (scores.argmax(-1) == y).to(scores.dtype)


CLASSIFICATION = Objective(cross_entropy, is_right)


def train(
    model: Copied,
    batches: Sequence[Batch],
    y: Tensor,
    splits: Sequence[Split],
    *,
    objective: Objective = CLASSIFICATION,
    lr: float = 0.01,
    weight_decay: float = 5e-4,
    epochs: int = 2000,
    patience: int = 200,
    stop_on: str = "val_loss",
    select: str = "val_score",
    generator: Generators = None,
    watch: Callable[[], Tensor] | None = None,
    progress: bool = False,
    optimizer: torch.optim.Optimizer | None = None,
) -> History:
    """Train the copies of a model, each on its own split, all in one pass.

    Derived in chapter 08. A split stops when the curve `stop_on` has had
    no new best for `patience` epochs, and leaves the pass; the others go
    on as if it had never been there.

    Args:
        model: a model with a copy for each split; trained in place.
        batches: the data set in parts; for nodes, one part.
        y: the label of each unit, −1 for none.
        splits: as many as the model has copies.
        objective: what is minimised and what is reported.
        lr, weight_decay: of Adam.
        epochs: at most so many.
        patience: epochs without a new best before a split stops.
        stop_on, select: "val_loss", "val_score", "train_loss" or "last":
            when to stop, and which epoch is reported.
        generator: the source of dropout; one for each copy.
        watch: called after an epoch; what it returns, a row for each copy,
            is kept from the chosen epoch.
        progress: show a bar.
        optimizer: one that has trained this model before; by default a new
            Adam.

    Raises:
        TrainingError: there is nothing to train on, the model has not a
            copy for each split, a loss is no longer finite, or a rule is
            unknown.
    """
    check(splits, y, epochs)
    optimizer = optimizer or adam(model, lr, weight_decay)
    seeds = list(each(generator, len(splits)))
    parts = torch.stack(stack(splits)).to(y.device)  # (3, S, N)
    record = Recorder(len(splits), stop_on, select)
    for _ in tqdm(range(epochs), disable=not progress, leave=False):
        train_loss = one_pass(
            model, batches, y, parts[0], objective, optimizer, seeds
        )
        others = evaluate(model, batches, y, parts, objective)
        record.add({"train_loss": train_loss, **others}, watch)
        stay = record.stay(patience)
        if not stay:
            break
        if len(stay) < len(seeds):
            model.keep(stay, optimizer)
            parts, seeds = parts[:, stay], [seeds[s] for s in stay]
    return record.history()


def one_pass(
    model: nn.Module,
    batches: Sequence[Batch],
    y: Tensor,
    mask: Bool[Tensor, "S N"],
    objective: Objective,
    optimizer: torch.optim.Optimizer,
    seeds: Sequence[torch.Generator | None],
) -> Float[Tensor, " S"]:
    """Train once on each batch; the mean loss of each split.

    The sum over the splits is minimised: no parameter belongs to two of
    them, so each gets the gradient of its own loss. Derived in chapter 08.
    """
    model.train()
    total = torch.zeros(len(mask), device=y.device)
    for batch in batches:
        optimizer.zero_grad()
        scores = model(batch.x, batch.graph, generator=seeds)
        check_copies(scores, len(mask))
        here = mask[:, batch.index]
        loss = (objective.loss(scores, y[batch.index]) * here).sum(1)
        (loss / here.sum(1).clamp(min=1)).sum().backward()
        optimizer.step()
        total += loss.detach()
    return total / mask.sum(1)


@torch.no_grad()
def evaluate(
    model: nn.Module,
    batches: Sequence[Batch],
    y: Tensor,
    parts: Bool[Tensor, "3 S N"],
    objective: Objective,
) -> dict[str, Float[Tensor, " S"]]:
    """Loss and score of each split on what it does not train on.

    Batches that can leave units out (`among`) give those alone that some
    split holds out.
    """
    model.eval()
    _, val, test = parts
    loss, score = torch.zeros(2, *val.shape, device=y.device)
    if hasattr(batches, "among"):
        batches = batches.among((val | test).any(0))
    for batch in batches:
        scores = model(batch.x, batch.graph)
        loss[:, batch.index] = objective.loss(scores, y[batch.index])
        score[:, batch.index] = objective.score(scores, y[batch.index])
    return {
        "val_loss": (loss * val).sum(1) / val.sum(1),
        "val_score": (score * val).sum(1) / val.sum(1),
        "test_score": (score * test).sum(1) / test.sum(1),
    }


def check(splits: Sequence[Split], y: Tensor, epochs: int) -> None:
    """Refuse to train on nothing, or on units that have no label."""
    if not splits or epochs < 1:
        raise TrainingError(
            f"{len(splits)} splits and {epochs} epochs: pass one or more."
        )
    used = torch.stack(stack(splits)).any(0).to(y.device)
    if not y.is_floating_point() and y.dim() == 1 and (used & (y < 0)).any():
        split, unit = (used & (y < 0)).nonzero()[0].tolist()
        raise TrainingError(
            f"Unit {unit} is in a part of split {split} and has no label "
            "(−1). Leave it out of the split."
        )


def check_copies(scores: Tensor, splits: int) -> None:
    """Refuse a model that has not a copy for each split."""
    if scores.dim() != 3 or len(scores) != splits:
        raise TrainingError(
            f"The model's scores have shape {tuple(scores.shape)}. Make "
            f"it with copies={splits}, one for each split."
        )
