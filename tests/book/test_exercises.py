"""Every exercise has a check that passes its solution and fails mistakes."""

import re
from pathlib import Path

import pytest
from guards import CHAPTERS, DERIVED, code_cells, prose, read
from wrong_answers import WRONG

from grokbook import checks

EXERCISE = re.compile(r":::\{exercise\}[^\n]*\n:label: ([\w-]+)")


def exercises(path: Path) -> list[str]:
    """The labels of a chapter's exercises."""
    return EXERCISE.findall(prose(read(path)))


def solution(path: Path, label: str) -> str:
    """The cell that solves an exercise."""
    (cell,) = [
        cell
        for cell in code_cells(read(path))
        if "solution" in cell.metadata.get("tags", ())
        and f'check("{label}"' in cell.source
    ]
    return cell.source


def namespace(path: Path) -> dict:
    """What a solution may use: the chapter's imports and its functions."""
    first, *rest = code_cells(read(path))
    names: dict = {}
    exec(first.source, names)
    for cell in rest:
        if DERIVED.match(cell.source):
            exec(cell.source, names)
    return names


ALL = [(path, label) for path in CHAPTERS for label in exercises(path)]


def test_every_check_belongs_to_an_exercise_and_every_exercise_has_one():
    assert sorted(label for _, label in ALL) == checks.labels()
    assert set(WRONG) == set(checks.labels())


@pytest.mark.parametrize(("path", "label"), ALL, ids=[a[1] for a in ALL])
def test_the_solution_is_right(path: Path, label: str, capsys):
    names = namespace(path)
    exec(solution(path, label), names)
    said = capsys.readouterr().out
    assert said.startswith("✓ Right"), said


@pytest.mark.parametrize(("path", "label"), ALL, ids=[a[1] for a in ALL])
def test_the_starter_is_not_yet_right(path: Path, label: str):
    starters = [
        cell
        for cell in code_cells(read(path))
        if f'check("{label}"' in cell.source
        and "solution" not in cell.metadata.get("tags", ())
    ]
    assert len(starters) == 1
    assert starters[0].outputs[0].text.startswith("✗ Not yet")


@pytest.mark.parametrize("label", checks.labels())
def test_at_least_two_mistakes_are_listed(label: str):
    assert len(WRONG[label]) >= 2


@pytest.mark.parametrize(
    ("label", "answer"),
    [(label, answer) for label in WRONG for answer in WRONG[label]],
    ids=lambda a: a if isinstance(a, str) else a.__name__,
)
def test_a_mistake_is_refused_with_a_sentence(label: str, answer):
    verdict = checks.verdict(label, answer)
    assert not verdict.right
    assert len(verdict.sentence.split()) >= 4
    assert "NameError" not in verdict.sentence  # a slip of ours
