r"""The five networks of the filter-fitting experiment.

Sizes as in the published code of He et al. (2021): two layers with 32 and 64
channels (ChebyNet 32 and 32) and a linear map to one, 2,241 to 3,265
parameters; the paper says only that parameters are of one scale. Weights
start as Glorot and Bengio draw them, biases at 0.
"""

from abc import ABC, abstractmethod

import numpy as np
import torch
from jaxtyping import Float
from scipy.sparse import coo_array, csr_array, diags_array, eye_array
from torch import Tensor, nn
from torch.nn.functional import elu, leaky_relu, pad

from grokbook.chebyshev import ChebyshevFilter
from grokbook.datasets.grids import grid_edges
from grokbook.expansion import cosine_transform, nodes
from grokbook.filters import Polynomial

DEGREE = 10
Signals = Float[Tensor, "N C"]
Rows = Float[Tensor, "C N"]
Mixed = Float[Tensor, "N D"]


class Network(nn.Module, ABC):
    """Two layers and a linear map.

    Shapes:
        x (N, 1) → (N, 1)
    """

    widths = (32, 64)
    loops = False  # whether each pixel is its own neighbour

    def __init__(self, side: int, generator: torch.Generator) -> None:
        """Make the layers for a grid and draw their weights."""
        super().__init__()
        self.flow = ChebyshevFilter(_laplacian(side, loops=self.loops))
        self.side = side
        self.make(*self.widths)
        self.out = nn.Linear(self.widths[1], 1)
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter, generator=generator)
        self.start(generator)

    def make(self, first: int, second: int) -> None:
        """Make what the layers need."""
        self.one, self.two = nn.Linear(1, first), nn.Linear(first, second)

    def start(self, generator: torch.Generator) -> None:
        """Set the coefficients of a filter, if there is one."""

    @abstractmethod
    def forward(self, x: Float[Tensor, "N 1"]) -> Float[Tensor, "N 1"]:
        """The image that the network makes of an image."""


class Mixing(Network):
    """Two layers that mix the nodes, then map; a subclass says how."""

    @abstractmethod
    def mix(self, X: Signals) -> Mixed:
        """Let the nodes of a graph mix."""

    def forward(self, x: Float[Tensor, "N 1"]) -> Float[Tensor, "N 1"]:
        """The image that the network makes of an image."""
        X = self.one(self.mix(x)).relu()
        return self.out(self.two(self.mix(X)).relu())


class GCN(Mixing):
    r"""Kipf and Welling: :math:`\mathrm{ReLU}(\hat{A} X W + b)`."""

    loops = True

    def mix(self, X: Signals) -> Mixed:
        """The mean over a pixel and its neighbours, by both degrees."""
        return self.flow.apply_series(X.new_tensor([0.0, -1.0]), X)


class ChebyNet(Mixing):
    r"""Defferrard et al.: ReLU(Σ_k T_k(L − I) X W_k + b), k = 0, 1, 2."""

    widths = (32, 32)

    def make(self, first: int, second: int) -> None:
        """A weight for each of the three terms."""
        self.one = nn.Linear(3, first)
        self.two = nn.Linear(3 * first, second)

    def mix(self, X: Signals) -> Mixed:
        """The three terms side by side."""
        c = torch.eye(3).repeat_interleave(X.shape[1], dim=1)
        return self.flow.apply_series(c, X.repeat(1, 3))


class BernNet(Mixing):
    r"""He et al.: :math:`\mathrm{ReLU}(h(L) X W + b)`, one h, Bernstein."""

    basis = "bernstein"

    def make(self, first: int, second: int) -> None:
        """Add the coefficients, which both layers share."""
        super().make(first, second)
        self.theta = nn.Parameter(torch.empty(DEGREE + 1))
        points = nodes(2 * (DEGREE + 1), "cpu")
        B = Polynomial(self.basis, DEGREE).basis(points)
        series = cosine_transform(B)[: DEGREE + 1]  # exact: degree ≤ 10
        self.register_buffer("series", series.float())

    def start(self, generator: torch.Generator) -> None:
        """h = 1."""
        nn.init.ones_(self.theta)

    def mix(self, X: Signals) -> Mixed:
        """Filter with coefficients that are not negative."""
        return self.flow.apply_series(self.series @ self.theta.relu(), X)


