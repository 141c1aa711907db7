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

    How exact it is: dividing by R amplifies rounding, by up to 1 / rcond.
    A second decomposition, of what the first one gave, takes that out on
    the spectrum: there the q_p are orthonormal to 1e-12. Anywhere, on the
    spectrum or off it, a value of h carries rounding of about
    2e-16 · Σ|c|, where c are the coefficients in the old basis (`unwrap`).
    Between eigenvalues far apart nothing holds h to a target. Keep the
    module in float64.

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
        >>> seed = torch.Generator().manual_seed(0)
        >>> filter = Orthogonal(FourierKAN(K=1, M=16), lam, generator=seed)
        >>> len(filter.theta) < 33  # rounding cannot tell all 33 apart
        True
        >>> target = torch.exp(-lam)
        >>> losses = filter.fit_gradient(lam, target, epochs=500, lr=0.03)
        >>> bool(losses[-1] < 1e-12)
        True
    """

    kept: Int[Tensor, " r"]
    triangle: Float[Tensor, "r r"]
    correction: Float[Tensor, "r r"]

    def __init__(
        self,
        filter: LinearFilter,
        lam: Float[Tensor, " n"],
        weights: Float[Tensor, " n"] | None = None,
        *,
        rcond: float = 1e-13,
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
        self.filter = copy.deepcopy(filter).requires_grad_(False)
        root = weights.double().sqrt()[:, None]
        B = self.filter.basis(lam).double()
        kept, triangle = pivoted_triangle(root * B, rcond)
        once = _divide(B[:, kept], triangle)
        self.register_buffer("kept", kept)
        self.register_buffer("triangle", triangle)
        self.register_buffer("correction", _triangle(root * once))
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
        B = self.filter.basis(lam)[:, self.kept].to(self.triangle)
        return _divide(_divide(B, self.triangle), self.correction)

    def coefficients(self) -> Float[Tensor, " r"]:
        """The coefficients θ of the orthonormal functions."""
        return self.theta

    @torch.no_grad()
    def set_coefficients(self, values: Float[Tensor, " r"]) -> None:
        """Set θ."""
        self.theta.copy_(values)

    def unwrap(self) -> LinearFilter:
        """The same response as a filter of the old basis, to rounding."""
        c = self.theta.detach()[:, None]
        for R in (self.correction, self.triangle):
            c = torch.linalg.solve_triangular(R, c, upper=True)
        values = c.new_zeros(self.filter.coefficients().shape)
        values[self.kept] = c[:, 0]
        plain = copy.deepcopy(self.filter).requires_grad_(True)
        plain.set_coefficients(values)
        return plain

    def __repr__(self) -> str:
        """Name the filter and how much of its basis was kept."""
        P = len(self.filter.coefficients())
        return f"Orthogonal({self.filter}, rank {len(self.theta)} of {P})"


def pivoted_triangle(
    A: Float[Tensor, "n P"], rcond: float
) -> tuple[Int[Tensor, " r"], Float[Tensor, "r r"]]:
    """Which columns to keep, and the triangle R that orthonormalises them.

    Derived in chapter 05: the columns of A[:, kept] R⁻¹ are orthonormal.
    Always the column that adds most to those before it comes next, and the
    rest is left out when that is less than `rcond` times the first.

    Shapes:
        A (n, P) → kept (r,), R (r, r)

    Examples:
        >>> A = torch.tensor([[3.0, 3.0, 0.0], [4.0, 4.0, 1.0]])
        >>> kept, R = pivoted_triangle(A.double(), rcond=1e-13)
        >>> kept.tolist(), R.abs().round(decimals=3).tolist()
        ([0, 2], [[5.0, 0.8], [0.0, 0.6]])
    """
    from scipy.linalg import qr

    R, order = qr(A.cpu().numpy(), mode="r", pivoting=True)
    size = np.abs(np.diag(R))
    r = int((size > rcond * size[0]).sum())
    kept = torch.as_tensor(order[:r].astype(np.int64), device=A.device)
    triangle = np.ascontiguousarray(R[:r, :r])
    return kept, torch.as_tensor(triangle, device=A.device)


def _triangle(A: Float[Tensor, "n r"]) -> Float[Tensor, "r r"]:
    """The triangle of a decomposition without pivoting, diagonal > 0."""
    R = torch.linalg.qr(A, mode="r").R
    return R * R.diagonal().sign()[:, None]


def _divide(
    B: Float[Tensor, "n r"], R: Float[Tensor, "r r"]
) -> Float[Tensor, "n r"]:
    """B R⁻¹, by substitution."""
    return torch.linalg.solve_triangular(R, B, upper=True, left=False)
