"""The figure of a cut spectrum: its arithmetic, its output, its use."""

from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
from graphs import edges_of, signals

from grokbook import apply_filter, laplacian, spectrum
from grokbook.errors import AltTextError, GrokbookError
from grokbook.live import LiveFigure, truncated_spectrum
from grokbook.spectrum import Spectrum
from grokbook.targets import TARGETS
from grokbook.truncation import to_gap

G = nx.disjoint_union(nx.star_graph(6), nx.cycle_graph(8))
L = laplacian(edges_of(G), len(G))
S = spectrum(L)
X = signals(len(G), 1)
LAM, COUNTS = S.distinct()
GROUP = torch.repeat_interleave(torch.arange(len(LAM)), COUNTS)
ENERGY = torch.zeros(len(LAM)).double()
ENERGY.index_add_(0, GROUP, (S.fourier(X) ** 2)[:, 0])
DATA = {
    "lam": LAM.tolist(),
    "counts": COUNTS.tolist(),
    "energy": ENERGY.tolist(),
}
GRID = torch.linspace(0, 2, 2001, dtype=torch.float64)


def figure(**changes: Any) -> LiveFigure:
    curves = {name: TARGETS[name](GRID[::20]) for name in ("comb", "low-pass")}
    given = {"k": 4, "alt": "A cut spectrum to slide."} | changes
    return truncated_spectrum(LAM, COUNTS, ENERGY, curves, **given)


def told(page: Any) -> str:
    """The line under the plot."""
    ear = page.locator("[aria-live]")
    return ear.locator("xpath=preceding-sibling::p[1]").text_content()


@pytest.mark.browser
@pytest.mark.parametrize("ends", ["both", "low", "high"])
def test_whole_eigenspaces_are_kept_as_the_package_keeps_them(call, ends):
    for k in (1, 3, 4, 9):
        found = call(
            "truncated_spectrum",
            "(m, c, k, ends) => m.kept(c, k, ends)",
            COUNTS.tolist(),
            k,
            ends,
        )
        wanted = to_gap(S.lam.numpy(), k, ends)
        np.testing.assert_array_equal(np.array(found)[GROUP.numpy()], wanted)


@pytest.mark.browser
@pytest.mark.parametrize("left_out", ["zero", "mean"])
def test_the_error_is_that_of_the_truncated_filter(call, left_out):
    h = TARGETS["band-pass"]
    keep = torch.from_numpy(to_gap(S.lam.numpy(), 4, "both"))
    rest = None if left_out == "zero" else float(S.lam[~keep].mean())
    cut = Spectrum(S.lam[keep], S.U[:, keep], rest, truncated=True)
    exact, ours = (apply_filter(h, spec, X) for spec in (S, cut))
    found = call(
        "truncated_spectrum",
        "(m, d, h, o) => m.cut(d, h, 4, 'both', o)",
        DATA,
        h(GRID).tolist(),
        left_out,
    )
    error = float((exact - ours).norm() / exact.norm())
    # the figure takes h on straight lines between 2001 points
    assert found["error"] == pytest.approx(error, abs=1e-4)
    share = float(ENERGY[[i for i, k in enumerate(found["keep"]) if k]].sum())
    assert found["energy"] == pytest.approx(share / float(ENERGY.sum()))
    assert found["dropped"] == int((~keep).sum())


@pytest.mark.browser
def test_all_or_nothing_kept_is_no_error_or_the_whole_signal(call):
    for k, error in ((15, 0.0), (0, 1.0)):
        found = call(
            "truncated_spectrum",
            "(m, d, h, k) => m.cut(d, h, k, 'both', 'zero')",
            DATA,
            [1.0, 1.0, 1.0],
            k,
        )
        assert found["error"] == pytest.approx(error)
        assert found["energy"] == pytest.approx(1 - error)


@pytest.mark.browser
def test_dragging_the_slider_keeps_more(show):
    page = show(figure())
    assert "of 15 eigenvectors kept" in told(page)
    before = page.locator(".lf-used").get_attribute("d")
    box = page.get_by_role("slider").bounding_box()
    height = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.3 * box["width"], height)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], height)
    page.mouse.move(box["x"] + box["width"], height)
    page.mouse.up()
    assert told(page).startswith("15 of 15 eigenvectors kept; dropped nowhere")
    assert "Error of the filtered signal: 0%." in told(page)
    assert page.locator(".lf-used").get_attribute("d") != before


@pytest.mark.browser
def test_keys_move_k_and_buttons_change_the_rest(show):
    page = show(figure())
    page.get_by_role("slider").press("Home")
    assert told(page).startswith("0 of 15")
    assert "Energy kept: 0%." in told(page)
    page.get_by_role("slider").press("ArrowRight")
    page.get_by_role("button", name="high end").press("Enter")
    said = told(page)
    page.get_by_role("button", name="times h at their mean").click()
    assert told(page) != said
    page.get_by_role("button", name="low-pass").click()
    pressed = page.locator("[aria-pressed=true]").all_text_contents()
    assert pressed == ["low-pass", "high end", "times h at their mean"]


@pytest.mark.browser
def test_the_figure_fits_a_phone(show):
    page = show(figure(), width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_same_figure_gives_the_same_output():
    assert figure().to_html() == figure().to_html()
    assert figure().fallback.count("<polyline") == 1


def test_what_the_figure_cannot_show_is_refused():
    with pytest.raises(GrokbookError, match="k is 99"):
        figure(k=99)
    with pytest.raises(GrokbookError, match="ascending"):
        truncated_spectrum([1, 0], [1, 1], [1, 1], {"a": [1, 1]}, k=1, alt="x")
    with pytest.raises(AltTextError):
        figure(alt=" ")
