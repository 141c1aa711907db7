"""Mouse, touch and keyboard move the figures, in a real browser."""

from typing import Any

import numpy as np
import pytest

from grokbook.live import LiveFigure, graph_spectrum, response_editor

pytestmark = pytest.mark.browser

SQUARES = np.kron([[0.2, 0.9], [0.9, 0.2]], np.ones((8, 8)))


def path() -> LiveFigure:
    return graph_spectrum([(0, 1), (1, 2), (2, 3)], 4, alt="A path.")


def editor() -> LiveFigure:
    return response_editor(SQUARES, alt="Two dark and two light squares.")


def edges(page: Any) -> int:
    return page.locator(".lf-edge").count()


def told(page: Any) -> str:
    return page.locator("[aria-live]").first.text_content()


def centre(locator: Any) -> tuple[float, float]:
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, locator: Any, dx: float, dy: float) -> None:
    x, y = centre(locator)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def picture(page: Any) -> str:
    return page.locator("canvas").nth(1).evaluate("c => c.toDataURL()")


def test_clicking_two_nodes_toggles_their_edge(show):
    page = show(path())
    node = page.locator(".lf-node")
    for expected, verb in ((4, "added"), (3, "removed")):
        node.nth(0).click()
        assert node.nth(0).get_attribute("aria-pressed") == "true"
        node.nth(3).click()
        assert edges(page) == expected
        assert f"Edge 0–3 {verb}. Eigenvalues 0, " in told(page)
        assert "1 component" in told(page)


def test_tapping_two_nodes_toggles_their_edge(show):
    page = show(path(), width=360, has_touch=True)
    for i in (0, 2):
        page.touchscreen.tap(*centre(page.locator(".lf-node").nth(i)))
    assert edges(page) == 4


