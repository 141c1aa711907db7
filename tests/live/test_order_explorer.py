"""The figure of orders: its arithmetic, its output, its use."""

import re
from typing import Any

import numpy as np
import pytest
import torch

from grokbook.errors import AltTextError, GrokbookError
from grokbook.filters.fourier_kan import canonical_form, design_matrix
from grokbook.filters.orders import deviation, lost_without
from grokbook.live import LiveFigure, OrderRun, order_explorer

M = 2
LAM = torch.linspace(0, 2, 201, dtype=torch.float64)


def run_of(K: int, M: int = M, splits: int = 3, top: int = 1) -> OrderRun:
    """Filters whose order `top` is the largest."""
    rng = np.random.default_rng(K)
    c = rng.normal(size=(splits, 1 + 2 * K * M))
    c[:, 1 + (top - 1) * 2 * M : 1 + top * 2 * M] *= 20
    return OrderRun(c.round(4), [0.8, 0.9, 0.85, 0.7][:splits])


RUNS = {1: run_of(1), 2: run_of(2, top=2), 4: run_of(4, top=3)}


def figure(graphs: Any = None) -> LiveFigure:
    shown = graphs or {
        "Cora": (M, RUNS),
        "Texas": (16, {2: run_of(2, 16, 4), 5: run_of(5, 16, 2)}),
    }
    return order_explorer(shown, alt="Filters of each order, to slide.")


def told(page: Any) -> str:
    """The line under the plots."""
    ear = page.locator("[aria-live]")
    return ear.locator("xpath=preceding-sibling::p[1]").text_content()


@pytest.mark.browser
@pytest.mark.parametrize(("K", "M"), [(1, 3), (3, 2), (6, 8)])
def test_responses_are_those_of_the_package(call: Any, K: int, M: int) -> None:
    c = torch.randn(1 + 2 * K * M, dtype=torch.float64)
    found = call(
        "order_explorer",
        "(m, c, K, M, lam) => m.response(m.waves(lam, K, M), c, M,"
        " Array(K).fill(true))",
        c.tolist(), K, M, LAM.tolist(),
    )  # fmt: skip
    # Phases reach 8·2⁶ = 512: rounding of powers shows at 1e-13 of that.
    np.testing.assert_allclose(found, design_matrix(LAM, K, M) @ c, atol=1e-9)


@pytest.mark.browser
def test_sizes_are_the_canonical_alpha(call: Any) -> None:
    c = torch.randn(1 + 2 * 4 * 3, dtype=torch.float64)
    found = call("order_explorer", "(m, c) => m.sizes(c, 4, 3)", c.tolist())
    np.testing.assert_allclose(found, canonical_form(c, 4, 3)[0])


@pytest.mark.browser
def test_what_changes_without_an_order_is_what_the_package_says(
    call: Any,
) -> None:
    c = torch.tensor(RUNS[4].coefficients)
    found = call(
        "order_explorer",
        "(m, run) => [1, 2, 3, 4].map((k) => m.view(run, 2,"
        " [1, 2, 3, 4].map((j) => j !== k)).change)",
        {"K": 4, "c": c.tolist(), "scores": [0.8, 0.9, 0.85]},
    )
    ones = torch.ones_like(LAM)
    exact = torch.stack([lost_without(row, 4, M, LAM, ones)[0] for row in c])
    np.testing.assert_allclose(found, exact.mean(0))
    h = design_matrix(LAM, 4, M) @ c[0]
    spread = call("order_explorer", "(m, h) => m.deviation(h)", h.tolist())
    assert spread == pytest.approx(float(deviation(h, ones)))


@pytest.mark.browser
def test_what_can_be_read_follows_from_the_step(call: Any) -> None:
    for K, M in ((1, 8), (2, 8), (5, 16), (6, 8)):
        found = call("order_explorer", "(m, K, M) => m.readable(K, M)", K, M)
        limit = np.pi / (M * K * 0.01)
        assert found == pytest.approx(
            min(2, limit ** (1 / (K - 1)) if K > 1 else 2)
        )


