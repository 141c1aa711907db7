"""Checks of chapter 07, attention as a filter."""

from collections.abc import Callable

import networkx as nx
import torch

from grokbook.apply import apply_filter
from grokbook.attention import attention_matrix
from grokbook.checks import exercise, expect
from grokbook.checks.chapter01 import edges_of
from grokbook.laplacian import laplacian
from grokbook.mode_response import gain
from grokbook.spectrum import Spectrum, spectrum


def _modes(G: nx.Graph) -> Spectrum:
    return spectrum(laplacian(edges_of(G), len(G)))


@exercise("ex-break-even")
def _(break_even: Callable) -> None:
    expect(
        abs(float(break_even(8, 8)) - 8) < 1e-9,
        "with w = v = 8 the two orders cost the same at 8 nodes",
    )
    for w, v in ((1, 3), (16, 4), (5, 7)):
        N = float(break_even(w, v))
        expect(
            abs(N * N * (w + v) - 2 * N * w * v) < 1e-9 and N > 0,
            f"for w = {w} and v = {v} the counts of the two orders differ "
            f"at N = {N:g}",
        )


@exercise("ex-contraction")
def _(contraction: Callable) -> None:
    rows = [[1.0, 0, 0], [0, 1, 0], [0, 0.5, 0.5]]
    expect(
        abs(float(contraction(torch.tensor(rows))) - 1) < 1e-6,
        "two nodes that attend to nothing in common can keep the whole "
        "range: the number is 1 there",
    )
    expect(
        abs(float(contraction(torch.full((4, 4), 0.25)))) < 1e-6,
        "if all rows are the same, every signal comes out constant: 0",
    )
    rows = [[0.5, 0.5, 0], [0.5, 0.25, 0.25], [0.25, 0.25, 0.5]]
    expect(
        abs(float(contraction(torch.tensor(rows))) - 0.5) < 1e-6,
        "rows (½, ½, 0) and (¼, ¼, ½) share ½ of their weight; did you "
        "take every pair of rows, and half the sum of the differences?",
    )
    rows = [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5], [0.25] * 4, [0.25] * 4]
    expect(
        abs(float(contraction(torch.tensor(rows))) - 1) < 1e-6,
        "rows (½, ½, 0, 0) and (0, 0, ½, ½) share no weight: the number is "
        "1; did you add the differences over all k?",
    )


@exercise("ex-filter-share")
def _(filter_share: Callable) -> None:
    S = _modes(nx.barbell_graph(4, 2))
    N = S.num_nodes
    eye = torch.eye(N, dtype=torch.float64)
    for h in (torch.exp, lambda lam: 1 - lam):
        share = float(filter_share(apply_filter(h, S, eye), S))
        expect(
            abs(share - 1) < 1e-9,
            "of a filter everything is a filter: the share is 1",
        )
    across = S.U[:, :1] @ S.U[:, -1:].T  # one mode in, another one out
    expect(
        abs(float(filter_share(across, S))) < 1e-9,
        "a matrix that turns one mode into another has no share",
    )
    expect(
        abs(float(filter_share(3 * (eye + across * N**0.5), S)) - 0.5) < 1e-9,
        "half of this matrix is a filter; the share is a ratio of sums of "
        "squares, and a factor of the matrix cancels",
    )
    S = _modes(nx.complete_graph(5))  # λ = 5/4 four times
    one = S.U[:, 1:2] @ S.U[:, 1:2].T
    expect(
        abs(float(filter_share(one, S)) - 1 / 4) < 1e-9,
        "on five nodes, all joined, a matrix that passes one of the four "
        "modes of equal λ is a filter to a quarter: a filter gives them all "
        "the same number",
    )


@exercise("ex-high-pass")
def _(features: Callable) -> None:
    for G in (
        nx.cycle_graph(8),
        nx.complete_bipartite_graph(4, 4),
        nx.cycle_graph(100),
    ):
        S = _modes(G)
        X = features(S)
        expect(
            X.ndim == 2 and len(X) == S.num_nodes,
            "give a table with one row per node",
        )
        A = attention_matrix("softmax", X.double(), X.double())
        g = gain(A, S)
        expect(
            g[-1] > 0.9,
            f"the mode at λ = 2 comes out {float(g[-1]):.2f} times as long; "
            "it should keep 0.9",
        )
        expect(
            (g[1:-1] < 0.1).all(),
            "modes between the lowest and the highest come out at "
            f"{float(g[1:-1].max()):.2f}; they should fall below 0.1",
        )
