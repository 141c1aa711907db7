"""The exercises' checks: they tell right from wrong, and say why.

Each exercise of the book has one check, a function in the file of its
chapter, registered under the exercise's label:

    @exercise("ex-degree")
    def _(degree):
        expect(degree([[0, 1], [1, 0]], 2).tolist() == [1, 1],
               "an edge gives each of its two ends one degree")

A chapter calls ``check("ex-degree", degree)``. An empty answer (``...`` or
None) is "not yet", a wrong one gets the sentence of the first expectation
that does not hold, an answer that raises gets its own error back.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from grokbook.errors import GrokbookError, check_choice

Check = Callable[[Any], None]
_CHECKS: dict[str, Check] = {}


class Unmet(Exception):
    """An expectation that the answer does not meet."""


@dataclass(frozen=True)
class Verdict:
    """What a check found: right or not, and a sentence."""

    right: bool
    sentence: str

    def __str__(self) -> str:
        """One line, readable without colour."""
        return f"{'✓ Right' if self.right else '✗ Not yet'}: {self.sentence}"


def exercise(label: str) -> Callable[[Check], Check]:
    """Register a check under the label of its exercise."""

    def register(check: Check) -> Check:
        if label in _CHECKS:
            raise GrokbookError(f"Two checks are named {label!r}.")
        _CHECKS[label] = check
        return check

    return register


def expect(holds: Any, sentence: str) -> None:
    """Require something of an answer; the sentence helps if it fails."""
    if not bool(holds):
        raise Unmet(sentence)


def labels() -> list[str]:
    """All exercises that have a check."""
    _load()
    return sorted(_CHECKS)


def verdict(label: str, answer: Any) -> Verdict:
    """Mark an answer to an exercise.

    Raises:
        UnknownNameError: no exercise has that label.
    """
    _load()
    check_choice("exercise", label, sorted(_CHECKS))
    if answer is None or answer is ...:
        return Verdict(False, "there is no answer here so far.")
    try:
        _CHECKS[label](_answered(answer) if callable(answer) else answer)
    except Unmet as unmet:
        sentence = str(unmet)
        return Verdict(False, sentence + "." * (sentence[-1:] not in ".?"))
    except Exception as error:
        return Verdict(
            False, f"your answer raised {type(error).__name__}: {error}"
        )
    return Verdict(True, f"{label} holds in every case tried.")


def _answered(function: Callable) -> Callable:
    """Say so when a function returns nothing, as a starter's does."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        expect(result is not None, "your function returns nothing so far")
        return result

    return call


def check(label: str, answer: Any) -> None:
    """Mark an answer to an exercise and print the verdict."""
    print(verdict(label, answer))


def _load() -> None:
    """Import the chapters' checks, once, when the first is needed."""
    from importlib import import_module
    from pkgutil import iter_modules

    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
