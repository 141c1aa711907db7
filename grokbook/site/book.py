"""The order of the book: its parts, its pages, and where they lie."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Entry:
    """One line of the table of contents: a page, or the title of a part."""

    title: str
    level: int
    slug: str = ""
    is_home: bool = False

    @property
    def is_part(self) -> bool:
        """Whether this line only names a part."""
        return not self.slug

    @property
    def path(self) -> str:
        """The page's folder on the site, with a slash at the end."""
        return "" if self.is_home else self.slug.replace(".", "/") + "/"


@dataclass(frozen=True)
class Book:
    """The whole book as the sidebar shows it."""

    title: str
    subtitle: str
    description: str
    github: str
    thumbnail: str
    licenses: tuple[dict[str, Any], ...]
    entries: tuple[Entry, ...]

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Book":
        """Read the order of the pages from MyST's site configuration."""
        project = config["projects"][0]
        home = Entry("Welcome", 1, project["index"], is_home=True)
        rest = [
            Entry(page["title"], page["level"], page.get("slug", ""))
            for page in project["pages"]
        ]
        license_ = project.get("license") or {}
        return cls(
            title=config.get("title") or project.get("title") or "Book",
            subtitle=project.get("subtitle") or "",
            description=project.get("description") or "",
            github=project.get("github") or "",
            thumbnail=project.get("thumbnail") or "",
            licenses=tuple(
                license_[key] | {"covers": name}
                for key, name in (("content", "Text"), ("code", "Code"))
                if isinstance(license_.get(key), dict)
            ),
            entries=(home, *rest),
        )

    @property
    def pages(self) -> tuple[Entry, ...]:
        """The pages in reading order."""
        return tuple(entry for entry in self.entries if not entry.is_part)

    def neighbours(self, page: Entry) -> tuple[Entry | None, Entry | None]:
        """Return the page before and the page after."""
        pages = self.pages
        i = pages.index(page)
        before = pages[i - 1] if i else None
        return before, pages[i + 1] if i + 1 < len(pages) else None

    def part_of(self, page: Entry) -> str:
        """Return the title of the part a page belongs to, or nothing."""
        part = ""
        for entry in self.entries:
            if entry.is_part:
                part = entry.title
            elif entry is page:
                return part if page.level > 1 else ""
        return ""
