"""Turn the tree of one page into HTML, node by node.

Every kind of node has one function, registered by name with ``@node``. A
kind nobody registered stops the build: nothing is dropped in silence.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn

from grokbook.site.content import Content
from grokbook.site.errors import BuildError
from grokbook.site.links import Links
from grokbook.site.markup import Node

Draw = Callable[["Writer", Node], str]
REGISTRY: dict[str, Draw] = {}


def node(*kinds: str) -> Callable[[Draw], Draw]:
    """Register a function as the one that draws these kinds of node."""

    def register(draw: Draw) -> Draw:
        for kind in kinds:
            REGISTRY[kind] = draw
        return draw

    return register


@dataclass
class Section:
    """A heading, as "on this page" lists it."""

    depth: int
    id: str
    title: str


@dataclass
class Writer:
    """Draws one page and collects what the page around it needs."""

    location: str
    links: Links
    content: Content
    sections: list[Section] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    figures: int = 0
    tabs: int = 0
    line: int = 0  # of the last node that has one
    cell: str = ""  # the id of the notebook's cell being drawn

    def draw(self, node: Node) -> str:
        """Draw a node with the function of its kind."""
        self.line = line_of(node) or self.line
        draw = REGISTRY.get(node["type"])
        if draw is None:
            self.fail(f"unknown node kind {node['type']!r}", node)
        return draw(self, node)

    def inside(self, node: Node) -> str:
        """Draw the children of a node, one after the other."""
        return "".join(self.draw(c) for c in node.get("children") or [])

    def id(self, wanted: str | None) -> str | None:
        """Hand out an id, once: content shown again gets none."""
        if not wanted or wanted in self.taken:
            return None
        self.taken.add(wanted)
        return wanted

    def fail(self, problem: str, node: Node | None = None) -> NoReturn:
        """Stop the build and say where the problem is."""
        line = line_of(node or {}) or self.line
        place = self.location + (f":{line}" if line else "")
        cell = f", cell {self.cell}" if self.cell else ""
        raise BuildError(f"{problem}: {place}{cell}")


def line_of(node: Node) -> int:
    """Return the line a node starts on: of its page, or of its cell."""
    start = (node.get("position") or {}).get("start") or {}
    return start.get("line") or 0
