"""The rival is chosen by validation, and compared split by split."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stored_results import scores

from grokbook.errors import UnknownNameError
from grokbook.experiments.measure import stored
from grokbook.experiments.run import record_of
from grokbook.experiments.spec import RunSpec
from grokbook.experiments.store import save
from grokbook.ledger_files import read_cells, read_runs
from grokbook.node_table import Table, node_table
from grokbook.rivals import NO_RIVALS, against, rival
from grokbook.stats import paired_interval, paired_t

FACTS = stored()


def table(folder: Path) -> Table:
    return node_table(FACTS, read_runs(folder), read_cells())


def add(folder: Path, model: str, val: float, n: int = 10, **more: Any):
    """Store a run with a checksum, as a sweep would."""
    result = {"metric": "accuracy", "scores": list(scores(0.8, 0.01, n))}
    given = {"protocol": "published", "splits": n, "size": "full"}
    spec = RunSpec("node", "cora", model, **given)
    result |= {"val_scores": [val] * n} | more
    save(record_of(spec, 1.0, result), folder)


def test_the_rival_has_the_best_validation_not_the_best_test(tmp_path):
    add(tmp_path, "gcn", 0.7, scores=scores(0.95, 0.01))
    add(tmp_path, "bernnet", 0.9)
    assert rival(table(tmp_path), "cora", "published", tmp_path) == "BernNet"


def test_validation_counts_on_the_splits_that_all_have(tmp_path):
    late = [0.6] * 3 + [1.0] * 7  # better, but not where both were run
    add(tmp_path, "gcn", 0.7, n=3)
    add(tmp_path, "bernnet", 0.0, val_scores=late)
    assert rival(table(tmp_path), "cora", "published", tmp_path) == "GCN"


def test_who_sees_no_edge_is_no_rival(tmp_path):
    for model in ("mlp", "transformer", "grokformer"):
        add(tmp_path, model, 0.99)
    found = table(tmp_path)
    assert rival(found, "cora", "published", tmp_path) is None
    add(tmp_path, "gat", 0.1)
    assert rival(table(tmp_path), "cora", "published", tmp_path) == "GAT"
    assert set(NO_RIVALS) < {line for _, line in found}


def test_a_difference_is_that_of_the_statistics(tmp_path):
    own, other = np.random.default_rng(0).normal(0.8, 0.02, (2, 10))
    add(tmp_path, "grokformer", 0.9, scores=own.tolist())
    add(tmp_path, "gcn", 0.9, scores=other.tolist())
    both = 100 * own, 100 * other
    train, _, test = FACTS["cora"]["published"]["sizes"]
    for other_nodes, ratio in ((True, test / train), (False, 0.0)):
        found = against(
            table(tmp_path), FACTS, "cora", "published", "GCN", other_nodes
        )
        exact = paired_interval(*both, test_over_train=ratio)
        assert found.gap == pytest.approx(exact, abs=1e-9)
        p = paired_t(*both, test_over_train=ratio).p
        assert found.p == pytest.approx(p, abs=1e-9)
        assert (found.line, found.n) == ("GCN", 10)


def test_splits_are_paired_by_their_seed(tmp_path):
    own = np.linspace(0.7, 0.9, 10)
    noise = np.array([0.001, -0.001, 0.002])
    add(tmp_path, "grokformer", 0.9, scores=own.tolist())
    add(tmp_path, "gcn", 0.9, n=3, scores=(own[:3] - 0.01 + noise).tolist())
    found = against(table(tmp_path), FACTS, "cora", "published", "GCN")
    assert found.n == 3
    assert found.gap.mean == pytest.approx(1 - 100 * noise.mean(), abs=1e-9)
    assert found.gap.low > 0


def test_a_run_whose_first_splits_are_missing_is_not_compared(tmp_path):
    add(tmp_path, "grokformer", 0.9)
    spec = {"protocol": "published", "splits": 7, "size": "full", "seed": 3}
    result = {"metric": "accuracy", "scores": list(scores(0.8, 0.01, 7))}
    result |= {"val_scores": [0.9] * 7}
    late = record_of(RunSpec("node", "cora", "gcn", **spec), 1.0, result)
    save(late, tmp_path)
    found = table(tmp_path)
    assert against(found, FACTS, "cora", "published", "GCN") is None
    assert "begins at seed 3" in found["cora", "GCN"].why
    assert rival(found, "cora", "published", tmp_path) is None
    add(tmp_path, "gcn", 0.9, n=3)  # and now they are there
    found = table(tmp_path)
    assert against(found, FACTS, "cora", "published", "GCN").n == 10


def test_equal_scores_are_no_difference(tmp_path):
    for model in ("grokformer", "gcn"):
        add(tmp_path, model, 0.9, scores=[0.8, 0.9, 0.7], n=3)
    found = against(table(tmp_path), FACTS, "cora", "published", "GCN")
    assert (found.gap.mean, found.p) == (0.0, 1.0)


def test_the_other_reading_is_no_rival(tmp_path):
    add(tmp_path, "gat", 0.1)
    result = {"metric": "accuracy", "scores": list(scores(0.8, 0.01, 10))}
    result |= {"val_scores": [0.99] * 10}
    spec = {"protocol": "published", "splits": 10, "size": "full"}
    spec = RunSpec("node", "cora", "grokformer", reading="paper", **spec)
    save(record_of(spec, 1.0, result), tmp_path)
    found = table(tmp_path)
    assert found["cora", "as written"].published is not None
    assert rival(found, "cora", "published", tmp_path) == "GAT"


def test_other_nodes_are_asked_about_unless_told_otherwise(tmp_path):
    own, other = np.random.default_rng(0).normal(0.8, 0.02, (2, 10))
    add(tmp_path, "grokformer", 0.9, scores=own.tolist())
    add(tmp_path, "gcn", 0.9, scores=other.tolist())
    asked = table(tmp_path), FACTS, "cora", "published", "GCN"
    assert against(*asked) == against(*asked, other_nodes=True)
    assert against(*asked) != against(*asked, other_nodes=False)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("cora", "publised", "GCN"), "protocol 'publised'"),
        (("nowhere", "fair", "GCN"), "data set 'nowhere'"),
        (("cora", "fair", "gcn"), "line 'gcn'"),
    ],
)
def test_an_unknown_name_is_told(tmp_path, asked, told):
    add(tmp_path, "grokformer", 0.9)
    with pytest.raises(UnknownNameError, match=told):
        against(table(tmp_path), FACTS, *asked)


def test_without_a_run_there_is_no_difference(tmp_path):
    add(tmp_path, "grokformer", 0.9)
    found = table(tmp_path)
    for line in ("GCN", None):
        assert against(found, FACTS, "cora", "published", line) is None
    assert against(found, FACTS, "cora", "fair", "GrokFormer") is None
