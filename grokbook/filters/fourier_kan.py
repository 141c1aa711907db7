"""The GrokFormer filter: Fourier series in the powers of an eigenvalue."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.draws import Generators, draw
from grokbook.errors import check_choice
from grokbook.filters.filter import (
    LinearFilter,
    check_eigenvalues,
    check_size,
)

PARAMETERISATIONS = ("paper", "released")


class FourierKAN(LinearFilter):
    r"""The filter of the paper's Eqs. 5 to 9.

    .. math:: h(\lambda) = \sum_{k=1}^{K} \alpha_k \Bigl( a_{k0} +
       \sum_{m=1}^{M} \bigl( a_{km} \cos(m\lambda^k) +
       b_{km} \sin(m\lambda^k) \bigr) \Bigr)

    Derived in chapter 05. The sine of harmonic 0 is zero and has no
    coefficient. The constants of the K orders are one function K times.

    Both parameterisations have the same parameters and so the same
    functions and gradients; they differ in where training starts. The
    released one is a linear layer per order, whose bias is a_k0, and a
    linear layer over the orders.

    Args:
        K: the highest order, 1 or more.
        M: the highest harmonic, 0 or more.
        parameterisation: "paper" starts with α = 1, which is Eq. 5, and a
            response of about unit size; "released" draws every weight from
            N(0, 0.01²) and sets the biases to 0, so that the response
            starts near zero.
        copies: S filters in one, with a leading axis; by default one
            filter and no such axis.
        generator: the source of randomness; with copies, one for each.
        device, dtype: of the parameters. The default is float64, since
            coefficients of opposite sign cancel; see chapter 05.

    Shapes:
        alpha (K,), a (K, M + 1), b (K, M); lam (n,) → response (n,).
        With copies (S, K) and so on; the response is (n, S).

    Raises:
        FilterError, UnknownNameError, ResponseError

    Examples:
        >>> lam = torch.linspace(0, 2, 50, dtype=torch.float64)
        >>> filter = FourierKAN(K=2, M=4).fit(lam, torch.exp(-lam))
        >>> bool((filter(lam) - torch.exp(-lam)).abs().max() < 1e-6)
        True
    """

    def __init__(
        self,
        K: int,
        M: int,
        *,
        parameterisation: str = "paper",
        copies: int | None = None,
        generator: Generators = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype = torch.float64,
    ) -> None:
        """Make the parameters and draw them."""
        super().__init__()
        self.K, self.M = check_size("K", K, 1), check_size("M", M, 0)
        self.parameterisation = check_choice(
            "parameterisation", parameterisation, PARAMETERISATIONS
        )
        kind = {"device": device, "dtype": dtype}
        each = () if copies is None else (copies,)
        self.alpha = nn.Parameter(torch.empty(*each, self.K, **kind))
        self.a = nn.Parameter(torch.empty(*each, self.K, self.M + 1, **kind))
        self.b = nn.Parameter(torch.empty(*each, self.K, self.M, **kind))
        self.reset_parameters(generator=generator)

    @torch.no_grad()
    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw the parameters anew."""
        released = self.parameterisation == "released"
        terms = self.K * (2 * self.M + 1)
        std = 0.01 if released else terms**-0.5

        def normal(parameter: Tensor) -> None:
            copies = parameter if self.alpha.dim() == 2 else parameter[None]
            draw(
                copies, lambda p, g: p.normal_(std=std, generator=g), generator
            )

        normal(self.a)
        normal(self.b)
        self.alpha.fill_(1)
        if released:
            normal(self.alpha)
            self.a[..., 0] = 0

    def basis(self, lam: Float[Tensor, " n"]) -> Float[Tensor, "n P"]:
        """The design matrix, P = 1 + 2KM; see `design_matrix`."""
        check_eigenvalues(lam)
        return design_matrix(lam, self.K, self.M)

    def products(
        self,
    ) -> tuple[Float[Tensor, "*S K {self.M}+1"], Float[Tensor, "*S K M"]]:
        """The products α_k·a_km and α_k·b_km: all that the response sees."""
        alpha = self.alpha[..., None]
        return alpha * self.a, alpha * self.b

    def coefficients(self) -> Float[Tensor, "P *S"]:
        """The products in the order of the columns of `basis`.

        The first is the sum of the K constants.
        """
        a, b = self.products()
        waves = torch.cat([a[..., 1:], b], dim=-1).flatten(-2)
        constant = a[..., 0].sum(-1, keepdim=True)
        return torch.cat([constant, waves], dim=-1).transpose(0, -1)

    @torch.no_grad()
    def set_coefficients(self, values: Float[Tensor, "P *S"]) -> None:
        """Set the parameters, in canonical form, to give these products.

        One list of coefficients serves all copies.
        """
        c = values.transpose(0, -1)
        alpha, a, b = canonical_form(c, self.K, self.M)
        self.alpha.copy_(alpha)
        self.a.copy_(a)
        self.b.copy_(b)

    def canonical(self) -> "FourierKAN":
        r"""The same response, written in the one canonical way.

        See `canonical_form`. Mind that alpha[0] contains the constant.
        """
        twin = FourierKAN(
            self.K,
            self.M,
            parameterisation=self.parameterisation,
            copies=len(self.alpha) if self.alpha.dim() == 2 else None,
            device=self.alpha.device,
            dtype=self.alpha.dtype,
        )
        twin.set_coefficients(self.coefficients().detach())
        return twin

    def extra_repr(self) -> str:
        """Name the sizes."""
        return (
            f"K={self.K}, M={self.M}, "
            f"parameterisation={self.parameterisation!r}"
        )


