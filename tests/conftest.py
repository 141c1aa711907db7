"""One way to a real browser, and the reader's data left as they were."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
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


def inventory(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file and folder below a folder, its size and time of change."""
    return {
        str(path): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in [folder, *folder.rglob("*")]
    }


@pytest.fixture(scope="session", autouse=True)
def _data_are_left_as_they_were() -> Iterator[None]:
    """No test, of whatever file, changes what `$GROKBOOK_DATA` holds."""
    folder = os.environ.get("GROKBOOK_DATA")
    before = inventory(Path(folder)) if folder else {}
    yield
    after = inventory(Path(folder)) if folder else {}
    assert after == before, "a test wrote into $GROKBOOK_DATA"
