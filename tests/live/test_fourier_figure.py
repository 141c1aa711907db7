"""Order and harmonics: the arithmetic, and moving it in a browser."""

import re
from typing import Any

import numpy as np
import pytest
import torch

from grokbook import TARGETS
from grokbook.errors import (
    AltTextError,
    GrokbookError,
    ResponseError,
    UnknownNameError,
)
from grokbook.filters import FourierKAN
from grokbook.live import LiveFigure, fourier_filter

browser = pytest.mark.browser
EVEN = torch.linspace(0, 2, 121, dtype=torch.float64)
UNEVEN = (EVEN / 2) ** 2 * 2  # crowded near 0
FACTS = ["functions", "told apart", "condition", "on the spectrum", "on all"]


def figure(**start: Any) -> LiveFigure:
    spectra = {"even": EVEN, "crowded": UNEVEN}
    return fourier_filter(spectra, alt="A target and its fit.", **start)


def facts(page: Any) -> dict[str, str]:
    values = page.locator(".lf-facts dd").all_text_contents()
    return dict(zip(FACTS, values, strict=True))


@browser
@pytest.mark.parametrize(("K", "M"), [(1, 1), (2, 3), (4, 10)])
def test_rows_agree_with_the_package_s_design_matrix(call, K, M):
    found = call(
        "fourier_filter",
        "(m, lams, K, M) => lams.map((lam) => m.waves(lam, K, M))",
        EVEN.tolist(),
        K,
        M,
    )
    # phases up to 160: the two libraries may round powers differently
    np.testing.assert_allclose(found, FourierKAN(K, M).basis(EVEN), atol=1e-12)


@browser
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("K", "M"), [(1, 2), (2, 3), (3, 2)])
def test_fits_agree_with_numpy(call, target, K, M):
    for lam in (EVEN, UNEVEN):
        found = call(
            "fourier_filter",
            """(m, ...v) => {
              const one = m.fit(...v);
              return [one.c, one.condition, one.rank, one.onSpectrum];
            }""",
            target,
            lam.tolist(),
            K,
            M,
        )
        c, condition, rank, error = found
        B = FourierKAN(K, M).basis(lam).numpy()
        B_unit = B / np.linalg.norm(B, axis=0)
        wanted = TARGETS[target](lam).numpy()
        best = B @ np.linalg.lstsq(B, wanted)[0]
        # condition numbers up to 1e7 leave seven digits or more
        np.testing.assert_allclose(B @ c, best, atol=1e-8)
        assert condition == pytest.approx(np.linalg.cond(B_unit), rel=1e-6)
        assert rank == 1 + 2 * K * M
        assert error == pytest.approx(np.abs(best - wanted).max(), abs=1e-8)


@browser
def test_the_rank_agrees_where_rounding_hides_functions(call):
    B = FourierKAN(4, 10).basis(EVEN)
    sizes = np.linalg.svd((B / B.norm(dim=0)).numpy(), compute_uv=False)
    rank = int((sizes > 1e-12 * sizes[0]).sum())
    found = call(
        "fourier_filter",
        "(m, lams) => m.fit('comb', lams, 4, 10).rank",
        EVEN.tolist(),
    )
    assert abs(found - rank) <= 1  # one size may stand at the cut
    assert found < 75 < 81


def slide(page: Any, name: str, share: float) -> None:
    """Drag the thumb of a slider to a share of its way."""
    handle = page.get_by_role("slider", name=name)
    box = handle.bounding_box()
    y = box["y"] + box["height"] / 2
    value = handle.evaluate("s => (s.value - s.min) / (s.max - s.min)")
    inside = box["width"] - 16  # the thumb's middle stays inside
    page.mouse.move(box["x"] + 8 + inside * value, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 8 + inside * share, y, steps=4)
    page.mouse.up()


@browser
def test_dragging_the_order_adds_chirps_and_changes_the_fit(show):
    page = show(figure(K=1, M=4))
    assert page.locator(".lf-chirp").count() == 1
    before, first = page.locator(".lf-fit").get_attribute("d"), facts(page)
    slide(page, "highest order K", 1)
    assert page.locator(".lf-chirp").count() == 4
    assert page.locator(".lf-fit").get_attribute("d") != before
    now = facts(page)
    assert (first["functions"], now["functions"]) == ("9", "33")
    assert float(first["condition"]) < 1e5 < float(now["condition"])
    page.get_by_role("button", name="reset").click()
    assert facts(page) == first


