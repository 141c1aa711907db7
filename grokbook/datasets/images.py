"""The images of the filter-fitting experiment, and their stand-ins."""

import io

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.datasets.grids import PHOTOGRAPHS, photograph
from grokbook.datasets.raw import read_raw
from grokbook.datasets.registry import Entry, RawFile
from grokbook.errors import UnknownNameError

SOURCES = ("2Dgrid", "scikit-image")
GRID = Entry(
    name="2Dgrid",
    task="node regression",
    origin="raw",
    source="github.com/ivam-he/BernNet at 79ef2ba (He et al. 2021)",
    licence="none given",
    note=(
        "It is LearningFilters/data/2Dgrid/raw/2Dgrid.mat of github.com/"
        'ivam-he/BernNet at 79ef2ba. Images "scikit-image" need no file.'
    ),
    files=(
        RawFile(
            "2Dgrid/raw/2Dgrid.mat",
            "0df971bd4392136887f4147112dc8aff13608bab545b66b07b1d35d41eeb566f",
            url="",
            unverified_url="",
        ),
    ),
)


def grey_images(source: str = "2Dgrid") -> Float[Tensor, "n 100 100"]:
    """Grey images of 100 × 100 pixels, values 0 to 1.

    Args:
        source: "2Dgrid", the 50 images of He et al. (2021), which the
            reader must have; or "scikit-image", three photographs that
            need no file.

    Raises:
        UnknownNameError: there is no such source.
        DataFileError: the file is missing or its bytes have changed.

    Examples:
        >>> grey_images("scikit-image").shape
        torch.Size([3, 100, 100])
    """
    if source not in SOURCES:
        raise UnknownNameError(
            f"There are no images {source!r}. Choose from: "
            f"{', '.join(SOURCES)}."
        )
    if source == "scikit-image":
        return torch.stack([photograph(name, 100) for name in PHOTOGRAPHS])
    from scipy.io import loadmat

    (raw,) = read_raw(GRID).values()
    columns = loadmat(io.BytesIO(raw), variable_names=["F"])["F"]
    stored = torch.from_numpy(columns.T.copy()).reshape(-1, 100, 100)
    return stored.mT.contiguous()  # each column was stored column by column
