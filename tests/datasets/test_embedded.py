"""Cora and MUTAG are those that everybody uses, and cannot be damaged."""

from collections import Counter, defaultdict
from pathlib import Path

import pytest
import torch
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from torch_geometric.data import Data

from grokbook import load_graph, load_graphs
from grokbook.cache import fingerprint
from grokbook.datasets import embedded, entry, registry
from grokbook.datasets.loading import parse
from grokbook.errors import DataFileError, UnknownNameError

CORA = Path("cora/cora.safetensors")
CLASSES = [180, 217, 298, 351, 418, 426, 818]


@pytest.fixture(scope="module")
def cora() -> Data:
    return load_graph("cora")


def test_cora_has_its_published_counts(cora: Data) -> None:
    assert cora.x.shape == (2708, 1433)
    assert int(cora.x.sum()) == 49_216
    assert cora.edge_index.shape == (2, 2 * 5278)
    assert sorted(cora.y.bincount().tolist()) == CLASSES


def test_coras_features_are_zeros_and_ones(cora: Data) -> None:
    assert cora.x.unique().tolist() == [0, 1]
    assert cora.x.dtype == torch.float32
    assert cora.x.sum(1).min() >= 1  # every paper has a word


def test_coras_edges_are_simple_and_go_both_ways(cora: Data) -> None:
    row, col = cora.edge_index
    assert (row != col).all()
    there = set(zip(row.tolist(), col.tolist(), strict=True))
    assert len(there) == 10_556
    assert there == {(j, i) for i, j in there}


def test_cora_has_78_components_and_no_isolated_paper(cora: Data) -> None:
    ones = torch.ones(cora.num_edges).numpy()
    A = coo_array((ones, cora.edge_index.numpy()), shape=(2708, 2708))
    assert connected_components(A, directed=False)[0] == 78
    assert cora.edge_index[0].bincount(minlength=2708).min() == 1


def test_words_that_papers_share_tell_cora_is_not_scrambled(
    cora: Data,
) -> None:
    same = cora.y[cora.edge_index[0]] == cora.y[cora.edge_index[1]]
    assert float(same.float().mean()) == pytest.approx(0.81, abs=0.005)


def test_names_are_read_in_any_case(cora: Data) -> None:
    assert torch.equal(load_graph("Cora").edge_index, cora.edge_index)


def test_unknown_graphs_are_answered_with_the_list() -> None:
    with pytest.raises(UnknownNameError, match=r"'corra'.*from: cora"):
        load_graph("corra")


def test_every_embedded_file_is_in_the_repository() -> None:
    rows = [row for row in registry().values() if row.origin == "embedded"]
    assert [row.name for row in rows] == ["cora", "mutag"]
    for row in rows:
        (file,) = row.files
        assert (embedded.DATA / file.path).is_file()
        assert len(file.sha256) == 64


def flip(raw: bytes) -> bytes:
    """Change one bit in the middle."""
    middle = len(raw) // 2
    return raw[:middle] + bytes([raw[middle] ^ 1]) + raw[middle + 1 :]


@pytest.mark.parametrize(
    "damage", [flip, lambda raw: raw[:-1], lambda raw: b"", lambda r: r + b" "]
)
def test_a_damaged_file_is_refused_by_name(
    damage: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / CORA
    copy.parent.mkdir()
    copy.write_bytes(damage((embedded.DATA / CORA).read_bytes()))
    monkeypatch.setattr(embedded, "DATA", tmp_path)
    with pytest.raises(
        DataFileError,
        match=r"data/cora/cora\.safetensors is damaged.*git checkout data",
    ):
        load_graph("cora")


def test_a_missing_file_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "DATA", tmp_path)
    with pytest.raises(
        DataFileError,
        match=r"data/cora/cora\.safetensors is missing.*git checkout data",
    ):
        load_graph("cora")


def coloured(data: Data) -> tuple[list[int], list[int]]:
    """Colours of papers and words that do not depend on their order.

    A paper's colour is refined by those of its neighbours and its words, a
    word's by those of its papers, until nearly all differ.
    """
    N, F = data.x.shape
    near = defaultdict(list)
    for i, j in data.edge_index.T.tolist():
        near[i].append(j)
    words, papers = defaultdict(list), defaultdict(list)
    for i, word in data.x.nonzero().tolist():
        words[i].append(word)
        papers[word].append(i)
    size = data.y.bincount().tolist()
    paper = [size[c] for c in data.y.tolist()]
    word = [len(papers[f]) for f in range(F)]

    def seen(colours: list[int], where: list[int]) -> tuple[int, ...]:
        return tuple(sorted(colours[k] for k in where))

    for _ in range(8):
        paper, word = (
            [
                hash((paper[i], seen(paper, near[i]), seen(word, words[i])))
                for i in range(N)
            ],
            [hash((word[f], seen(paper, papers[f]))) for f in range(F)],
        )
    return paper, word


def test_embedded_cora_is_the_planetoid_cora_in_another_order(
    cora: Data, shared: Path
) -> None:
    theirs = load_graph("cora-planetoid")
    sorted_by_colour = []
    for data in (cora, theirs):
        paper, word = (torch.tensor(c).argsort() for c in coloured(data))
        place = paper.argsort()
        sorted_by_colour.append(
            (
                data.x[paper][:, word],
                set(map(tuple, place[data.edge_index].T.tolist())),
                data.y[paper],
            )
        )
    (x, edges, y), (x_, edges_, y_) = sorted_by_colour
    assert torch.equal(x, x_)
    assert edges == edges_
    assert len(Counter(zip(y.tolist(), y_.tolist(), strict=True))) == 7


def test_mutag_has_its_published_counts() -> None:
    graphs = load_graphs("mutag")
    assert len(graphs) == 188
    assert sum(int(graph.y) for graph in graphs) == 125
    for graph in graphs:
        assert graph.x.sum(1).eq(1).all()  # one kind of atom each
        assert graph.edge_attr.sum(1).eq(1).all()
        assert graph.edge_index.max() < graph.num_nodes
        there = set(map(tuple, graph.edge_index.T.tolist()))
        assert there == {(j, i) for i, j in there}
        assert all(i != j for i, j in there)


def test_embedded_mutag_is_the_tu_collections_mutag(shared: Path) -> None:
    kinds = ("A", "edge_labels", "graph_indicator", "graph_labels")
    names = [f"MUTAG_{kind}.txt" for kind in (*kinds, "node_labels")]
    files = {
        name: (shared / "TUDataset/MUTAG/raw" / name).read_bytes()
        for name in names
    }
    row = entry("mutag")
    assert fingerprint(parse(entry("ptc-mr"), files)) == row.fingerprint
    assert fingerprint(embedded.read_embedded(row)) == row.fingerprint
