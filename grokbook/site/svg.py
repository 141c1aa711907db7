"""Bring drawings into the page, so that they take the page's colours."""

import re
from html import escape, unescape
from xml.etree import ElementTree

START = re.compile(r"<svg\b[^>]*>")
OWN = re.compile(r'\s(?:role|id|aria-[a-z]+)="[^"]*"')
TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL)
METADATA = re.compile(r"<metadata\b.*?(?:</metadata>|/>)", re.DOTALL)
ID = re.compile(r'(\sid=")([^"]+)"')
URL = re.compile(r"url\(#([^)]+)\)")
REFERENCE = re.compile(r'(\s(?:xlink:)?href="#)([^"]+)"')
# Matplotlib writes one rule for all elements (*): inside a page it would
# reach every element, so it is kept to the drawing.
EVERYTHING = re.compile(r"(<style[^>]*>)\s*\*\s*\{")


def title_of(svg: str) -> str:
    """Return the drawing's title, or nothing."""
    found = TITLE.search(svg)
    return unescape(found.group(1)).strip() if found else ""


def own_ids(svg: str, prefix: str) -> str:
    """Put a prefix on every id and on every use of one.

    Examples:
        >>> own_ids('<g id="a"/><use href="#a"/>', "p-")
        '<g id="p-a"/><use href="#p-a"/>'
    """
    svg = ID.sub(rf'\g<1>{prefix}\g<2>"', svg)
    svg = URL.sub(rf"url(#{prefix}\g<1>)", svg)
    return REFERENCE.sub(rf'\g<1>{prefix}\g<2>"', svg)


def inline(svg: str, alt: str, prefix: str) -> str:
    """Return a drawing ready to stand in a page, with its description."""
    head = START.search(svg)
    body = TITLE.sub("", METADATA.sub("", svg[head.end() :]), count=1)
    body = EVERYTHING.sub(rf"\g<1>#{prefix}svg * {{", own_ids(body, prefix))
    name = f'<svg id="{prefix}svg" role="img" aria-label="{escape(alt)}"'
    return name + OWN.sub("", head.group())[4:] + body.strip()


def is_drawing(svg: str) -> bool:
    """Whether the text is well-formed and holds a drawing."""
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError:
        return False
    return root.tag.rpartition("}")[2] == "svg"
