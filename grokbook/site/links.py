"""Where a page's links lead."""

import re
from dataclasses import dataclass, field

ABSOLUTE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)


@dataclass(frozen=True)
class Links:
    """Addresses as seen from one page.

    ``root`` leads from the page to the front of the site. With a base
    address it is that address; without one it climbs (``../``), so that the
    built folder can be served from anywhere. ``files`` collects what the
    page links to, so that nothing else needs to be copied.
    """

    root: str
    files: set[str] = field(default_factory=set, compare=False)

    @classmethod
    def seen_from(
        cls, path: str, base: str, files: set[str] | None = None
    ) -> "Links":
        """Make the links of the page that lies at ``path``.

        Examples:
            >>> Links.seen_from("chapter/", base="").root
            '../'
            >>> Links.seen_from("chapter/", base="/book").root
            '/book/'
        """
        climb = "../" * path.count("/") or "./"
        root = base.rstrip("/") + "/" if base else climb
        return cls(root, set() if files is None else files)

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
        self.files.add("/" + url.lstrip("/"))
        return f"{self.root}build/{url.lstrip('/')}"

    def theme(self, name: str) -> str:
        """Lead to a file of the theme itself."""
        return f"{self.root}static/{name}"