class GPRGNN(BernNet):
    r"""Chien et al.: Σ_k γ_k Â^k of what a small network makes of x."""

    basis = "gpr"
    loops = True

    def start(self, generator: torch.Generator) -> None:
        """γ of either sign, their sizes adding up to 1."""
        nn.init.uniform_(self.theta, -1, 1, generator=generator)
        with torch.no_grad():
            self.theta /= self.theta.abs().sum()

    def mix(self, X: Signals) -> Mixed:
        """Filter."""
        return self.flow.apply_series(self.series @ self.theta, X)

    def forward(self, x: Float[Tensor, "N 1"]) -> Float[Tensor, "N 1"]:
        """Mix last: the linear map before it, since the two commute."""
        X = self.two(self.one(x).relu()).relu()
        return self.mix(X @ self.out.weight.T) + self.out.bias


class GAT(Network):
    r"""Veličković et al.: ELU(Σ_j a_ij X_j W + b), 4 and then 8 heads.

    .. math:: a_{ij} \propto \exp \mathrm{LeakyReLU}(u^\top W^\top X_i +
       v^\top W^\top X_j), \qquad j \in \mathcal{N}_i \cup \{i\}
    """

    def make(self, first: int, second: int) -> None:
        """Weights u, v for each head of 8 channels."""
        super().make(first, second)
        self.first = nn.Parameter(torch.empty(2, first // 8, 8))
        self.second = nn.Parameter(torch.empty(2, second // 8, 8))

    def forward(self, x: Float[Tensor, "N 1"]) -> Float[Tensor, "N 1"]:
        """The image that the network makes of an image."""
        X = elu(self.attend(self.one, self.first, x.T))
        return self.out(elu(self.attend(self.two, self.second, X)).T)

    def attend(
        self, map: nn.Linear, uv: Float[Tensor, "2 H 8"], X: Rows
    ) -> Float[Tensor, "D N"]:
        """One layer; a row for each channel, which is faster here."""
        grid = (self.side, self.side)
        H = (map.weight @ X).view(*uv.shape[1:], *grid)  # heads, 8, grid
        to, of = (H * uv[..., None, None]).sum(2)  # heads, grid
        scores = torch.stack(_neighbours(of, -torch.inf)) + to
        weight = leaky_relu(scores, 0.2).softmax(0)[:, :, None]
        seen = zip(weight, _neighbours(H, 0.0), strict=True)
        mean = sum(w * h for w, h in seen)
        return mean.view(-1, X.shape[1]) + map.bias[:, None]


def _neighbours(G: Tensor, outside: float) -> list[Tensor]:
    """A pixel's own value and its four neighbours' values."""
    wide = pad(G, (1, 1, 1, 1), value=outside)
    up, down = wide[..., :-2, 1:-1], wide[..., 2:, 1:-1]
    return [G, up, down, wide[..., 1:-1, :-2], wide[..., 1:-1, 2:]]


def _laplacian(side: int, *, loops: bool) -> csr_array:
    """I − D^(-1/2) A D^(-1/2) of the grid, a loop at each pixel or none."""
    i, j = grid_edges(side, side).numpy()
    one = eye_array(side**2, format="csr")
    A = coo_array((np.ones(len(i)), (i, j))).tocsr() + loops * one
    root = diags_array(A.sum(axis=1) ** -0.5)
    return csr_array(one - root @ A @ root)


NETWORKS: dict[str, type[Network]] = {
    "gcn": GCN,
    "gat": GAT,
    "chebynet": ChebyNet,
    "gprgnn": GPRGNN,
    "bernnet": BernNet,
}
