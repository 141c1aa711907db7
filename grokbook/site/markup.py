"""Small helpers that write HTML and read the text of a node."""

from html import escape
from typing import Any

Node = dict[str, Any]

VOID = {"br", "hr", "img", "input"}


def element(name: str, body: str = "", /, **attributes: Any) -> str:
    """Write one element; ``None`` and ``False`` attributes are left out.

    Examples:
        >>> element("a", "text", href="/?a&b", class_="x", hidden=True)
        '<a href="/?a&amp;b" class="x" hidden>text</a>'
        >>> element("br")
        '<br>'
    """
    written = "".join(
        attribute(key, value) for key, value in attributes.items()
    )
    end = "" if name in VOID else f"{body}</{name}>"
    return f"<{name}{written}>{end}"


def attribute(key: str, value: Any) -> str:
    """Write one attribute, with its leading space."""
    if value is None or value is False or value == "":
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def text(value: str) -> str:
    """Escape what is to be read as text."""
    return escape(value, quote=False)


def plain(node: Node) -> str:
    """Return the words of a node without any markup.

    Examples:
        >>> plain({"children": [{"value": "a "}, {"value": "b"}]})
        'a b'
    """
    if node.get("children"):
        return "".join(plain(child) for child in node["children"])
    return str(node.get("value", ""))


def classes(node: Node, *own: str | None) -> str:
    """Join the theme's class names with those the author gave."""
    return " ".join(filter(None, [*own, node.get("class")]))
