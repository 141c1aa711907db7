"""Our readers read what PyG's read, from the same files."""

import io
import json
import os
import pickle
import shutil
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.io import savemat
from scipy.sparse import coo_matrix
from torch_geometric.utils import remove_self_loops, to_undirected

from grokbook import load_graph, load_graphs
from grokbook.datasets import graph_readers, node_readers, registry
from grokbook.datasets.tables import to_data, to_list
from grokbook.errors import MissingPackageError


def theirs(kind: str, folder: str, shared: Path, tmp: Path, *args: str):
    """A set as PyG's class reads a copy of its folder."""
    from torch_geometric import datasets

    shutil.copytree(shared / folder, tmp / folder, copy_function=shutil.copy)
    for path in [tmp, *tmp.rglob("*")]:
        os.chmod(path, 0o755)
    root = str(tmp / folder.split("/")[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(datasets, kind)(root, *args)


NODES = [
    ("citeseer", "Planetoid", "Planetoid/CiteSeer/raw", "CiteSeer"),
    ("pubmed", "Planetoid", "Planetoid/PubMed/raw", "PubMed"),
    ("photo", "Amazon", "Amazon/Photo", "Photo"),
    (
        "chameleon",
        "WikipediaNetwork",
        "WikipediaNetwork/chameleon",
        "chameleon",
    ),
    ("actor", "Actor", "Actor", None),
    ("texas", "WebKB", "WebKB/texas", "texas"),
    ("cornell", "WebKB", "WebKB/cornell", "cornell"),
    ("reed98", "LINKXDataset", "LINKXDataset/reed98", "reed98"),
    (
        "minesweeper",
        "HeterophilousGraphDataset",
        "HeterophilousGraphDataset",
        "Minesweeper",
    ),
]


@pytest.mark.parametrize(("name", "kind", "folder", "called"), NODES)
def test_a_graph_is_the_one_that_pyg_reads(
    name: str,
    kind: str,
    folder: str,
    called: str | None,
    shared: Path,
    tmp_path: Path,
) -> None:
    args = [called] if called else []
    data = theirs(kind, folder, shared, tmp_path, *args)[0]
    ours = load_graph(name)
    assert ours.x.dtype == torch.float32
    assert torch.equal(ours.x, data.x.float())
    assert torch.equal(ours.y, data.y)
    simple, _ = remove_self_loops(data.edge_index)
    both = to_undirected(simple, num_nodes=data.num_nodes)
    assert torch.equal(to_undirected(ours.edge_index), both)
    assert ours.edge_index.shape == both.shape
    for part in ("train", "val", "test"):
        if f"{part}_mask" in data:
            mask = data[f"{part}_mask"].bool()
            assert torch.equal(ours[f"{part}_mask"], mask)


@pytest.mark.parametrize(
    ("name", "loops"),
    [("texas", 16), ("chameleon", 50), ("actor", 93), ("photo", 1)],
)
def test_loops_are_dropped_unless_they_are_asked_for(
    name: str, loops: int, shared: Path
) -> None:
    without, with_loops = load_graph(name), load_graph(name, loops=True)
    assert (without.edge_index[0] != without.edge_index[1]).all()
    i, j = with_loops.edge_index
    assert int((i == j).sum()) == loops
    assert with_loops.num_edges == without.num_edges + loops


def test_students_without_a_gender_are_unlabelled(shared: Path) -> None:
    assert load_graph("reed98").y.unique().tolist() == [-1, 0, 1]


def test_filtered_graphs_have_their_published_sizes(shared: Path) -> None:
    for name, N, E in (("chameleon", 890, 8854), ("squirrel", 2223, 46_998)):
        data = load_graph(f"{name}_filtered")
        assert (data.num_nodes, data.num_edges) == (N, 2 * E)
        assert data.train_mask.shape == (N, 10)


@pytest.mark.parametrize("name", ["PTC_MR", "PROTEINS", "IMDB-MULTI"])
def test_a_set_of_graphs_is_the_one_that_pyg_reads(
    name: str, shared: Path, tmp_path: Path
) -> None:
    data = theirs("TUDataset", f"TUDataset/{name}", shared, tmp_path, name)
    ours = load_graphs(name)
    assert len(ours) == len(data)
    for mine, its in zip(ours, data, strict=True):
        assert mine.num_nodes == its.num_nodes
        assert torch.equal(mine.edge_index, its.edge_index)
        assert torch.equal(mine.y, its.y)
        for key in ("x", "edge_attr"):
            assert (key in mine) == (key in its)
            if key in mine:
                assert torch.equal(mine[key], its[key])


def test_citeseers_papers_without_words_are_there(shared: Path) -> None:
    data = load_graph("citeseer")
    degree = data.edge_index[0].bincount(minlength=3327)
    assert int((degree == 0).sum()) == 48
    wordless = data.x.sum(1) == 0
    assert int(wordless.sum()) == 15
    assert (degree[wordless] > 0).all()
    assert (data.y[wordless] == 0).all()


# --- layouts of which no copy is at hand, from small files made here

PATH = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])


