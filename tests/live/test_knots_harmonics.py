"""Knots against harmonics: the arithmetic, and moving it in a browser."""

import math
import re
from typing import Any

import numpy as np
import pytest
import torch

from grokbook.errors import GrokbookError, UnknownNameError
from grokbook.live import LiveFigure, knots_harmonics
from grokbook.live.knots_figure import _targets, bases

browser = pytest.mark.browser
X = torch.linspace(0, 2, 201, dtype=torch.float64)
PERIODS = {"2π": 2 * math.pi, "4": 4.0, "2": 2.0}


def figure(**start: Any) -> LiveFigure:
    return knots_harmonics(alt="A comb, fitted twice.", **start)


def rows(page: Any) -> list[list[str]]:
    return [
        row.locator("th, td").all_text_contents()
        for row in page.locator("tbody tr").all()
    ]


@browser
@pytest.mark.parametrize("M", [2, 5, 16])
def test_both_bases_agree_with_the_book_s(call, M):
    found = call(
        "knots_harmonics",
        """(m, xs, M) => [xs.map((x) => m.splines(x, 2 * M - 2)),
                          xs.map((x) => m.harmonics(x, M, 4))]""",
        X.tolist(),
        M,
    )
    for ours, theirs in zip(found, bases(X, M, 4.0), strict=True):
        assert theirs.shape == (201, 2 * M + 1)
        np.testing.assert_allclose(ours, theirs.numpy(), atol=1e-12)


@browser
def test_singular_values_agree_with_numpy_over_twelve_powers_of_ten(call):
    A = bases(X, 11, 2 * math.pi)[1].numpy()
    found = call(
        "knots_harmonics", "(m, A) => m.singular(A).sizes", A.T.tolist()
    )
    exact = np.linalg.svd(A, compute_uv=False)
    assert exact[0] / exact[-1] > 1e12
    # NumPy errs by about 1e-15 of the largest, hence by 1e-2 of the least.
    np.testing.assert_allclose(sorted(found, reverse=True), exact, rtol=0.05)


@browser
@pytest.mark.parametrize("period", PERIODS)
@pytest.mark.parametrize("target", ["bump", "comb", "line", "step"])
def test_fits_agree_with_numpy(call, target, period):
    y = _targets()[target](X).numpy()
    for M in (2, 6):
        found = call(
            "knots_harmonics",
            """(m, target, M, period) => {
              const { knots, waves } = m.fits(target, M, period);
              return [knots, waves].map((one) => [
                one.condition, one.error, one.c]);
            }""",
            target,
            M,
            period,
        )
        for one, B in zip(found, bases(X, M, PERIODS[period]), strict=True):
            condition, error, c = one
            B = B.numpy()
            best = B @ np.linalg.lstsq(B, y)[0]
            # condition numbers up to 1e7 leave seven digits or more
            np.testing.assert_allclose(condition, np.linalg.cond(B), rtol=1e-6)
            np.testing.assert_allclose(B @ c, best, atol=1e-8)
            assert error == pytest.approx(np.abs(best - y).max(), abs=1e-8)


@browser
def test_splines_stay_well_conditioned_and_harmonics_do_not(show):
    page = show(figure())
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("End")
    knots, waves = rows(page)
    assert slider.get_attribute("aria-valuetext") == "33 coefficients each"
    assert float(knots[1]) < 100
    assert waves[1] == "above 10¹⁵"
    page.get_by_role("button", name="period 2", exact=True).click()
    assert float(rows(page)[1][1]) == pytest.approx(1.4)


@browser
def test_dragging_the_slider_changes_knots_and_curves(show):
    page = show(figure())
    before = page.locator(".lf-waves").get_attribute("d")
    assert page.locator(".lf-tick").count() == 7  # 6 intervals
    box = page.get_by_role("slider").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 2 / 14, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, y, steps=3)
    page.mouse.up()
    assert page.locator(".lf-tick").count() == 31
    assert page.locator(".lf-waves").get_attribute("d") != before
    assert "33 coefficients each" in page.locator(".lf").text_content()
    page.get_by_role("button", name="reset").click()
    assert page.locator(".lf-waves").get_attribute("d") == before


@browser
def test_choosing_a_function_fits_it_and_says_so(show):
    page = show(figure())
    page.get_by_role("button", name="line").click()
    knots, _ = rows(page)
    assert "10⁻¹" in knots[2]  # a spline of degree 3 holds every line
    region = page.locator("[aria-live]")
    region.filter(has_text="largest error").wait_for(
        state="attached", timeout=3000
    )


@browser
def test_harmonics_of_period_two_repeat_and_splines_fade_away(call):
    ends = call(
        "knots_harmonics",
        """(m) => {
          const { knots, waves } = m.fits("line", 8, "2");
          return [waves.at(2.4) - waves.at(0.4), knots.at(2.7)];
        }""",
    )
    np.testing.assert_allclose(ends, [0, 0], atol=1e-9)


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
    page.get_by_role("slider").focus()
    for key in ("ArrowRight", "ArrowLeft", "Enter", "Escape", "Tab"):
        page.keyboard.press(key)
    assert page.evaluate("window.seen") == ["Tab"]


@browser
def test_without_scripts_the_still_picture_is_seen(show):
    page = show(figure(), java_script_enabled=False)
    assert page.locator("img[data-fallback]").bounding_box()["height"] > 100


def test_the_output_is_the_same_each_time_and_says_what_it_shows():
    assert figure().to_html() == figure().to_html()
    assert "<title>A comb, fitted twice.</title>" in figure().fallback
    assert figure().to_html() != figure(M=5).to_html()


def test_the_still_picture_stops_curves_where_they_leave_it():
    wild = figure(M=8, target="step").fallback
    lines = re.findall(r'<polyline points="([^"]*)"', wild)
    assert len(lines) == 3
    heights = [[float(p.split(",")[1]) for p in one.split()] for one in lines]
    assert all(min(one) >= 14 and max(one) <= 249 for one in heights)
    assert len(heights[2]) < len(heights[1])  # the harmonics left the view


def test_what_the_figure_cannot_show_is_refused():
    with pytest.raises(UnknownNameError, match="bump, comb, line, step"):
        figure(target="hill")
    with pytest.raises(UnknownNameError, match="2π, 4, 2"):
        figure(period="3")
    with pytest.raises(GrokbookError, match="from 2 to 16"):
        figure(M=17)
