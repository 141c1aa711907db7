"""Figures, images, captions and tables."""

from grokbook.site.markup import Node, classes, element
from grokbook.site.writer import Writer, node


@node("container")
def container(page: Writer, node: Node) -> str:
    """Draw a figure, a table, a listing or a quotation with its caption."""
    class_ = classes(node, f"{node.get('kind') or 'figure'}-box")
    if any(c["type"] == "container" for c in node["children"]):
        class_ += " panels"
    id_ = page.id(node.get("html_id"))
    return element("figure", page.inside(node), class_=class_, id=id_)


@node("caption")
def caption(page: Writer, node: Node) -> str:
    """Draw a caption."""
    return element("figcaption", page.inside(node))


@node("legend")
def legend(page: Writer, node: Node) -> str:
    """Draw the small print under a caption."""
    return element("div", page.inside(node), class_="legend")


@node("captionNumber")
def caption_number(page: Writer, node: Node) -> str:
    """Draw the number that a caption starts with."""
    label = page.inside(node).rstrip(":")
    return element("span", label, class_="label") + " "


@node("image")
def image(page: Writer, node: Node) -> str:
    """Draw an image; one that says nothing to the blind stops the build."""
    if not (node.get("alt") or "").strip():
        page.fail(f"image without alt text {node.get('urlSource')!r}", node)
    width = node.get("width")
    align = node.get("align")
    return element(
        "img",
        src=page.links.file(node["url"]),
        alt=node["alt"],
        class_=classes(node, align and f"align-{align}"),
        style=f"width: {width}" if width else None,
    )


@node("table")
def table(page: Writer, node: Node) -> str:
    """Draw a table that scrolls inside itself when it is too wide."""
    rows = node["children"]
    size = 0
    while size < len(rows) and is_head(rows[size]):
        size += 1
    head = "".join(page.draw(row) for row in rows[:size])
    body = "".join(page.draw(row) for row in rows[size:])
    drawn = (element("thead", head) if head else "") + element("tbody", body)
    return element("div", element("table", drawn), class_="scroll")


def is_head(row: Node) -> bool:
    """Whether every cell of a row is a heading."""
    return all(cell.get("header") for cell in row["children"])


@node("tableRow")
def table_row(page: Writer, node: Node) -> str:
    """Draw a row; its heading cells head a column or the row itself."""
    scope = "col" if is_head(node) else "row"
    cells = (cell(page, child, scope) for child in node["children"])
    return element("tr", "".join(cells))


def cell(page: Writer, node: Node, scope: str) -> str:
    """Draw one cell; an empty heading is an ordinary empty cell."""
    body = page.inside(node)
    heads = bool(node.get("header") and body.strip())
    align = node.get("align")
    return element(
        "th" if heads else "td",
        body,
        scope=scope if heads else None,
        colspan=node.get("colspan"),
        rowspan=node.get("rowspan"),
        class_=f"align-{align}" if align and align != "left" else None,
    )
