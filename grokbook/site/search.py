"""The index behind the search box: one record for each section."""

import re
from typing import Any

SPACE = re.compile(r"[\s\u200b]+")
LEVELS = ("lvl2", "lvl3", "lvl4", "lvl5", "lvl6")


def search_index(records: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Join MyST's search records into one record for each section.

    Examples:
        >>> search_index([
        ...     {"hierarchy": {"lvl1": "A", "lvl2": "B"}, "url": "/a#b"},
        ...     {"hierarchy": {"lvl1": "A", "lvl2": "B"}, "url": "/a#b",
        ...      "content": "some  words"},
        ... ])
        [{'page': 'A', 'section': 'B', 'url': 'a/#b', 'text': 'some words'}]
    """
    sections: dict[str, dict[str, str]] = {}
    for record in records:
        levels = record["hierarchy"]
        titles = [levels[key] for key in LEVELS if levels.get(key)]
        entry = sections.setdefault(
            record["url"],
            {
                "page": levels.get("lvl1") or "",
                "section": titles[-1] if titles else "",
                "url": site_path(record["url"]),
                "text": "",
            },
        )
        words = f"{entry['text']} {record.get('content') or ''}"
        entry["text"] = SPACE.sub(" ", words).strip()
    return list(sections.values())


def site_path(url: str) -> str:
    """Turn MyST's address of a section into a path from the site's front."""
    path, mark, fragment = url.strip("/").partition("#")
    path = path.strip("/")
    return (path + "/" if path else "") + mark + fragment
