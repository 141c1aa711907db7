"""Polynomial filters: one class, six bases."""

import math
from collections.abc import Iterator

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.errors import FilterError, SignalError, check_choice
from grokbook.filters.bases import (
    BASES,
    OPTIONS,
    Times,
    appnp_coefficients,
)
from grokbook.filters.filter import (
    LinearFilter,
    check_eigenvalues,
    check_size,
)


class Polynomial(LinearFilter):
    r"""A polynomial response of degree K.

    .. math:: h(\lambda) = \sum_{k=0}^{K} \theta_k\, p_k(\lambda)

    Derived in chapter 03. The basis p_k decides how well θ can be learned,
    not what can be expressed; only "appnp" has fixed coefficients.

    Args:
        basis: "monomial", "chebyshev", "gpr", "bernstein", "jacobi" or
            "appnp".
        K: the degree, 1 or more.
        options: of the basis: `beta` and `gamma`, above −1, for "jacobi";
            `alpha`, in (0, 1], for "appnp".
        generator: the source of randomness.
        device, dtype: of the coefficients.

    Shapes:
        theta (K + 1,); lam (n,) → response (n,)

    Raises:
        FilterError, UnknownNameError, ResponseError

    Examples:
        >>> lam = torch.linspace(0, 2, 50, dtype=torch.float64)
        >>> filter = Polynomial("chebyshev", K=10).fit(lam, torch.exp(-lam))
        >>> bool((filter(lam) - torch.exp(-lam)).abs().max() < 1e-8)
        True
        >>> Polynomial("jacobi", 4, beta=0.5, gamma=0.5)
        Polynomial('jacobi', K=4, beta=0.5, gamma=0.5)
    """

    theta: Tensor

    def __init__(
        self,
        basis: str,
        K: int,
        *,
        generator: torch.Generator | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype = torch.float64,
        **options: float,
    ) -> None:
        """Choose the basis and draw the coefficients."""
        super().__init__()
        self.name = check_choice("basis", basis, BASES)
        self.K = check_size("K", K, 1)
        self.options = _checked_options(basis, options)
        theta = torch.empty(self.K + 1, device=device, dtype=dtype)
        if basis == "appnp":
            self.register_buffer("theta", theta)
        else:
            self.theta = nn.Parameter(theta)
        self.reset_parameters(generator=generator)

    @torch.no_grad()
    def reset_parameters(
        self, *, generator: torch.Generator | None = None
    ) -> None:
        """Draw θ from N(0, 1/(K + 1)); for "appnp", put its fixed values."""
        if self.name == "appnp":
            fixed = appnp_coefficients(self.K, **self.options)
            self.theta.copy_(torch.tensor(fixed, dtype=torch.float64))
            return
        self.theta.normal_(std=(self.K + 1) ** -0.5, generator=generator)

    def basis(self, lam: Float[Tensor, " n"]) -> Float[Tensor, "n P"]:
        """The design matrix: column k holds p_k, k = 0…K."""
        check_eigenvalues(lam)
        terms = self._terms(lambda v: lam * v, torch.ones_like(lam))
        return torch.stack(list(terms), dim=1)

    def coefficients(self) -> Float[Tensor, " P"]:
        """The coefficients θ_0 … θ_K."""
        return self.theta

    @torch.no_grad()
    def set_coefficients(self, values: Float[Tensor, " P"]) -> None:
        """Set θ; refused where it is fixed."""
        if self.name == "appnp":
            raise FilterError(
                "APPNP's coefficients are fixed by K and alpha. To learn "
                "them, use the basis 'gpr'."
            )
        self.theta.copy_(values)

    def apply_recursively(
        self, L: Tensor, X: Float[Tensor, "N *F"]
    ) -> Float[Tensor, "N *F"]:
        r"""Filter signals by products with L alone: no eigenvectors.

        .. math:: h(L) X = \sum_k \theta_k\, p_k(L) X

        K products with L (K(K + 1)/2 for "bernstein"), differentiable in
        X and θ.

        Args:
            L: the Laplacian, sparse or dense.
            X: one signal or several as columns, in the dtype of L.

        Shapes:
            L (N, N), X (N,) or (N, F) → the same shape as X
        """
        if X.dim() not in (1, 2) or X.shape[0] != L.shape[1]:
            raise SignalError(
                f"The signal has shape {tuple(X.shape)}; this Laplacian has "
                f"{L.shape[1]} nodes, so pass ({L.shape[1]},) or "
                f"({L.shape[1]}, F)."
            )
        terms = self._terms(lambda V: L @ V, X)
        theta = self.theta.to(X.dtype)
        return sum(c * term for c, term in zip(theta, terms, strict=True))

    def _terms(self, times: Times, one: Tensor) -> Iterator[Tensor]:
        return BASES[self.name](times, one, self.K, **self.options)

    def __repr__(self) -> str:
        """Name the basis, the degree and the options."""
        options = "".join(f", {k}={v}" for k, v in self.options.items())
        return f"Polynomial({self.name!r}, K={self.K}{options})"


def _checked_options(
    basis: str, options: dict[str, float]
) -> dict[str, float]:
    """Fill in the basis's defaults and refuse what it cannot take."""
    defaults = OPTIONS.get(basis, {})
    for name, value in options.items():
        if name not in defaults:
            takes = ", ".join(defaults) or "none"
            raise FilterError(
                f"The basis {basis!r} has no option {name!r}; its options: "
                f"{takes}."
            )
        if not math.isfinite(value):
            raise FilterError(f"{name} is {value}. Pass a finite number.")
    chosen = {**defaults, **options}
    if basis == "jacobi" and min(chosen.values()) <= -1:
        raise FilterError(
            f"Jacobi polynomials need beta and gamma above -1; given are "
            f"{chosen['beta']} and {chosen['gamma']}."
        )
    if basis == "appnp" and not 0 < chosen["alpha"] <= 1:
        raise FilterError(
            f"alpha is {chosen['alpha']}; the chance to return lies in (0, 1]."
        )
    return chosen
