"""h(L)X: a frequency response applied to signals on a graph."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.chebyshev import ChebyshevFilter
from grokbook.errors import (
    MatrixError,
    ResponseError,
    SignalError,
    check_choice,
)
from grokbook.spectrum import Spectrum, spectrum

METHODS = ("exact", "chebyshev")
RESTS = ("mean", "zero")


def apply_filter(
    response: Callable[[Tensor], Tensor],
    S: Spectrum | Any,
    X: Float[Tensor, "N *F"],
    method: str = "exact",
    rest: str = "mean",
    tolerance: float = 1e-6,
) -> Float[Tensor, "N *F"]:
    r"""Filter signals on a graph.

    .. math:: h(L)\,X = U \operatorname{diag}(h(\lambda))\, U^\top X

    Derived in chapter 02. Differentiable in X and in whatever parameters
    the response has.

    Args:
        response: h, a function of eigenvalues that works elementwise on a
            tensor, or a module with such a method `response`.
        S: a `Spectrum`, or a Laplacian, which is then decomposed unless
            the method needs no decomposition. Pass the spectrum when you
            filter more than once.
        X: one signal or several as columns.
        method: "exact" uses the eigenvectors in S; "chebyshev" uses none
            and takes the Laplacian (see `ChebyshevFilter`).
        rest: what happens to the part of X outside a truncated spectrum:
            "mean" multiplies it by the response at the mean of the
            eigenvalues left out, "zero" removes it, as the paper does. A
            full or deflated spectrum leaves nothing out.
        tolerance: of "chebyshev", relative to the size of the response.

    Shapes:
        X (N,) or (N, F) → the same shape

    Raises:
        SignalError, ResponseError, UnknownNameError, MatrixError,
        DegreeError

    Examples:
        >>> import torch
        >>> from grokbook import laplacian
        >>> L = laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> x = torch.tensor([1.0, 0.0, 0.0], dtype=torch.float64)
        >>> y = apply_filter(lambda lam: lam, L, x)  # h(λ) = λ is L itself
        >>> torch.allclose(y, L @ x)
        True
        >>> z = apply_filter(lambda lam: lam, L, x, method="chebyshev")
        >>> torch.allclose(z, y)
        True
    """
    check_choice("method", method, METHODS)
    check_choice("rest", rest, RESTS)
    _check_signal(X)
    h = getattr(response, "response", response)
    if not callable(h):
        raise ResponseError(
            f"The response is {h!r}, not a function of eigenvalues. Pass "
            "one, such as grokbook.TARGETS['low-pass']."
        )
    if method == "chebyshev":
        if isinstance(S, Spectrum):
            raise MatrixError(
                "method='chebyshev' takes the Laplacian, not its spectrum: "
                "with the eigenvectors at hand, use method='exact'."
            )
        return ChebyshevFilter(S, tolerance=tolerance)(h, X)
    S = S if isinstance(S, Spectrum) else spectrum(S)
    h = partial(_evaluate, h)
    if S.rest is None or (S.truncated and rest == "zero"):
        return filter_exactly(h, S, X).to(X.dtype)
    return filter_around(h, S, X).to(X.dtype)


def filter_exactly(
    h: Callable[[Tensor], Tensor], S: Spectrum, X: Float[Tensor, "N *F"]
) -> Float[Tensor, "N *F"]:
    r"""Transform, multiply, transform back: U diag(h(λ)) Uᵀ X.

    Derived in chapter 02. The matrix h(L) is never formed: with F signals
    this takes 4N²F operations, the matrix alone would take 2N³.
    """
    X_hat = S.fourier(X)
    Y_hat = torch.einsum("n,n...->n...", h(S.lam), X_hat)
    return S.inverse(Y_hat)


def filter_around(
    h: Callable[[Tensor], Tensor], S: Spectrum, X: Float[Tensor, "N *F"]
) -> Float[Tensor, "N *F"]:
    r"""Multiply by the response at `rest`, then correct what is known.

    .. math:: h(\text{rest})\, X + U \bigl(h(\lambda) - h(\text{rest})
       \bigr) U^\top X

    The response is asked once for all values, because it may look at them
    together.
    """
    values = h(torch.cat([S.lam, S.lam.new_tensor([S.rest])]))
    known, rest = values[:-1], values[-1]
    return rest * X.to(S.U) + filter_exactly(lambda _: known - rest, S, X)


def _evaluate(
    response: Callable[[Tensor], Tensor], lam: Float[Tensor, " N"]
) -> Float[Tensor, " N"]:
    """Call the response and check that it gave a number per eigenvalue."""
    h = response(lam)
    if not isinstance(h, Tensor) or h.shape != lam.shape or h.is_complex():
        given = type(h).__name__
        if isinstance(h, Tensor):
            given = f"{h.dtype} of shape {tuple(h.shape)}"
        raise ResponseError(
            f"The response returned {given} for {len(lam)} eigenvalues. "
            "Return one real number for each; a constant response is "
            "`lambda lam: torch.ones_like(lam)`."
        )
    if not torch.isfinite(h).all():
        where = lam[~torch.isfinite(h)][0].item()
        raise ResponseError(
            f"The response is not finite at λ = {where:.4g}. Define it on "
            "all of [0, 2]."
        )
    return h.to(lam.dtype)  # `lam < 0.5` is a response, too


def _check_signal(X: Any) -> None:
    """Refuse whole numbers and NaN, which would pass unnoticed."""
    if not isinstance(X, Tensor):
        raise SignalError(
            f"The signal is a {type(X).__name__}, not a tensor. Convert it "
            "first: torch.as_tensor(x)."
        )
    if not X.is_floating_point():
        raise SignalError(
            f"The signal holds {X.dtype}; filtering gives fractions. "
            "Convert it first: x.double()."
        )
    if not torch.isfinite(X).all():
        raise SignalError(
            "The signal holds NaN or infinity, which a filter spreads to "
            "every node. Fill or drop the missing values first."
        )
