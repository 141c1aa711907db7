"""Where a page's links lead."""

import re
from dataclasses import dataclass

ABSOLUTE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)


@dataclass(frozen=True)
class Links:
    """Addresses as seen from one page.

    ``root`` leads from the page to the front of the site. With a base
    address it is that address; without one it climbs (``../``), so that the
    built folder can be served from anywhere.
    """

    root: str

    @classmethod
    def seen_from(cls, path: str, base: str) -> "Links":
        """Make the links of the page that lies at ``path``.

        Examples:
            >>> Links.seen_from("chapter/", base="").root
            '../'
            >>> Links.seen_from("chapter/", base="/book").root
            '/book/'
        """
        if base:
            return cls(base.rstrip("/") + "/")
        return cls("../" * path.count("/") or "./")

    def page(self, url: str) -> str:
        """Lead to a page of the book, given MyST's address of it.

        Examples:
            >>> Links("../").page("/laplacian#spectrum")
            '../laplacian/#spectrum'
        """
        if ABSOLUTE.match(url):
            return url
        path, mark, fragment = url.partition("#")
        path = path.strip("/")
        return self.root + (path + "/" if path else "") + mark + fragment

    def file(self, url: str) -> str:
        """Lead to a static file that MyST collected."""
        if ABSOLUTE.match(url):
            return url
        return f"{self.root}build/{url.lstrip('/')}"

    def theme(self, name: str) -> str:
        """Lead to a file of the theme itself."""
        return f"{self.root}static/{name}"
