"""Models: features and a graph in, scores out; one a file."""

from grokbook.models.grokformer import GrokFormer
from grokbook.models.mlp import MLP

__all__ = ["MLP", "GrokFormer"]
