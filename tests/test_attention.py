"""Softmax, efficient and linear attention are three different operators."""

import pytest
import torch
from graphs import signals, without_shape_checks

from grokbook.attention import (
    ATTENTION,
    attention,
    attention_matrix,
    efficient_attention,
    join_heads,
    linear_attention,
    softmax_attention,
    split_heads,
)
from grokbook.errors import SignalError, UnknownNameError

each = pytest.mark.parametrize("kind", ATTENTION)


def qkv(N: int = 7, d: int = 4) -> list[torch.Tensor]:
    return [signals(N, d, seed=seed) for seed in (1, 2, 3)]


def test_softmax_attention_agrees_with_pytorch():
    Q, K, V = qkv()
    expected = torch.nn.functional.scaled_dot_product_attention(
        Q[None], K[None], V[None]
    )[0]
    assert torch.allclose(softmax_attention(Q, K, V), expected)


def test_linear_attention_is_the_plain_product():
    Q, K, V = qkv()
    assert torch.allclose(linear_attention(Q, K, V), (Q @ K.T) @ V)


@pytest.mark.parametrize("kind", ["softmax", "efficient"])
def test_rows_of_a_normalised_attention_sum_to_one(kind: str):
    Q, K, _ = qkv()
    A = attention_matrix(kind, Q, K)
    assert (A > 0).all()
    assert torch.allclose(A.sum(-1), torch.ones(7).double())


def test_a_softmax_over_pairs_cannot_be_multiplied_in_the_cheap_order():
    Q, K, V = qkv()
    gap = softmax_attention(Q, K, V) - efficient_attention(Q, K, V)
    assert gap.abs().max() > 0.01


@pytest.mark.parametrize("kind", ["efficient", "linear"])
def test_the_cheap_order_has_rank_at_most_d(kind: str):
    Q, K, _ = qkv(N=7, d=3)
    assert torch.linalg.matrix_rank(attention_matrix(kind, Q, K)) == 3


@each
def test_attention_is_permutation_equivariant(kind: str):
    Q, K, V = qkv()
    order = torch.randperm(7, generator=torch.Generator().manual_seed(5))
    there = attention(kind)(Q[order], K[order], V[order])
    assert torch.allclose(there, attention(kind)(Q, K, V)[order])


@each
def test_masked_nodes_change_nothing(kind: str):
    Q, K, V = qkv()
    mask = torch.arange(7) < 5
    padded = attention(kind)(Q, K, V, mask)[:5]
    alone = attention(kind)(Q[:5], K[:5], V[:5])
    assert torch.allclose(padded, alone)


@each
def test_a_batch_is_its_members_one_by_one(kind: str):
    many = [torch.stack(pair) for pair in zip(qkv(), qkv()[::-1], strict=True)]
    together = attention(kind)(*many)
    for i in range(2):
        alone = attention(kind)(*(m[i] for m in many))
        assert torch.allclose(together[i], alone)


@each
def test_gradients_are_right(kind: str):
    tensors = [t.requires_grad_() for t in qkv(4, 2)]
    assert torch.autograd.gradcheck(attention(kind), tensors)


@each
def test_attention_runs_on_the_meta_device(kind: str):
    Q, K, V = (t.to("meta") for t in qkv())
    assert attention(kind)(Q, K, V).shape == (7, 4)


def test_heads_are_cut_and_joined_again():
    X = signals(5, 6, seed=1)
    heads = split_heads(X, 3)
    assert heads.shape == (3, 5, 2)
    assert torch.equal(heads[1], X[:, 2:4])
    assert torch.equal(join_heads(heads), X)


def test_bad_calls_are_named():
    with pytest.raises(UnknownNameError, match="softmax, efficient, linear"):
        attention("flash")
    with pytest.raises(SignalError, match="divides the channels"):
        split_heads(torch.zeros(5, 6), 4)
    Q, K, V = qkv()
    with (
        without_shape_checks(),
        pytest.raises(SignalError, match="same width"),
    ):
        linear_attention(Q[:, :2], K, V)
