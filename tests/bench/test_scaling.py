"""How an epoch grows: measured, fitted and judged."""

import json
import sys
from pathlib import Path

import pytest
import torch

from grokbook import cli
from grokbook.bench import scaling
from grokbook.bench.large import Epoch, shuffled_ring


def epochs(power: float) -> list[Epoch]:
    return [
        Epoch(E // 10, E, 1e-6 * E**power, 10**9, "series", 10**8, 1e-6 * E)
        for E in (10**3, 10**4, 10**5, 10**6)
    ]


def test_an_exponent_is_the_slope_on_logarithmic_axes() -> None:
    x = [1e3, 1e4, 1e7]
    for power in (0.0, 1.0, 2.5):
        y = [7 * v**power for v in x]
        assert scaling.exponent(x, y) == pytest.approx(power, abs=1e-12)


@pytest.mark.parametrize(("power", "verdict"), [(1.1, "met"), (1.3, "missed")])
def test_what_grows_too_fast_is_missed(power: float, verdict: str) -> None:
    found = {what: said for what, _, said in scaling.judged(epochs(power))}
    assert found["seconds of an epoch"] == verdict
    assert found["peak memory"] == "met"


def test_a_shuffled_ring_has_no_edge_twice_and_equal_degrees() -> None:
    seed = torch.Generator().manual_seed(0)
    both = shuffled_ring(50, 500, seed)
    assert len(torch.unique(both, dim=1).T) == 1000
    assert (both[0] != both[1]).all()
    assert (both[0].bincount() == 20).all()


def test_the_command_measures_both_roads_and_stores_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "scaling.json"
    asked = []

    def measured(nodes: int, edges: int, **how: object) -> Epoch:
        asked.append((edges, how["road"]))
        return Epoch(nodes, edges, 1e-6 * edges, edges, how["road"], 0, 1.0)

    monkeypatch.setattr(scaling, "large_epoch", measured)
    argv = ["grokbook", "scaling", "--largest", "100000", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", argv)
    cli.main()
    assert asked[:3] == [
        (10**3, "series"),
        (10**4, "series"),
        (10**5, "series"),
    ]
    assert all(edges <= 10**5 for edges, _ in asked)
    assert {road for _, road in asked} == {"series", "exact"}
    assert len(scaling.read_scaling(out)) == len(asked)
    assert json.loads(out.read_text())["threads"] >= 1


def test_sizes_beyond_the_free_memory_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scaling, "free_memory", lambda: 10**6)
    monkeypatch.setattr(
        scaling, "large_epoch", lambda nodes, edges, **how: edges
    )
    assert max(scaling.measure_scaling()) == 10**3


def test_what_is_stored_is_linear_in_the_edges() -> None:
    stored = scaling.read_scaling()
    largest = max(stored, key=lambda e: e.edges)
    assert largest.edges == 10**7
    assert largest.memory < 24e9
    for what, b, verdict in scaling.judged(stored):
        assert verdict == "met", (what, b)
