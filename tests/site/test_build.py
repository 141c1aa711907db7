"""The fixture, built as the book is built, read from disk."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from building import HERE, SITE, copy_book, copy_fixture
from looking import dead_links, html_mistakes, read

PAGES = ["404.html", "constructs/", "glossary/", "", "notebook/"]
UNRESOLVED = {
    "index.md": ":::{foobar}\nThese words would be lost.\n:::",
    "chapters/01-constructs.md": "A dead [](#nowhere).",
    "chapters/glossary.md": "As {cite}`nobody2020` says.",
}
LOOPBACK_ONLY = ("unshare", "-rn", "sh", "-c")


def test_every_page_is_written(built_site):
    assert built_site.pages == sorted(
        PAGES, key=lambda page: page + "index.html"
    )


def test_the_fixture_builds_without_a_warning(built_site):
    assert "⚠" not in built_site.log
    assert "⛔" not in built_site.log


def test_no_id_is_used_twice_on_a_page(built_site):
    for page in built_site.pages:
        ids = read(built_site.text(page)).ids
        assert len(ids) == len(set(ids)), page


def test_every_link_and_fragment_leads_somewhere(built_site):
    assert dead_links(built_site) == []


def test_a_dead_link_would_be_found(built_site, tmp_path):
    copy = tmp_path / "html"
    shutil.copytree(built_site.html, copy)
    broken = type(built_site)(copy, "", 0)
    front = copy / "index.html"
    text = front.read_text(encoding="utf-8")
    text += '<a href="nowhere/">a</a><a href="constructs/#lost">b</a>'
    front.write_text(text, encoding="utf-8")
    assert dead_links(broken) == ["index: nowhere/", "index: constructs/#lost"]


def test_the_pages_are_valid_html(built_site, tools):
    assert html_mistakes(built_site, tools) == []


def test_nothing_is_loaded_from_another_machine(built_site):
    for page in built_site.pages:
        for address in read(built_site.text(page)).loads:
            assert not re.match("(https?:)?//", address), (page, address)
    css = (built_site.html / "static/book.css").read_text(encoding="utf-8")
    assert "http" not in css
    assert "@import" not in css


def test_katex_brings_only_the_fonts_its_sheet_names(built_site):
    katex = built_site.html / "static" / "katex"
    css = (katex / "katex.min.css").read_text(encoding="utf-8")
    named = set(re.findall(r"url\(fonts/([^)]+)\)", css))
    assert named == {font.name for font in (katex / "fonts").iterdir()}
    assert {Path(font).suffix for font in named} == {".woff2"}


def test_the_base_address_is_in_front_of_every_link(build_project, tmp_path):
    site = build_project(copy_fixture(tmp_path), base="/some/book")
    assert site.code == 0, site.log
    for page in site.pages:
        reader = read(site.text(page))
        for link in reader.links + list(filter(None, reader.loads)):
            assert re.match("https?:|#|/some/book/", link), (page, link)
    assert dead_links(site, base="/some/book/") == []


def test_a_node_the_theme_does_not_know_fails_the_build(
    build_project, tmp_path
):
    project = copy_fixture(tmp_path)
    with (project / "index.md").open("a", encoding="utf-8") as file:
        file.write("\n```{mermaid}\ngraph LR\n```\n")
    site = build_project(project)
    assert site.code != 0
    assert re.search(r"'mermaid': index\.md:\d+", site.log), site.log


def test_what_myst_leaves_unresolved_fails_the_build(build_project, tmp_path):
    project = copy_fixture(tmp_path)
    for name, words in UNRESOLVED.items():
        with (project / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{words}\n")
    path = project / "chapters" / "02-notebook.ipynb"
    notebook = nbformat.read(path, as_version=4)
    words = "A {nosuchrole}`word`."
    notebook.cells.append(nbformat.v4.new_markdown_cell(words))
    nbformat.write(notebook, path)
    site = build_project(project)
    assert site.code != 0
    for problem in (
        r"unknown directive 'foobar': index\.md:\d+",
        r"nowhere '#nowhere': chapters/01-constructs\.md:\d+",
        r"unknown citation 'nobody2020': chapters/glossary\.md:\d+",
        r"unknown role 'nosuchrole': chapters/02-notebook\.ipynb:\d+",
    ):
        assert re.search(problem, site.log), site.log


def test_a_plot_without_alt_text_fails_the_build(build_project, tmp_path):
    project = copy_fixture(tmp_path)
    path = project / "chapters" / "02-notebook.ipynb"
    notebook = nbformat.read(path, as_version=4)
    plots = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    plots[0]["metadata"] = {}
    nbformat.write(notebook, path)
    site = build_project(project)
    assert site.code != 0
    assert "without alt text: chapters/02-notebook.ipynb, cell" in site.log


@pytest.mark.parametrize("copy", [copy_fixture, copy_book])
def test_the_site_builds_with_the_network_cut(build_project, tmp_path, copy):
    if subprocess.run([*LOOPBACK_ONLY, "ip link set lo up"]).returncode:
        pytest.skip("this system does not let a test cut the network")
    site = build_project(
        copy(tmp_path),
        *LOOPBACK_ONLY,
        'ip link set lo up && exec "$@"',
        "sh",
    )
    assert site.code == 0, site.log


@pytest.mark.parametrize("folder", [SITE, HERE])
def test_lock_files_hold_no_download_address(folder):
    text = (folder / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in text


def test_removed_cells_leave_nothing_behind(built_site):
    html = built_site.text("notebook/")
    assert "SECRETOUTPUT" not in html
    assert "REMOVEDCELL" not in html
    assert "removed_input" not in html


def test_a_gated_exercise_holds_its_cells(built_site):
    html = built_site.text("notebook/")
    exercise = html.index('id="ex-degree"')
    solution = html.index('id="sol-degree"')
    starter, answer = html.index("your code"), html.index("axis")
    assert exercise < starter < solution < answer
    assert html.index("</details>", solution) > answer


def test_a_notebook_offers_the_ways_to_run_it(built_site):
    html = built_site.text("notebook/")
    colab = "colab.research.google.com/github/example/fixture/blob/main/"
    assert f"{colab}chapters/02-notebook.ipynb" in html
    assert "mybinder.org/v2/gh/example/fixture/HEAD?labpath=" in html
    assert 'download="02-notebook.ipynb"' in html
    assert "colab" not in built_site.text("constructs/")


def test_without_a_repository_there_is_only_the_download(
    build_project, tmp_path
):
    project = copy_fixture(tmp_path)
    config = project / "myst.yml"
    text = config.read_text(encoding="utf-8")
    text = re.sub("  github: .*\n", "", text)
    config.write_text(text, encoding="utf-8")
    html = build_project(project).text("notebook/")
    assert "colab" not in html
    assert "binder" not in html
    assert 'download="02-notebook.ipynb"' in html


def test_every_section_can_be_searched(built_site):
    text = (built_site.html / "search.json").read_text(encoding="utf-8")
    records = json.loads(text)
    found = {record["url"]: record["section"] for record in records}
    assert found["constructs/#sec-math"] == "Mathematics"
    assert found["notebook/#sec-outputs"] == "Outputs"


def test_a_page_describes_itself(built_site):
    html = built_site.text("glossary/")
    assert "<title>Glossary · Fixture of the Theme</title>" in html
    for name in ("description", "og:title", "og:description", "twitter:card"):
        assert re.search(f'="{name}" content="[^"]+"', html), name


def test_the_picture_of_the_book_is_named_by_its_whole_address(
    build_project, built_site, tmp_path
):
    project = copy_fixture(tmp_path)
    config = project / "myst.yml"
    text = config.read_text(encoding="utf-8")
    text = text.replace("project:", "project:\n  thumbnail: files/path.svg")
    config.write_text(text, encoding="utf-8")
    site = build_project(project, base="https://example.org/book")
    image = re.search(
        '"og:image" content="https://example.org/book/([^"]+)"', site.text("")
    )
    assert image, site.log
    assert (site.html / image[1]).is_file()
    assert "og:image" not in built_site.text("")
