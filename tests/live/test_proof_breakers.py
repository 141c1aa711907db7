"""The two figures of chapter 06: what is computed, and what moves."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from graphs import without_shape_checks

from grokbook.errors import GrokbookError, ResponseError, SignalError
from grokbook.laplacian import laplacian
from grokbook.live import LiveFigure, eigenspace_cut, sinusoid_gap

X = [3.0, -1.0, 2.0, 0.0, -2.0, 1.0, 0.0, 1.0]
STARTS = {"sine": (1.0, 0.0), "other": (1.75, -0.17)}


def gap_figure() -> LiveFigure:
    return sinusoid_gap(STARTS, alt="A line and a sinusoid.")


def cut_figure(q: int = 4) -> LiveFigure:
    return eigenspace_cut(X, lambda lam: torch.exp(-lam), q=q, alt="A ring.")


def ring(n: int) -> np.ndarray:
    i = np.arange(n)
    step = np.stack([i, (i + 1) % n])
    both = np.concatenate([step, step[::-1]], axis=1)
    return laplacian(both, n).to_dense().numpy()


@pytest.mark.browser
def test_the_gap_agrees_with_numpy(call):
    lam = np.linspace(0, 2, 401)
    for slope, R, phi in ((1, 1, 0), (1, 1.6, -0.2), (2.5, 3, 1.1)):
        error = np.abs(slope * lam - R * np.sin(lam + phi))
        found = call("sinusoid_gap", "(m, ...v) => m.gap(...v)", slope, R, phi)
        assert found["size"] == pytest.approx(error.max(), abs=1e-12)
        assert found["at"] == pytest.approx(lam[error.argmax()])


@pytest.mark.browser
def test_no_sinusoid_gets_below_the_bound(call):
    bound = call("sinusoid_gap", "(m) => m.bound(1)")
    assert bound == pytest.approx(np.tan(0.5) ** 2)
    lam = np.linspace(0, 2, 401)
    R = np.linspace(0, 3, 61)[:, None, None]
    phi = np.linspace(-math.pi, math.pi, 121)[:, None]
    least = np.abs(lam - R * np.sin(lam + phi)).max(axis=2).min()
    assert bound < least < bound + 0.02  # the grid is 0.05 wide


@pytest.mark.browser
@pytest.mark.parametrize("n", [3, 8, 11])
@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_the_waves_are_an_eigenbasis_of_the_ring(call, n, angle):
    waves = call("eigenspace_cut", "(m, ...v) => m.waves(...v)", n, angle)
    U = np.array([wave["u"] for wave in waves]).T
    lam = np.array([wave["lam"] for wave in waves])
    np.testing.assert_allclose(U.T @ U, np.eye(n), atol=1e-12)
    np.testing.assert_allclose(ring(n) @ U, U * lam, atol=1e-12)
    np.testing.assert_allclose(lam, np.linalg.eigvalsh(ring(n)), atol=1e-12)


@pytest.mark.browser
def test_whole_eigenspaces_do_not_turn_and_parted_ones_do(call):
    lam, U = np.linalg.eigh(ring(8))
    h = np.exp(-np.array([lam[0], lam[1], lam[3], lam[5], lam[7]]))
    for q in range(1, 9):
        still, turned = (
            np.array(
                call("eigenspace_cut", "(m, ...v) => m.truncated(...v)",
                     X, h.tolist(), q, angle)
            )
            for angle in (0, 0.6)
        )  # fmt: skip
        cut = call("eigenspace_cut", "(m, ...v) => m.torn(...v)", 8, q)
        if q in (2, 4, 6):
            assert cut == pytest.approx(lam[q])
            assert np.abs(still - turned).max() > 0.01
        else:
            exact = U[:, :q] @ (np.exp(-lam[:q]) * (U[:, :q].T @ X))
            assert cut is None
            np.testing.assert_allclose(turned, exact, atol=1e-12)


def slide(page: Any, name: str, share: float) -> None:
    """Drag the thumb of a slider to a share of its way."""
    box = page.get_by_role("slider", name=name).bounding_box()
    y = box["y"] + box["height"] / 2
    value = page.get_by_role("slider", name=name).evaluate(
        "s => (s.value - s.min) / (s.max - s.min)"
    )
    inside = box["width"] - 16  # the thumb's middle stays inside
    page.mouse.move(box["x"] + 8 + inside * value, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 8 + inside * share, y, steps=4)
    page.mouse.up()


@pytest.mark.browser
def test_dragging_the_amplitude_moves_the_sinusoid_and_its_gap(show):
    page = show(gap_figure())
    wave = page.locator(".lf-wave")
    before = wave.get_attribute("d")
    page.get_by_text("Largest gap 1.091, at λ = 2.").wait_for()
    slide(page, "amplitude R", 0.9)
    assert wave.get_attribute("d") != before
    value = page.get_by_role("slider", name="amplitude R").input_value()
    assert float(value) == pytest.approx(2.7, abs=0.1)
    # Announced after a pause, so that a screen reader is not flooded.
    page.get_by_text("Largest gap 1.091").wait_for(state="detached")
    assert page.locator(".lf button[aria-pressed=true]").count() == 0


@pytest.mark.browser
def test_keys_and_buttons_move_the_sinusoid(show):
    page = show(gap_figure())
    phase = page.get_by_role("slider", name="phase φ")
    phase.focus()
    page.keyboard.press("ArrowRight")
    assert float(phase.input_value()) == pytest.approx(0.01, abs=0.006)
    page.get_by_role("button", name="other").click()
    amplitude = page.get_by_role("slider", name="amplitude R")
    assert float(amplitude.input_value()) == 1.75
    error = np.linspace(0, 2, 401)
    error = np.abs(error - 1.75 * np.sin(error - 0.17)).max()
    page.get_by_text(f"Largest gap {error:.3f}").wait_for()


@pytest.mark.browser
def test_turning_the_basis_changes_a_parted_pair_only(show):
    page = show(cut_figure())
    bars = "() => [...document.querySelectorAll('.lf-now')].map("
    bars += "(bar) => [bar.getAttribute('y'), bar.getAttribute('height')])"
    page.get_by_text("parts the pair at λ = 1.").wait_for()
    before = page.evaluate(bars)
    slide(page, "turn of the basis", 0.3)
    assert page.evaluate(bars) != before
    page.get_by_role("slider", name="eigenvectors kept").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Keeping 5 of 8 parts no eigenspace").wait_for()
    page.get_by_text("by up to 0.00").wait_for()
    page.get_by_role("button", name="reset").click()
    assert page.evaluate(bars) == before


@pytest.mark.browser
@pytest.mark.parametrize("make", [gap_figure, cut_figure])
def test_the_result_is_announced_and_fits_a_phone(show, make):
    page = show(make(), width=340)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    said = page.locator("[aria-live]")
    said.filter(has_text="up to" if make is cut_figure else "gap").wait_for(
        state="attached", timeout=3000
    )
    for control in page.locator(".lf input, .lf button").all():
        assert control.bounding_box()["height"] >= 24


@pytest.mark.browser
@pytest.mark.parametrize("make", [gap_figure, cut_figure])
def test_keys_stay_inside_and_the_still_gives_way(show, make):
    page = show(make(), make())
    assert page.locator(".live-figure[data-ready='1'] .lf").count() == 2
    page.evaluate(
        "() => { window.seen = []; document.addEventListener("
        "'keydown', (event) => window.seen.push(event.key)); }"
    )
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    assert page.evaluate("window.seen") == ["Tab"]


@pytest.mark.browser
@pytest.mark.parametrize("make", [gap_figure, cut_figure])
def test_without_scripts_the_still_picture_is_seen(show, make):
    page = show(make(), java_script_enabled=False)
    still = page.locator("img[data-fallback]")
    assert still.is_visible()
    assert still.bounding_box()["height"] > 100


def test_the_still_ring_shows_the_filtered_signal():
    whole = cut_figure(q=8).fallback
    lam, U = np.linalg.eigh(ring(8))
    y = U @ (np.exp(-lam) * (U.T @ X))
    tallest = 70 * np.abs(y) / np.abs(y).max()
    for height in tallest:
        assert f'height="{round(float(height), 1):g}"' in whole


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(GrokbookError, match="at least one"):
        sinusoid_gap({}, alt="A line.")
    with pytest.raises(GrokbookError, match="slope is 0"):
        sinusoid_gap(STARTS, alt="A line.", slope=0)
    with pytest.raises(GrokbookError, match="'far'"):
        sinusoid_gap({"far": (9.0, 0.0)}, alt="A line.")
    with pytest.raises(SignalError, match="one per node"):
        eigenspace_cut([1.0, 2.0], torch.exp, q=1, alt="A ring.")
    with pytest.raises(SignalError, match="finite"):
        eigenspace_cut([1.0, float("nan"), 2.0], torch.exp, q=1, alt="A ring.")
    with pytest.raises(GrokbookError, match="1 to 8 waves"):
        cut_figure(q=9)
    with without_shape_checks(), pytest.raises(ResponseError, match="finite"):
        eigenspace_cut(X, torch.log, q=1, alt="A ring.")
