"""Cells of a notebook: code, then what the code put out."""

import re
from typing import Any

from grokbook.site import svg
from grokbook.site.markup import Node, element, text
from grokbook.site.nodes import blocks
from grokbook.site.writer import Writer, node

ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
WIDGET = "application/vnd.jupyter.widget-view+json"
IMAGES = ("image/svg+xml", "image/png", "image/jpeg")
# Forms whose plain text, the name of a Python object, says nothing.
UNSHOWN = {"text/markdown", "text/latex"}
NO_KERNEL = "This control needs a running kernel: open the notebook to use it."


def visible(page: Writer, node: Node, title: str, body: str) -> str:
    """Show, fold or leave out, as the cell's tags ask."""
    state = node.get("visibility")
    if state == "remove" or not body:
        return ""
    if state != "hide":
        return body
    summary = element("summary", title)
    return element("details", summary + body, class_="hidden-cell")


@node("block")
def block(page: Writer, node: Node) -> str:
    """Draw a cell, or a stretch of text between two breaks."""
    if node.get("visibility") == "remove":
        return ""
    if (node.get("kind") or "").startswith("notebook-"):
        page.cell, page.line = node.get("identifier") or "", 0
    if node.get("kind") != "notebook-code":
        return text_block(page, node)
    body = "".join(cell_part(page, child) for child in node["children"])
    body = visible(page, node, "Show code and output", body)
    id_ = page.id(node.get("html_id") if node.get("label") else None)
    return element("div", body, class_="cell", id=id_) if body else ""


def text_block(page: Writer, node: Node) -> str:
    """Draw text, in an element of its own only if something refers to it."""
    id_ = page.id(node.get("html_id") if node.get("label") else None)
    body = page.inside(node)
    return element("div", body, id=id_) if id_ else body


def cell_part(page: Writer, node: Node) -> str:
    """Draw a cell's code or its outputs."""
    if node["type"] != "code":
        return page.draw(node)
    return visible(page, node, "Show code", blocks.code(page, node))


@node("outputs")
def outputs(page: Writer, node: Node) -> str:
    """Draw everything that a cell put out."""
    if node.get("visibility") == "remove":
        return ""
    body = "".join(page.draw(one) for one in joined(page, node["children"]))
    if not body:
        return ""
    id_ = page.id(node.get("html_id"))
    body = element("div", body, class_="outputs", id=id_)
    return visible(page, node, "Show output", body)


def joined(page: Writer, children: list[Node]) -> list[Node]:
    """Join what was printed in one go but stored in pieces."""
    whole: list[Node] = []
    for child in children:
        data = child.get("jupyter_data") or {}
        if data.get("output_type") != "stream":
            whole.append(child)
            continue
        data = data | {"text": stored(page, data, "text"), "path": None}
        last = whole[-1]["jupyter_data"] if whole else {}
        if last.get("name") == data["name"]:
            last["text"] += data["text"]
        else:
            whole.append(child | {"jupyter_data": data})
    return whole


@node("output")
def output(page: Writer, node: Node) -> str:
    """Draw one output in the best form the site can show."""
    data = node.get("jupyter_data") or {}
    kind = data.get("output_type")
    if kind == "stream":
        class_ = "printed stderr" if data["name"] == "stderr" else "printed"
        return printed(stored(page, data, "text"), class_)
    if kind == "error":
        return printed(stored(page, data, "traceback"), "printed error")
    return rich(page, node, data)


def rich(page: Writer, node: Node, data: dict[str, Any]) -> str:
    """Draw a bundle of forms; an unknown bundle stops the build."""
    bundle = data.get("data") or {"text/plain": ""}
    forms = {kind: stored(page, bundle[kind]) for kind in bundle}
    note = element("p", NO_KERNEL, class_="no-kernel")
    note = note if WIDGET in forms else ""
    for kind in IMAGES:
        if kind in forms:
            return figure(page, node, kind) + note
    if "text/html" in forms:
        return html_output(forms["text/html"]) + note
    if note:
        return note
    if "text/plain" not in forms or UNSHOWN & forms.keys():
        page.fail(f"output that no page can show {sorted(bundle)}", node)
    return printed(forms["text/plain"])


def stored(page: Writer, value: Any, key: str = "content") -> str:
    """Return an output's text, which MyST may keep in a file of its own."""
    if isinstance(value, dict) and value.get("path"):
        if value.get("content_type") in IMAGES[1:]:
            return ""
        return page.content.text(value["path"])
    if isinstance(value, dict):
        value = value.get(key) or ""
    between = "\n" if key == "traceback" else ""
    return between.join(value) if isinstance(value, list) else value


def printed(value: str, class_: str = "printed") -> str:
    """Draw what a cell printed."""
    body = text(ANSI.sub("", value).rstrip("\n"))
    return element("pre", body, class_=class_)


def html_output(html: str) -> str:
    """Pass HTML through; a table gets the book's look and its own scroll."""
    if "<table" not in html:
        return element("div", html, class_="html-output")
    return element("div", tidy_table(html), class_="html-output scroll")


def tidy_table(html: str) -> str:
    """Take out what data frames bring along and no page may hold."""
    html = re.sub(r"<style scoped>.*?</style>", "", html, flags=re.DOTALL)
    html = re.sub(r'(<table[^>]*?) border="\d+"', r"\1", html)
    html = html.replace(' style="text-align: right;"', "")
    return re.sub(r"<th>\s*</th>", "<td></td>", html)


def figure(page: Writer, node: Node, kind: str) -> str:
    """Draw a plot; one without alt text stops the build."""
    data = node["jupyter_data"]
    value, meta = data["data"][kind], data.get("metadata") or {}
    own = meta.get(kind) or {}
    alt = str(own.get("alt") or meta.get("alt") or "").strip()
    if kind == "image/svg+xml":
        drawn = drawing(page, node, stored(page, value), alt)
    else:
        drawn = picture(page, node, value, own, alt)
    return element("figure", drawn, class_="plot")


def drawing(page: Writer, node: Node, source: str, alt: str) -> str:
    """Draw a vector plot inside the page, so that it takes its colours."""
    if not svg.is_drawing(source):
        page.fail("figure that is not a drawing", node)
    alt = alt or svg.title_of(source)
    page.figures += 1
    if not alt:
        page.fail(f"figure {page.figures} without alt text", node)
    return svg.inline(source, alt, f"plot-{page.figures}-")


def picture(
    page: Writer, node: Node, value: Any, own: dict[str, Any], alt: str
) -> str:
    """Draw a plot made of pixels."""
    page.figures += 1
    if not alt:
        page.fail(f"figure {page.figures} without alt text", node)
    path = value.get("path") if isinstance(value, dict) else None
    if not path:
        page.fail("picture that MyST did not store", node)
    return element(
        "img",
        src=page.links.file(path),
        alt=alt,
        width=own.get("width"),
        height=own.get("height"),
    )
