"""Sparse features do what dense ones do, and dropout falls where it must."""

import warnings

import pytest
import torch
from graphs import few, signals, without_shape_checks
from hypothesis import given
from hypothesis import strategies as st

from grokbook import load_graph
from grokbook.draws import dropout
from grokbook.errors import SignalError
from grokbook.features import SparseFeatures, prepared


@given(
    st.integers(1, 6), st.integers(1, 6), st.integers(1, 3), st.integers(0, 9)
)
@few
def test_sparse_features_multiply_as_dense_ones(
    N: int, F: int, S: int, seed: int
) -> None:
    x = signals(N, F, seed=seed).relu()
    x[0] = 0  # a node without features
    W = signals(S, F, 4, seed=seed + 1).requires_grad_()
    b = signals(S, 4, seed=seed + 2).requires_grad_()
    ours = SparseFeatures(x).linear(W, b)
    theirs = x @ W + b[:, None]
    torch.testing.assert_close(ours, theirs)
    weigh = signals(S, N, 4, seed=seed + 3)
    ours = torch.autograd.grad((ours * weigh).sum(), [W, b])
    theirs = torch.autograd.grad((theirs * weigh).sum(), [W, b])
    torch.testing.assert_close(ours, theirs)


def test_gradient_is_that_of_finite_differences_under_dropout() -> None:
    x = SparseFeatures(signals(5, 4).relu())
    W = signals(2, 4, 3).requires_grad_()
    b = signals(2, 3).requires_grad_()

    def product(W: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        seeds = [torch.Generator().manual_seed(s) for s in range(2)]
        return x.linear(W, b, lambda value: dropout(value, 0.5, seeds))

    assert torch.autograd.gradcheck(product, (W, b))


def test_dropout_falls_on_stored_entries_only() -> None:
    x = torch.eye(3)
    features = SparseFeatures(x)
    seen = []

    def drop(value: torch.Tensor) -> torch.Tensor:
        seen.append(value.shape)
        return torch.zeros_like(value)

    ones = torch.ones(2, 3, 4), torch.ones(2, 4)
    assert torch.equal(features.linear(*ones, drop), torch.ones(2, 3, 4))
    assert seen == [(2, 3)]


def test_sparse_and_dense_tensors_are_the_same_features() -> None:
    x = signals(5, 4).relu()
    W, b = signals(1, 4, 3), signals(1, 3)
    dense = SparseFeatures(x).linear(W, b)
    assert torch.equal(SparseFeatures(x.to_sparse()).linear(W, b), dense)
    single = SparseFeatures(x).to(torch.float32)
    assert single.linear(W.float(), b.float()).dtype == torch.float32


def test_features_that_are_nearly_empty_are_kept_sparse() -> None:
    cora = load_graph("cora").x
    assert repr(prepared(cora)) == "SparseFeatures(2708 × 1433, 49216 stored)"
    full = signals(5, 4)
    assert prepared(full) is full
    features = SparseFeatures(full)
    assert prepared(features) is features
    assert isinstance(prepared(full.to_sparse()), SparseFeatures)


@pytest.mark.parametrize(
    ("x", "word"),
    [
        (torch.ones(3), "row for each"),
        (torch.ones(3, 2, dtype=torch.int64), "float"),
        (torch.tensor([[1.0, float("nan")]]), "NaN"),
        ([[1.0]], "list"),
    ],
)
def test_bad_features_get_a_named_error(x: object, word: str) -> None:
    with without_shape_checks(), pytest.raises(SignalError, match=word):
        prepared(x)


def test_two_layers_in_one_go_are_the_two_layers() -> None:
    """Values and all four gradients, with dropout of the entries."""
    x = signals(9, 5).relu()
    shapes = [(2, 5, 4), (2, 4), (2, 4, 3), (2, 3)]
    W_1, b_1, W_2, b_2 = parameters = [
        signals(*shape, seed=i).requires_grad_()
        for i, shape in enumerate(shapes)
    ]
    sparse = SparseFeatures(x)
    kept = (signals(2, len(sparse.value), seed=9) > 0).double()
    ours = sparse.perceptron((W_1, b_1), (W_2, b_2), lambda v: v * kept)
    hidden = sparse.linear(W_1, b_1, lambda v: v * kept).relu()
    theirs = hidden @ W_2 + b_2[:, None]
    torch.testing.assert_close(ours, theirs)
    weight = signals(2, 9, 3, seed=7)
    for a, b in zip(
        torch.autograd.grad((ours * weight).sum(), parameters),
        torch.autograd.grad((theirs * weight).sum(), parameters),
        strict=True,
    ):
        torch.testing.assert_close(a, b)


def test_compressed_features_are_refused_with_advice() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "CSR is in beta state"
        x = torch.eye(3).to_sparse_csr()
    with pytest.raises(SignalError, match="to_sparse"):
        prepared(x)
