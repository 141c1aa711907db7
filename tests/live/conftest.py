"""Live figures on a page of a real browser."""

import base64
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grokbook.live import LiveFigure, bundle


@pytest.fixture(scope="module")
def new_page(browser: Any) -> Callable[..., Any]:
    """Pages of the browser.

    Tests that ask for the same options get the same page, emptied.
    """
    opened: dict[str, Any] = {}

    def page_with(**options: Any) -> Any:
        key = repr(sorted(options.items()))
        page = opened.get(key) or browser.new_page(**options)
        page.goto("about:blank")
        return opened.setdefault(key, page)

    return page_with


@pytest.fixture
def show(new_page: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Put figures on a page; fail on any script error."""
    pages: list[Any] = []
    errors: list[str] = []

    def note(error: Any) -> None:
        errors.append(str(error))

    def open_page(
        *figures: LiveFigure, width: int = 900, **options: Any
    ) -> Any:
        size = {"width": width, "height": 900}
        page = new_page(viewport=size, **options)
        page.on("pageerror", note)
        pages.append(page)
        body = "\n".join(figure.to_html() for figure in figures)
        page.set_content(
            '<!doctype html><html lang="en"><title>Figures</title>'
            f'<body style="margin: 0">{body}</body></html>'
        )
        return page

    yield open_page
    for page in pages:
        page.remove_listener("pageerror", note)
    assert errors == []


@pytest.fixture
def call(show: Callable[..., Any]) -> Callable[..., Any]:
    """Run JavaScript on a module's functions: `m` is its default export."""
    page = show()

    def run(module: str, code: str, *values: Any) -> Any:
        source = base64.b64encode(bundle(module).encode()).decode()
        return page.evaluate(
            "async ([source, values]) => {"
            "const m = (await import('data:text/javascript;base64,'"
            f" + source)).default; return ({code})(m, ...values); }}",
            [source, list(values)],
        )

    return run