def test_wikics_is_read_from_its_json() -> None:
    masks = [[True, False, False], [False, True, False]]
    content = {
        "features": [[0.5, 0.0], [0.0, 1.5], [2.0, 0.0]],
        "labels": [0, 1, 1],
        "links": [[1], [2, 2], [2]],
        "train_masks": masks,
        "val_masks": masks[::-1],
        "test_mask": [False, False, True],
    }
    files = {"data.json": json.dumps(content).encode()}
    data = to_data(node_readers.wikics(files))
    assert data.x.tolist() == content["features"]
    assert data.edge_index.tolist() == [[0, 1, 1, 2], [1, 2, 0, 1]]
    assert data.train_mask.T.tolist() == masks
    assert data.test_mask.tolist() == content["test_mask"]


def test_facebook_is_read_from_its_matrices() -> None:
    A = coo_matrix((np.ones(4), PATH), (3, 3)).tocsc()
    about = [
        [1, 2, 9, 0, 0, 5, 7],
        [1, 0, 9, 0, 0, 6, 7],
        [2, 1, 9, 0, 0, 5, 7],
    ]
    file = io.BytesIO()
    savemat(file, {"A": A, "local_info": np.array(about)})
    data = to_data(node_readers.facebook({"data.mat": file.getvalue()}))
    assert data.y.tolist() == [1, -1, 0]
    # status 1, 2 | major | second | dorm | year 5, 6 | school
    assert data.x.tolist() == [
        [1, 0, 1, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 1, 1, 0, 1],
    ]


def molecule(target: float) -> dict[str, torch.Tensor]:
    bond = torch.zeros(3, 3, dtype=torch.int64)
    bond[0, 1] = bond[1, 0] = 2
    return {
        "atom_type": torch.tensor([0, 3, 1]),
        "bond_type": bond,
        "logP_SA_cycle_normalized": torch.tensor([target]),
    }


def test_zinc_is_read_from_its_pickles() -> None:
    files = {}
    for place, part in enumerate(("train", "val", "test")):
        molecules = [molecule(place + 0.25 * k) for k in range(3)]
        files[f"{part}.pickle"] = pickle.dumps(molecules)
        files[f"{part}.index"] = b"2,0\n"
    graphs = to_list(graph_readers.zinc(files))
    assert [float(g.y) for g in graphs] == [0.5, 0, 1.5, 1, 2.5, 2]
    assert [int(g.split) for g in graphs] == [0, 0, 1, 1, 2, 2]
    assert graphs[3].x.tolist() == [[0], [3], [1]]
    assert graphs[3].edge_index.tolist() == [[0, 1], [1, 0]]
    assert graphs[3].edge_attr.tolist() == [2, 2]


def test_cifar10_is_read_without_unpickling_code() -> None:
    graph = {
        "x": torch.rand(3, 3),
        "pos": torch.rand(3, 2),
        "edge_index": torch.tensor([[0, 2], [1, 0]]),
        "edge_attr": torch.rand(2, 1),
        "y": torch.tensor([7]),
    }
    file = io.BytesIO()
    torch.save([[graph, graph], [graph], [graph]], file)
    files = {"CIFAR10_v2.pt": file.getvalue()}
    graphs = to_list(graph_readers.cifar10(files))
    assert [int(g.split) for g in graphs] == [0, 0, 1, 2]
    for g in graphs:
        for key, value in graph.items():
            assert torch.equal(g[key], value)
    file = io.BytesIO()
    torch.save([print], file)
    with pytest.raises(pickle.UnpicklingError):
        graph_readers.cifar10({"CIFAR10_v2.pt": file.getvalue()})


def test_peptides_without_rdkit_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rdkit", None)
    with pytest.raises(MissingPackageError, match="pip install rdkit"):
        graph_readers.peptides_func({})


def test_every_reader_that_the_registry_names_exists() -> None:
    from grokbook.datasets import generators

    for row in registry().values():
        if row.origin == "generated":
            assert callable(getattr(generators, row.reader))
        elif row.origin == "raw":
            by = node_readers if row.level == "node" else graph_readers
            assert callable(getattr(by, row.reader))
