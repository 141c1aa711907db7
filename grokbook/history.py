"""What each epoch of training came to, and which epoch is reported."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from grokbook.errors import TrainingError
from grokbook.split_masks import Split

CURVES = ("train_loss", "val_loss", "val_score", "test_score")
#: What may decide: everything but the test curve.
RULES = ("val_score", "val_loss", "train_loss", "last")


@dataclass
class History:
    """The curves of each split.

    Attributes:
        curves: by name, a row for each epoch; NaN after a split has left.
        chosen: the epoch reported for each split, the first that is best.
        watched: what was watched, of each split at its chosen epoch.

    Shapes:
        curves (epochs, S), chosen (S,)
    """

    curves: dict[str, Float[Tensor, "epochs S"]]
    chosen: Int[Tensor, " S"]
    watched: list[Tensor] = field(default_factory=list)

    def at_chosen(self, curve: str) -> Float[Tensor, " S"]:
        """The value of a curve at each split's chosen epoch."""
        return self.curves[curve].gather(0, self.chosen[None])[0]

    def epochs(self) -> Int[Tensor, " S"]:
        """How many epochs each split trained."""
        return (~self.curves["val_loss"].isnan()).sum(0)


class Recorder:
    """Collects the curves, and knows who waits how long for a new best."""

    def __init__(self, S: int, stop_on: str, select: str) -> None:
        """Start with all S splits."""
        self.live = torch.arange(S)
        # lists, not tensors: a small tensor that stays, amid large ones that
        # go, splits the room they leave, and every epoch takes new memory
        self._rows: list[dict[str, list[float]]] = []
        self._stop, self._select = _Best(S, stop_on), _Best(S, select)
        self._watched: list[Tensor] = [torch.empty(0)] * S

    def add(
        self,
        row: dict[str, Float[Tensor, " live"]],
        watch: Callable[[], Tensor] | None = None,
    ) -> None:
        """Note an epoch of the splits that are still there."""
        row = {name: row[name].detach().cpu().float() for name in CURVES}
        self._check(row)
        self._stop.update(self.live, row)
        new = self._select.update(self.live, row)
        if watch is not None and new.any():
            seen = watch().detach().cpu()
            for place in new.nonzero().flatten().tolist():
                self._watched[self.live[place]] = seen[place].clone()
        self._rows.append(
            {name: self._placed(row[name]).tolist() for name in CURVES}
        )

    def stay(self, patience: int) -> list[int]:
        """Let go who has waited too long; the places of those who stay."""
        stay = (self._stop.waits[self.live] < patience).nonzero().flatten()
        self.live = self.live[stay]
        return stay.tolist()

    def history(self) -> History:
        """The curves as tables."""
        tables = {
            name: torch.tensor(
                [row[name] for row in self._rows], dtype=torch.float32
            )
            for name in CURVES
        }
        return History(tables, self._select.epoch, self._watched)

    def _placed(self, values: Float[Tensor, " live"]) -> Float[Tensor, " S"]:
        """Values of those still there, in a row for all."""
        row = torch.full((len(self._watched),), torch.nan)
        row[self.live] = values
        return row

    def _check(self, row: dict[str, Tensor]) -> None:
        """A loss that is not finite will never be again."""
        for name in ("train_loss", "val_loss"):
            bad = ~torch.isfinite(row[name])
            if bad.any():
                raise TrainingError(
                    f"The {name} of split {int(self.live[bad][0])} is "
                    f"{float(row[name][bad][0])} at epoch "
                    f"{len(self._rows)}. Lower lr, or look for very large "
                    "values among the features."
                )


class _Best:
    """The best value so far of the curve that a rule names."""

    def __init__(self, S: int, rule: str) -> None:
        if rule not in RULES:
            raise TrainingError(
                f"There is no rule {rule!r}. Choose from: {', '.join(RULES)}."
            )
        self.rule = rule
        self.value = torch.full((S,), -torch.inf)
        self.epoch = torch.zeros(S, dtype=torch.long)
        self.waits = torch.zeros(S, dtype=torch.long)
        self._now = -1

    def update(
        self, live: Int[Tensor, " live"], row: dict[str, Tensor]
    ) -> Bool[Tensor, " live"]:
        """Which splits have a new best; the first of equals counts."""
        self._now += 1
        if self.rule == "last":
            gain = torch.full((len(live),), float(self._now))
        else:
            sign = -1 if self.rule.endswith("loss") else 1
            gain = sign * row[self.rule]
        new = gain > self.value[live]
        self.waits[live] += 1
        self.value[live[new]] = gain[new]
        self.epoch[live[new]] = self._now
        self.waits[live[new]] = 0
        return new


def exact(
    shares: Float[Tensor, " S"], parts: Sequence[Split], part: str
) -> list[float]:
    """Accuracies in float64, as units right of units in a part.

    The curves are float32; a paired test would take its rounding for a
    difference between two models that are right equally often.
    """
    sizes = [int(getattr(split, part).sum()) for split in parts]
    pairs = zip(shares.tolist(), sizes, strict=True)
    return [round(share * n) / n for share, n in pairs]
