"""Operators filter as apply_filter does; padding is inert."""

import networkx as nx
import pytest
import torch
from graphs import (
    edge_lists,
    edges_of,
    few,
    signals,
    spectrum_of,
    without_shape_checks,
)
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from grokbook import apply_filter, deflate, laplacian, spectrum
from grokbook.batch_operator import BatchOperator
from grokbook.errors import EmptyGraphError, SignalError
from grokbook.matrix import equal_rows
from grokbook.models import GrokFormer
from grokbook.models.readout import READOUTS, read_out
from grokbook.operators import EigenOperator, SeriesOperator
from grokbook.prepare import prepared

GRAPHS = [nx.path_graph(4), nx.star_graph(5), nx.empty_graph(1)]
SPECTRA = [spectrum_of(G) for G in GRAPHS]


def responses(lam: Tensor) -> Tensor:
    """Three responses, one for each copy."""
    return torch.stack([torch.exp(-lam), lam**2, torch.cos(3 * lam)], dim=1)


@given(edge_lists(), st.sampled_from(["full", "deflated", "series"]))
@few
def test_operators_filter_each_copy_by_its_response(
    graph: tuple[Tensor, int, Tensor], road: str
) -> None:
    edges, N, weight = graph
    L = laplacian(edges, N, weight)
    S = spectrum(L)
    if road == "series":
        operator = SeriesOperator(L, degree=30)
    else:
        S = deflate(S) if road == "deflated" else S
        operator = EigenOperator(S, dtype=torch.float64)
    X = signals(3, N, 2)
    ours = operator(responses(operator.points), X)
    for s in range(3):
        theirs = apply_filter(lambda lam, s=s: responses(lam)[:, s], L, X[s])
        torch.testing.assert_close(ours[s], theirs, atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize("degree", [0, 1, 2, 5])
def test_sums_of_chebyshev_terms_are_those_of_the_dense_matrix(
    degree: int,
) -> None:
    """Each road, its values and its gradients; T_p by its recurrence."""
    L = laplacian(edges_of(nx.karate_club_graph()))
    A = L.to_dense() - torch.eye(34)
    T = [torch.eye(34, dtype=A.dtype), A]
    while len(T) <= degree:
        T.append(2 * A @ T[-1] - T[-2])
    X = signals(2, degree + 1, 34, 3).requires_grad_()
    wanted = sum(T[p] @ X[:, p] for p in range(degree + 1))
    by_hand = torch.autograd.grad(wanted.square().sum(), X)[0]
    for operator in (
        SeriesOperator(L, degree=2),
        EigenOperator(spectrum(L), dtype=torch.float64),
    ):
        Y = operator.summed(X)
        torch.testing.assert_close(Y, wanted)
        ours = torch.autograd.grad(Y.square().sum(), X)[0]
        torch.testing.assert_close(ours, by_hand)


def test_mixing_is_one_minus_the_laplacian_on_each_road() -> None:
    L = laplacian(edges_of(nx.star_graph(6)))
    X = signals(2, 7, 3).requires_grad_()
    wanted = X - L.to_dense() @ X
    by_hand = torch.autograd.grad(wanted.square().sum(), X)[0]
    for operator in (
        SeriesOperator(L, degree=1),
        EigenOperator(deflate(spectrum(L)), dtype=torch.float64),
    ):
        Y = operator.mixed(X)
        torch.testing.assert_close(Y, wanted)
        ours = torch.autograd.grad(Y.square().sum(), X)[0]
        torch.testing.assert_close(ours, by_hand)


def test_twins_outside_one_share_a_row_and_filter_as_before() -> None:
    """A star's leaves and a bipartite graph's sides are twins."""
    G = nx.disjoint_union(nx.star_graph(6), nx.complete_bipartite_graph(3, 4))
    S = deflate(spectrum_of(G))
    operator = EigenOperator(S, dtype=torch.float64)
    assert len(operator.U) == 4 < S.num_nodes == 14  # two classes each
    X = signals(3, 14, 2).requires_grad_()
    Y = operator(responses(operator.points), X)
    theirs = apply_filter(lambda lam: torch.exp(-lam), spectrum_of(G), X[0])
    torch.testing.assert_close(Y[0], theirs)
    ours = torch.autograd.grad(Y[0].square().sum(), X)[0][0]
    plain = torch.autograd.grad(theirs.square().sum(), X)[0][0]
    torch.testing.assert_close(ours, plain)


def test_rows_are_merged_only_if_they_are_equal() -> None:
    U = torch.tensor([[1.0, 0], [0, 1], [1, 0], [1, 1e-8]]).double()
    first, place = equal_rows(U)
    assert place[0] == place[2]
    assert len(first) == 3 == len(place.unique())
    torch.testing.assert_close(U[first][place], U, rtol=0, atol=1e-9)
    assert len(equal_rows(U.float())[0]) == 4  # too coarse to tell
    # cos 0 and cos 1: two rows with equal projections, yet not equal
    a, b = torch.cos(torch.tensor([0.0, 1.0], dtype=torch.float64)).tolist()
    assert len(equal_rows(torch.tensor([[b, 0], [0, a]]).double())[0]) == 2


def test_truncated_operator_keeps_the_rest_at_its_mean_response() -> None:
    S = spectrum(laplacian(edges_of(nx.path_graph(9))), k=4)
    X = signals(3, 9, 2)
    operator = EigenOperator(S, dtype=torch.float64)
    ours = operator(responses(operator.points), X)
    theirs = apply_filter(lambda lam: torch.exp(-lam), S, X[0])
    torch.testing.assert_close(ours[0], theirs)


def test_a_batch_is_its_graphs_one_by_one() -> None:
    batch = BatchOperator(SPECTRA, dtype=torch.float64)
    X = signals(3, 3, 6, 2)
    Y = batch(responses(batch.points), X)
    for b, S in enumerate(SPECTRA):
        N = S.num_nodes
        alone = EigenOperator(S, dtype=torch.float64)
        torch.testing.assert_close(
            Y[:, b, :N], alone(responses(alone.points), X[:, b, :N])
        )
        assert (Y[:, b, N:] == 0).all()


def batched_model(attention: str, readout: str | None) -> GrokFormer:
    seed = torch.Generator().manual_seed(0)
    return GrokFormer(
        2, 8, 3, K=2, M=3, heads=2, num_layers=2, attention=attention,
        readout=readout, generator=seed,
    ).double()  # fmt: skip


@pytest.mark.parametrize("readout", READOUTS)
@pytest.mark.parametrize("attention", ["softmax", "efficient", "linear"])
def test_padding_changes_no_score_and_no_gradient(
    attention: str, readout: str
) -> None:
    model = batched_model(attention, readout)
    x = signals(3, 6, 2)

    def gradients(scores: Tensor) -> list[Tensor]:
        return torch.autograd.grad(scores.square().sum(), model.parameters())

    together = model(x, SPECTRA)
    alone = torch.cat(
        [
            model(x[b : b + 1, : S.num_nodes], [S])
            for b, S in enumerate(SPECTRA)
        ]
    )
    torch.testing.assert_close(together, alone)
    torch.testing.assert_close(gradients(together), gradients(alone))
    rubbish = x.masked_fill(~BatchOperator(SPECTRA).mask[..., None], 1e3)
    torch.testing.assert_close(model(rubbish, SPECTRA), together)


def test_a_batch_of_one_graph_is_the_graph() -> None:
    model, x = batched_model("softmax", None), signals(4, 2)
    torch.testing.assert_close(
        model(x[None], SPECTRA[:1])[0], model(x, SPECTRA[0])
    )


def test_order_of_nodes_changes_no_score_of_a_graph() -> None:
    model, x = batched_model("softmax", "max"), signals(6, 2)
    to = torch.tensor([3, 5, 0, 1, 4, 2])
    moved = torch.empty_like(x)
    moved[to] = x
    L = laplacian(to[edges_of(GRAPHS[1])], 6)
    torch.testing.assert_close(
        model(moved[None], [spectrum(L)]), model(x[None], [SPECTRA[1]])
    )


@pytest.mark.parametrize(
    ("kind", "wanted"), [("sum", 3.0), ("mean", 1.5), ("max", 2.0)]
)
def test_readouts_see_real_nodes_only(kind: str, wanted: float) -> None:
    X = torch.tensor([[1.0], [2.0], [7.0]])
    mask = torch.tensor([True, True, False])
    assert read_out(kind, X, mask).item() == wanted
    assert read_out(kind, X[:2]).item() == wanted


def test_bad_batches_get_a_named_error() -> None:
    with pytest.raises(EmptyGraphError, match="no graph"):
        BatchOperator([])
    with pytest.raises(SignalError, match="deflated"):
        BatchOperator([deflate(SPECTRA[1])])
    batch = BatchOperator(SPECTRA)
    with without_shape_checks(), pytest.raises(SignalError, match="nodes"):
        batch(responses(batch.points), signals(3, 2, 6, 2))


def test_eigenvalues_stay_in_float64() -> None:
    operator = prepared(SPECTRA[0], responses, dtype=torch.float32)
    assert operator.points.dtype == torch.float64
    assert operator.U.dtype == torch.float32


@pytest.mark.parametrize("graph", [nx.star_graph(5), nx.path_graph(6)])
def test_each_copy_is_seen_through_its_own_responses(graph: nx.Graph) -> None:
    """Two copies, three responses: as six signals one by one."""
    S = deflate(spectrum_of(graph))
    op = EigenOperator(S, dtype=torch.float64)
    X = torch.stack([signals(6, 4), signals(6, 4).flip(0)])
    h = torch.stack([op.points**p for p in range(6)], dim=1)
    views = op.views(h, X)
    assert views.shape == (6, 6, 4)
    for row in range(6):
        (alone,) = op(h[:, [row]], X[row // 3][None])
        torch.testing.assert_close(views[row], alone)


@pytest.mark.parametrize("count", [1, 3])
def test_responses_that_copies_cannot_share_are_refused(count: int) -> None:
    op = EigenOperator(spectrum_of(nx.path_graph(6)), dtype=torch.float64)
    X = torch.stack([signals(6, 4)] * 2)
    h = torch.ones(6, count, dtype=torch.float64)
    with without_shape_checks():
        with pytest.raises(SignalError, match="shared out among 2 copies"):
            op.views(h, X)
        with pytest.raises(SignalError, match="one column for each"):
            op(h, X)
