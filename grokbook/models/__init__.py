"""Models: features and a graph in, scores out; one a file."""

from grokbook.models.grokformer import GrokFormer

__all__ = ["GrokFormer"]
