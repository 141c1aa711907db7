"""Files that are not in the repository, for tests that use them if there.

The folder of raw data is $GROKBOOK_DATA, or shared/data beside the
repository; the paper's source is in paper/ beside that folder.
"""

import os
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

BESIDE = Path(__file__).parents[2] / "shared" / "data"
RAW = Path(os.environ.get("GROKBOOK_DATA") or BESIDE)
PAPER = RAW.parent / "paper" / "grokformer.tex"


def raw(path: str) -> Path:
    """A raw file, or a skipped test."""
    if not (RAW / path).exists():
        pytest.skip(f"no {path}: set GROKBOOK_DATA to the folder of raw data")
    return RAW / path


def geom_gcn(folder: str) -> tuple[Tensor, Tensor]:
    """Edges as they are in the file, directed, and labels of a raw set."""
    edges = np.loadtxt(raw(f"{folder}/out1_graph_edges.txt"), int, skiprows=1)
    lines = raw(f"{folder}/out1_node_feature_label.txt").read_text()
    rows = [line.split("\t") for line in lines.splitlines()[1:]]
    y = torch.zeros(len(rows), dtype=torch.int64)
    for node, _, label in rows:
        y[int(node)] = int(label)
    return torch.from_numpy(edges.T.copy()), y
