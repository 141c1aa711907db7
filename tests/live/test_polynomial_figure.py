"""The figure of polynomial filters: its arithmetic, its output, its use."""

import re
from typing import Any

import numpy as np
import pytest
import torch

from grokbook import TARGETS, laplacian
from grokbook.errors import AltTextError, GrokbookError, UnknownNameError
from grokbook.filters import Polynomial
from grokbook.live import LiveFigure, polynomial_filter
from grokbook.live.polynomial_figure import BASES

LAM = torch.linspace(0, 2, 23, dtype=torch.float64)
THETA = [0.7, -1.2, 0.4, 2.0, -0.3, 1.1]


def figure(**options: Any) -> LiveFigure:
    return polynomial_filter(alt="Coefficients to drag.", **options)


def fixed(basis: str, theta: list[float]) -> Polynomial:
    """The package's filter with these coefficients."""
    filter = Polynomial(basis, len(theta) - 1)
    filter.set_coefficients(torch.tensor(theta, dtype=torch.float64))
    return filter


@pytest.mark.browser
@pytest.mark.parametrize("basis", BASES)
def test_responses_agree_with_the_package(call, basis):
    found = call(
        "polynomial_filter",
        "(m, basis, theta, lams) => m.respond(basis, theta, lams)",
        basis,
        THETA,
        LAM.tolist(),
    )
    exact = fixed(basis, THETA)(LAM).detach()
    np.testing.assert_allclose(found, exact, atol=1e-12)


@pytest.mark.browser
@pytest.mark.parametrize("basis", BASES)
def test_filtered_spikes_agree_with_the_package(call, basis):
    node = torch.arange(20)
    once = torch.stack([node, node + 1])
    L = laplacian(torch.cat([once, once.flip(0)], dim=1))
    spike = torch.zeros(21, dtype=torch.float64)
    spike[10] = 1
    found = call(
        "polynomial_filter",
        "(m, basis, theta, x) => m.sum(basis, theta, m.pathLaplacian(21), x)",
        basis,
        THETA,
        spike.tolist(),
    )
    exact = fixed(basis, THETA).apply_recursively(L, spike).detach()
    np.testing.assert_allclose(found, exact, atol=1e-12)
    assert found[:5] == found[16:] == [0] * 5  # beyond five hops: nothing


@pytest.mark.browser
@pytest.mark.parametrize("start", BASES)
def test_another_basis_gives_the_same_response(call, start):
    exact = fixed(start, THETA)(LAM).detach()
    for basis in BASES:
        for K in (5, 8):
            found = call(
                "polynomial_filter",
                """(m, start, theta, basis, K, lams) => m.respond(basis,
                  m.coefficientsOf((at) => m.respond(start, theta, at),
                  basis, K), lams)""",
                start,
                THETA,
                basis,
                K,
                LAM.tolist(),
            )
            # At degree 8 the powers of λ have a condition number near 1e6.
            np.testing.assert_allclose(found, exact, atol=1e-9)


@pytest.mark.browser
def test_the_range_of_the_sliders_is_round_and_wide_enough(call):
    sizes = [0, 1.9, 2, 2.1, 7, 11, 49, 51, 1300]
    found = call(
        "polynomial_filter", "(m, sizes) => sizes.map(m.rangeFor)", sizes
    )
    assert found == [2, 2, 2, 5, 10, 20, 50, 100, 2000]


def curve(page: Any) -> list[float]:
    """The heights of the drawn response, in pixels."""
    path = page.locator(".lf-curve").get_attribute("d")
    return [float(pair.split()[1]) for pair in path[1:].split("L")]


def values(page: Any) -> list[float]:
    sliders = page.get_by_role("slider").all()
    return [float(s.get_attribute("aria-valuenow")) for s in sliders]


@pytest.mark.browser
def test_the_curve_stays_when_the_basis_changes(show):
    page = show(figure())
    page.get_by_role("slider").nth(3).press("PageUp")  # no preset any more
    before, theta = curve(page), values(page)
    for name in ("monomial", "GPR", "Bernstein", "Jacobi (1, 1)"):
        page.get_by_role("button", name=name).click()
        assert np.abs(np.array(curve(page)) - before).max() <= 0.11
        assert np.abs(np.array(values(page)) - theta).max() > 0.1
    page.get_by_role("button", name="Chebyshev").click()
    np.testing.assert_allclose(values(page), theta, atol=1e-9)


