"""What is stored of graphs that a reader may lack is what is measured."""

import sys
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import edges_of
from torch_geometric.data import Data

from grokbook import RunSpec, cli, laplacian, load_graph, spectrum
from grokbook.datasets import registry
from grokbook.datasets.raw import missing
from grokbook.errors import DataFileError, UnknownNameError
from grokbook.experiments.measure import measure, stored, update
from grokbook.experiments.store import RUNS, load
from grokbook.splits import released

NAMES = [r.name for r in registry().values() if r.found and r.level == "node"]
#: Read in seconds; the others would take most of a minute.
SMALL = [name for name in NAMES if registry()[name].found["nodes"] < 8000]


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the cache of who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROKBOOK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def at_hand(name: str) -> Data:
    row = registry()[name]
    if row.origin == "raw" and missing(row):
        pytest.skip(f"{name} is not at hand: set GROKBOOK_DATA")
    return load_graph(name)


def doubled_ring() -> Data:
    """A ring of 30 with a copy of each node of one half; two classes."""
    nodes = [*range(30), *range(15)]
    G = nx.cycle_graph(30)
    pairs = [(i, j) for i in range(45) for j in range(i)]
    H = nx.Graph((i, j) for i, j in pairs if G.has_edge(nodes[i], nodes[j]))
    y = torch.tensor([int(node % 30 >= 15) for node in nodes])
    return Data(edge_index=edges_of(H), y=y, num_nodes=45)


def test_every_set_that_was_seen_is_stored() -> None:
    assert set(stored()) == set(NAMES)
    for name, facts in stored().items():
        found = registry()[name].found
        assert len(facts["classes"]) == found["classes"]
        assert facts["homophily"]["edge"] == found["homophily"]


@pytest.mark.parametrize("name", SMALL)
def test_measuring_again_gives_what_is_stored(name: str) -> None:
    again, facts = measure(at_hand(name), ones=False), stored()[name]
    again["twins"]["ones"] = facts["twins"]["ones"]  # the next test's
    assert again == facts


@pytest.mark.parametrize("name", ["texas", "chameleon-filtered"])
def test_the_ones_are_the_spectrums(name: str) -> None:
    ones = spectrum(laplacian(at_hand(name))).multiplicity(1)
    assert ones == stored()[name]["twins"]["ones"]


def test_twins_are_never_more_than_the_ones() -> None:
    for facts in stored().values():
        twins = facts["twins"]
        if twins["ones"] is not None:
            assert twins["at_least"] <= twins["ones"]


def test_twins_and_splits_of_a_doubled_ring_are_counted() -> None:
    data = doubled_ring()
    facts = measure(data)
    assert facts["classes"] == [30, 15]
    assert facts["twins"]["nodes"] == 30
    assert facts["twins"]["neighbours"] == 4  # two, and their copies
    assert facts["twins"]["at_least"] == 15
    assert facts["twins"]["ones"] >= 15
    published = facts["published"]
    assert published["sizes"] == [28, 9, 8]  # quota 14 (13.5, to even)
    assert published["untested"] == []
    split = released(data.y, seed=0)
    share = split.counts(data.y)[2, 0] / 8
    assert published["constant"][0] == pytest.approx(float(share))
    assert published["twin_right"] == 1  # a copy has its model's class


def test_a_class_that_the_quota_uses_up_is_untested() -> None:
    data = doubled_ring()
    data.y[:3] = 2
    facts = measure(data, ones=False)
    assert facts["published"]["untested"] == [2]
    assert facts["fair"]["untested"] == []
    assert facts["twins"]["ones"] is None


@pytest.mark.parametrize("model", ["majority", "twin"])
def test_rows_without_a_model_agree_with_the_stored_runs(model: str) -> None:
    key = {"majority": "constant", "twin": "lookup"}[model]
    compared = 0
    for name, facts in stored().items():
        for protocol in ("published", "fair"):
            spec = RunSpec(
                task="node",
                dataset=name,
                model=model,
                reading="paper",
                protocol=protocol,
                splits=10,
                size="full",
            )
            record = load(spec, RUNS)
            if record is None:
                continue
            scores = record["result"]["scores"]
            # stored with six digits
            np.testing.assert_allclose(scores, facts[protocol][key], atol=6e-7)
            compared += 1
    if not compared:
        pytest.skip(f"no run of {model} is stored")


def test_the_command_writes_what_it_measured_and_keeps_the_rest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys
) -> None:
    path = tmp_path / "datasets.json"
    path.write_text('{"texas": {"classes": [1]}}')
    monkeypatch.setattr("grokbook.experiments.measure.LARGEST", 10)
    assert list(update(["cora"], path)) == ["cora: measured"]
    found = stored(path)
    assert list(found) == ["cora", "texas"]  # the registry's order
    assert found["texas"] == {"classes": [1]}
    assert found["cora"]["classes"] == stored()["cora"]["classes"]
    assert list(tmp_path.iterdir()) == [path]
    monkeypatch.setattr(sys, "argv", ["grokbook", "data", "measure", "nil"])
    with pytest.raises(SystemExit, match="no data set 'nil'"):
        cli.main()


def test_what_cannot_be_read_or_measured_is_told_by_name(
    tmp_path: Path,
) -> None:
    with pytest.raises(DataFileError, match="git checkout data"):
        stored(tmp_path / "nothing.json")
    (tmp_path / "half.json").write_text('{"texas": {')
    with pytest.raises(DataFileError, match="damaged"):
        stored(tmp_path / "half.json")
    with pytest.raises(UnknownNameError, match="load_graphs"):
        list(update(["mutag"], tmp_path / "new.json"))
