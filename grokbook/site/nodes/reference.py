"""Links, cross-references, citations and footnotes."""

from pathlib import PurePosixPath

from grokbook.site.markup import Node, classes, element
from grokbook.site.writer import Writer, node


@node("link")
def link(page: Writer, node: Node) -> str:
    """Draw a link, into the book, to a file, or out of the book."""
    url, body = node.get("url") or "", page.inside(node)
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
    return element("a", page.inside(node), href=href or "#", class_=kind)


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
    return element(
        "a",
        page.inside(node),
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
