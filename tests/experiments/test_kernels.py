"""Kernel machines choose their penalty as the protocol says."""

import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

from grokbook import RunSpec, load_graphs
from grokbook.errors import MissingPackageError, SpecError
from grokbook.experiments import kernels
from grokbook.experiments.graph import graph, labels
from grokbook.splits import folds, held_out

MUTAG = load_graphs("mutag")[::3]
Y = labels(MUTAG)
SPEC = RunSpec(
    "graph", "mutag", "wl", "paper", "published", splits=3, size="smoke"
)
SEED = np.random.default_rng(0)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that knows a little: no GraKeL is needed."""
    Z = SEED.normal(size=(len(Y), 5)) + 0.7 * Y.numpy()[:, None]
    monkeypatch.setattr(kernels, "gram", lambda *_: Z @ Z.T)


@pytest.mark.usefixtures("made_up")
def test_as_published_one_penalty_is_best_on_average() -> None:
    parts = held_out(Y, 3, seed=0)
    result = kernels.kernel_machine("wl", MUTAG, Y, parts, 0)
    assert len(set(result["C"])) == 1
    table = kernels._scores(kernels.gram(), Y, parts, "val")
    best = table[kernels.PENALTIES.index(result["C"][0])]
    assert result["scores"] == best.tolist()
    assert all(best.mean() >= row.mean() for row in table)


@pytest.mark.usefixtures("made_up")
def test_in_the_fair_protocol_the_test_part_changes_no_penalty() -> None:
    parts = folds(Y, 3, seed=0)
    before = kernels.kernel_machine("wl", MUTAG, Y, parts, 0)
    for fold, part in enumerate(parts):
        other = torch.where(part.test, 1 - Y, Y)
        after = kernels.kernel_machine("wl", MUTAG, other, parts, 0)
        assert after["C"][fold] == before["C"][fold]
        wrong = 1 - before["scores"][fold]
        assert after["scores"][fold] == pytest.approx(wrong)


def test_a_machine_that_is_fitted_anew_cannot_be_carried_over() -> None:
    with pytest.raises(SpecError, match="fitted anew"):
        graph(replace(SPEC, protocol="as-found"), MUTAG)


def test_without_grakel_the_error_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "grakel", None)
    with pytest.raises(MissingPackageError, match="pip install grakel"):
        graph(SPEC, MUTAG)


@pytest.mark.parametrize("kind", kernels.KERNELS)
def test_kernels_beat_the_majority_on_mutag(kind: str) -> None:
    pytest.importorskip("grakel")
    few = MUTAG[:30]
    K = kernels.gram(kind, few)
    np.testing.assert_allclose(K, K.T, atol=1e-12)
    np.testing.assert_allclose(np.diag(K), 1, atol=1e-12)
    if kind == "wl":
        result = graph(replace(SPEC, protocol="fair"), MUTAG)
        assert np.mean(result["scores"]) > float(Y.float().mean())
