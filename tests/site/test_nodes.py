"""The small functions that draw nodes, without a build."""

import subprocess
import sys
from typing import Any

import pytest
from looking import read

from grokbook.site import nodes, svg
from grokbook.site.content import Content
from grokbook.site.errors import BuildError
from grokbook.site.links import Links
from grokbook.site.writer import REGISTRY, Writer

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9pt" viewBox="0 0 9 9">'
    '{title}<defs><path id="m1" d="M0 0"/></defs>'
    '<g id="axes_1" clip-path="url(#m1)"><use href="#m1"/></g></svg>'
)

A = {"type": "text", "value": "a"}


@pytest.fixture
def writer() -> Writer:
    return Writer("chapters/x.ipynb", Links("../"), Content("http://none"))


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "value": value}


def output(kind: str, value: Any, **metadata: Any) -> dict[str, Any]:
    data = {kind: value, "text/plain": "<Figure>"}
    bundle = {"output_type": "display_data", "data": data}
    return {
        "type": "output",
        "jupyter_data": bundle | {"metadata": {kind: metadata}},
    }


def plot(title: str = "", **metadata: Any) -> dict[str, Any]:
    return output("image/svg+xml", DRAWING.format(title=title), **metadata)


def test_every_module_of_nodes_registers_something():
    homes = {draw.__module__.rpartition(".")[2] for draw in REGISTRY.values()}
    assert homes == set(nodes.__all__)


def test_an_unknown_node_names_its_kind_page_and_line(writer):
    stranger = {"type": "mermaid", "position": {"start": {"line": 12}}}
    with pytest.raises(BuildError, match=r"'mermaid'.*chapters/x.ipynb:12"):
        writer.draw({"type": "paragraph", "children": [stranger]})


@pytest.mark.parametrize(
    ("node", "problem"),
    [
        ({"type": "mystDirective", "name": "a"}, "unknown directive 'a'"),
        ({"type": "mystRole", "name": "a"}, "unknown role 'a'"),
        ({"type": "cite", "label": "a"}, "unknown citation 'a'"),
        (
            {"type": "cite", "label": "a", "children": [A], "error": "no"},
            "unknown citation 'a'",
        ),
        ({"type": "link", "url": "#a", "children": [A]}, "nowhere '#a'"),
        ({"type": "link", "url": "./a.md", "children": [A]}, "nowhere"),
        ({"type": "link", "url": "https://a.org"}, "link without text"),
        ({"type": "card", "url": "#a", "children": []}, "nowhere '#a'"),
        (
            {"type": "crossReference", "label": "a", "children": [A]},
            "reference to nothing 'a'",
        ),
        (
            {"type": "crossReference", "label": "a", "html_id": "a"},
            "reference to nothing 'a'",
        ),
    ],
)
def test_what_myst_left_unresolved_stops_the_build(writer, node, problem):
    with pytest.raises(BuildError, match=f"{problem}.*chapters/x.ipynb:7"):
        writer.draw(node | {"position": {"start": {"line": 7}}})


def test_words_are_escaped(writer):
    assert writer.draw(text("1 < 2 & 3")) == "1 &lt; 2 &amp; 3"


@pytest.mark.parametrize(
    "node",
    [
        plot(),
        output("image/png", {"path": "/a.png", "content_type": "image/png"}),
        {"type": "image", "url": "/a.png", "alt": " "},
    ],
)
def test_a_figure_without_alt_text_stops_the_build(writer, node):
    with pytest.raises(BuildError, match="without alt text"):
        writer.draw(node)


def test_alt_text_comes_from_the_metadata_before_the_title(writer):
    drawn = writer.draw(plot("<title>old</title>", alt="A < B"))
    assert 'aria-label="A &lt; B"' in drawn
    assert "old" not in drawn


def test_alt_text_comes_from_the_title_when_nothing_else_has_it(writer):
    drawn = writer.draw(plot("<title>Two &amp; three</title>"))
    assert 'aria-label="Two &amp; three"' in drawn
    assert "<title" not in drawn


def test_two_drawings_on_a_page_share_no_id(writer):
    html = writer.draw(plot(alt="one")) + writer.draw(plot(alt="two"))
    ids = read(html).ids
    assert len(ids) == len(set(ids)) == 6
    assert 'href="#plot-2-m1"' in html
    assert "url(#plot-2-m1)" in html


