"""What a filter is: a frequency response with parameters.

A filter is a function of eigenvalues, apart from how it is applied to a
graph. Linear filters are those whose response is a design matrix times a
vector of coefficients; they can be fitted in closed form.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.errors import FilterError, ResponseError
from grokbook.filters import fitting

Lam = Float[Tensor, " n"]


class Filter(nn.Module, ABC):
    r"""A frequency response :math:`h(\lambda)` with parameters.

    Shapes:
        lam (n,) → response (n,)
    """

    @abstractmethod
    def response(self, lam: Lam) -> Float[Tensor, "n *filters"]:
        """The response at each eigenvalue."""

    def forward(self, lam: Lam) -> Float[Tensor, "n *filters"]:
        """The response at each eigenvalue."""
        return self.response(lam)

    def at(self, lam: Lam) -> Callable[[], Float[Tensor, "n *filters"]]:
        """The response at fixed eigenvalues, a function of parameters alone.

        Call it once per training step: what depends on the eigenvalues
        only is not computed again.
        """
        return lambda: self.response(lam)

    def fit_gradient(
        self,
        lam: Lam,
        target: Lam,
        weights: Lam | None = None,
        *,
        epochs: int = 2000,
        lr: float = 0.01,
    ) -> Float[Tensor, " epochs"]:
        """Fit the parameters by Adam and return the loss of each epoch.

        See `grokbook.filters.fitting.descend`.
        """
        check_eigenvalues(lam)
        target, weights = fitting.checked(lam, target, weights)
        return fitting.descend(
            self.at(lam),
            self.parameters(),
            target,
            weights,
            epochs=epochs,
            lr=lr,
        )


class LinearFilter(Filter):
    r"""A response that is linear in its coefficients.

    .. math:: h(\lambda) = \sum_p c_p\, \psi_p(\lambda)

    Shapes:
        basis(lam) (n, P), coefficients() (P,) → response (n,)
    """

    @abstractmethod
    def basis(self, lam: Lam) -> Float[Tensor, "n P"]:
        """The design matrix: a row per eigenvalue, a column per term."""

    @abstractmethod
    def coefficients(self) -> Float[Tensor, "P *S"]:
        """The coefficient of each column of the design matrix."""

    @abstractmethod
    def set_coefficients(self, values: Float[Tensor, " P"]) -> None:
        """Set the parameters so that `coefficients()` are these."""

    def response(self, lam: Lam) -> Float[Tensor, "n *S"]:
        """The response at each eigenvalue: design matrix · coefficients."""
        return self.at(lam)()

    def at(self, lam: Lam) -> Callable[[], Float[Tensor, "n *S"]]:
        """The response at fixed eigenvalues, a function of parameters alone.

        The design matrix is computed here, once.
        """
        check_eigenvalues(lam)
        B = self.basis(lam)
        # The finer of the two precisions: large coefficients that cancel
        # lose their digits in float32.
        kind = torch.promote_types(B.dtype, self.coefficients().dtype)
        B = B.to(kind)
        return lambda: B @ self.coefficients().to(kind)

    def fit(
        self,
        lam: Lam,
        target: Lam,
        weights: Lam | None = None,
        *,
        rcond: float | None = None,
    ) -> "LinearFilter":
        """Fit a target by weighted least squares and return the filter.

        Args:
            lam: eigenvalues; one that is repeated counts as often.
            target: the values wanted there.
            weights: how much each squared error counts; by default 1.
            rcond: where singular values count as zero, see
                `grokbook.filters.fitting.least_squares`. By default the
                rounding error of the parameters' dtype times the larger
                side of the design matrix.

        Shapes:
            lam (n,), target (n,), weights (n,)
        """
        check_eigenvalues(lam)
        target, weights = fitting.checked(lam, target, weights)
        B = self.basis(lam)
        if rcond is None:
            rcond = max(B.shape) * torch.finfo(self.coefficients().dtype).eps
        values = fitting.least_squares(B, target, weights, rcond=rcond)
        self.set_coefficients(values)
        return self


def check_eigenvalues(lam: Tensor) -> None:
    """Refuse what is not a list of eigenvalues."""
    if not isinstance(lam, Tensor) or not lam.is_floating_point():
        given = lam.dtype if isinstance(lam, Tensor) else type(lam).__name__
        raise ResponseError(
            f"The eigenvalues are {given}. Pass a float64 tensor, such as "
            "the lam of a Spectrum."
        )
    if lam.dim() != 1:
        raise ResponseError(
            f"The eigenvalues have shape {tuple(lam.shape)}. Pass one list "
            "of them, shape (n,)."
        )


def check_size(name: str, value: int, least: int) -> int:
    """Refuse a size below the least that makes a filter."""
    if int(value) != value or value < least:
        raise FilterError(
            f"{name} is {value}. Pass a whole number, {least} or more."
        )
    return int(value)
