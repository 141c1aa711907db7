"""GPRGNN: powers of the adjacency, weighted as the data say."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.errors import FilterError
from grokbook.models.decoupled import Decoupled


class GPRGNN(Decoupled):
    r"""Generalised PageRank of Chien et al. (2021).

    .. math:: Y = \sum_{k=0}^{K} \gamma_k (I - \tilde L)^k f_\theta(X)

    with :math:`\tilde L` of `looped_laplacian`; γ starts as the weights of
    a random walk that returns with probability α, and may then take either
    sign: :math:`\gamma_k = \alpha (1 - \alpha)^k` and
    :math:`\gamma_K = (1 - \alpha)^K`.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        alpha: α, from 0 to 1.
        options: see `Decoupled`.

    Examples:
        >>> GPRGNN(4, 8, 2, K=2, alpha=0.5).theta
        Parameter containing:
        tensor([[0.5000, 0.2500, 0.2500]], requires_grad=True)
    """

    basis = "gpr"
    loops = True

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        alpha: float = 0.1,
        **options: Any,
    ) -> None:
        """Make the layers and draw their parameters."""
        if not 0 <= alpha <= 1:
            raise FilterError(
                f"alpha is {alpha}; the chance to return lies in [0, 1]."
            )
        self.alpha = alpha
        super().__init__(in_channels, hidden_channels, out_channels, **options)

    def start(self) -> Float[Tensor, " P"]:
        """The weights of the random walk."""
        gamma = self.alpha * (1 - self.alpha) ** torch.arange(self.degree + 1)
        gamma[-1] = (1 - self.alpha) ** self.degree
        return gamma
