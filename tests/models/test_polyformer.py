"""PolyFormer: tokens of one node look at each other and at nobody else's."""

import networkx as nx
import pytest
import torch
from graphs import edges_of, signals
from torch import Tensor

from grokbook import laplacian, spectrum
from grokbook.errors import LayerError
from grokbook.models.polyformer import PolyFormer, polynomials
from grokbook.operators import SeriesOperator

G = nx.karate_club_graph()
N = len(G)
L = laplacian(edges_of(G), N)


def made(**options: int) -> PolyFormer:
    """A model in float64."""
    seed = torch.Generator().manual_seed(0)
    return PolyFormer(6, 8, 3, K=4, generator=seed, **options).double().eval()


def chebyshev(x: Tensor, K: int) -> Tensor:
    """T_k(L − I) x, by the definition with cosines."""
    S = spectrum(L)
    angle = (S.lam - 1).clamp(-1, 1).arccos()
    return torch.stack(
        [
            S.U @ ((k * angle).cos()[:, None] * (S.U.T @ x))
            for k in range(K + 1)
        ]
    )


def test_tokens_are_the_chebyshev_polynomials_of_the_features() -> None:
    x = signals(N, 6)
    torch.testing.assert_close(made().tokens(x, L), chebyshev(x, 4))


def test_tokens_have_the_gradient_of_finite_differences() -> None:
    graph = SeriesOperator(L, 4)
    X = signals(2, N, 1).requires_grad_()
    assert torch.autograd.gradcheck(lambda X: polynomials(graph, X, 4), X)


def test_mapping_first_gives_what_tokens_computed_once_give() -> None:
    model, x = made(heads=2, num_layers=2), signals(N, 6)
    once = model.tokens(x, L)
    assert once.shape == (5, N, 6)
    torch.testing.assert_close(model(once, L), model(x, L))


def test_a_node_looks_at_its_own_tokens_only() -> None:
    model, x = made(heads=2), signals(N, 6)
    once = model.tokens(x, L)
    changed = once.clone()
    changed[:, 7] += signals(5, 6)
    differs = (model(once, L) != model(changed, L)).any(1)
    assert differs.nonzero().flatten().tolist() == [7]


def test_attention_is_the_double_sum_of_its_equation() -> None:
    layer, Z = made(heads=2).layers[0], signals(1, 5, N, 8)
    first, second = layer.own
    own = (Z[0] @ first.weight[0] + first.bias[0]).relu()
    own = own @ second.weight[0] + second.bias[0]
    Q, K = own @ layer.query.weight[0], own @ layer.key.weight[0]
    layer.beta.data.copy_(signals(1, 2, 5))
    wanted = torch.zeros(5, N, 8).double()
    for head in range(2):
        part = slice(4 * head, 4 * head + 4)
        for k in range(5):
            for j in range(5):
                score = (Q[k, :, part] * K[j, :, part]).sum(1) / 2  # √4
                weight = layer.beta[0, head, j] * score.tanh()
                wanted[k, :, part] += weight[:, None] * Z[0, j, :, part]
    torch.testing.assert_close(layer.attend(Z)[0], wanted)


def test_every_parameter_is_learned() -> None:
    model = made(num_layers=2, heads=2)
    model(signals(N, 6), L).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.abs().max() > 0, name


def test_heads_that_do_not_divide_the_channels_are_refused() -> None:
    with pytest.raises(LayerError, match="3 heads"):
        PolyFormer(6, 8, 3, heads=3)
