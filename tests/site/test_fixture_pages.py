"""The fixture in a real browser: how it looks and how it behaves."""

import re

import pytest
from looking import PAINTED, UNFOLD, look_at

pytestmark = pytest.mark.browser
PAGES = ["", "constructs/", "notebook/", "glossary/", "404.html"]


@pytest.fixture(scope="module")
def address(built_site, served) -> str:
    return served(built_site.html)


@pytest.fixture
def page(browser, address):
    context = browser.new_context(
        viewport={"width": 1400, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(5000)
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(5000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wrong_with_the_page(browser, address, tools, name):
    assert look_at(browser, address + name, tools) == []


def test_search_finds_a_word_by_keyboard(page, address):
    page.goto(address)
    page.keyboard.press("/")
    page.keyboard.type("power iteration")
    page.wait_for_selector(".hit[aria-selected=true]")
    box = page.locator("#search")
    assert box.get_attribute("aria-expanded") == "true"
    first = box.get_attribute("aria-activedescendant")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert box.get_attribute("aria-activedescendant") == first
    assert page.locator(".hit mark").first.is_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/constructs/#"))


def test_search_opens_with_control_k_and_closes_with_escape(page, address):
    page.goto(address + "constructs/")
    page.keyboard.press("Control+k")
    page.keyboard.type("theorem")
    page.wait_for_selector(".hit")
    page.keyboard.press("Escape")
    assert page.locator("#hits").is_hidden()
    assert page.locator("#search").get_attribute("aria-expanded") == "false"


def test_a_word_that_is_nowhere_is_said_to_be_nowhere(page, address):
    page.goto(address)
    page.keyboard.press("/")
    page.keyboard.type("zzzz")
    page.wait_for_function(
        "document.querySelector('#hit-count').textContent === 'No results'"
    )
    assert page.locator("#hit-count").bounding_box()["height"] > 20


def search_for(page, words: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type(words)


def test_search_marks_words_with_accents_where_they_stand(page, address):
    # One accent is part of its letter, the others follow theirs.
    text = "Fe\u0301jer " * 20 + "and Fej\u00e9r summed."
    record = {"page": "Sums", "section": "", "url": "", "text": text}
    page.route("**/search.json", lambda route: route.fulfill(json=[record]))
    page.goto(address)
    search_for(page, "summed")
    marks = page.locator(".hit mark")
    marks.first.wait_for()
    assert marks.all_inner_texts() == ["summed"]
    assert "and Fej\u00e9r" in page.locator(".hit small").inner_text()
    page.locator("#search").fill("fejer")
    assert set(marks.all_inner_texts()) == {"Fe\u0301jer", "Fej\u00e9r"}


def test_a_lost_search_index_is_said_and_tried_again(page, address):
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    page.route("**/search.json", lambda route: route.abort())
    page.goto(address)
    search_for(page, "matri")
    status = page.locator("#hit-count")
    page.wait_for_function(
        "document.querySelector('#hit-count').textContent"
        " === 'Search could not be loaded'"
    )
    assert status.bounding_box()["height"] > 20
    page.unroute("**/search.json")
    page.keyboard.type("x")
    page.wait_for_selector(".hit")
    assert status.bounding_box()["height"] <= 1
    assert errors == []


def test_a_key_event_without_a_key_does_no_harm(page, address):
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    page.goto(address)
    page.evaluate(
        "document.querySelector('#search').dispatchEvent("
        "new Event('keydown', {bubbles: true}))"
    )
    assert errors == []


def test_the_choice_of_dark_survives_a_reload(page, address):
    page.emulate_media(color_scheme="light")
    page.goto(address)
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    button = page.locator("#theme-button")
    button.press("Enter")
    button.press("Enter")
    assert button.get_attribute("aria-label") == "Colours: dark"
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark
    assert button.get_attribute("aria-label") == "Colours: dark"


def test_plots_follow_the_colours_of_the_page(page, address):
    page.goto(address + "notebook/")
    colour = """getComputedStyle(document.querySelector(
        '.plot path[style*="--fig-1"]')).stroke"""
    page.emulate_media(color_scheme="light")
    assert page.evaluate(colour) == "rgb(0, 114, 178)"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) == "rgb(86, 180, 233)"


def test_tabs_move_with_the_arrow_keys_and_stay_in_step(page, address):
    page.goto(address + "constructs/")
    tabs = page.locator("[role=tab]")
    tabs.nth(0).focus()
    page.keyboard.press("ArrowRight")
    chosen = page.locator("[role=tab][aria-selected=true]")
    assert chosen.all_inner_texts() == ["Shell", "Shell"]
    assert tabs.nth(1).evaluate("tab => tab === document.activeElement")
    assert page.locator("[role=tabpanel]:visible").count() == 2


@pytest.mark.parametrize(
    ("name", "link", "expected"),
    [
        ("constructs/", "a.reference[href='#eq-laplacian']", "(1)"),
        ("constructs/", "a.reference[href='#thm-range']", "Theorem 1"),
        ("constructs/", "a.term", "sorted"),
        ("constructs/", "a.citation", "Spectral Graph Theory"),
        ("constructs/", "a.footnote", "The note has"),
        ("notebook/", "a.reference[href$='#fig-path']", "A path of four"),
        ("notebook/", "a.reference[href$='#sec-text']", "Plain text"),
    ],
)
def test_a_reference_shows_what_it_leads_to(
    page, address, name, link, expected
):
    page.goto(address + name)
    page.wait_for_load_state("networkidle")
    reference = page.locator(f"main {link}").first
    reference.hover()
    assert expected in page.locator("#preview").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#preview").count() == 0
    page.mouse.move(0, 0)
    page.keyboard.press("Tab")
    reference.focus()
    assert expected in page.locator("#preview").inner_text()
    assert reference.get_attribute("aria-describedby") == "preview"


def test_code_is_copied_by_keyboard(page, address):
    page.goto(address + "notebook/")
    button = page.locator(".copy").first
    button.press("Enter")
    page.wait_for_selector(".copy.done")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("import numpy as np\n")


def test_the_drawer_opens_and_closes_by_keyboard(phone, address):
    phone.goto(address + "constructs/")
    drawer, button = (
        phone.locator("#contents"),
        phone.locator("#drawer-button"),
    )
    assert drawer.is_hidden()
    button.press("Enter")
    assert drawer.is_visible()
    assert button.get_attribute("aria-expanded") == "true"
    current = "document.activeElement.getAttribute('aria-current')"
    assert phone.evaluate(current) == "page"
    phone.keyboard.press("Escape")
    drawer.wait_for(state="hidden")
    assert button.evaluate("button => button === document.activeElement")


SCROLLERS = """() => [...document.querySelectorAll('main *')].filter((e) =>
  e.scrollWidth > e.clientWidth + 1 && e.checkVisibility()
  && ['auto', 'scroll'].includes(getComputedStyle(e).overflowX))"""


@pytest.mark.parametrize("name", ["constructs/", "notebook/"])
def test_what_scrolls_sideways_has_the_keyboard_and_a_shade(
    phone, address, name
):
    phone.goto(address + name)
    phone.evaluate(UNFOLD)
    phone.evaluate(PAINTED)
    found = phone.evaluate(
        f"({SCROLLERS})().map((e) => [e.outerHTML.slice(0, 60), e.tabIndex,"
        " getComputedStyle(e).boxShadow])"
    )
    assert found
    for html, tab, shade in found:
        assert tab == 0, html
        assert "inset" in shade, html


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_shade_lies_where_more_of_the_equation_is(phone, address, scheme):
    phone.emulate_media(color_scheme=scheme)
    phone.goto(address + "constructs/")
    box = phone.locator(".equation .scroll.more-after").first
    box.scroll_into_view_if_needed()
    shadow = "e => getComputedStyle(e).boxShadow"
    start = box.evaluate(shadow)
    handle = box.element_handle()
    handle.evaluate("e => { e.scrollLeft = 1e6; }")
    phone.wait_for_function(
        "e => e.className === 'scroll more-before'", arg=handle
    )
    assert handle.evaluate(shadow) != start


def test_a_formula_that_its_font_widens_can_be_reached(page, address):
    page.goto(address + "constructs/")
    page.evaluate("document.fonts.ready")
    box = page.locator(".equation .scroll:not([tabindex])").first
    handle = box.element_handle()
    handle.evaluate(
        "e => { e.firstElementChild.style.width = '200rem';"
        " document.fonts.dispatchEvent(new Event('loadingdone')); }"
    )
    assert handle.get_attribute("tabindex") == "0"


def test_the_marker_follows_the_reader(page, address):
    page.goto(address + "constructs/")
    here = page.locator(".on-page a[href='#sec-math'][aria-current]")
    assert here.count() == 0
    page.evaluate("document.getElementById('sec-math').scrollIntoView()")
    here.wait_for(state="attached", timeout=2000)
    assert page.locator(".on-page [aria-current]").count() == 1


def test_a_link_into_a_fold_opens_it(page, address):
    page.goto(address + "constructs/#sol-count")
    fold = page.locator("#sol-count")
    assert fold.evaluate("fold => fold.open")


def test_a_live_figure_runs(page, address):
    page.goto(address + "notebook/")
    page.wait_for_selector(".live-figure[data-ready] input")
    assert page.locator(".live-figure:not([data-ready])").count() == 0


def test_paper_shows_folded_solutions_and_no_chrome(page, address):
    page.goto(address + "constructs/")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.get_by_text("Three.", exact=True).is_visible()
    assert page.locator(".bar").is_hidden()
    assert page.locator("#contents").is_hidden()
    assert page.locator(".tab").nth(1).is_visible()


def test_the_page_reads_without_scripts(browser, address):
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    page.goto(address + "constructs/")
    assert page.locator(".tab").nth(1).is_visible()
    assert page.locator("#contents").is_visible()
    assert page.locator("#search").is_hidden()
    page.goto(address + "notebook/")
    assert page.locator(".live-figure svg").is_visible()
    page.locator("#sol-degree > summary").click()
    assert page.locator("#sol-degree pre").first.is_visible()
    context.close()
