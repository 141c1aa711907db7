"""The exercises' checks tell wrong from right, and say why."""

from collections.abc import Callable, Iterator

import pytest
import torch

from grokbook import check, checks
from grokbook.checks import Verdict, exercise, expect, labels, verdict
from grokbook.errors import GrokbookError, UnknownNameError


@pytest.fixture
def doubling() -> Iterator[str]:
    """An exercise of the tests' own: double a number."""
    labels()  # the book's own checks are loaded first
    label = "ex-of-the-tests"

    @exercise(label)
    def _(double: Callable[[int], int]) -> None:
        expect(double(2) == 4, "twice 2 is 4")
        expect(double(-1) == -2, "twice −1 is −2; did you lose the sign?")

    yield label
    del checks._CHECKS[label]


def test_a_right_answer_is_right(doubling: str) -> None:
    found = verdict(doubling, lambda x: 2 * x)
    assert found == Verdict(True, f"{doubling} holds in every case tried.")
    assert str(found).startswith("✓ Right: ")


def test_a_wrong_answer_gets_the_first_sentence_that_fails(
    doubling: str,
) -> None:
    found = verdict(doubling, lambda x: 2 * abs(x))
    assert not found.right
    assert str(found) == "✗ Not yet: twice −1 is −2; did you lose the sign?"


def test_a_sentence_ends_with_one_sign(doubling: str) -> None:
    assert verdict(doubling, lambda x: 5).sentence == "twice 2 is 4."


@pytest.mark.parametrize("answer", [None, ...])
def test_no_answer_is_not_yet(doubling: str, answer: object) -> None:
    found = verdict(doubling, answer)
    assert found == Verdict(False, "there is no answer here so far.")


def test_a_function_that_returns_nothing_is_not_yet(doubling: str) -> None:
    def starter(x: int) -> None: ...

    found = verdict(doubling, starter)
    assert not found.right
    assert "your function returns nothing so far" in found.sentence


def test_an_answer_that_raises_gets_its_own_error_back(
    doubling: str,
) -> None:
    found = verdict(doubling, lambda x: x / 0)
    assert found == Verdict(
        False, "your answer raised ZeroDivisionError: division by zero"
    )


def test_check_prints_the_verdict(
    doubling: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check(doubling, lambda x: x + x)
    assert capsys.readouterr().out == (
        f"✓ Right: {doubling} holds in every case tried.\n"
    )


def test_unknown_labels_are_answered_with_the_list() -> None:
    with pytest.raises(UnknownNameError, match=r"'ex-rign'.*ex-ring"):
        verdict("ex-rign", lambda n: n)


def test_a_label_is_given_once(doubling: str) -> None:
    with pytest.raises(GrokbookError, match=r"Two checks .* 'ex-of-the"):
        exercise(doubling)(lambda answer: None)
    assert verdict(doubling, lambda x: 2 * x).right  # the first one stays


def test_labels_are_sorted_and_name_exercises() -> None:
    found = labels()
    assert found == sorted(found)
    assert len(found) >= 8
    assert all(label.startswith("ex-") for label in found)


@pytest.mark.parametrize("label", labels())
@pytest.mark.parametrize(
    "answer",
    [
        None,
        ...,
        0,
        lambda *args, **kwargs: None,
        lambda *args, **kwargs: 0,
        lambda *args, **kwargs: True,
        lambda *args, **kwargs: args[0],
        lambda *args, **kwargs: torch.zeros(8),
        lambda *args, **kwargs: torch.ones_like,
    ],
)
def test_no_check_accepts_an_answer_that_does_nothing(
    label: str, answer: object
) -> None:
    found = verdict(label, answer)
    assert not found.right
    assert len(found.sentence.split()) > 3
