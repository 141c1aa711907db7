"""Models: features and a graph in, scores out; one a file."""

from grokbook.models.bernnet import BernNet
from grokbook.models.chebynet import ChebyNet
from grokbook.models.gat import GAT
from grokbook.models.gcn import GCN
from grokbook.models.gprgnn import GPRGNN
from grokbook.models.graphgps import GraphGPS
from grokbook.models.grokformer import GrokFormer
from grokbook.models.jacobiconv import JacobiConv
from grokbook.models.mlp import MLP
from grokbook.models.sgformer import SGFormer
from grokbook.models.transformer import Transformer

__all__ = [
    "GAT",
    "GCN",
    "GPRGNN",
    "MLP",
    "BernNet",
    "ChebyNet",
    "GraphGPS",
    "GrokFormer",
    "JacobiConv",
    "SGFormer",
    "Transformer",
]
