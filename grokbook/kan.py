r"""Kolmogorov-Arnold layers: a learnable function on every edge.

A layer with n inputs and m outputs holds n·m functions of one variable and
adds them up. The two layers here differ only in how a function is written:
as a Fourier series, or as a spline. Both are derived in chapter 04.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.errors import LayerError, SignalError


class FourierKANLayer(nn.Module):
    r"""A layer whose edge functions are Fourier series.

    .. math:: y_j = \sum_{i} \phi_{ij}(x_i), \qquad
       \phi_{ij}(x) = \sum_{m=0}^{M} a_{ijm} \cos(mx)
       + \sum_{m=1}^{M} b_{ijm} \sin(mx)

    Args:
        in_channels: the number of inputs n.
        out_channels: the number of outputs.
        M: the highest harmonic.
        generator: where the initial coefficients come from.

    Shapes:
        x (..., in_channels) → y (..., out_channels)

    Examples:
        >>> layer = FourierKANLayer(2, 3, M=4)
        >>> layer(torch.zeros(5, 2)).shape
        torch.Size([5, 3])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        M: int,
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        """Make the coefficients and draw them."""
        super().__init__()
        _at_least(1, in_channels=in_channels, out_channels=out_channels)
        _at_least(0, M=M)
        self.in_channels, self.out_channels, self.M = (
            in_channels,
            out_channels,
            M,
        )
        self.a = nn.Parameter(torch.empty(out_channels, in_channels, M + 1))
        self.b = nn.Parameter(torch.empty(out_channels, in_channels, M))
        self.reset_parameters(generator=generator)

    def reset_parameters(
        self, *, generator: torch.Generator | None = None
    ) -> None:
        """Draw coefficients so that outputs have a variance of about 1.

        Each of the n(2M + 1) terms contributes at most its coefficient's
        variance; half of it, on average over a period.
        """
        size = (self.in_channels * (2 * self.M + 1)) ** -0.5
        for coefficients in (self.a, self.b):
            nn.init.normal_(coefficients, std=size, generator=generator)

    def forward(self, x: Float[Tensor, "*B n"]) -> Float[Tensor, "*B m"]:
        """Add up the edge functions."""
        _has_channels(x, self.in_channels)
        coefficients = torch.cat([self.a, self.b], dim=-1)
        return sum_edges(fourier_basis(x, self.M), coefficients)

    def extra_repr(self) -> str:
        """Name the sizes."""
        return f"{self.in_channels}, {self.out_channels}, M={self.M}"


class SplineKANLayer(nn.Module):
    r"""A layer whose edge functions are splines plus a fixed smooth ramp.

    .. math:: y_j = \sum_{i} \phi_{ij}(x_i), \qquad
       \phi_{ij}(x) = w_{ij}\, \operatorname{silu}(x)
       + \sum_{g} c_{ijg}\, B_g(x)

    :math:`B_g` are the B-splines of the given order on equal knots over
    `domain`; outside it they fade to zero and the ramp alone is left.

    Args:
        in_channels: the number of inputs.
        out_channels: the number of outputs.
        grid: the number of intervals between knots.
        order: the degree of the pieces; 3 is cubic.
        domain: where the inputs are expected.
        generator: where the initial coefficients come from.

    Shapes:
        x (..., in_channels) → y (..., out_channels)
    """

    knots: Tensor

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        grid: int = 5,
        order: int = 3,
        *,
        domain: tuple[float, float] = (-1.0, 1.0),
        generator: torch.Generator | None = None,
    ) -> None:
        """Lay the knots and draw the coefficients."""
        super().__init__()
        _at_least(
            1, in_channels=in_channels, out_channels=out_channels, grid=grid
        )
        _at_least(0, order=order)
        low, high = domain
        if not low < high:
            raise LayerError(
                f"domain=({low}, {high}) is empty. Give the smaller end "
                "first, as in (-1.0, 1.0)."
            )
        self.in_channels, self.out_channels = in_channels, out_channels
        self.grid, self.order = grid, order
        step = (high - low) / grid
        steps = torch.arange(-order, grid + order + 1)
        self.register_buffer("knots", low + step * steps)
        self.w = nn.Parameter(torch.empty(out_channels, in_channels))
        size = (out_channels, in_channels, grid + order)
        self.c = nn.Parameter(torch.empty(size))
        self.reset_parameters(generator=generator)

    def reset_parameters(
        self, *, generator: torch.Generator | None = None
    ) -> None:
        """Start as a nearly linear layer: small splines on the ramp."""
        size = self.in_channels**-0.5
        nn.init.normal_(self.w, std=size, generator=generator)
        nn.init.normal_(self.c, std=0.1 * size, generator=generator)

    def forward(self, x: Float[Tensor, "*B n"]) -> Float[Tensor, "*B m"]:
        """Add up the edge functions."""
        _has_channels(x, self.in_channels)
        ramp = nn.functional.silu(x) @ self.w.T
        bumps = bspline_basis(x, self.knots, self.order)
        return ramp + sum_edges(bumps, self.c)

    def extra_repr(self) -> str:
        """Name the sizes."""
        return (
            f"{self.in_channels}, {self.out_channels}, grid={self.grid}, "
            f"order={self.order}"
        )