def test_a_rule_for_everything_stays_inside_its_drawing():
    source = '<svg a="1"><style type="text/css">*{fill: red}</style></svg>'
    drawn = svg.inline(source, "alt", "p-")
    assert "#p-svg * {fill: red}" in drawn


def test_a_drawing_keeps_one_role_and_one_label():
    source = '<svg role="x" aria-label="y" id="z" width="3"></svg>'
    drawn = svg.inline(source, "alt", "p-")
    assert drawn.startswith('<svg id="p-svg" role="img" aria-label="alt" w')
    assert drawn.count("role=") == drawn.count("aria-label=") == 1


def test_content_shown_twice_has_its_id_once(writer):
    node = {"type": "paragraph", "children": []}
    box = {"type": "div", "html_id": "tab-one", "children": [node]}
    html = writer.draw(box) + writer.draw(box)
    assert read(html).ids == ["tab-one"]


@pytest.mark.parametrize("kind", ["exercise", "solution"])
def test_an_open_gate_stops_the_build(writer, kind):
    with pytest.raises(BuildError, match=f"{kind}-start"):
        writer.draw({"type": kind, "gate": "start", "children": []})


@pytest.mark.parametrize("kind", ["text/markdown", "text/latex"])
def test_an_output_no_page_can_show_stops_the_build(writer, kind):
    with pytest.raises(BuildError, match="no page can show"):
        writer.draw(output(kind, "x"))


def test_html_without_a_table_passes_unchanged(writer):
    live = '<div id="a"></div><script type="module">1 < 2</script>'
    assert live in writer.draw(output("text/html", live))


def test_a_data_frame_scrolls_and_loses_its_own_style(writer):
    frame = (
        "<style scoped>.a {}</style>"
        '<table border="1" class="dataframe"><tr><th></th></tr></table>'
    )
    drawn = writer.draw(output("text/html", frame))
    assert 'class="html-output scroll"' in drawn
    assert "<style" not in drawn
    assert "border=" not in drawn
    assert "<td></td>" in drawn


def test_a_widget_says_that_it_needs_a_kernel(writer):
    kind = "application/vnd.jupyter.widget-view+json"
    drawn = writer.draw(output(kind, {"content": "{}"}))
    assert "needs a running kernel" in drawn


def stream(name: str, text: Any, **rest: Any) -> dict[str, Any]:
    data = {"output_type": "stream", "name": name, "text": text}
    return {"type": "output", "jupyter_data": data | rest}


def test_what_is_printed_in_pieces_is_shown_in_one(writer):
    pieces = [
        stream("stdout", "a\n"),
        stream("stdout", ["b\n", "c\n"]),
        stream("stderr", "d\n"),
    ]
    drawn = writer.draw({"type": "outputs", "children": pieces})
    assert drawn.count("<pre") == 2
    assert ">a\nb\nc</pre>" in drawn


def test_a_long_output_is_read_from_its_file(writer, monkeypatch):
    whole = "x" * 30
    monkeypatch.setattr(writer.content, "text", {"/f.txt": whole}.get)
    node = stream("stdout", "xx...", path="/f.txt")
    assert whole in writer.draw({"type": "outputs", "children": [node]})


def test_colours_of_the_terminal_are_left_out(writer):
    node = {
        "type": "output",
        "jupyter_data": {
            "output_type": "error",
            "traceback": "\x1b[31mZeroDivisionError\x1b[39m",
        },
    }
    assert ">ZeroDivisionError<" in writer.draw(node)


@pytest.mark.parametrize(
    ("base", "path", "expected"),
    [
        ("", "", "./a/#b"),
        ("", "x/", "../a/#b"),
        ("", "x/y/", "../../a/#b"),
        ("/book", "x/", "/book/a/#b"),
        ("/book/", "", "/book/a/#b"),
    ],
)
def test_links_are_relative_unless_there_is_a_base(base, path, expected):
    assert Links.seen_from(path, base).page("/a#b") == expected


@pytest.mark.parametrize("url", ["https://a.org/", "mailto:a@b", "#here"])
def test_links_out_of_the_book_stay_as_they_are(url):
    assert Links("../").page(url) == url


def test_the_theme_does_not_import_torch():
    code = (
        "import sys, grokbook.site.render, grokbook.site.serve;"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
