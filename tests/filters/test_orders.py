"""What is lost with an order: by hand, and as least squares says."""

import torch

from grokbook.filters.fourier_kan import design_matrix
from grokbook.filters.orders import deviation, lost_without

LAM = torch.linspace(0, 2, 60, dtype=torch.float64)
ONES = torch.ones_like(LAM)


def random_c(K: int, M: int) -> torch.Tensor:
    seed = torch.Generator().manual_seed(K + 10 * M)
    return torch.randn(1 + 2 * K * M, generator=seed, dtype=torch.float64)


def test_deviation_is_that_of_repeated_points() -> None:
    h, w = torch.tensor([1.0, 2.0, 5.0]), torch.tensor([2.0, 0.0, 1.0])
    torch.testing.assert_close(
        deviation(h, w), torch.tensor([1.0, 1.0, 5.0]).std(correction=0)
    )


def test_the_change_without_refitting_is_the_size_of_the_order() -> None:
    K, M = 3, 2
    c = random_c(K, M)
    z, _ = lost_without(c, K, M, LAM, ONES)
    B = design_matrix(LAM, K, M)
    for k in (1, 2, 3):
        less = c.clone()
        less[1 + (k - 1) * 2 * M : 1 + k * 2 * M] = 0
        wanted = (B @ (c - less)).std(correction=0) / (B @ c).std(correction=0)
        torch.testing.assert_close(z[k - 1], wanted)


def test_refitting_loses_no_more_than_setting_to_zero() -> None:
    for K, M in ((1, 3), (2, 2), (3, 4)):
        z, r = lost_without(random_c(K, M), K, M, LAM, ONES)
        # Directions below RCOND are left out of the fit.
        assert (r <= z + 1e-4).all()
        assert (r <= 1 + 1e-9).all()


def test_the_only_order_is_worth_everything() -> None:
    z, r = lost_without(random_c(1, 4), 1, 4, LAM, ONES)
    torch.testing.assert_close(z, torch.ones(1).double())
    torch.testing.assert_close(r, torch.ones(1).double())


def test_an_order_that_is_off_costs_nothing() -> None:
    c = random_c(2, 3)
    c[7:] = 0  # order 2
    z, r = lost_without(c, 2, 3, LAM, ONES)
    assert z[1] == 0
    assert r[1] < 1e-6
    torch.testing.assert_close(z[0], torch.ones(()).double())


def test_a_constant_counts_for_no_order() -> None:
    c = random_c(2, 2)
    moved = c.clone()
    moved[0] += 100
    for first, second in zip(
        lost_without(c, 2, 2, LAM, ONES),
        lost_without(moved, 2, 2, LAM, ONES),
        strict=True,
    ):
        torch.testing.assert_close(first, second, atol=1e-4, rtol=1e-4)
