"""Formulas, which MyST has already set with KaTeX."""

from grokbook.site.markup import Node, element
from grokbook.site.writer import Writer, node


def formula(page: Writer, node: Node) -> str:
    """Return a formula as KaTeX set it; one that it could not set stops."""
    if not node.get("html"):
        page.fail(f"formula that KaTeX cannot set {node['value']!r}", node)
    return node["html"]


@node("inlineMath")
def inline_math(page: Writer, node: Node) -> str:
    """Draw a formula in the line."""
    return formula(page, node)


@node("math")
def display_math(page: Writer, node: Node) -> str:
    """Draw a displayed formula with its number."""
    id_ = page.id(node.get("html_id"))
    body = element("div", formula(page, node), class_="scroll")
    number = node.get("enumerator")
    if number and node.get("enumerated") is not False:
        link = element("a", f"({number})", href=f"#{id_}") if id_ else ""
        body += element(
            "span", link or f"({number})", class_="equation-number"
        )
    return element("div", body, class_="equation", id=id_)


@node("mathGroup")
def math_group(page: Writer, node: Node) -> str:
    """Draw several formulas that share a number."""
    id_ = page.id(node.get("html_id"))
    return element("div", page.inside(node), id=id_)
