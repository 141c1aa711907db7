"""The chapters open in JupyterLab: no dialog, pictures seen, figures live."""

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9]*.ipynb"))
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the chapters, as a clone would have them."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "chapters", folder / "chapters")
    shutil.copy(ROOT / "jupytext.toml", folder)
    return folder


@pytest.fixture(scope="module")
def lab(home: Path) -> Iterator[str]:
    """JupyterLab on the loopback, with settings and signatures of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    jupyter = [sys.executable, "-m", "jupyter"]
    own = {f"JUPYTER_{name}_DIR": str(home) for name in ("DATA", "CONFIG")}
    # Only the second chapter is trusted: the first is seen as in a new clone.
    run = {"cwd": home, "env": {**os.environ, **own}}
    trusted = f"chapters/{CHAPTERS[1].name}"
    subprocess.run([*jupyter, "trust", trusted], check=True, **run)
    server = subprocess.Popen(
        [
            *[*jupyter, "lab", "chapters/", "--no-browser", "--allow-root"],
            f"--ServerApp.port={port}",
            "--ServerApp.ip=127.0.0.1",
            "--IdentityProvider.token=",
            "--LabApp.news_url=None",
        ],
        stderr=subprocess.DEVNULL,
        **run,
    )
    address = f"http://127.0.0.1:{port}/lab"
    wait_for(address)
    yield address
    server.terminate()
    server.wait(timeout=30)


def wait_for(address: str) -> None:
    """Wait until a server answers."""
    import time

    for _ in range(120):
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.5)
    pytest.fail("JupyterLab did not start in a minute")


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_opens_without_a_dialog(path: Path, lab: str, browser):
    page = browser.new_page(viewport={"width": 1300, "height": 1400})
    page.goto(f"{lab}/tree/{path.name}?reset")
    notebook = page.locator(".jp-Notebook")
    notebook.locator("h1").first.wait_for(timeout=60_000)
    page.wait_for_timeout(2000)
    assert page.locator(".jp-Dialog").count() == 0
    picture = notebook.locator(":is(.jp-RenderedImage, .jp-RenderedSVG) img")
    picture.first.wait_for(state="attached", timeout=30_000)
    if path == CHAPTERS[1]:
        live = notebook.locator(".live-figure[data-ready='1']")
        live.first.wait_for(state="attached", timeout=30_000)
    else:
        still = notebook.locator(".live-figure > img")
        still.first.wait_for(state="attached", timeout=30_000)
    page.close()
