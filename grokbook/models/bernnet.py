"""BernNet: a filter that is never negative, in Bernstein's basis."""

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.models.decoupled import Decoupled


class BernNet(Decoupled):
    r"""The network of He et al. (2021).

    .. math:: Y = \sum_{k=0}^{K} \operatorname{relu}(\theta_k)
       \binom{K}{k} \frac{1}{2^K} (2I - L)^{K-k} L^k f_\theta(X)

    θ starts at 1, so that h = 1 and the graph is not seen.

    Examples:
        >>> BernNet(4, 8, 2, K=3).theta
        Parameter containing:
        tensor([[1., 1., 1., 1.]], requires_grad=True)
    """

    basis = "bernstein"

    def start(self) -> Float[Tensor, " P"]:
        """One, whose polynomial is 1."""
        return torch.ones(self.degree + 1)

    def weights(self) -> Float[Tensor, "S P"]:
        """θ where it is positive."""
        return self.theta.relu()
