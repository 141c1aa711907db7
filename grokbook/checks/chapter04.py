"""Checks of chapter 04, Kolmogorov-Arnold networks."""

from collections.abc import Callable

import torch

from grokbook.checks import exercise, expect
from grokbook.kan import bspline_basis


@exercise("ex-kan-maximum")
def _(maximum_edges: Callable) -> None:
    answer = maximum_edges()
    expect(
        isinstance(answer, tuple) and len(answer) == 2,
        "maximum_edges() should return the pair inner, outer",
    )
    inner, outer = answer
    expect(
        len(inner) == len(outer),
        "each node needs one pair of inner functions and one outer function",
    )
    expect(len(outer) <= 2, "two nodes are enough")
    for x, y in ((3.0, 5.0), (5.0, 3.0), (-2.0, 1.5), (-1.0, -4.0)):
        at = torch.tensor([x, y], dtype=torch.float64)
        nodes = [of_x(at[0]) + of_y(at[1]) for of_x, of_y in inner]
        pairs = zip(outer, nodes, strict=True)
        found = float(sum(Phi(z) for Phi, z in pairs))
        expect(
            abs(found - max(x, y)) < 1e-9,
            f"for {x:g} and {y:g} the network returns {found:g}",
        )


@exercise("ex-kan-interaction")
def _(interaction: Callable) -> None:
    corners = (0.3, -1.2, 2.0, 0.7)
    expect(
        abs(interaction(lambda x, y: x**2 + 3 * abs(y), *corners)) < 1e-9,
        "for the sum of a function of x and a function of y it is not 0",
    )
    expect(
        abs(interaction(lambda x, y: 5.0, *corners)) < 1e-9,
        "for a constant it is not 0",
    )
    expect(
        abs(interaction(lambda x, y: x * y, *corners)) > 1e-6,
        "for the product it is 0 too, so it tells nothing",
    )
    expect(
        abs(interaction(lambda x, y: x * y, *corners) - 3.23) < 1e-9,
        "for the product the size or the sign is off: v(x, y) counts with +1",
    )


@exercise("ex-kan-count")
def _(coefficients: Callable) -> None:
    expect(
        coefficients([2, 4, 1], 9) == 108,
        "for [2, 4, 1] and 9 there should be 108",
    )
    expect(
        coefficients([3, 5, 2, 1], 7) == 7 * (15 + 10 + 2),
        "for three layers of edges, [3, 5, 2, 1], it is not right: every "
        "node is joined to every node of the next layer only",
    )
    expect(
        coefficients([4, 3], 1) == 12,
        "a single layer from 4 inputs to 3 outputs has 12 edges",
    )


@exercise("ex-spline-line")
def _(line_coefficients: Callable) -> None:
    equal = torch.arange(-3, 9, dtype=torch.float64)
    uneven = equal + 0.3 * torch.sin(2 * equal)
    for knots, kind in ((equal, "equal"), (uneven, "unequal")):
        for order in (1, 2, 3):
            z = torch.linspace(
                float(knots[order]), float(knots[-order - 1]) - 1e-6, 50
            ).double()
            B = bspline_basis(z, knots, order)
            c = line_coefficients(knots, order)
            expect(
                c.shape == (B.shape[1],),
                f"there are {B.shape[1]} splines of degree {order} on "
                f"{len(knots)} knots, so as many coefficients",
            )
            expect(
                torch.allclose(B @ c.to(B), z, atol=1e-8),
                f"for degree {order} and {kind} knots the spline is not z",
            )