@browser
def test_keys_move_the_harmonics_until_rounding_hides_some(show):
    page = show(figure(K=2, M=2))
    handle = page.get_by_role("slider", name="highest harmonic M")
    assert facts(page)["told apart"] == "9"
    handle.focus()
    page.keyboard.press("End")
    assert handle.get_attribute("aria-valuetext") == "10"
    now = facts(page)
    assert now["functions"] == "41"
    assert int(now["told apart"]) < 41
    assert now["condition"] == "above 10¹⁵"


@browser
def test_choosing_a_target_and_a_spectrum_fits_anew_and_says_so(show):
    page = show(figure())
    before = page.locator(".lf-fit").get_attribute("d")
    page.get_by_role("button", name="low-pass").click()
    smooth = facts(page)
    assert "e−" in smooth["on the spectrum"]
    page.get_by_role("button", name="crowded").click()
    assert facts(page) != smooth
    assert page.locator(".lf-fit").get_attribute("d") != before
    assert page.locator(".lf-lam").count() == 121
    page.locator("[aria-live]").filter(has_text="told apart").wait_for(
        state="attached", timeout=3000
    )


@browser
def test_a_phone_shows_it_whole_with_targets_large_enough(show):
    page = show(figure(), width=340)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340
    for target in page.locator(".lf button, .lf label input").all():
        assert target.bounding_box()["height"] >= 24


@browser
def test_keys_stay_inside_the_figure(show):
    page = show(figure())
    page.evaluate(
        "() => { window.seen = []; document.addEventListener("
        "'keydown', (event) => window.seen.push(event.key)); }"
    )
    page.get_by_role("slider", name="highest order K").focus()
    for key in ("ArrowRight", "Home", "Enter", "Escape", "Tab"):
        page.keyboard.press(key)
    assert page.evaluate("window.seen") == ["Tab"]


@browser
def test_without_scripts_the_still_picture_is_seen(show):
    page = show(figure(), java_script_enabled=False)
    assert page.locator("img[data-fallback]").bounding_box()["height"] > 100


def test_the_output_is_the_same_each_time_and_says_what_it_shows():
    assert figure().to_html() == figure().to_html()
    assert "<title>A target and its fit.</title>" in figure().fallback
    assert figure().to_html() != figure(M=5).to_html()


def test_the_still_picture_holds_the_package_s_fit():
    points = re.findall(r'points="([^"]*)"', figure(target="comb").fallback)
    fine = torch.linspace(0, 2, 201, dtype=torch.float64)
    fit = FourierKAN(2, 8).fit(EVEN, TARGETS["comb"](EVEN), rcond=1e-12)
    for one, h in zip(points, (TARGETS["comb"], fit), strict=True):
        heights = [float(p.split(",")[1]) for p in one.split()]
        exact = 175 - 125 * h(fine).detach().numpy()
        np.testing.assert_allclose(heights, exact, atol=0.06)  # one decimal


def test_a_long_spectrum_is_sampled_evenly_by_rank():
    lam = torch.linspace(0, 2, 2401, dtype=torch.float64) ** 2 / 2
    shown = fourier_filter({"a": lam}, alt="A fit.").model["spectra"]["a"]
    assert len(shown) == 121
    np.testing.assert_allclose(shown, lam[::20], atol=1e-6)


def test_what_the_figure_cannot_show_is_refused():
    with pytest.raises(UnknownNameError, match="low-pass, high-pass"):
        figure(target="hill")
    for K, M in ((0, 4), (5, 4), (2, 0), (2, 11)):
        with pytest.raises(GrokbookError, match="K from 1 to 4"):
            figure(K=K, M=M)
    for bad in ([], [[0, 1]], [0, 2.5], [-0.1, 1], [0, float("nan")]):
        with pytest.raises(ResponseError, match="no list of eigenvalues"):
            fourier_filter({"bad": bad}, alt="A fit.")
    with pytest.raises(GrokbookError, match="at least one spectrum"):
        fourier_filter({}, alt="A fit.")
    with pytest.raises(AltTextError):
        fourier_filter({"a": [0, 1]}, alt=" ")
