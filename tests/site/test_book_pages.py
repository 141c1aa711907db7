"""Every page of the book itself, on disk and in a real browser."""

import pytest
from looking import dead_links, html_mistakes, look_at, read


def test_the_book_builds_without_a_warning(book_site):
    assert "⚠" not in book_site.log, book_site.log
    assert "⛔" not in book_site.log, book_site.log


def test_no_id_is_used_twice_on_a_page(book_site):
    for page in book_site.pages:
        ids = read(book_site.text(page)).ids
        twice = {one for one in ids if ids.count(one) > 1}
        assert not twice, page


def test_every_link_and_fragment_leads_somewhere(book_site):
    assert dead_links(book_site) == []


def test_the_pages_are_valid_html(book_site, tools):
    assert html_mistakes(book_site, tools) == []


@pytest.mark.browser
def test_nothing_is_wrong_with_any_page(book_site, served, browser, tools):
    address = served(book_site.html)
    wrong = {
        page: look_at(browser, address + page, tools)
        for page in book_site.pages
    }
    assert {page: found for page, found in wrong.items() if found} == {}
