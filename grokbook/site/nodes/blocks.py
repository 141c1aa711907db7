"""Paragraphs, headings, lists, quotations and code."""

from itertools import groupby

from grokbook.site import markup
from grokbook.site.highlight import colour, numbered
from grokbook.site.markup import Node, classes, element, plain
from grokbook.site.writer import Section, Writer, node

LANGUAGES = {"ipython3": "python", "ipython": "python", "sh": "bash"}


@node("root", "include")
def transparent(page: Writer, node: Node) -> str:
    """Draw what is inside and nothing around it."""
    return page.inside(node)


@node("mystDirective", "mystRole")
def syntax(page: Writer, node: Node) -> str:
    """Draw what MyST made of a directive or a role, if it knew it."""
    if not node.get("children"):
        kind = node["type"].removeprefix("myst").lower()
        page.fail(f"unknown {kind} {node.get('name')!r}", node)
    return page.inside(node)


@node("paragraph")
def paragraph(page: Writer, node: Node) -> str:
    """Draw a paragraph."""
    return element("p", page.inside(node))


@node("heading")
def heading(page: Writer, node: Node) -> str:
    """Draw a heading with a link to itself, and list it."""
    depth, title = node["depth"], plain(node)
    id_ = page.id(node.get("html_id"))
    if id_ and depth <= 3:
        page.sections.append(Section(depth, id_, title))
    number = node.get("enumerator")
    body = element("span", number, class_="number") + " " if number else ""
    link = element(
        "a",
        "#",
        class_="anchor",
        href=f"#{id_}",
        aria_label=f"Link to “{title}”",
    )
    body += page.inside(node) + (link if id_ else "")
    return element(f"h{depth}", body, id=id_)


@node("list")
def item_list(page: Writer, node: Node) -> str:
    """Draw a list, numbered or not."""
    start = node.get("start")
    if not node.get("ordered"):
        return element("ul", page.inside(node))
    return element(
        "ol", page.inside(node), start=None if start == 1 else start
    )


@node("listItem")
def list_item(page: Writer, node: Node) -> str:
    """Draw an item; its only paragraph needs no element of its own."""
    children = node.get("children") or []
    tight = sum(child["type"] == "paragraph" for child in children) == 1
    body = "".join(
        page.inside(c) if tight and c["type"] == "paragraph" else page.draw(c)
        for c in children
    )
    if node.get("checked") is None:
        return element("li", body)
    state = "done" if node["checked"] else "to do"
    mark = element("span", "", class_="tick", role="img", aria_label=state)
    return element("li", mark + body, class_=f"task {state.replace(' ', '-')}")


@node("definitionList")
def definition_list(page: Writer, node: Node) -> str:
    """Draw terms with their definitions, each pair in a group."""
    groups: list[list[Node]] = []
    kinds = groupby(node["children"], key=lambda child: child["type"])
    for kind, children in kinds:
        if kind == "definitionTerm" or not groups:
            groups.append([])
        groups[-1].extend(children)
    drawn = (
        element("div", "".join(page.draw(child) for child in group))
        for group in groups
    )
    return element("dl", "".join(drawn))


@node("definitionTerm")
def definition_term(page: Writer, node: Node) -> str:
    """Draw a term that is defined."""
    id_ = page.id(node.get("html_id"))
    return element("dt", page.inside(node), id=id_)


@node("definitionDescription")
def definition_description(page: Writer, node: Node) -> str:
    """Draw a definition."""
    return element("dd", page.inside(node))


@node("glossary")
def glossary(page: Writer, node: Node) -> str:
    """Draw the list of the book's words."""
    return element("div", page.inside(node), class_="glossary")


@node("blockquote")
def quotation(page: Writer, node: Node) -> str:
    """Draw a quotation."""
    return element("blockquote", page.inside(node))


@node("thematicBreak")
def rule(page: Writer, node: Node) -> str:
    """Draw a rule between two thoughts."""
    return element("hr")


@node("div")
def division(page: Writer, node: Node) -> str:
    """Draw a division with the author's class."""
    id_ = page.id(node.get("html_id"))
    return element("div", page.inside(node), class_=classes(node), id=id_)


@node("code")
def code(page: Writer, node: Node) -> str:
    """Draw a listing."""
    language = node.get("lang") or ""
    drawn = numbered(
        colour(node["value"], LANGUAGES.get(language, language)),
        node.get("emphasizeLines") or [],
        bool(node.get("showLineNumbers")),
    )
    name = node.get("filename")
    head = element("p", markup.text(name), class_="filename") if name else ""
    shown = "code numbered" if node.get("showLineNumbers") else "code"
    return element(
        "div",
        head + element("pre", element("code", drawn)),
        class_=shown,
        id=page.id(node.get("html_id")),
        data_language=language,
    )
