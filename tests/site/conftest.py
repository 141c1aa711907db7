"""Build the fixture and the book once, and serve them."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from building import (
    HERE,
    ROOT,
    SITE,
    Build,
    alone,
    build,
    copy_book,
    copy_fixture,
    install,
)

collect_ignore_glob = ["fixture/*", "node_modules/*"]


@pytest.fixture(scope="session")
def tools() -> Path:
    """The folder with html-validate and axe-core, installed if need be."""
    install(HERE)
    return HERE / "node_modules"


@pytest.fixture(scope="session")
def theme() -> Path:
    """The theme, with KaTeX installed if need be."""
    install(SITE)
    return SITE


@pytest.fixture(scope="session")
def build_project(theme: Path) -> Callable[..., Build]:
    """Build any project; builds wait for each other, for MyST's ports."""

    def run(project: Path, *prefix: str, base: str = "") -> Build:
        with alone("build"):
            return build(project, *prefix, base=base)

    return run


@pytest.fixture(scope="session")
def built_site(
    build_project: Callable[..., Build],
    tmp_path_factory: pytest.TempPathFactory,
) -> Build:
    """The fixture project, built."""
    done = build_project(copy_fixture(tmp_path_factory.mktemp("fixture")))
    assert done.code == 0, done.log
    return done


@pytest.fixture(scope="session")
def book_site(
    build_project: Callable[..., Build],
    tmp_path_factory: pytest.TempPathFactory,
) -> Build:
    """The book itself, built without a warning."""
    assert (ROOT / "myst.yml").is_file(), "there is no book to build"
    done = build_project(copy_book(tmp_path_factory.mktemp("book")))
    assert done.code == 0, done.log
    return done


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, with the site's own page for what is not there."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def served() -> Iterator[Callable[[Path], str]]:
    """Serve a folder on the loopback and return its address."""
    servers: list[ThreadingHTTPServer] = []

    def serve(folder: Path) -> str:
        handler = partial(Quiet, directory=str(folder))
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
