"""The figure of chapter 07: what is computed, and what moves."""

import re
from typing import Any

import numpy as np
import pytest
import torch

from grokbook import laplacian, spectrum
from grokbook.attention import attention_matrix
from grokbook.errors import GrokbookError, SignalError, UnknownNameError
from grokbook.live import LiveFigure, attention_modes
from grokbook.mode_response import gain, nearest_filter

browser = pytest.mark.browser
STEP, WAVE = [-1.5, -1.5, -1.5, 1.5, 1.5, 1.5], [-1.5, 1.5] * 3
CASES = [(STEP, 2.0), (WAVE, -1.3), ([0.3, -2.0, 1.1, 0.0], 4.0)]


def figure(**start: Any) -> LiveFigure:
    starts = {"step": (STEP, 2), "wave": (WAVE, 2)}
    return attention_modes(starts, alt="A path of six.", **start)


def by_the_book(kind: str, x: list[float], s: float) -> tuple:
    """The matrix, and its response on the modes of a path."""
    key = torch.tensor(x, dtype=torch.float64)[:, None]
    i = torch.arange(len(x) - 1)
    once = torch.stack([i, i + 1])
    S = spectrum(laplacian(torch.cat([once, once.flip(0)], dim=1)))
    A = attention_matrix(kind, s * key, key)
    return A, S.lam, gain(A, S), nearest_filter(A, S)


@browser
@pytest.mark.parametrize("kind", ["softmax", "efficient", "linear"])
@pytest.mark.parametrize(("x", "s"), CASES)
def test_matrix_and_response_agree_with_the_book_s(call, kind, x, s):
    found = call(
        "attention_modes",
        """(m, kind, x, s) => {
          const A = m.attentionMatrix(kind, x, s);
          const { lam, gain, own } = m.response(A);
          return [A, lam, gain, own];
        }""",
        kind,
        x,
        s,
    )
    for ours, theirs in zip(found, by_the_book(kind, x, s), strict=True):
        # Both solve for the eigenvectors to about 1e-13.
        np.testing.assert_allclose(ours, theirs.numpy(), atol=1e-10)


def knob(page: Any, i: int) -> Any:
    return page.get_by_role("slider", name=f"Feature of node {i}")


def entries(page: Any) -> list[str]:
    """What stands in the cells of the matrix."""
    return page.locator(".lf-cell + text").all_text_contents()


@browser
def test_dragging_a_feature_changes_matrix_and_response(show):
    page = show(figure())
    before = entries(page)
    assert len(before) == 36
    box = knob(page, 2).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 40, steps=4)
    page.mouse.up()
    value = float(knob(page, 2).get_attribute("aria-valuenow"))
    assert -1.5 < value < 1.5
    moved = [*STEP[:2], value, *STEP[3:]]
    A = by_the_book("softmax", moved, 2.0)[0]
    assert entries(page) == [f"{a:.2f}" for a in A.flatten().tolist()]
    assert entries(page) != before
    page.get_by_role("button", name="step").click()
    assert entries(page) == before


@browser
def test_the_mode_that_the_features_carry_comes_out_strongest(show):
    page = show(figure())
    assert page.locator("p", has_text="others, λ = 0.19 comes").count() == 1
    page.get_by_role("button", name="wave").click()
    assert page.locator("p", has_text="others, λ = 2 comes").count() == 1


@browser
def test_keys_move_a_feature_and_stay_inside(show):
    page = show(figure())
    page.evaluate(
        "() => { window.seen = []; document.addEventListener("
        "'keydown', (event) => window.seen.push(event.key)); }"
    )
    knob(page, 0).focus()
    for key in ("ArrowUp", "PageUp", "ArrowRight", "Home"):
        page.keyboard.press(key)
    assert knob(page, 0).get_attribute("aria-valuenow") == "-0.9"
    assert knob(page, 1).get_attribute("aria-valuenow") == "-2"
    page.keyboard.press("Tab")
    assert page.evaluate("window.seen") == ["Tab"]


@browser
def test_the_weight_and_the_kind_change_the_matrix_and_it_is_said(show):
    page = show(figure())
    weight = page.get_by_role("slider", name="query · key weight s")
    weight.focus()
    page.keyboard.press("Home")
    assert float(weight.input_value()) == -4
    assert entries(page)[0] == "0.00"  # like repels like
    page.get_by_role("button", name="linear").click()
    assert entries(page)[0] == "−9.00"
    page.locator("[aria-live]").filter(has_text="strongest").wait_for(
        state="attached", timeout=3000
    )


@browser
def test_a_phone_shows_it_whole_with_targets_large_enough(show):
    page = show(figure(), width=340)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340
    for target in page.locator(".lf button, .lf input, .lf-handle").all():
        assert target.bounding_box()["height"] >= 24


@browser
def test_without_scripts_the_still_picture_is_seen(show):
    page = show(figure(), java_script_enabled=False)
    assert page.locator("img[data-fallback]").bounding_box()["height"] > 100


def test_the_still_picture_shows_the_gains():
    assert figure().to_html() == figure().to_html()
    heights = re.findall(r'<rect [^>]*height="([\d.]+)"', figure().fallback)
    g = by_the_book("softmax", STEP, 2.0)[2].numpy()
    expected = 130 * g / max(1.05, g.max())
    # The picture has one decimal.
    np.testing.assert_allclose(
        [float(h) for h in heights], expected, atol=0.06
    )


def test_what_the_figure_cannot_show_is_refused():
    with pytest.raises(UnknownNameError, match="softmax, efficient, linear"):
        figure(kind="flash")
    with pytest.raises(GrokbookError, match="at least one"):
        attention_modes({}, alt="A path.")
    for x in ([1.0, 2.0], [0.0, 3.0, 0.0], [0.0, float("nan"), 0.0]):
        with pytest.raises(SignalError, match="between −2 and 2"):
            attention_modes({"far": (x, 1)}, alt="A path.")
    with pytest.raises(SignalError, match="as many in each"):
        attention_modes({"a": (STEP, 1), "b": ([1, 2, 1], 1)}, alt="A path.")
    with pytest.raises(GrokbookError, match="s = 9"):
        attention_modes({"steep": (STEP, 9)}, alt="A path.")
