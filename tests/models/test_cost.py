"""What is said to be multiplied is what PyTorch multiplies."""

import networkx as nx
import pytest
import torch
from graphs import signals, spectrum_of
from torch.utils.flop_counter import FlopCounterMode

from grokbook.models import GrokFormer
from grokbook.models.cost import filter_work, least_seconds, multiply_adds

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


def test_a_filter_step_multiplies_and_reads_what_is_said() -> None:
    U, X, h = torch.zeros(30, 8), torch.zeros(30, 3), torch.zeros(8, 1)
    with FlopCounterMode(display=False) as counter:
        Y = U @ (h * (U.T @ X))
    operations, read = filter_work(30, 8, 3)
    assert operations == counter.get_total_flops() + 8 * 3  # diag(h)
    held = sum(4 * part.numel() for part in (U, U, X, h, Y))
    assert read == held  # U is read twice
    assert filter_work(30, 8, 3, bytes_each=8)[1] == 2 * read


def test_no_code_beats_the_slower_of_two_bounds() -> None:
    assert least_seconds((100, 10), 10.0, 10.0) == (10.0, "arithmetic")
    assert least_seconds((100, 1000), 10.0, 10.0) == (100.0, "reading")
