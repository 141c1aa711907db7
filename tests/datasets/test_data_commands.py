"""`grokbook data`: what is there, what is missing, and what the paper says."""

import csv
import sys
from pathlib import Path

import pytest
from guards import ROOT

from grokbook import cli
from grokbook.datasets import registry
from grokbook.datasets.registry import entry, printed
from grokbook.errors import UnknownNameError


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int | str | None:
    """Type a command; its exit code, or what it dies with."""
    monkeypatch.setattr(sys, "argv", ["grokbook", "data", *words])
    try:
        cli.main()
    except SystemExit as end:
        return end.code
    return 0


def test_list_names_every_set_and_where_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys, nowhere: Path
) -> None:
    assert not run(monkeypatch, "list")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(registry())
    told = {line.split()[0]: line for line in lines}
    assert "embedded" in told["cora"]
    assert "generated" in told["csbm"]
    assert "to download  " in told["texas"]
    assert "to download, unverified" in told["wikics"]
    assert "not to be downloaded" in told["zinc"]
    assert not nowhere.exists()


def test_check_without_data_says_what_is_missing_and_creates_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys, nowhere: Path
) -> None:
    code = run(monkeypatch, "check")
    assert code not in (0, None)
    out = capsys.readouterr().out
    for row in registry().values():
        if row.origin == "raw":
            assert f"{row.name} is missing" in out
    assert "With a network: `grokbook data get texas`" in out
    assert "set GROKBOOK_DATA to a folder that has them" in out
    assert "cora: 1 file(s), content verified" in out
    assert not nowhere.exists()


def test_check_of_what_is_in_the_repository_passes_without_data(
    monkeypatch: pytest.MonkeyPatch, capsys, nowhere: Path
) -> None:
    assert not run(monkeypatch, "check", "cora", "mutag", "csl")
    assert not nowhere.exists()


def test_check_shows_our_counts_beside_the_papers_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys, shared: Path
) -> None:
    assert not run(monkeypatch, "check", "texas", "imdb-binary")
    out = " ".join(capsys.readouterr().out.split())
    assert "texas: 12 file(s), content verified" in out
    assert "edges 279 paper 295 The paper counts 16 loops" in out
    assert "homophily 0.0609 paper 0.06 imdb" in out  # met: no reason
    assert "mean_edges 96.53 paper 13.06 A graph has 96.53" in out


def test_check_tells_a_wrong_file_from_a_right_one(
    monkeypatch: pytest.MonkeyPatch, capsys, shared: Path, tmp_path: Path
) -> None:
    for file in entry("texas").files:
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        content = (shared / file.path).read_bytes()
        (tmp_path / file.path).write_bytes(content)
    monkeypatch.setenv("GROKBOOK_DATA", str(tmp_path))
    assert not run(monkeypatch, "check", "texas")
    edges = tmp_path / "WebKB/texas/raw/out1_graph_edges.txt"
    edges.write_text(edges.read_text() + "1\t2\n")
    assert run(monkeypatch, "check", "texas")  # though it was parsed before
    assert "out1_graph_edges.txt is damaged" in capsys.readouterr().out


def test_get_without_a_network_fails_by_name_and_creates_nothing(
    monkeypatch: pytest.MonkeyPatch, nowhere: Path
) -> None:
    assert "texas" in str(run(monkeypatch, "get", "texas"))
    assert "accept_unverified" in str(run(monkeypatch, "get", "wikics"))
    assert "is a pickle" in str(
        run(monkeypatch, "get", "cifar10", "--accept-unverified")
    )
    assert "no data set 'nothing'" in str(run(monkeypatch, "get", "nothing"))
    assert not nowhere.exists()


def test_get_makes_a_set_ready(
    monkeypatch: pytest.MonkeyPatch, capsys, shared: Path
) -> None:
    assert not run(monkeypatch, "get", "cornell", "cora")
    out = capsys.readouterr().out
    assert "cornell: ready" in out
    assert "cora: embedded, nothing to get" in out


# --- the registry itself


def rounded(value: float, paper: float) -> bool:
    return abs(value - paper) <= 0.005


@pytest.mark.parametrize(
    "name", [r.name for r in registry().values() if r.found]
)
def test_each_difference_from_the_paper_has_its_reason(name: str) -> None:
    row = entry(name)
    paper = printed(row)
    assert bool(paper) == bool(row.paper)
    apart = {
        key
        for key, value in paper.items()
        if not rounded(row.found[key], value)
    }
    assert apart == set(row.differs)


@pytest.mark.parametrize(("number", "level"), [("7", "node"), ("8", "graph")])
def test_every_set_of_the_papers_tables_is_in_the_registry(
    number: str, level: str
) -> None:
    text = (ROOT / "data" / "paper" / f"table{number}.csv").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    listed = {row["dataset"] for row in csv.DictReader(lines)}
    known = {r.paper for r in registry().values() if r.level == level}
    assert listed <= known


def test_what_is_seen_has_a_fingerprint_and_what_is_not_says_so() -> None:
    for row in registry().values():
        seen = row.origin != "generated" and row.verifiable
        assert bool(row.fingerprint) == bool(row.found) == seen
        if row.origin == "raw" and not seen:
            assert "No copy was to be had" in row.note
        assert row.source
        assert row.licence


def test_addresses_are_pinned_and_safe() -> None:
    for row in registry().values():
        for file in row.files:
            for url in filter(None, (file.url, file.unverified_url)):
                assert url.startswith("https://")
            assert not (file.url and not file.sha256)
            assert not (file.is_pickle and file.unverified_url)
            assert "master" not in file.url


def test_names_of_the_wrong_kind_are_sent_to_the_right_function() -> None:
    with pytest.raises(UnknownNameError, match=r"call load_graphs\('csl'\)"):
        entry("CSL", "node")
    with pytest.raises(UnknownNameError, match=r"call load_graph\('cora'\)"):
        entry("cora", "graph")
