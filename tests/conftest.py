"""One way to a real browser, for every test that looks at what is seen."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from grokbook.doctor import BROWSERS

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, headless; without it tests skip, or fail if they must run.

    It closes with the file: its event loop would get in the way of tests
    that start kernels.
    """
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        if os.environ.get("GROKBOOK_REQUIRE_BROWSER") == "1":
            pytest.fail("no Chromium, and GROKBOOK_REQUIRE_BROWSER=1")
        pytest.skip("no Chromium on the PATH: install the package chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()