def fourier_basis(
    x: Float[Tensor, "*B"], M: int
) -> Float[Tensor, "*B 2*{M}+1"]:
    r"""The harmonics 1, cos x, …, cos Mx, sin x, …, sin Mx.

    Shapes:
        x (...) → (..., 2M + 1)

    Examples:
        >>> fourier_basis(torch.zeros(1), 2).tolist()
        [[1.0, 1.0, 1.0, 0.0, 0.0]]
    """
    m = torch.arange(M + 1, device=x.device, dtype=x.dtype)
    phase = x[..., None] * m  # (..., M + 1)
    return torch.cat([phase.cos(), phase[..., 1:].sin()], dim=-1)


def sum_edges(
    basis: Float[Tensor, "*B n G"], c: Float[Tensor, "m n G"]
) -> Float[Tensor, "*B m"]:
    r"""Add up edge functions given by their coefficients in a basis.

    .. math:: y_j = \sum_i \phi_{ij}(x_i), \qquad
       \phi_{ij}(x) = \sum_g c_{jig}\, B_g(x)

    Shapes:
        basis (..., n, G), c (m, n, G) → y (..., m)
    """
    return torch.einsum("...ig,oig->...o", basis, c)


def bspline_basis(
    x: Float[Tensor, "*B"], knots: Float[Tensor, " T"], order: int
) -> Float[Tensor, "*B G"]:
    r"""All B-splines at x, by the recursion of Cox and de Boor.

    .. math:: B_{g,0} = [t_g \le x < t_{g+1}], \quad
       B_{g,p} = \frac{x - t_g}{t_{g+p} - t_g} B_{g,p-1}
       + \frac{t_{g+p+1} - x}{t_{g+p+1} - t_{g+1}} B_{g+1,p-1}

    Shapes:
        x (...), knots (T,) → (..., T - order - 1)
    """
    t, x = knots, x[..., None]
    basis = ((t[:-1] <= x) & (x < t[1:])).to(x.dtype)
    for p in range(1, order + 1):
        rise = (x - t[: -p - 1]) / (t[p:-1] - t[: -p - 1])
        fall = (t[p + 1 :] - x) / (t[p + 1 :] - t[1:-p])
        basis = rise * basis[..., :-1] + fall * basis[..., 1:]
    return basis


def _at_least(least: int, **sizes: int) -> None:
    """Refuse sizes that make no layer, by name."""
    for name, size in sizes.items():
        if size < least:
            raise LayerError(f"{name}={size}; it must be {least} or more.")


def _has_channels(x: Tensor, channels: int) -> None:
    """Check the last dimension of an input."""
    if x.dim() < 1 or x.shape[-1] != channels:
        raise SignalError(
            f"The input has shape {tuple(x.shape)}; this layer takes "
            f"(..., {channels})."
        )