def design_matrix(
    lam: Float[Tensor, " n"], K: int, M: int
) -> Float[Tensor, "n P"]:
    r"""The functions that the filter combines, at each eigenvalue.

    .. math:: 1; \quad \cos(m\lambda^k),\ m = 1 \dots M; \quad
       \sin(m\lambda^k),\ m = 1 \dots M; \qquad k = 1 \dots K

    Derived in chapter 05. Columns: the constant; then for each order the
    cosines, and after them the sines.

    Shapes:
        lam (n,) → (n, P), P = 1 + 2KM

    Examples:
        >>> lam = torch.tensor([0.0, 1.0, 2.0])
        >>> design_matrix(lam, K=1, M=1).round(decimals=2)
        tensor([[ 1.0000,  1.0000,  0.0000],
                [ 1.0000,  0.5400,  0.8400],
                [ 1.0000, -0.4200,  0.9100]])
    """
    k = torch.arange(1, K + 1, device=lam.device)
    m = torch.arange(1, M + 1, device=lam.device)
    phase = (lam[:, None] ** k)[:, :, None] * m  # (n, K, M)
    waves = torch.cat([phase.cos(), phase.sin()], dim=2)
    return torch.cat([torch.ones_like(lam)[:, None], waves.flatten(1)], 1)


def canonical_form(
    c: Float[Tensor, "*S P"], K: int, M: int
) -> tuple[
    Float[Tensor, "*S K"], Float[Tensor, "*S K M1"], Float[Tensor, "*S K M"]
]:
    r"""The one α, a, b in canonical form that have these products.

    .. math:: \alpha_k \ge 0, \qquad \lVert (a_k, b_k) \rVert = 1, \qquad
       a_{k0} = 0 \text{ for } k \ge 2

    Derived in chapter 05. Only the products α_k·a_km and α_k·b_km, and of
    the constants only their sum, can be seen in the response. Here the
    constant belongs to order 1, and α_k carries the size of order k. An
    order that is off has α_k = 0 and, to have a length at all, a_k0 = 1.

    Shapes:
        c (P,), in the order of `design_matrix` → alpha (K,), a (K, M + 1),
        b (K, M); any leading axes stay

    Examples:
        >>> c = torch.tensor([0.0, 3.0, -4.0, 0.0, 0.0])
        >>> canonical_form(c, K=2, M=1)[0]
        tensor([5., 0.])
    """
    waves = c[..., 1:].unflatten(-1, (K, 2 * M))
    constants = c.new_zeros(*c.shape[:-1], K, 1)
    constants[..., 0, 0] = c[..., 0]
    vectors = torch.cat([constants, waves], dim=-1)  # (..., K, 1 + 2M)
    alpha = vectors.norm(dim=-1)
    off = alpha == 0
    unit = vectors / torch.where(off, 1, alpha)[..., None]
    unit[..., 0] += off
    return alpha, unit[..., : M + 1], unit[..., M + 1 :]
