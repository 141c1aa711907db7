"""Serve the book while it is written: ``jupyter book start`` runs this.

MyST sets ``PORT``, ``HOST`` and ``CONTENT_CDN_PORT``. Each page that the
browser asks for is rendered anew, so a reload shows the latest text.
"""

import os
import sys
import tempfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

from grokbook.site.content import Content
from grokbook.site.errors import BuildError
from grokbook.site.render import render, setting


class FreshPages(SimpleHTTPRequestHandler):
    """Renders the site again whenever a page is asked for."""

    lock = Lock()

    def __init__(self, *args: Any, content: Content, **options: Any) -> None:
        """Take the content server beside what the base class takes."""
        self.content = content
        super().__init__(*args, **options)

    def do_GET(self) -> None:
        """Answer a request; only pages, not files, render the site."""
        is_page = "." not in self.path.rpartition("/")[2]
        problem = self.refresh() if is_page else ""
        if problem and not Path(self.translate_path(self.path)).exists():
            self.send_error(503, "This page is not built yet", problem)
        else:
            super().do_GET()

    def refresh(self) -> str:
        """Render; say what failed. A page that fails is kept as it was."""
        problem = ""
        try:
            with self.lock:
                render(self.content, Path(self.directory), base="")
        except BuildError as error:
            problem = str(error)
        except (OSError, ValueError) as error:
            # MyST stops serving, or serves half a file, while it rebuilds.
            problem = f"MyST does not answer: {error}. Reload in a moment."
        if problem:
            print(problem, file=sys.stderr, flush=True)
        return problem

    def log_message(self, *args: Any) -> None:
        """Say nothing about ordinary requests."""


def main() -> None:
    """Serve until stopped."""
    try:
        port = int(setting("PORT", "start"))
        source = setting("CONTENT_CDN_PORT", "start")
    except BuildError as problem:
        sys.exit(str(problem))
    host = os.environ.get("HOST", "localhost")
    content = Content(f"http://localhost:{source}")
    with tempfile.TemporaryDirectory(prefix="grokbook-site-") as folder:
        handler = partial(FreshPages, content=content, directory=folder)
        with ThreadingHTTPServer((host, port), handler) as server:
            # MyST waits for a line with these words.
            print(f"Server started at http://{host}:{port}", flush=True)
            server.serve_forever()


if __name__ == "__main__":
    main()
