"""Filters on graphs: relabelling the nodes relabels what comes out."""

from collections.abc import Callable

import pytest
import torch
from graphs import edge_lists, few, signals
from hypothesis import given
from hypothesis import strategies as st

from grokbook import apply_filter, laplacian, spectrum
from grokbook.filters import (
    Filter,
    FourierKAN,
    Orthogonal,
    Polynomial,
    Specformer,
)

LAM = torch.linspace(0, 2, 50, dtype=torch.float64)
SEED = torch.Generator().manual_seed(0)
MAKERS: dict[str, Callable[[], Filter]] = {
    "FourierKAN": lambda: FourierKAN(3, 4, generator=SEED),
    "Orthogonal": lambda: Orthogonal(FourierKAN(2, 3), LAM, generator=SEED),
    "Polynomial": lambda: Polynomial("jacobi", 5, generator=SEED),
    "Specformer": lambda: Specformer(
        8, 2, generator=SEED, epsilon=10.0, dtype=torch.float64
    ),
}


@pytest.mark.parametrize("name", MAKERS)
@few
@given(graph=edge_lists(), data=st.data())
def test_relabelled_nodes_have_relabelled_outputs(
    name: str, graph: tuple, data: st.DataObject
) -> None:
    edges, N, weight = graph
    perm = torch.tensor(data.draw(st.permutations(range(N))))
    place = torch.argsort(perm)  # node perm[i] becomes node i
    filter = MAKERS[name]()
    X = signals(N, 2)
    Y = apply_filter(filter, spectrum(laplacian(edges, N, weight)), X)
    moved = spectrum(laplacian(place[edges], N, weight))
    torch.testing.assert_close(
        apply_filter(filter, moved, X[perm]), Y[perm], atol=1e-9, rtol=0
    )
