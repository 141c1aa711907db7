"""Makes cora.safetensors from the copy of Cora inside a PyPI package.

    pip download --no-deps graphdatascience==2.2
    python data/cora/make.py graphdatascience-2.2-py3-none-any.whl

Needs pyarrow. Writes beside this file and prints the file's SHA-256, which
`grokbook/datasets/embedded.py` checks before it reads the file.
"""

import hashlib
import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet
from safetensors.numpy import save

FOLDER = "graphdatascience/resources/cora"


def read_table(wheel: zipfile.ZipFile, name: str) -> dict[str, np.ndarray]:
    """Read one parquet file of the wheel as columns."""
    raw = wheel.read(f"{FOLDER}/{name}.parquet.gzip")
    table = parquet.read_table(io.BytesIO(raw))
    return {c: table[c].to_numpy() for c in table.column_names}


def convert(nodes: dict, rels: dict) -> dict[str, np.ndarray]:
    """Number the papers 0…N−1 in file order; keep each citation once."""
    place = {paper: i for i, paper in enumerate(nodes["nodeId"])}
    ends = np.array(
        [
            [place[paper] for paper in rels["sourceNodeId"]],
            [place[paper] for paper in rels["targetNodeId"]],
        ]
    )
    words = np.stack(nodes["features"])
    row, col = words.nonzero()
    return {
        "edges": np.unique(np.sort(ends, axis=0), axis=1).astype(np.int16),
        "words_per_paper": np.bincount(row).astype(np.int16),
        "words": col.astype(np.int16),
        "subject": nodes["subject"].astype(np.int16),
    }


def main() -> None:
    """Convert the wheel named on the command line."""
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        arrays = convert(
            read_table(wheel, "cora_nodes"), read_table(wheel, "cora_rels")
        )
    # save() writes bytes in memory order: a transposed array would be
    # stored scrambled.
    raw = save({k: np.ascontiguousarray(v) for k, v in arrays.items()})
    Path(__file__).with_name("cora.safetensors").write_bytes(raw)
    print(hashlib.sha256(raw).hexdigest(), len(raw), "bytes")


if __name__ == "__main__":
    main()
