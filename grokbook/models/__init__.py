"""Models: features and a graph in, scores out; one a file."""

from grokbook.models.bernnet import BernNet
from grokbook.models.chebynet import ChebyNet
from grokbook.models.gcn import GCN
from grokbook.models.gprgnn import GPRGNN
from grokbook.models.grokformer import GrokFormer
from grokbook.models.jacobiconv import JacobiConv
from grokbook.models.mlp import MLP

__all__ = [
    "GCN",
    "GPRGNN",
    "MLP",
    "BernNet",
    "ChebyNet",
    "GrokFormer",
    "JacobiConv",
]
