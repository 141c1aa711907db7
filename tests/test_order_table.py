"""A high order pays if its splits say so; validation chooses, not the test."""

from pathlib import Path

import numpy as np
import pytest
from stored_results import scores, store

from grokbook import order_table
from grokbook.experiments.measure import stored
from grokbook.ledger_files import Run, read_runs
from grokbook.order_table import best_of, high_minus_low, judged_orders

VAL = {1: 0.80, 2: 0.85, 3: 0.84, 4: 0.90, 5: 0.70, 6: 0.89}


@pytest.fixture(autouse=True)
def _validation(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run kept, by the order that its file is named after."""

    def kept(run: Run, name: str) -> list[float]:
        assert name == "val_scores"
        return [VAL[int(run.files[0][0])]] * 10

    monkeypatch.setattr(order_table, "kept", kept)


def with_means(means: dict[int, float]) -> dict[int, Run]:
    """K → a run with this mean of its test scores; all on the same splits."""
    noise = np.linspace(-1, 1, 10)
    return {
        K: Run((f"{K}.json",), {}, tuple(mean + noise + 0.1 * noise**K))
        for K, mean in means.items()
    }


def test_validation_chooses_and_not_the_test() -> None:
    found = with_means({1: 99.0, 2: 80.0, 3: 90.0})
    assert best_of(found, range(1, 4)) == 2
    assert best_of(found, range(4, 7)) is None


@pytest.mark.parametrize(("cut", "few", "many"), [(1, 1, 4), (3, 2, 4)])
def test_the_cut_itself_belongs_to_the_low_orders(
    cut: int, few: int, many: int
) -> None:
    means = {1: 70.0, 2: 80.0, 3: 79.0, 4: 90.0, 5: 60.0, 6: 88.0}
    row = high_minus_low(with_means(means), cut, 1 / 3)
    assert (row.few, row.many, row.n) == (few, many, 10)
    assert row.gap.mean == pytest.approx(means[many] - means[few], abs=0.1)
    assert row.gap.low < row.gap.mean < row.gap.high
    assert row.p < 0.01


def test_a_group_that_was_not_run_is_not_compared() -> None:
    assert high_minus_low(with_means({1: 70.0, 2: 80.0}), 3, 1 / 3) is None


@pytest.mark.parametrize(
    ("dataset", "high", "told"),
    [
        ("squirrel", 90.0, "as the paper says"),
        ("squirrel", 70.0, "against the paper"),
        ("squirrel", 80.0, "open"),
        ("cora", 90.0, "against the paper"),
        ("cora", 70.0, "as the paper says"),
    ],
)
def test_the_verdict_holds_the_sign_against_what_the_paper_wants(
    tmp_path: Path, dataset: str, high: float, told: str
) -> None:
    for K in range(1, 7):
        mean = (high if K > 3 else 80.0) / 100
        spread = 0.01 if K > 3 else 0.011
        result = {"scores": scores(mean, spread)}
        given = {"dataset": dataset, "hyperparameters": {"K": K}}
        store(tmp_path, str(K), result=result, **given)
    ((name, n, _, few, many, gap, said),) = judged_orders(
        read_runs(tmp_path), stored()
    )
    assert (name, n, few, many) == (dataset, 10, 2, 4)
    assert gap.startswith(f"{high - 80:+.1f} [")
    assert said == told


def test_a_graph_counts_when_all_its_orders_are_there(tmp_path: Path) -> None:
    for K in range(1, 6):
        store(tmp_path, str(K), hyperparameters={"K": K})
    assert judged_orders(read_runs(tmp_path), stored()) == []
