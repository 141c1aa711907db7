"""Read what MyST serves while it builds."""

import json
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen


class Content:
    """MyST's content server, asked by path."""

    def __init__(self, address: str) -> None:
        """Remember the server's address; nothing is read yet."""
        self.address = address.rstrip("/")

    def data(self, path: str) -> bytes:
        """Return the bytes at ``path``."""
        url = f"{self.address}/{quote(path.lstrip('/'))}"
        with urlopen(url, timeout=60) as answer:
            return answer.read()

    def json(self, path: str) -> Any:
        """Return the parsed JSON at ``path``."""
        return json.loads(self.data(path))

    def text(self, path: str) -> str:
        """Return the text at ``path``."""
        return self.data(path).decode()

    def page(self, slug: str) -> dict[str, Any]:
        """Return one page: its front matter, its tree, its references."""
        return self.json(f"content/{slug}.json")
