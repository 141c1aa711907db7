"""Two ways to fit a response to a target: in closed form, and by gradient.

Both minimise the same weighted mean of squares,

    Σ_n w_n (h(λ_n) − t_n)² / Σ_n w_n.

With w the energy of a signal at each eigenvalue, Σ w (h − t)² is the squared
error of the filtered signal, because eigenvectors are orthonormal.
"""

import math
from collections.abc import Callable, Iterable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.errors import FilterError, ResponseError


def checked(
    lam: Tensor, target: Tensor, weights: Tensor | None
) -> tuple[Float[Tensor, " n"], Float[Tensor, " n"]]:
    """Check a target and weights, and divide the weights by their sum."""
    weights = torch.ones_like(lam) if weights is None else weights
    _check_values("lam", lam, lam)
    _check_values("target", target, lam)
    _check_values("weights", weights, lam)
    total = weights.double().sum()
    if (weights < 0).any() or not total > 0:
        raise ResponseError(
            "The weights must not be negative, and not all zero: they say "
            "how much each squared error counts."
        )
    return target.to(lam), weights.to(lam) / total.to(lam)


def _check_values(name: str, values: Tensor, lam: Tensor) -> None:
    """Refuse what is not one finite number per eigenvalue."""
    n = len(lam)
    if not isinstance(values, Tensor) or values.shape != lam.shape:
        given = f"is a {type(values).__name__}"
        if isinstance(values, Tensor):
            given = f"has shape {tuple(values.shape)}"
        raise ResponseError(
            f"{name} {given}; there are {n} eigenvalues. Pass a tensor with "
            f"one number for each: shape ({n},)."
        )
    bad = ~torch.isfinite(values)
    if bad.any():
        place = int(bad.nonzero()[0])
        raise ResponseError(
            f"{name}[{place}] is {values[place].item()}, at λ = "
            f"{lam[place].item():.4g}. Pass finite numbers only."
        )


def least_squares(
    B: Float[Tensor, "n P"],
    target: Float[Tensor, " n"],
    weights: Float[Tensor, " n"],
    *,
    rcond: float | None = None,
) -> Float[Tensor, " P"]:
    r"""Solve a weighted least squares problem, whatever its rank.

    .. math:: \min_c \sum_n w_n \Bigl(\sum_p B_{np} c_p - t_n\Bigr)^2

    Columns are scaled to equal length, then solved by singular values.
    Directions whose singular value is below `rcond` times the largest are
    rounding: they get the coefficient 0, which keeps the others finite.

    Args:
        B: design matrix.
        target: wanted values.
        weights: weights of the squares, not negative.
        rcond: by default the rounding error of float64 times the larger
            of n and P, as in NumPy.

    Shapes:
        B (n, P), target (n,), weights (n,) → c (P,), float64
    """
    root = weights.double().sqrt().cpu()
    A = B.detach().double().cpu() * root[:, None]
    size = A.norm(dim=0)
    size = torch.where(size > 0, size, 1)
    t = (target.double().cpu() * root)[:, None]
    found = torch.linalg.lstsq(A / size, t, rcond=rcond, driver="gelsd")
    return (found.solution[:, 0] / size).to(B.device)


def descend(
    predict: Callable[[], Tensor],
    parameters: Iterable[nn.Parameter],
    target: Float[Tensor, " n"],
    weights: Float[Tensor, " n"],
    *,
    epochs: int = 2000,
    lr: float = 0.01,
) -> Float[Tensor, " epochs"]:
    r"""Minimise the weighted mean of squares with Adam.

    The step falls to zero along a half cosine. Were it constant, Adam would
    find the optimum and leave it again in bursts, since it divides by
    gradients that have vanished.

    Args:
        predict: the response as a function of the parameters.
        parameters: what is changed, in place.
        target: wanted values.
        weights: weights of the squares, adding up to 1.
        epochs: number of steps.
        lr: the step at the start. Adam moves a parameter by at most about
            this much in a step.

    Returns:
        the loss before each step.
    """
    parameters = [p for p in parameters if p.requires_grad]
    if not parameters:
        raise FilterError(
            "This filter has nothing to learn: its coefficients are fixed. "
            "Fit one that has parameters."
        )
    if predict().shape != target.shape:
        raise FilterError(
            f"The response has shape {tuple(predict().shape)}, the target "
            f"{tuple(target.shape)}. Fit a filter with a single response."
        )
    optimizer = torch.optim.Adam(parameters, lr=lr)
    losses = []
    for epoch in range(epochs):
        step = lr * 0.5 * (1 + math.cos(math.pi * epoch / epochs))
        optimizer.param_groups[0]["lr"] = step
        optimizer.zero_grad()
        loss = (weights * (predict() - target) ** 2).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses) if losses else target.new_zeros(0)