@pytest.mark.browser
def test_keys_slide_the_order(show: Any) -> None:
    page = show(figure())
    assert told(page).startswith("Cora, K = 1: test accuracy 85%")
    before = page.locator(".lf-mean").get_attribute("d")
    page.get_by_role("slider", name="highest order").press("ArrowRight")
    assert "K = 2:" in told(page)
    assert "Largest α: order 2 in 3 of 3 splits." in told(page)
    assert page.locator(".lf-mean").get_attribute("d") != before
    page.get_by_role("slider", name="highest order").press("End")
    assert "K = 4:" in told(page)
    assert "splits from 80 to 90." in told(page)


@pytest.mark.browser
def test_an_order_can_be_left_out_and_put_back(show: Any) -> None:
    page = show(figure())
    page.get_by_role("slider", name="highest order").press("End")
    assert page.locator(".lf-whole").count() == 0
    third = page.get_by_role("button", name="order 3")
    third.press("Enter")
    assert third.get_attribute("aria-pressed") == "false"
    said = re.search(r"Without order 3, h changes by (\d+)%", told(page))
    ones = torch.ones_like(LAM)
    exact = [
        float(lost_without(row, 4, M, LAM, ones)[0][2])
        for row in torch.tensor(RUNS[4].coefficients)
    ]
    assert int(said[1]) == round(100 * np.mean(exact))
    assert page.locator(".lf-whole").count() == 1
    third.press("Enter")
    assert "Without" not in told(page)


@pytest.mark.browser
def test_dragging_over_the_accuracies_chooses_the_order(show: Any) -> None:
    page = show(figure())
    box = page.locator(".lf-choose").bounding_box()
    wide, height = (box["width"] - 62) / 6, box["y"] + 60

    def x(K: float) -> float:
        return box["x"] + 46 + (K - 0.5) * wide

    page.mouse.move(x(1), height)
    page.mouse.down()
    page.mouse.move(x(2), height)
    assert "K = 2:" in told(page)
    page.mouse.move(x(5.9), height)  # the nearest that was run
    page.mouse.up()
    assert "K = 4:" in told(page)
    page.mouse.move(x(1), height)  # no button is pressed
    assert "K = 4:" in told(page)
    slide = page.get_by_role("slider", name="highest order")
    assert slide.get_attribute("aria-valuetext") == "4"


@pytest.mark.browser
def test_another_graph_keeps_the_order_if_it_has_it(show: Any) -> None:
    page = show(figure())
    page.get_by_role("slider", name="highest order").press("ArrowRight")
    page.get_by_role("button", name="Texas").click()
    assert told(page).startswith("Texas, K = 2:")
    assert page.locator(".lf-blur").count() == 0
    page.get_by_role("slider", name="highest order").press("End")
    assert "K = 5:" in told(page)
    assert "turns faster than its points" in told(page)
    assert page.locator(".lf-blur").count() == 1
    page.get_by_role("button", name="Cora").click()
    assert told(page).startswith("Cora, K = 1:")


@pytest.mark.browser
def test_the_figure_fits_a_phone_and_takes_a_tap(show: Any) -> None:
    page = show(figure(), width=360, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    box = page.locator(".lf-choose").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 20, box["y"] + 60)
    assert "K = 4:" in told(page)


def test_the_same_figure_gives_the_same_output() -> None:
    assert figure().to_html() == figure().to_html()


def test_the_still_picture_has_the_band_and_the_mean() -> None:
    still = figure().fallback
    assert still.count("<polygon") == still.count("<polyline") == 1
    assert "<title>Filters of each order, to slide.</title>" in still


BAD = OrderRun(RUNS[1].coefficients, [0.5])


@pytest.mark.parametrize(
    ("graphs", "word"),
    [
        ({"Cora": (M, {})}, "nothing to show"),
        ({"Cora": (M, {2: RUNS[1]})}, "1 \\+ 2KM = 9"),
        ({"Cora": (M, {1: BAD})}, "scores the length 1"),
        ({"Cora": (M, {7: run_of(7)})}, "K from 1 to 6"),
    ],
)
def test_what_the_figure_cannot_show_is_refused(
    graphs: Any, word: str
) -> None:
    with pytest.raises(GrokbookError, match=word):
        figure(graphs)


def test_a_figure_without_words_is_refused() -> None:
    with pytest.raises(AltTextError):
        order_explorer({"Cora": (M, RUNS)}, alt=" ")
