"""Links, cross-references, citations and footnotes."""

import re
from pathlib import PurePosixPath

from grokbook.site.markup import Node, classes, element
from grokbook.site.writer import Writer, node

OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def destination(page: Writer, node: Node) -> str:
    """Return a link's address; one that MyST left unresolved stops."""
    url = node.get("url") or ""
    known = node.get("static") or node.get("internal")
    if not known and not OUTSIDE.match(url):
        page.fail(f"link that leads nowhere {url!r}", node)
    return url


@node("link")
def link(page: Writer, node: Node) -> str:
    """Draw a link, into the book, to a file, or out of the book."""
    url, body = destination(page, node), page.inside(node)
    if not body:
        page.fail(f"link without text {url!r}", node)
    if node.get("static"):
        name = PurePosixPath(node.get("urlSource") or url).name
        href = page.links.file(url)
        return element("a", body, href=href, download=name)
    href = page.links.page(url)
    outside = href.startswith(("http:", "https:"))
    return element(
        "a",
        body,
        href=href,
        class_=classes(node, "outside" if outside else None),
        rel="noopener" if outside else None,
    )


@node("crossReference")
def cross_reference(page: Writer, node: Node) -> str:
    """Draw a reference to a numbered or named thing, with a preview."""
    href = page.links.page(node["url"]) if node.get("remote") else ""
    if node.get("html_id"):
        href += f"#{node['html_id']}"
    kind = "term" if node.get("kind") == "definitionTerm" else "reference"
    body = page.inside(node)
    if not href or not body:
        page.fail(f"reference to nothing {node.get('label')!r}", node)
    return element("a", body, href=href, class_=kind)


@node("citeGroup")
def cite_group(page: Writer, node: Node) -> str:
    """Draw citations that stand together."""
    cites = [page.draw(child) for child in node["children"]]
    if node.get("kind") == "narrative":
        return ", ".join(cites)
    return f"({'; '.join(cites)})"


@node("cite")
def cite(page: Writer, node: Node) -> str:
    """Draw one citation, leading to the end of the page."""
    body = page.inside(node)
    if node.get("error") or not body:
        page.fail(f"unknown citation {node['label']!r}", node)
    return element(
        "a",
        body,
        href=f"#ref-{node['label']}",
        class_="citation",
    )


@node("footnoteReference")
def footnote_reference(page: Writer, node: Node) -> str:
    """Draw the raised number of a note."""
    label, number = node["identifier"], node["enumerator"]
    mark = element(
        "a",
        str(number),
        href=f"#note-{label}",
        class_="footnote",
        aria_label=f"Note {number}",
    )
    return element("sup", mark, id=page.id(f"note-of-{label}"))


@node("footnoteDefinition")
def footnote_definition(page: Writer, node: Node) -> str:
    """Keep a note for the end of the page."""
    label = node["identifier"]
    back = element(
        "a",
        "↩",
        href=f"#note-of-{label}",
        class_="back",
        aria_label=f"Back to the text of note {node['enumerator']}",
    )
    body = page.inside(node) + back
    page.notes.append(element("li", body, id=page.id(f"note-{label}")))
    return ""
