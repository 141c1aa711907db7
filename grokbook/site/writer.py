"""Turn the tree of one page into HTML, node by node.

Every kind of node has one function, registered by name with ``@node``. A
kind nobody registered stops the build: nothing is dropped in silence.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

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

    def draw(self, node: Node) -> str:
        """Draw a node with the function of its kind."""
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

    def fail(self, problem: str, node: Node | None = None) -> None:
        """Stop the build and say where the problem is."""
        start = ((node or {}).get("position") or {}).get("start") or {}
        line = f":{start['line']}" if "line" in start else ""
        raise BuildError(f"{problem}: {self.location}{line}")
