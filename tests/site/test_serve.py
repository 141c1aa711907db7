"""The book while it is written: ``jupyter book start``."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
from building import copy_fixture, surroundings

from grokbook.files import put
from grokbook.site.book import Book, Entry
from grokbook.site.content import Content
from grokbook.site.pages import PageMaker
from grokbook.site.render import write_pages
from grokbook.site.serve import FreshPages


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address: str, seconds: int = 40) -> str:
    end = time.monotonic() + seconds
    while True:
        try:
            with urlopen(address, timeout=5) as answer:
                return answer.read().decode()
        except (URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.3)


@pytest.fixture
def project(theme: Path, tmp_path: Path) -> Path:
    return copy_fixture(tmp_path)


@pytest.fixture
def address(project: Path) -> Iterator[str]:
    port, content = free_port(), free_port()
    command = [sys.executable, "-m", "jupyter", "book", "start"]
    command += ["--port", str(port), "--server-port", str(content)]
    with subprocess.Popen(
        command,
        cwd=project,
        env=surroundings(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as server:
        try:
            yield f"http://localhost:{port}/"
        finally:
            os.killpg(server.pid, signal.SIGTERM)


def test_a_changed_page_is_new_at_the_next_visit(address, project):
    assert "Every construct" in wait_for(address + "constructs/")
    page = project / "chapters" / "glossary.md"
    words = page.read_text(encoding="utf-8") + "\nWords added while serving.\n"
    page.write_text(words, encoding="utf-8")
    end = time.monotonic() + 20
    while "added while serving" not in wait_for(address + "glossary/"):
        assert time.monotonic() < end, "the page stays old"
        time.sleep(0.3)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[str]:
    """The pages' server while MyST does not answer."""
    content = Content(f"http://127.0.0.1:{free_port()}")
    handler = partial(FreshPages, content=content, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_page_not_built_yet_says_so(alone):
    with pytest.raises(HTTPError) as caught:
        urlopen(alone + "chapter/", timeout=10)
    with caught.value as answer:
        assert answer.code == 503
        assert "MyST does not answer" in answer.read().decode()


def test_a_page_built_before_is_shown_while_myst_is_away(alone, tmp_path):
    put(tmp_path / "chapter" / "index.html", "as it was")
    with urlopen(alone + "chapter/", timeout=10) as answer:
        assert answer.read() == b"as it was"


class OnePage(PageMaker):
    """A book of one page, drawn anew each time."""

    def __init__(self) -> None:
        entry = Entry("Chapter", 1, "chapter")
        super().__init__(Book("", "", "", "", "", (), (entry,)), base="")
        self.drawn = iter(["the old page", "new"])

    def page(self, entry: Entry, content: Content) -> str:
        return next(self.drawn)


def test_a_page_that_is_being_read_stays_whole(tmp_path):
    maker, content = OnePage(), Content("http://none")
    write_pages(maker, content, tmp_path)
    page = tmp_path / "chapter" / "index.html"
    with page.open() as reader:
        write_pages(maker, content, tmp_path)
        assert reader.read() == "the old page"
    assert page.read_text() == "new"
    assert [file.name for file in page.parent.iterdir()] == ["index.html"]
