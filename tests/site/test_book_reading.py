"""What a reader of the book does: look, search, drag, switch."""

import re

import nbformat
import pytest
from building import ROOT

pytestmark = pytest.mark.browser
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9]*.ipynb"))


@pytest.fixture(scope="module")
def address(book_site, served) -> str:
    return served(book_site.html)


@pytest.fixture
def page(browser, address):
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    context.set_default_timeout(5000)
    yield context.new_page()
    context.close()


def slug(path) -> str:
    """A chapter's address on the site."""
    return re.sub(r"^\d+-", "", path.stem) + "/"


def start(page, address: str):
    """Open a chapter and wait until its live figure moves."""
    page.goto(address)
    figure = page.locator(".live-figure[data-ready='1']").first
    figure.scroll_into_view_if_needed()
    return figure


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_alt_text_of_every_figure_reaches_the_page(path, page, address):
    stored = [
        out.metadata["image/svg+xml"]["alt"]
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "code"
        for out in cell.outputs
        if "image/svg+xml" in out.get("data", {})
    ]
    page.goto(address + slug(path))
    seen = page.locator("figure svg[role=img]").evaluate_all(
        "all => all.map(svg => svg.getAttribute('aria-label'))"
    )
    assert stored == seen


def test_search_finds_fiedler(page, address):
    page.goto(address)
    page.keyboard.press("/")
    page.keyboard.type("Fiedler")
    page.wait_for_selector(".hit[aria-selected=true]")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/(laplacian-spectra|glossary)/"))
    assert "Fiedler" in page.locator("main").inner_text()


def test_the_choice_of_dark_survives_a_reload_and_a_new_page(page, address):
    page.emulate_media(color_scheme="light")
    page.goto(address)
    button = page.locator("#theme-button")
    for _ in range(3):
        if button.get_attribute("aria-label") != "Colours: dark":
            button.press("Enter")
    page.reload()
    assert button.get_attribute("aria-label") == "Colours: dark"
    page.goto(address + slug(CHAPTERS[0]))
    assert button.get_attribute("aria-label") == "Colours: dark"


def test_the_graph_of_chapter_1_follows_mouse_and_keys(page, address):
    figure = start(page, address + "laplacian-spectra/")
    node, edge = figure.locator(".lf-node"), figure.locator(".lf-edge")
    before = edge.count()
    node.nth(0).click()
    node.nth(2).click()
    assert edge.count() == before + 1
    node.nth(3).focus()
    page.keyboard.press("Delete")
    assert edge.count() == before - 2  # node 3 had three edges
    assert "3 components" in figure.inner_text()
    x, y = centre(node.nth(4))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y - 40, steps=4)
    page.mouse.up()
    assert centre(node.nth(4)) != (x, y)


def test_the_response_of_chapter_2_follows_mouse_and_keys(page, address):
    figure = start(page, address + "graph-filters/")
    canvas = figure.locator("canvas").nth(1)
    handle = figure.locator("[role=slider]").nth(2)
    seen = [canvas.evaluate("c => c.toDataURL()")]
    x, y = centre(handle)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 40, steps=4)
    page.mouse.up()
    seen.append(canvas.evaluate("c => c.toDataURL()"))
    value = float(handle.get_attribute("aria-valuenow"))
    handle.focus()
    page.keyboard.press("ArrowUp")
    seen.append(canvas.evaluate("c => c.toDataURL()"))
    assert float(handle.get_attribute("aria-valuenow")) > value
    assert len(set(seen)) == 3


def test_without_scripts_the_still_pictures_are_seen(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for path in CHAPTERS:
        page.goto(address + slug(path))
        still = page.locator(".live-figure > img").first
        assert still.is_visible()
        assert still.bounding_box()["height"] > 100
    context.close()


def centre(locator) -> tuple[float, float]:
    """The middle of an element on the screen."""
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
