"""Nodes inside a line of text."""

from grokbook.site import markup
from grokbook.site.markup import Node, classes, element
from grokbook.site.writer import Writer, node

# node kind -> the element that says the same
ELEMENTS = {
    "strong": "strong",
    "emphasis": "em",
    "delete": "s",
    "underline": "u",
    "subscript": "sub",
    "superscript": "sup",
    "keyboard": "kbd",
}


@node(*ELEMENTS)
def phrase(page: Writer, node: Node) -> str:
    """Draw a phrase that one element can mark."""
    return element(ELEMENTS[node["type"]], page.inside(node))


@node("text")
def words(page: Writer, node: Node) -> str:
    """Draw plain words."""
    return markup.text(node["value"])


@node("inlineCode")
def inline_code(page: Writer, node: Node) -> str:
    """Draw code inside a sentence."""
    return element("code", markup.text(node["value"]))


@node("smallcaps")
def small_capitals(page: Writer, node: Node) -> str:
    """Draw small capitals."""
    return element("span", page.inside(node), class_="small-caps")


@node("span")
def span(page: Writer, node: Node) -> str:
    """Draw a phrase with the author's class, or one the index names."""
    id_ = page.id(node.get("html_id"))
    return element("span", page.inside(node), class_=classes(node), id=id_)


@node("abbreviation")
def abbreviation(page: Writer, node: Node) -> str:
    """Draw an abbreviation with what it stands for."""
    return element("abbr", page.inside(node), title=node.get("title"))


@node("break")
def line_break(page: Writer, node: Node) -> str:
    """Break the line."""
    return element("br")


@node("comment", "mystComment")
def comment(page: Writer, node: Node) -> str:
    """Leave the author's comments out."""
    return ""
