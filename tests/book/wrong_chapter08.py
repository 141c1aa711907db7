"""Plausible wrong answers to the exercises of chapter 08."""

from typing import Any

import torch
from torch import nn
from wrong_answers import wrong

from grokbook import Spectrum, laplacian, spectrum


def _count(
    F: int, H: int, C: int, c: int, i: int, filter: int, sets: int, last: int
) -> int:
    def linear(a: int, b: int) -> int:
        return a * b + b

    layer = 4 * c + 3 * linear(c, i) + linear(i, c) + 2 * linear(c, c)
    return linear(F, H) + linear(H, c) + sets * (layer + filter) + last


@wrong("ex-parameters")
def gives_each_released_layer_its_own_weights(
    F: int, H: int, C: int, *, K: int, M: int, heads: int, num_layers: int,
    reading: str,
) -> Any:  # fmt: skip
    c = C if reading == "released" else H
    i = heads * c if reading == "released" else c
    last = 0 if reading == "released" else H * C + C
    return _count(F, H, C, c, i, K * (2 * M + 2), num_layers, last)


@wrong("ex-parameters")
def widens_the_heads_of_the_paper(
    F: int, H: int, C: int, *, K: int, M: int, heads: int, num_layers: int,
    reading: str,
) -> Any:  # fmt: skip
    c = C if reading == "released" else H
    sets = 1 if reading == "released" else num_layers
    last = 0 if reading == "released" else H * C + C
    return _count(F, H, C, c, heads * c, K * (2 * M + 2), sets, last)


@wrong("ex-parameters")
def counts_the_functions_of_the_filter(
    F: int, H: int, C: int, *, K: int, M: int, heads: int, num_layers: int,
    reading: str,
) -> Any:  # fmt: skip
    c = C if reading == "released" else H
    i = heads * c if reading == "released" else c
    sets = 1 if reading == "released" else num_layers
    last = 0 if reading == "released" else H * C + C
    return _count(F, H, C, c, i, 1 + 2 * K * M, sets, last)


@wrong("ex-parameters")
def forgets_the_map_to_classes(
    F: int, H: int, C: int, *, K: int, M: int, heads: int, num_layers: int,
    reading: str,
) -> Any:  # fmt: skip
    c = C if reading == "released" else H
    i = heads * c if reading == "released" else c
    sets = 1 if reading == "released" else num_layers
    return _count(F, H, C, c, i, K * (2 * M + 2), sets, 0)


def _keep(part: Any, p: float) -> Any:
    return part


def _network(layer: Any, X: Any) -> Any:
    return layer.second(nn.functional.gelu(layer.first(X)))


@wrong("ex-filter-off")
def forgets_the_input_of_the_layer(layer: Any, X: Any) -> Any:
    X = layer.attend(layer.norm(X), None, _keep)
    return _network(layer, layer.norm_2(X)) + X


@wrong("ex-filter-off")
def normalises_after_the_sum(layer: Any, X: Any) -> Any:
    X = layer.norm(layer.attend(X, None, _keep) + X)
    return layer.norm_2(_network(layer, X) + X)


@wrong("ex-filter-off")
def lets_the_identity_stand_for_the_filter(layer: Any, X: Any) -> Any:
    X = layer.attend(layer.norm(X), None, _keep) + X + X
    return _network(layer, layer.norm_2(X)) + X


@wrong("ex-filter-off")
def adds_the_input_of_the_layer_twice_over(layer: Any, X: Any) -> Any:
    Y = layer.attend(layer.norm(X), None, _keep) + X
    return _network(layer, layer.norm_2(Y)) + X


def _same(a: Any, b: Any) -> bool:
    return bool(torch.allclose(a, b))


@wrong("ex-relabelled")
def permutes_u_only(f: Any, edge_index: Any, X: Any, order: Any) -> Any:
    S = spectrum(laplacian(edge_index))
    moved = Spectrum(S.lam, S.U[order])
    return _same(f(moved, X[order]), f(S, X)[order])


@wrong("ex-relabelled")
def sends_the_edges_the_wrong_way(
    f: Any, edge_index: Any, X: Any, order: Any
) -> Any:
    S = spectrum(laplacian(edge_index))
    moved = spectrum(laplacian(order[edge_index]))
    return _same(f(moved, X[order]), f(S, X)[order])


@wrong("ex-relabelled")
def leaves_the_result_in_the_old_order(
    f: Any, edge_index: Any, X: Any, order: Any
) -> Any:
    S = spectrum(laplacian(edge_index))
    moved = spectrum(laplacian(order.argsort()[edge_index]))
    return _same(f(moved, X[order]), f(S, X))


@wrong("ex-relabelled")
def looks_at_shapes(f: Any, edge_index: Any, X: Any, order: Any) -> Any:
    S = spectrum(laplacian(edge_index))
    return f(S, X[order]).shape == f(S, X).shape


@wrong("ex-relabelled")
def keeps_the_graph(f: Any, edge_index: Any, X: Any, order: Any) -> Any:
    S = spectrum(laplacian(edge_index))
    return _same(f(S, X[order]), f(S, X)[order])


def _stopped(val_loss: list, patience: int) -> int:
    best, waits = float("inf"), 0
    for epoch, loss in enumerate(val_loss):
        waits = 0 if loss < best else waits + 1
        best = min(best, loss)
        if waits == patience:
            return epoch + 1
    return len(val_loss)


@wrong("ex-stop")
def looks_past_the_end(val_loss: list, val_score: list, patience: int) -> Any:
    return _stopped(val_loss, patience), val_score.index(max(val_score))


@wrong("ex-stop")
def reports_the_least_loss(
    val_loss: list, val_score: list, patience: int
) -> Any:
    ran = _stopped(val_loss, patience)
    return ran, val_loss.index(min(val_loss[:ran]))


@wrong("ex-stop")
def reports_the_last_of_equals(
    val_loss: list, val_score: list, patience: int
) -> Any:
    ran = _stopped(val_loss, patience)
    best = max(val_score[:ran])
    return ran, max(e for e in range(ran) if val_score[e] == best)


@wrong("ex-stop")
def stops_one_epoch_late(
    val_loss: list, val_score: list, patience: int
) -> Any:
    ran = _stopped(val_loss, patience + 1)
    return ran, val_score.index(max(val_score[:ran]))


@wrong("ex-stop")
def waits_for_the_previous_epoch_only(
    val_loss: list, val_score: list, patience: int
) -> Any:
    waits = 0
    for epoch in range(1, len(val_loss)):
        worse = val_loss[epoch] >= val_loss[epoch - 1]
        waits = waits + 1 if worse else 0
        if waits == patience:
            break
    ran = epoch + 1
    return ran, val_score.index(max(val_score[:ran]))


@wrong("ex-stop")
def takes_an_equal_loss_for_a_new_best(
    val_loss: list, val_score: list, patience: int
) -> Any:
    best, ran = 0, len(val_loss)
    for epoch, loss in enumerate(val_loss):
        if loss <= val_loss[best]:
            best = epoch
        if epoch - best == patience:
            ran = epoch + 1
            break
    return ran, val_score.index(max(val_score[:ran]))
