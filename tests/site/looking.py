"""What every page of a site must pass, read from disk and in a browser."""

import json
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlparse

from building import HERE, Build

WIDTHS = (1400, 390)
UNFOLD = "document.querySelectorAll('details').forEach(d => d.open = true)"
AXE = """() => axe.run({resultTypes: ['violations']}).then((result) =>
  result.violations.map((found) =>
    `${found.id}: ${found.nodes.map((n) => n.target).join(', ')}`))"""
OVER = "document.documentElement.scrollWidth - innerWidth"
# Two frames: observers of sizes have run, and the script with them.
PAINTED = """new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(done)))"""


class Reader(HTMLParser):
    """Collects the ids of a page and the addresses it uses."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag == "a":
            self.links.append(found.get("href") or "")
        elif tag in ("img", "script", "source"):
            self.loads.append(found.get("src") or "")
        elif tag == "link":
            self.loads.append(found.get("href") or "")


def read(html: str) -> Reader:
    """Read a page."""
    reader = Reader()
    reader.feed(html)
    return reader


def dead_links(site: Build, base: str = "/") -> list[str]:
    """Return every link and every fragment that leads nowhere."""
    origin = "http://site"
    front = origin + base
    pages = {page: read(site.text(page)) for page in site.pages}
    dead = []
    for page, reader in pages.items():
        for link in [*reader.links, *filter(None, reader.loads)]:
            url = urlparse(urljoin(front + page, link))
            if f"{url.scheme}://{url.netloc}" != origin:
                continue
            path = unquote(url.path).removeprefix(base)
            file = site.html / (
                path + "index.html"
                if path == "" or path.endswith("/")
                else path
            )
            known = pages.get(path)
            lost = url.fragment and (
                known is None or unquote(url.fragment) not in known.ids
            )
            if not file.is_file() or lost:
                dead.append(f"{page or 'index'}: {link}")
    return dead


def html_mistakes(site: Build, tools: Path) -> list[str]:
    """Return what html-validate finds in the built pages."""
    command = [
        "node",
        str(tools / "html-validate" / "bin" / "html-validate.mjs"),
        "--config",
        str(HERE / ".htmlvalidate.json"),
        "--formatter",
        "json",
        str(site.html),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    return [
        f"{Path(result['filePath']).parent.name}:{message['line']}: "
        f"{message['ruleId']} {message['message']}"
        for result in json.loads(done.stdout)
        for message in result["messages"]
    ]


def look_at(browser, address: str, tools: Path) -> list[str]:
    """Open a page in every width and colour; return all that is wrong."""
    wrong: list[str] = []
    context = browser.new_context(color_scheme="light", bypass_csp=True)
    page = context.new_page()
    page.on("request", lambda r: leaves(r.url, address, wrong))
    page.on("requestfailed", lambda r: wrong.append(f"failed {r.url}"))
    page.on("pageerror", lambda error: wrong.append(f"error {error}"))
    page.on("console", lambda line: complains(line, address, wrong))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.evaluate(UNFOLD)
    page.evaluate((tools / "axe-core" / "axe.min.js").read_text())
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        over = page.evaluate(OVER)
        if over > 0:
            wrong.append(f"{over} px wider than {width} px")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.evaluate(PAINTED)
            found = page.evaluate(AXE)
            wrong += [f"axe at {width} {scheme}: {one}" for one in found]
    context.close()
    return wrong


def leaves(url: str, address: str, wrong: list[str]) -> None:
    """Note a request that goes to another machine."""
    if url.startswith("data:"):
        return
    if urlparse(url).netloc != urlparse(address).netloc:
        wrong.append(f"request to {url}")


def complains(line, address: str, wrong: list[str]) -> None:
    """Note errors and warnings that the browser writes down."""
    if line.type in ("error", "warning"):
        wrong.append(f"console: {line.text}")
