"""The images of the filter-fitting table, verified before they are read."""

from pathlib import Path

import pytest
import scipy.io
import torch
from shared_files import raw

from grokbook.datasets.images import grey_images
from grokbook.errors import DataFileError, UnknownNameError

FILE = "2Dgrid/raw/2Dgrid.mat"


def use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROKBOOK_DATA", str(folder))


def test_fifty_images_are_read_upright(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(raw(FILE).parents[2], monkeypatch)
    images = grey_images()
    stored = scipy.io.loadmat(raw(FILE), variable_names=["F", "mask"])
    assert images.shape == (50, 100, 100)
    assert images.min() == 0
    assert images.max() == 1
    for i in (0, 49):
        column = stored["F"][:, i].reshape(100, 100, order="F")
        assert torch.equal(images[i], torch.from_numpy(column.copy()))
    inner = torch.zeros(100, 100)
    inner[2:-2, 2:-2] = 1  # what counts in `fit_images`
    mask = torch.from_numpy(stored["mask"].reshape(100, 100))
    assert torch.equal(mask.float(), inner)


def test_another_file_of_that_name_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / FILE
    path.parent.mkdir(parents=True)
    scipy.io.savemat(path, {"F": [[0.5]]})
    use(tmp_path, monkeypatch)
    with pytest.raises(DataFileError, match="damaged or replaced"):
        grey_images()


def test_a_missing_file_names_its_origin_and_the_stand_in(
    nowhere: Path,
) -> None:
    with pytest.raises(DataFileError, match=r"BernNet.*scikit-image"):
        grey_images()
    assert grey_images("scikit-image").shape == (3, 100, 100)
    with pytest.raises(UnknownNameError, match="Choose from: 2Dgrid"):
        grey_images("mnist")
