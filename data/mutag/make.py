"""Makes mutag.safetensors from the copy of MUTAG inside a PyPI package.

    pip download --no-deps grakel==0.1.11
    python data/mutag/make.py grakel-0.1.11-*.whl

Writes beside this file and prints the file's SHA-256, which
`grokbook/datasets/files.csv` holds.
"""

import hashlib
import sys
import zipfile
from pathlib import Path

from safetensors.torch import save

from grokbook.datasets.graph_readers import tudataset

FOLDER = "grakel/tests/data/MUTAG/"


def main() -> None:
    """Convert the wheel named on the command line."""
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        files = {
            name.removeprefix(FOLDER): wheel.read(name)
            for name in wheel.namelist()
            if name.startswith(f"{FOLDER}MUTAG_")
        }
    raw = save(tudataset(files))
    Path(__file__).with_name("mutag.safetensors").write_bytes(raw)
    print(hashlib.sha256(raw).hexdigest(), len(raw), "bytes")


if __name__ == "__main__":
    main()
