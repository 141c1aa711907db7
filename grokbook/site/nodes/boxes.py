"""Boxes: admonitions, theorems, exercises, asides, folds and tabs."""

from grokbook.site import markup
from grokbook.site.markup import Node, classes, element, plain
from grokbook.site.writer import Writer, node

TITLES = {"seealso": "See also"}
UNNUMBERED = {"proof"}


def split_title(page: Writer, node: Node) -> tuple[str, str]:
    """Draw a box's title and its body apart."""
    title, body = "", ""
    for child in node.get("children") or []:
        if child["type"] in ("admonitionTitle", "summary"):
            title = page.inside(child)
        else:
            body += page.draw(child)
    return title, body


def box(page: Writer, node: Node, class_: str, title: str, body: str) -> str:
    """Draw an open box."""
    head = element("p", title, class_="box-title")
    return element(
        "div", head + body, class_=class_, id=page.id(node.get("html_id"))
    )


def fold(page: Writer, node: Node, class_: str, title: str, body: str) -> str:
    """Draw a box that the reader opens."""
    return element(
        "details",
        element("summary", title) + element("div", body, class_="folded"),
        class_=class_,
        id=page.id(node.get("html_id")),
        open=bool(node.get("open")),
    )


def closed(page: Writer, node: Node) -> None:
    """Stop the build at a gate that was opened and never closed."""
    if node.get("gate"):
        page.fail(
            f"{node['type']}-{node['gate']} without its other gate", node
        )


@node("admonition")
def admonition(page: Writer, node: Node) -> str:
    """Draw a note, a warning, or one of the book's own boxes."""
    kind = node.get("kind") or "admonition"
    title, body = split_title(page, node)
    title = title or TITLES.get(kind, kind.capitalize())
    class_ = classes(node, "box", kind)
    draw = fold if "dropdown" in class_.split() else box
    return draw(page, node, class_, title, body)


@node("details")
def dropdown(page: Writer, node: Node) -> str:
    """Draw text that the reader unfolds."""
    title, body = split_title(page, node)
    return fold(page, node, "box details", title or "Details", body)


@node("proof")
def statement(page: Writer, node: Node) -> str:
    """Draw a theorem, its proof, or one of their kin."""
    kind = node.get("kind") or "proof"
    title, body = split_title(page, node)
    number = "" if kind in UNNUMBERED else node.get("enumerator") or ""
    label = f"{kind.capitalize()} {number}".strip()
    head = element("span", label, class_="label")
    head += f" ({title})" if title else ""
    return box(page, node, classes(node, "statement", kind), head, body)


@node("exercise")
def exercise(page: Writer, node: Node) -> str:
    """Draw an exercise."""
    closed(page, node)
    title, body = split_title(page, node)
    label = f"Exercise {node.get('enumerator') or ''}".strip()
    head = element("span", label, class_="label")
    head += f" {title}" if title else ""
    return box(page, node, classes(node, "box", "exercise"), head, body)


@node("solution")
def solution(page: Writer, node: Node) -> str:
    """Draw a solution, folded away."""
    closed(page, node)
    # The title holds a link; a fold's own button may hold none.
    title = " ".join(
        markup.text(plain(child))
        for child in node.get("children") or []
        if child["type"] == "admonitionTitle"
    )
    _, body = split_title(page, node)
    class_ = classes(node, "box", "solution")
    return fold(page, node, class_, title or "Solution", body)


@node("aside")
def aside(page: Writer, node: Node) -> str:
    """Draw a remark beside the text."""
    title, body = split_title(page, node)
    head = element("p", title, class_="box-title") if title else ""
    class_ = classes(node, "beside", node.get("kind"))
    return element("div", head + body, class_=class_, role="note")


@node("tabSet")
def tab_set(page: Writer, node: Node) -> str:
    """Draw tabs: panels one below the other until the script folds them."""
    page.tabs += 1
    panels = [child for child in node["children"] if child]
    body = "".join(
        tab_item(page, panel, f"tab-{page.tabs}-{i}")
        for i, panel in enumerate(panels, start=1)
    )
    return element("div", body, class_=classes(node, "tabs"))


def tab_item(page: Writer, node: Node, wanted: str) -> str:
    """Draw one panel under its title."""
    if node["type"] != "tabItem":
        page.fail(f"{node['type']!r} directly inside a tab-set", node)
    title = markup.text(node.get("title") or "")
    head = element("p", title, class_="tab-title")
    return element(
        "div",
        head + page.inside(node),
        class_="tab",
        id=page.id(wanted),
        data_sync=node.get("sync") or node.get("title"),
    )
