"""h(L)X: a frequency response applied to signals on a graph."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.errors import ResponseError, SignalError, UnknownNameError
from grokbook.spectrum import Spectrum, spectrum

METHODS = ("exact",)


def apply_filter(
    response: Callable[[Tensor], Tensor],
    S: Spectrum | Any,
    X: Float[Tensor, "N *F"],
    method: str = "exact",
) -> Float[Tensor, "N *F"]:
    r"""Filter signals on a graph.

    .. math:: h(L)\,X = U \operatorname{diag}(h(\lambda))\, U^\top X

    Derived in chapter 02. Differentiable in X and in whatever parameters
    the response has.

    Args:
        response: h, a function of eigenvalues that works elementwise on a
            tensor, or a module with such a method `response`.
        S: a `Spectrum`, or a Laplacian, which is then decomposed. Pass the
            spectrum when you filter more than once.
        X: one signal or several as columns.
        method: "exact" uses all eigenvectors.

    Shapes:
        X (N,) or (N, F) → the same shape

    Raises:
        SignalError, ResponseError, UnknownNameError

    Examples:
        >>> import torch
        >>> from grokbook import laplacian
        >>> L = laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> x = torch.tensor([1.0, 0.0, 0.0], dtype=torch.float64)
        >>> y = apply_filter(lambda lam: lam, L, x)  # h(λ) = λ is L itself
        >>> torch.allclose(y, L @ x)
        True
    """
    if method not in METHODS:
        raise UnknownNameError(
            f"There is no method {method!r}. Choose from: "
            f"{', '.join(METHODS)}."
        )
    _check_signal(X)
    S = S if isinstance(S, Spectrum) else spectrum(S)
    h = getattr(response, "response", response)
    if not callable(h):
        raise ResponseError(
            f"The response is {h!r}, not a function of eigenvalues. Pass "
            "one, such as grokbook.TARGETS['low-pass']."
        )
    return filter_exactly(partial(_evaluate, h), S, X).to(X.dtype)


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
