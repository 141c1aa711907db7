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

from grokbook.site import assets
from grokbook.site.book import Book, Entry
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


def render(content: Content, target: Path, base: str) -> int:
    """Write every page and everything the pages need; count the pages."""
    book = Book.from_config(content.json("config.json"))
    maker = PageMaker(book, base)
    for entry in book.pages:
        write(target, entry, maker.page(entry, content))
    (target / "404.html").write_text(maker.not_found(), encoding="utf-8")
    records = content.json("myst.search.json")["records"]
    index = json.dumps(search_index(records), ensure_ascii=False)
    (target / "search.json").write_text(index, encoding="utf-8")
    assets.copy_content(content, target, maker.files)
    assets.copy_theme(target)
    return len(book.pages)


def write(target: Path, entry: Entry, html: str) -> None:
    """Put a page into its folder."""
    folder = target / entry.path
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(html, encoding="utf-8")


def main() -> None:
    """Render the site that the environment describes, or say what failed."""
    content = Content(os.environ["CONTENT_CDN"])
    target = Path(os.environ["BUILD_DIRECTORY"])
    try:
        count = render(content, target, base_url())
    except BuildError as problem:
        sys.exit(f"The site was not built. {problem}")
    print(f"Wrote {count} pages.")


if __name__ == "__main__":
    main()
