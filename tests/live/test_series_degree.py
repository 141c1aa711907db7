"""The degree that a series needs: arithmetic and what moves."""

import numpy as np
import pytest
import torch

from grokbook.errors import GrokbookError
from grokbook.expansion import coefficients
from grokbook.live import LiveFigure, series_degree


def figure() -> LiveFigure:
    return series_degree(alt="The degree that a series needs.")


def degree(K: int, M: int, tolerance: float) -> int:
    def pair(lam: torch.Tensor) -> torch.Tensor:
        phase = M * lam**K
        return torch.stack([torch.cos(phase), torch.sin(phase)], 1)

    return len(coefficients(pair, tolerance=tolerance)) - 1


@pytest.mark.browser
def test_coefficients_agree_with_the_package(call):
    for K, M in ((1, 3), (2, 8), (3, 5)):
        code = "(m, K, M) => m.coefficients((lam) => Math.cos(M * lam ** K))"
        found = call("series_degree", code, K, M)[:101]
        ours = coefficients(
            lambda lam, K=K, M=M: torch.cos(M * lam**K), degree=1000
        )
        np.testing.assert_allclose(found, ours[:101], atol=1e-9)


@pytest.mark.browser
@pytest.mark.parametrize(("K", "M"), [(1, 8), (2, 8), (3, 16), (5, 32)])
def test_degrees_agree_with_the_package(call, K, M):
    for tolerance in (1e-2, 1e-4, 1e-6):
        found = call(
            "series_degree", "(m, ...v) => m.degree(...v)", K, M, tolerance
        )
        assert found == degree(K, M, tolerance)


@pytest.mark.browser
def test_the_roads_cost_the_same_where_they_cross(call):
    code = "(m, ...v) => m.work(...v)"
    even = call("series_degree", code, 10**6, 10, 34, 5)["even"]
    assert even == 34 * 10**2 * 5
    there = call("series_degree", code, even, 10, 34, 5)
    assert there["series"] == pytest.approx(there["exact"])


@pytest.mark.browser
def test_dragging_the_order_raises_the_degree(show):
    page = show(figure())
    page.get_by_text("Degree 34, error at most").first.wait_for()
    curve = page.locator(".lf-tail")
    before = curve.get_attribute("d")
    order = page.get_by_role("slider", name="order K")
    box = order.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8 + (box["width"] - 16) / 4, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 8, y, steps=4)
    page.mouse.up()
    assert order.input_value() == "5"
    page.get_by_text(f"Degree {degree(5, 8, 1e-4)}, error").first.wait_for()
    assert curve.get_attribute("d") != before


@pytest.mark.browser
def test_keys_move_the_edges_and_the_verdict(show):
    page = show(figure(), width=340)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340
    verdict = page.locator(".lf-verdict")
    assert "the series is" in verdict.inner_text()
    size = page.get_by_role("slider", name="edges")
    size.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert size.input_value() == "3"
    assert "the eigenvectors are" in verdict.inner_text()
    said = page.locator("[aria-live]")
    said.filter(has_text="eigenvectors").wait_for(
        state="attached", timeout=3000
    )
    for control in page.locator(".lf input").all():
        assert control.bounding_box()["height"] >= 24


@pytest.mark.browser
def test_without_scripts_the_still_picture_is_seen(show):
    page = show(figure(), java_script_enabled=False)
    still = page.locator("img[data-fallback]")
    assert still.is_visible()
    assert still.bounding_box()["height"] > 100


def test_what_cannot_be_moved_to_is_refused():
    with pytest.raises(GrokbookError, match="from 1 to 5"):
        series_degree(alt="A degree.", K=9)
    with pytest.raises(GrokbookError, match="from -8 to -1"):
        series_degree(alt="A degree.", digits=2)
