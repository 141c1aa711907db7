"""What is said to be multiplied is what PyTorch multiplies."""

import networkx as nx
import pytest
import torch
from graphs import signals, spectrum_of
from torch.utils.flop_counter import FlopCounterMode

from grokbook.models import GrokFormer
from grokbook.models.cost import multiply_adds

N, F, H, C = 34, 7, 12, 5


@pytest.mark.parametrize("reading", ["paper", "released"])
@pytest.mark.parametrize(
    ("K", "M", "heads", "num_layers"), [(1, 1, 1, 1), (3, 2, 2, 3)]
)
def test_the_formula_counts_what_pytorch_counts(
    reading: str, K: int, M: int, heads: int, num_layers: int
) -> None:
    sizes = {"K": K, "M": M, "heads": heads, "num_layers": num_layers}
    model = GrokFormer(F, H, C, reading=reading, **sizes).eval()
    graph = model.prepare(spectrum_of(nx.karate_club_graph()))
    counter = FlopCounterMode(display=False)
    with torch.no_grad(), counter:
        model(signals(N, F), graph)
    parts = multiply_adds(N, F, H, C, reading=reading, **sizes)
    # PyTorch counts a multiplication and an addition as two.
    assert counter.get_total_flops() == 2 * sum(parts.values())
