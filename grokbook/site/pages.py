"""The page around the text: title, sidebar, neighbours, links."""

from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import grokbook.site.nodes  # noqa: F401 (the nodes register themselves)
from grokbook.site.book import Book, Entry
from grokbook.site.content import Content
from grokbook.site.links import Links
from grokbook.site.markup import Node, plain
from grokbook.site.writer import Writer

TEMPLATES = Path(__file__).parent / "templates"


class PageMaker:
    """Fills the templates, for one book under one base address."""

    def __init__(self, book: Book, base: str) -> None:
        """Prepare the templates; undefined names in them are errors."""
        self.book = book
        self.base = base
        self.files: set[str] = set()
        self.templates = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def page(self, entry: Entry, content: Content) -> str:
        """Return the finished HTML of one page."""
        source = content.page(entry.slug)
        links = Links.seen_from(entry.path, self.base, self.files)
        location = source.get("location") or entry.slug
        writer = Writer(location.lstrip("/"), links, content)
        body = writer.draw(source["mdast"])
        matter = source["frontmatter"]
        before, after = self.book.neighbours(entry)
        return self.templates.get_template("page.html").render(
            book=self.book,
            entry=entry,
            links=links,
            title=matter.get("title") or entry.title,
            number=matter.get("enumerator"),
            subtitle=matter.get("subtitle")
            or (self.book.subtitle if entry.is_home else ""),
            description=describe(matter, source["mdast"], self.book),
            part=self.book.part_of(entry),
            body=Markup(body),
            sections=writer.sections,
            notes=[Markup(note) for note in writer.notes],
            references=references(source),
            actions=actions(source, links, self.book.github),
            before=before,
            after=after,
        )

    def not_found(self) -> str:
        """Return the page for addresses that lead nowhere."""
        links = Links(f"{self.base}/")
        template = self.templates.get_template("404.html")
        return template.render(
            book=self.book,
            entry=None,
            links=links,
            title="Page not found",
            description=self.book.description,
        )


def describe(matter: Node, tree: Node, book: Book) -> str:
    """Return the page's description, or else its first sentence or two."""
    if matter.get("description"):
        return matter["description"]
    words = " ".join(first_paragraph(tree).split())
    if not words:
        return book.description
    return words if len(words) <= 160 else words[:157].rsplit(" ", 1)[0] + "…"


def first_paragraph(tree: Node) -> str:
    """Return the words of the first paragraph outside any box."""
    for child in tree.get("children") or []:
        if child["type"] == "paragraph":
            return plain(child)
        if child["type"] in ("root", "block"):
            found = first_paragraph(child)
            if found:
                return found
    return ""


def references(source: Node) -> list[tuple[str, Markup]]:
    """Return what the page cites, in order, as MyST formatted it."""
    cited = (source.get("references") or {}).get("cite") or {}
    return [
        (key, Markup(without_new_windows(cited["data"][key]["html"])))
        for key in cited.get("order") or []
    ]


def without_new_windows(html: str) -> str:
    """Let links in the bibliography open like every other link."""
    return html.replace(' target="_blank" rel="noreferrer"', "")


def actions(source: Node, links: Links, github: str) -> list[dict[str, Any]]:
    """Return the ways to run a notebook; other pages have none."""
    location = (source.get("location") or "").lstrip("/")
    if not location.endswith(".ipynb"):
        return []
    found = [
        {
            "label": "Download notebook",
            "href": links.file(export["url"]),
            "download": PurePosixPath(location).name,
        }
        for export in source["frontmatter"].get("exports") or []
        if export.get("format") == "ipynb"
    ]
    repository = github.removeprefix("https://github.com/").strip("/")
    if repository:
        colab = "https://colab.research.google.com/github"
        binder = "https://mybinder.org/v2/gh"
        found += [
            {
                "label": "Open in Colab",
                "href": f"{colab}/{repository}/blob/main/{location}",
            },
            {
                "label": "Open in Binder",
                "href": f"{binder}/{repository}/HEAD?labpath={location}",
            },
        ]
    return found
