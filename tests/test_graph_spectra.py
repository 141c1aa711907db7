"""The spectra of a data set: one file, to the bit, whatever happens to it."""

from importlib import import_module
from pathlib import Path

import pytest
import torch

from grokbook import laplacian, load_graphs, spectrum
from grokbook.errors import GraphNotice
from grokbook.graph_spectra import cached_spectra

module = import_module("grokbook.graph_spectra")
GRAPHS = load_graphs("mutag")[:5]


def same(first: list, second: list) -> bool:
    """Equal to the last bit."""
    return len(first) == len(second) and all(
        torch.equal(S.lam, T.lam) and torch.equal(S.U, T.U)
        for S, T in zip(first, second, strict=True)
    )


def test_a_set_is_decomposed_once_and_kept_in_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cached_spectra(GRAPHS, folder=tmp_path)
    wanted = [spectrum(laplacian(g.edge_index, g.num_nodes)) for g in GRAPHS]
    assert same(first, wanted)
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(module, "spectrum", None)
    assert same(cached_spectra(GRAPHS, folder=tmp_path), first)


def test_other_graphs_or_another_order_are_another_file(
    tmp_path: Path,
) -> None:
    for graphs in (GRAPHS, GRAPHS[:4], GRAPHS[::-1]):
        found = cached_spectra(graphs, folder=tmp_path)
        assert [S.num_nodes for S in found] == [g.num_nodes for g in graphs]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_damaged_file_is_told_and_made_anew(tmp_path: Path) -> None:
    first = cached_spectra(GRAPHS, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-100] + bytes(100))
    with pytest.warns(GraphNotice, match="checksum"):
        again = cached_spectra(GRAPHS, folder=tmp_path)
    assert same(first, again)
    assert same(first, cached_spectra(GRAPHS, folder=tmp_path))  # no notice


def test_an_isolated_node_has_the_eigenvalue_one(tmp_path: Path) -> None:
    from torch_geometric.data import Data

    alone = Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=1)
    (S,) = cached_spectra([alone], folder=tmp_path)
    assert S.lam.tolist() == [1.0]
