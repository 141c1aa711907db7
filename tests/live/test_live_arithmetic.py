"""The browser's arithmetic agrees with NumPy's."""

import base64

import numpy as np
import pytest

from grokbook.datasets.grids import grid_edges
from grokbook.laplacian import laplacian
from grokbook.live import response_editor

pytestmark = pytest.mark.browser

HEIGHT, WIDTH = 12, 10  # not square: rows and columns must not be mixed up


def random_edges(seed: int, n: int) -> list[list[int]]:
    """Edges among all nodes but the last two, which stay isolated."""
    rng = np.random.default_rng(seed)
    pairs = [[i, j] for i in range(n - 2) for j in range(i)]
    return [pair for pair in pairs if rng.random() < 0.4]


def dense(edges: list[list[int]], n: int) -> np.ndarray:
    both = np.array(edges + [[j, i] for i, j in edges]).reshape(-1, 2)
    return laplacian(both.T, n).to_dense().numpy()


@pytest.fixture
def grid() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eigenvalues and eigenvectors of a pixel grid, and an image on it."""
    L = laplacian(grid_edges(HEIGHT, WIDTH), HEIGHT * WIDTH).to_dense()
    lam, U = np.linalg.eigh(L.numpy())
    return lam, U, np.random.default_rng(0).random(HEIGHT * WIDTH)


def test_eigenvalues_agree_with_numpy(call):
    for seed in range(15):
        n = (3, 5, 12)[seed % 3]
        edges = random_edges(seed, n)
        L = dense(edges, n)
        found = call(
            "graph_spectrum",
            "(m, edges, n) => m.eigen(m.laplacian(edges, n))",
            edges,
            n,
        )
        V = np.array(found["vectors"]).T
        np.testing.assert_allclose(
            found["values"], np.linalg.eigvalsh(L), atol=1e-9
        )
        np.testing.assert_allclose(L @ V, V * found["values"], atol=1e-9)
        np.testing.assert_allclose(V.T @ V, np.eye(n), atol=1e-9)


def test_filtering_without_eigenvectors_agrees_with_eigenvectors(call, grid):
    lam, U, x = grid
    result = call(
        "response_editor",
        """(m, x, width, height) => {
          const h = (lam) => Math.exp(-10 * lam * lam);
          const signals = m.chebyshevSignals(
            Float64Array.from(x), width, height, 64);
          return [...m.combine(m.expand(h, 64), signals)];
        }""",
        x.tolist(),
        WIDTH,
        HEIGHT,
    )
    # h is analytic: at degree 64 its coefficients are below 1e-15, so only
    # rounding, about 1e-15 a step of the recurrence, is left.
    exact = U @ (np.exp(-10 * lam**2) * (U.T @ x))
    np.testing.assert_allclose(result, exact, atol=1e-12)


def test_presets_show_the_exactly_filtered_image(show, grid):
    lam, U, _ = grid
    grey = np.random.default_rng(1).integers(60, 200, (HEIGHT, WIDTH))
    figure = response_editor(grey / 255, alt="Noise.")
    page = show(figure)
    shown = page.evaluate(
        """() => {
          const canvas = document.querySelectorAll("canvas")[1];
          const data = canvas.getContext("2d").getImageData(
            0, 0, canvas.width, canvas.height).data;
          return [...data].filter((_, i) => i % 4 === 0);
        }"""
    )
    exact = U @ (np.exp(-10 * lam**2) * (U.T @ grey.flatten()))
    # Coefficients are sent with six decimals: far below half a grey level.
    assert np.abs(np.array(shown) - exact.clip(0, 255)).max() <= 0.51
    assert base64.b64decode(figure.model["image"]) == bytes(
        grey.astype(np.uint8).flatten()
    )


def test_energy_histogram_agrees_with_the_exact_spectrum(call, grid):
    lam, U, x = grid
    shares = call(
        "response_editor",
        """(m, x, width, height) => m.energyHistogram(m.chebyshevSignals(
          Float64Array.from(x), width, height, 64), 40)""",
        x.tolist(),
        WIDTH,
        HEIGHT,
    )
    energy = (U.T @ x) ** 2 / (x @ x)
    below = [energy[lam < bound].sum() for bound in (0.5, 1.5)]
    # Jackson's kernel at 128 moments is 0.03 wide: an eigenvalue that near
    # a bound is counted in part on the other side.
    assert sum(shares) == pytest.approx(1, abs=1e-9)
    assert sum(shares[:10]) == pytest.approx(below[0], abs=0.01)
    assert sum(shares[:30]) == pytest.approx(below[1], abs=0.01)


def test_the_curve_meets_its_handles_and_never_overshoots(call):
    rng = np.random.default_rng(2)
    xs = np.linspace(0, 2, 9)
    for _ in range(5):
        ys = rng.uniform(-0.5, 1.5, 9)
        fine = np.linspace(0, 2, 161)  # twenty steps between two handles
        curve = call(
            "response_editor",
            "(m, xs, ys, fine) => fine.map(m.pchip(xs, ys))",
            xs.tolist(),
            ys.tolist(),
            fine.tolist(),
        )
        np.testing.assert_allclose(curve[::20], ys, atol=1e-12)
        for i in range(8):
            part = curve[20 * i : 20 * i + 21]
            low, high = sorted(ys[i : i + 2])
            assert low - 1e-12 <= min(part)
            assert max(part) <= high + 1e-12


@pytest.mark.parametrize(
    ("edges", "n", "words"),
    [
        ([[0, 1], [0, 2], [0, 3]], 4,
         ["once: 1 component", "twice: twins {2, 3, 4} share",
          "once: the graph is bipartite"]),
        ([[0, 1], [1, 2], [2, 0], [3, 4]], 6,
         ["3 times: 3 components", "absent: no twins",
          "once: bipartite: 1 of the 2 components with an edge"]),
        ([], 2, ["twice: 2 components", "absent: no twins",
                 "absent: there is no edge"]),
    ],
)  # fmt: skip
def test_the_sentences_read_the_spectrum_rightly(call, edges, n, words):
    told = call(
        "graph_spectrum",
        """(m, edges, n) => m.facts(m.eigen(m.laplacian(edges, n)).values,
          edges, Array.from({ length: n }, (_, i) => String(i + 1)))""",
        edges,
        n,
    )
    for sentence, start in zip(told, words, strict=True):
        assert sentence.startswith(start)
