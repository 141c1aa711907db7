"""Cards, and grids of them."""

from grokbook.site.markup import Node, classes, element
from grokbook.site.nodes.reference import destination
from grokbook.site.writer import Writer, node


@node("grid")
def grid(page: Writer, node: Node) -> str:
    """Draw cards side by side, as many as fit."""
    most = max(node.get("columns") or [2])
    return element(
        "div",
        page.inside(node),
        class_=classes(node, "grid"),
        style=f"--columns: {most}",
    )


@node("card", "linkBlock")
def card(page: Writer, node: Node) -> str:
    """Draw a card; its title carries the link, the whole card follows it."""
    url = destination(page, node) if node.get("url") else None
    body = "".join(
        card_title(page, child, url)
        if child["type"] == "cardTitle"
        else page.draw(child)
        for child in node.get("children") or []
    )
    return element("div", body, class_=classes(node, "card"))


def card_title(page: Writer, node: Node, url: str | None) -> str:
    """Draw a card's title, as a link if the card leads somewhere."""
    title = page.inside(node)
    if url:
        title = element("a", title, href=page.links.page(url))
    return element("p", title, class_="card-title")


@node("header", "footer")
def card_edge(page: Writer, node: Node) -> str:
    """Draw the upper or the lower edge of a card."""
    return element("div", page.inside(node), class_=f"card-{node['type']}")
