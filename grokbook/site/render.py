"""Write the whole site: ``python -m grokbook.site.render``.

MyST runs this with three settings in the environment: ``CONTENT_CDN``, the
address of its content server; ``BUILD_DIRECTORY``, the folder to fill; and
``BASE_URL``, the path under which the site will be served, if any.
"""

import json
import os
import sys
from pathlib import Path
from urllib.parse import urlparse

from grokbook.files import put
from grokbook.site import assets
from grokbook.site.book import Book
from grokbook.site.content import Content
from grokbook.site.errors import BuildError
from grokbook.site.pages import PageMaker
from grokbook.site.search import search_index


def base_url() -> str:
    """Return the path the site will be served under; usually nothing."""
    base = os.environ.get("BASE_URL", "")
    if not base:
        address = os.environ.get("READTHEDOCS_CANONICAL_URL", "")
        base = urlparse(address).path
    return base.rstrip("/")


def setting(name: str, command: str = "build") -> str:
    """Return a setting that MyST makes before it runs the theme."""
    if not os.environ.get(name):
        raise BuildError(
            f"{name} is not set: `jupyter book {command}` sets it "
            "and runs this."
        )
    return os.environ[name]


def render(content: Content, target: Path, base: str) -> int:
    """Write every page and everything the pages need; count the pages.

    A page that cannot be drawn does not keep the others from being
    written; what is wrong with each such page is raised at the end.
    """
    book = Book.from_config(content.json("config.json"))
    maker = PageMaker(book, base)
    problems = write_pages(maker, content, target)
    put(target / "404.html", maker.not_found())
    records = content.json("myst.search.json")["records"]
    index = json.dumps(search_index(records), ensure_ascii=False)
    put(target / "search.json", index)
    assets.copy_content(content, target, maker.files)
    assets.copy_theme(target)
    if problems:
        raise BuildError("\n".join(problems))
    return len(book.pages)


def write_pages(maker: PageMaker, content: Content, target: Path) -> list[str]:
    """Write the pages that can be drawn; return what stops the others."""
    problems = []
    for entry in maker.book.pages:
        try:
            html = maker.page(entry, content)
        except BuildError as problem:
            problems.append(str(problem))
        else:
            put(target / entry.path / "index.html", html)
    return problems


def main() -> None:
    """Render the site that the environment describes, or say what failed."""
    try:
        content = Content(setting("CONTENT_CDN"))
        target = Path(setting("BUILD_DIRECTORY"))
        count = render(content, target, base_url())
    except BuildError as problem:
        sys.exit(f"The site was not built.\n{problem}")
    print(f"Wrote {count} pages.")


if __name__ == "__main__":
    main()