def test_the_keyboard_toggles_and_removes_edges(show):
    page = show(path())
    page.locator(".lf-node").nth(0).focus()
    for key in ("Enter", "End", "Space"):
        page.keyboard.press(key)
    assert edges(page) == 4
    for key in ("Enter", "Escape", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    assert edges(page) == 4  # Escape let go of the first end
    page.keyboard.press("Delete")
    assert edges(page) == 2
    assert "All edges of node 2 removed." in told(page)
    assert "twice: 2 components" in told(page)


def test_dragging_a_node_moves_it_and_keeps_the_edges(show):
    page = show(path())
    node = page.locator(".lf-node").nth(0)
    before = centre(node)
    drag(page, node, 60, 40)
    after = centre(node)
    assert after[0] - before[0] == pytest.approx(60, abs=2)
    assert after[1] - before[1] == pytest.approx(40, abs=2)
    assert edges(page) == 3
    assert node.get_attribute("aria-pressed") == "false"


def test_shift_and_arrows_move_a_node(show):
    page = show(path())
    node = page.locator(".lf-node").nth(0)
    before = centre(node)
    node.focus()
    page.keyboard.press("Shift+ArrowRight")
    assert centre(node)[0] > before[0] + 5


def test_an_eigenvalue_shows_its_eigenvector(show):
    page = show(path())
    values = page.locator(".lf-value")
    assert values.all_text_contents() == [""] * 4
    page.locator(".lf-chip").nth(0).focus()
    # λ = 0 belongs to the square roots of the degrees 1, 2, 2, 1
    assert values.all_text_contents() == ["0.41", "0.58", "0.58", "0.41"]
    page.keyboard.press("End")
    assert values.all_text_contents() == ["−0.41", "0.58", "−0.58", "0.41"]
    page.keyboard.press("Enter")
    page.locator("button", has_text="Ring").focus()
    assert values.nth(0).text_content() == "−0.41"  # pinned


def test_pointing_at_eigenvalues_does_not_move_the_page(show):
    page = show(path(), width=340)
    page.get_by_role("button", name="Star").click()
    height = "document.scrollingElement.scrollHeight"
    before = page.evaluate(height)
    for i in range(4):
        page.locator(".lf-chip").nth(i).hover()
        assert page.evaluate(height) == before


def test_pointing_at_a_dot_shows_its_eigenvector(show):
    page = show(path())
    page.locator(".lf-dot").nth(0).hover()
    assert page.locator(".lf-value").nth(1).text_content() == "0.58"
    page.mouse.move(0, 0)
    assert page.locator(".lf-value").nth(1).text_content() == ""


def test_presets_have_their_textbook_spectra(show):
    page = show(path())
    for name, count, spectrum in (
        ("Ring", 4, "0 1 1 2"),
        ("Star", 3, "0 1 1 2"),
        ("Complete", 6, "0 1.33 1.33 1.33"),
        ("Two components", 2, "0 0 2 2"),
        ("Path", 3, "0 0.5 1.5 2"),
        ("Complete", 6, "0 1.33 1.33 1.33"),
        ("Reset", 3, "0 0.5 1.5 2"),
    ):
        page.get_by_role("button", name=name).click()
        assert edges(page) == count
        chips = page.locator(".lf-chip").all_text_contents()
        assert " ".join(chips) == spectrum


def test_dragging_a_handle_changes_curve_image_and_aria(show):
    page = show(editor())
    handle = page.get_by_role("slider", name="h at λ = 1", exact=True)
    curve = page.locator(".lf-curve")
    before = curve.get_attribute("d"), picture(page)
    drag(page, handle, 0, -60)
    assert float(handle.get_attribute("aria-valuenow")) > 0.3
    assert curve.get_attribute("d") != before[0]
    assert picture(page) != before[1]
    pressed = page.locator(".lf button[aria-pressed=true]")
    assert pressed.count() == 0  # it is no preset any more


def test_keys_move_a_handle_and_its_neighbours(show):
    page = show(editor())
    page.get_by_role("button", name="identity").click()
    handle = page.get_by_role("slider", name="h at λ = 0.25", exact=True)
    before = picture(page)
    handle.focus()
    for key, value in (
        ("ArrowDown", 0.95),
        ("PageDown", 0.7),
        ("ArrowUp", 0.75),
        ("PageUp", 1),
        ("End", 1.5),
        ("ArrowUp", 1.5),
        ("Home", -0.5),
    ):
        page.keyboard.press(key)
        assert float(handle.get_attribute("aria-valuenow")) == value
    assert handle.get_attribute("aria-valuetext") == "h = −0.5"
    assert picture(page) != before
    page.keyboard.press("ArrowRight")
    focused = page.evaluate("document.activeElement.ariaLabel")
    assert focused == "h at λ = 0.5"


def test_presets_that_remove_the_mean_show_zero_as_grey(show):
    page = show(editor())
    box = page.get_by_label("show 0 as mid-grey")
    assert not box.is_checked()
    page.get_by_role("button", name="high-pass").click()
    assert box.is_checked()
    grey = picture(page)
    box.uncheck()
    assert picture(page) != grey


def test_stretching_shows_what_is_too_faint_to_see(show):
    page = show(editor())
    page.get_by_role("button", name="identity").click()
    for handle in page.get_by_role("slider").all():
        handle.press("Home")
        for _ in range(2):
            handle.press("PageUp")
    page.get_by_role("slider").last.press("ArrowUp")  # 0.05 at λ = 2 alone
    page.get_by_label("show 0 as mid-grey").check()

    def greys() -> set[int]:
        code = (
            "c => [...c.getContext('2d').getImageData("
            "0, 0, c.width, c.height).data].filter((_, i) => i % 4 === 0)"
        )
        return set(page.locator("canvas").nth(1).evaluate(code))

    assert max(greys()) - min(greys()) < 30
    page.get_by_label("stretch the contrast").check()
    assert max(greys()) == 255 or min(greys()) == 0
    assert page.get_by_text("· h(L) x").is_visible()


def test_the_result_is_announced_after_a_pause(show):
    page = show(editor())
    page.get_by_role("button", name="identity").click()
    region = page.locator("[aria-live]")
    region.filter(has_text="Energy kept 100 %").wait_for(
        state="attached", timeout=3000
    )
    assert region.count() == 1  # one voice, not several


@pytest.mark.parametrize("make", [path, editor])
def test_keys_stay_inside_the_figure(show, make):
    page = show(make())
    page.evaluate(
        "() => { window.seen = []; document.addEventListener("
        "'keydown', (event) => window.seen.push(event.key)); }"
    )
    focusable = page.locator(".lf [tabindex='0'], .lf button")
    for i in range(focusable.count()):
        focusable.nth(i).focus()
        for key in ("ArrowUp", "ArrowRight", "Enter", "Escape"):
            page.keyboard.press(key)
    page.keyboard.press("Tab")
    assert page.evaluate("window.seen") == ["Tab"]


@pytest.mark.parametrize("make", [path, editor])
def test_a_narrow_page_fits_and_keeps_targets_large(show, make):
    page = show(make(), width=340)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340
    # What is hit 11.5 pixels right of and below each target's centre? A
    # bounding box would not do: it counts parts that take no pointer.
    missed = page.evaluate(
        """() => [...document.querySelectorAll(
          ".lf button, .lf-node, .lf-handle, .lf label")].filter((target) => {
          const box = target.getBoundingClientRect();
          const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
          const hit = (dx, dy) => target.contains(
            document.elementFromPoint(x + dx, y + dy));
          return !hit(11.5, 0) || !hit(0, 11.5);
        }).map((target) => target.outerHTML)"""
    )
    assert missed == []


@pytest.mark.parametrize("make", [path, editor])
def test_without_scripts_the_still_picture_is_seen(show, make):
    page = show(make(), java_script_enabled=False)
    still = page.locator("img[data-fallback]")
    assert still.is_visible()
    assert still.bounding_box()["height"] > 100


@pytest.mark.parametrize("make", [path, editor])
def test_with_scripts_the_figure_replaces_the_still_picture(show, make):
    page = show(make(), make())  # twice: both must start
    assert page.locator(".live-figure[data-ready='1'] .lf").count() == 2
    assert page.locator("img[data-fallback]").count() == 0


def test_a_module_that_throws_leaves_the_still_picture(show):
    still = path().fallback
    page = show(LiveFigure("graph_spectrum", alt="Broken.", fallback=still))
    assert page.locator("img[data-fallback]").is_visible()
    assert page.get_by_text("This figure could not start").is_visible()
    assert page.locator("[data-ready]").count() == 0
