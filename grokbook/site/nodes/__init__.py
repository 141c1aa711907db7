"""One small function for each kind of node, by topic.

Importing this package fills ``grokbook.site.writer.REGISTRY``.
"""

from grokbook.site.nodes import (
    blocks,
    boxes,
    cards,
    figures,
    math,
    notebook,
    reference,
    text,
)

__all__ = [
    "blocks",
    "boxes",
    "cards",
    "figures",
    "math",
    "notebook",
    "reference",
    "text",
]
