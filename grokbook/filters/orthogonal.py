"""A basis made orthonormal on the spectrum it is used on."""

import copy

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from grokbook.errors import FilterError
from grokbook.filters import fitting
from grokbook.filters.filter import LinearFilter, check_eigenvalues


class Orthogonal(LinearFilter):
    r"""Any linear filter in a basis that is orthonormal on a spectrum.

    .. math:: h(\lambda) = \sum_{p=1}^{r} \theta_p\, q_p(\lambda), \qquad
       \sum_n w_n\, q_p(\lambda_n)\, q_{p'}(\lambda_n) = [p = p'], \qquad
       (q_1, \dots, q_r) = (\psi_{\pi(1)}, \dots, \psi_{\pi(r)})\, R^{-1}

    Derived in chapter 05. π and the triangle R come from a QR
    decomposition with column pivoting of the design matrix, rows scaled by
    √w; the rank r is cut where the diagonal of R falls below `rcond` times
    its first entry. The squared error becomes |θ − θ*|² plus what no θ
    removes: its level lines are spheres, and gradient descent reaches what
    least squares reaches.

    How exact it is: the q_p are orthonormal to about 2e-16 / rcond. The
    value at any λ, on the spectrum or off it, carries rounding of about
    2e-16 · Σ|c|, c the coefficients in the old basis, which `unwrap`
    returns. Between eigenvalues far apart it is what the old basis is
    there: nothing holds it to the target. Keep the module in float64.

    Args:
        filter: a linear filter; it gives the basis and is not changed.
        lam: the spectrum. A repeated eigenvalue counts as often.
        weights: the weight w of each eigenvalue, such as its multiplicity
            or the energy of a signal there; divided by their sum.
        rcond: where the rank is cut. Smaller keeps more functions and
            makes their values less exact.

    Shapes:
        theta (r,); lam (n,) → response (n,)

    Raises:
        FilterError, ResponseError

    Examples:
        >>> from grokbook.filters import FourierKAN
        >>> lam = torch.linspace(0, 2, 200, dtype=torch.float64)
        >>> filter = Orthogonal(FourierKAN(K=1, M=16), lam)
        >>> len(filter.theta) < 33  # rounding cannot tell all 33 apart
        True
        >>> losses = filter.fit_gradient(lam, torch.exp(-lam), epochs=600)
        >>> bool(losses[-1] < 1e-12)
        True
    """

    kept: Int[Tensor, " r"]
    triangle: Float[Tensor, "r r"]

    def __init__(
        self,
        filter: LinearFilter,
        lam: Float[Tensor, " n"],
        weights: Float[Tensor, " n"] | None = None,
        *,
        rcond: float = 1e-10,
        generator: torch.Generator | None = None,
    ) -> None:
        """Orthonormalise the basis and draw the coefficients."""
        super().__init__()
        if not isinstance(filter, LinearFilter):
            raise FilterError(
                f"{type(filter).__name__} is not linear in its coefficients "
                "and has no basis. Wrap a FourierKAN or a Polynomial."
            )
        check_eigenvalues(lam)
        _, weights = fitting.checked(lam, torch.zeros_like(lam), weights)
        kept, triangle = _pivoted(filter.basis(lam).detach(), weights, rcond)
        self.filter = copy.deepcopy(filter).requires_grad_(False)
        self.register_buffer("kept", kept)
        self.register_buffer("triangle", triangle)
        self.theta = nn.Parameter(triangle.new_empty(len(kept)))
        self.reset_parameters(generator=generator)

    @torch.no_grad()
    def reset_parameters(
        self, *, generator: torch.Generator | None = None
    ) -> None:
        """Draw the coefficients, so that the mean of h² is about 1."""
        self.theta.normal_(std=len(self.theta) ** -0.5, generator=generator)

    def basis(self, lam: Float[Tensor, " n"]) -> Float[Tensor, "n r"]:
        """The values of the orthonormal functions q_1 … q_r."""
        B = self.filter.basis(lam)[:, self.kept]
        return torch.linalg.solve_triangular(
            self.triangle, B.to(self.triangle), upper=True, left=False
        )

    def coefficients(self) -> Float[Tensor, " r"]:
        """The coefficients θ of the orthonormal functions."""
        return self.theta

    @torch.no_grad()
    def set_coefficients(self, values: Float[Tensor, " r"]) -> None:
        """Set θ."""
        self.theta.copy_(values)

    def unwrap(self) -> LinearFilter:
        """The same response as a filter of the old basis, to rounding."""
        c = torch.linalg.solve_triangular(
            self.triangle, self.theta.detach()[:, None], upper=True
        )
        values = c.new_zeros(self.filter.coefficients().shape)
        values[self.kept] = c[:, 0]
        plain = copy.deepcopy(self.filter).requires_grad_(True)
        plain.set_coefficients(values)
        return plain

    def __repr__(self) -> str:
        """Name the filter and how much of its basis was kept."""
        P = len(self.filter.coefficients())
        return f"Orthogonal({self.filter}, rank {len(self.theta)} of {P})"


def _pivoted(
    B: Float[Tensor, "n P"], weights: Float[Tensor, " n"], rcond: float
) -> tuple[Int[Tensor, " r"], Float[Tensor, "r r"]]:
    """Which columns to keep, and the triangle that orthonormalises them."""
    from scipy.linalg import qr

    A = B.double() * weights.double().sqrt()[:, None]
    R, order = qr(A.cpu().numpy(), mode="r", pivoting=True)
    size = np.abs(np.diag(R))
    r = int((size > rcond * size[0]).sum())
    kept = torch.as_tensor(order[:r].astype(np.int64))
    triangle = torch.as_tensor(np.ascontiguousarray(R[:r, :r]))
    return kept.to(B.device), triangle.to(B.device)
