"""The response of any matrix on the modes of a graph."""

import pytest
import torch
from graphs import signals

from grokbook import TARGETS, apply_filter, laplacian, spectrum
from grokbook.errors import SignalError
from grokbook.mode_response import gain, nearest_filter
from grokbook.spectrum import Spectrum


def ring(N: int = 8) -> Spectrum:
    i = torch.arange(N)
    step = torch.stack([i, (i + 1) % N])
    return spectrum(laplacian(torch.cat([step, step.flip(0)], dim=1)))


def turned(S: Spectrum) -> Spectrum:
    """Another eigenbasis: each eigenspace turned at random."""
    U = S.U.clone()
    for seed, value in enumerate(S.distinct()[0]):
        block = S.at(value)
        r = int(block.sum())
        U[:, block] = (
            U[:, block] @ torch.linalg.qr(signals(r, r, seed=seed))[0]
        )
    return Spectrum(S.lam, U)


def test_of_a_filter_both_are_its_response():
    S = ring()
    for h in TARGETS.values():
        A = apply_filter(h, S, torch.eye(8).double())
        assert torch.allclose(nearest_filter(A, S), h(S.lam), atol=1e-12)
        assert torch.allclose(gain(A, S), h(S.lam).abs(), atol=1e-12)


def test_both_are_independent_of_the_eigenbasis():
    S, A = ring(), signals(8, 8, seed=3)
    T = turned(S)
    assert (S.U - T.U).abs().max() > 0.1
    for response in (gain, nearest_filter):
        assert torch.allclose(response(A, S), response(A, T))


def test_no_filter_is_nearer_than_the_nearest():
    S, A = ring(), signals(8, 8, seed=4)
    h = nearest_filter(A, S)
    least = (A - S.U @ torch.diag(h) @ S.U.T).norm()
    for seed in range(20):
        other = h + 0.1 * torch.cos(seed * S.lam)
        assert (A - S.U @ torch.diag(other) @ S.U.T).norm() > least


def test_the_gain_is_never_below_what_stays_at_its_frequency():
    S, A = ring(), signals(8, 8, seed=5)
    # Both are rounded in the last of 16 digits.
    assert (gain(A, S) >= nearest_filter(A, S).abs() - 1e-14).all()


def test_the_gains_hold_all_of_the_matrix():
    S, A = ring(), signals(8, 8, seed=6)
    assert torch.isclose((gain(A, S) ** 2).sum(), (A**2).sum())


def test_a_spectrum_that_is_not_whole_is_refused():
    S = ring()
    part = Spectrum(S.lam[:3], S.U[:, :3], rest=1.0, truncated=True)
    with pytest.raises(SignalError, match="without k"):
        gain(torch.eye(8).double(), part)
