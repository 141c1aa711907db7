"""The paper's filter-fitting table at its real size, 100 × 100 pixels.

Protocol: one fit per image. The image is a signal x on the grid of its
pixels; the error is the sum of squares, over the 96 × 96 pixels that are
two or more away from the border, of h(L)x minus the exactly filtered image.
The fit minimises the same sum over all pixels, which in coordinates is
Σ x̂² (h − target)²: weighted least squares with the image's energy at each
eigenvalue as weights. Images are those of 2Dgrid.mat if GROKBOOK_DATA has
it, and scikit-image's photographs if not.
"""

import os
from pathlib import Path

import torch
from scipy.io import loadmat
from torch import Tensor

from grokbook import TARGETS
from grokbook.datasets.grids import PHOTOGRAPHS, photograph
from grokbook.filters import Filter, FourierKAN, Orthogonal
from grokbook.grid_spectrum import grid_spectrum

K, M = 2, 64
PUBLISHED = [0.0011, 0.0012, 0.0004, 0.0024, 0.0021, 0.0029]  # Table 4
GOAL = dict(zip(TARGETS, PUBLISHED, strict=True))


def images() -> Tensor:
    """Three images, a column each."""
    folder = os.environ.get("GROKBOOK_DATA")
    file = Path(folder or ".") / "2Dgrid" / "raw" / "2Dgrid.mat"
    if folder and file.exists():
        pixels = loadmat(file, variable_names=["F"])["F"]
        return torch.from_numpy(pixels[:, :3].copy())
    shown = [photograph(name, size=100).flatten() for name in PHOTOGRAPHS]
    return torch.stack(shown, dim=1)


def interior_sse(filter: Filter, name: str, x_hat: Tensor) -> float:
    """The sum of squared errors of a filtered image, border left out."""
    S = grid_spectrum(100)
    with torch.no_grad():
        gap = filter(S.distinct) - TARGETS[name](S.distinct)
    image = S.inverse(gap[S.place] * x_hat).reshape(100, 100)
    return image[2:-2, 2:-2].square().sum().item()


def test_closed_form_beats_the_published_error_on_all_six() -> None:
    S = grid_spectrum(100)
    for x in S.fourier(images()).T:
        for name, goal in GOAL.items():
            target = TARGETS[name](S.distinct)
            filter = FourierKAN(K, M).fit(S.distinct, target, S.energy(x))
            assert interior_sse(filter, name, x) <= goal, name


def test_gradient_in_the_orthogonal_basis_beats_it_too() -> None:
    S = grid_spectrum(100)
    lam, x = S.distinct, S.fourier(images()[:, 0])
    filter = Orthogonal(FourierKAN(K, M), lam, S.energy(x))
    for name, goal in GOAL.items():
        target = TARGETS[name](lam)
        filter.reset_parameters(generator=torch.Generator().manual_seed(0))
        filter.fit_gradient(lam, target, S.energy(x), epochs=400, lr=0.03)
        reached = interior_sse(filter, name, x)
        best = interior_sse(filter.fit(lam, target, S.energy(x)), name, x)
        assert reached <= goal, name
        assert reached <= 1.01 * best + 1e-6, name