@pytest.mark.browser
def test_presets_are_the_series_cut_off_at_the_degree(show):
    page = show(figure())
    page.get_by_role("button", name="band-pass").click()
    page.get_by_role("button", name="6", exact=True).click()
    from grokbook.expansion import coefficients

    exact = coefficients(TARGETS["band-pass"], degree=64)[:7]
    np.testing.assert_allclose(values(page), exact, atol=2e-6)  # six decimals
    assert page.locator(".lf-goal").count() == 1


@pytest.mark.browser
def test_dragging_a_coefficient_moves_the_response(show):
    page = show(figure())
    handle = page.get_by_role("slider", name="Coefficient 0")
    before = curve(page)
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20)
    page.mouse.move(x, y - 45)
    page.mouse.up()
    moved = values(page)[0]
    # 45 of the 180 pixels that stand for the range from −2 to 2
    assert moved == pytest.approx(0.2448 + 1, abs=0.05)
    assert curve(page)[100] < before[100]
    assert page.locator(".lf-goal").count() == 0
    assert (
        "degree 4: h(0) = "
        in page.locator("[aria-live]")
        .locator("xpath=preceding-sibling::p[1]")
        .text_content()
    )


@pytest.mark.browser
def test_keys_move_a_coefficient_and_the_focus(show):
    page = show(figure(presets={"one": torch.ones_like}))
    assert values(page) == pytest.approx([1, 0, 0, 0, 0], abs=1e-9)
    handle = page.get_by_role("slider", name="Coefficient 2")
    handle.focus()
    assert page.locator(".lf-term").count() == 1
    for key, value in (
        ("ArrowUp", 0.05),
        ("PageUp", 0.3),
        ("ArrowDown", 0.25),
        ("End", 2),
        ("ArrowUp", 2),
        ("Home", -2),
        ("PageDown", -2),
    ):
        page.keyboard.press(key)
        assert float(handle.get_attribute("aria-valuenow")) == value
    assert handle.get_attribute("aria-valuetext") == "−2"
    page.keyboard.press("ArrowRight")
    focused = page.evaluate("document.activeElement.ariaLabel")
    assert focused == "Coefficient 3"


@pytest.mark.browser
def test_the_spike_reaches_as_far_as_the_degree(show):
    page = show(figure())
    for K in (1, 3, 8):
        page.get_by_role("button", name=str(K), exact=True).click()
        assert page.locator(".lf-reached").count() == 2 * K + 1
        said = page.locator(".lf").text_content()
        hops = "1 hop" if K == 1 else f"{K} hops"
        assert f"reaches is {hops} away." in said
        assert len(values(page)) == K + 1


@pytest.mark.browser
def test_the_figure_fits_a_phone_and_takes_a_tap(show):
    page = show(figure(), width=360, has_touch=True)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    box = page.get_by_role("button", name="Bernstein").bounding_box()
    page.touchscreen.tap(box["x"] + 5, box["y"] + 5)
    pressed = page.get_by_role("button", name="Bernstein")
    assert pressed.get_attribute("aria-pressed") == "true"


def test_the_same_figure_gives_the_same_output():
    assert figure().to_html() == figure().to_html()
    assert figure().to_html() != figure(degree=5).to_html()


def test_the_still_picture_has_a_stem_for_each_coefficient():
    still = figure(degree=6).fallback
    assert re.findall("θ[₀-₉]", still) == [f"θ{k}" for k in "₀₁₂₃₄₅₆"]
    assert "<title>Coefficients to drag.</title>" in still


def test_what_the_figure_cannot_show_is_refused():
    with pytest.raises(AltTextError, match="one sentence"):
        polynomial_filter(alt=" ")
    with pytest.raises(UnknownNameError, match="'appnp' here"):
        figure(basis="appnp")
    for degree in (0, 9):
        with pytest.raises(GrokbookError, match="takes 1 to 8"):
            figure(degree=degree)
    with pytest.raises(GrokbookError, match="presets is empty"):
        figure(presets={})
