"""ChebyNet: a matrix of weights for each Chebyshev polynomial."""

from torch import Tensor, nn

from grokbook.draws import Generators
from grokbook.features import SparseFeatures
from grokbook.filters.filter import check_size
from grokbook.models.baseline import Baseline, Scores, glorot
from grokbook.models.gcn import biases, convolutions
from grokbook.models.mlp import Dropout, from_features
from grokbook.operators import Operator


class ChebyNet(Baseline):
    r"""The network of Defferrard et al. (2016).

    .. math:: X^{(l)} = \operatorname{relu}\Bigl(\sum_{k=0}^{K}
       T_k(L - I)\, X^{(l-1)} W_{lk} + b_l\Bigr)

    Two layers, no relu at the end.

    Args:
        in_channels, hidden_channels, out_channels: F, H and C.
        K: the degree, 1 or more.
        dropout: on the features and between layers.
        copies, generator: see `Baseline`.

    Examples:
        >>> import torch
        >>> from grokbook import laplacian
        >>> path = laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> ChebyNet(4, 8, 2)(torch.eye(3, 4), path).shape
        torch.Size([3, 2])
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        K: int = 2,
        dropout: float = 0.0,
        copies: int | None = None,
        generator: Generators = None,
    ) -> None:
        """Make the layers and draw their parameters."""
        F, H, C = sizes = (in_channels, hidden_channels, out_channels)
        super().__init__(sizes, dropout, copies)
        self.degree = check_size("K", K, 1)
        # The weights of all K + 1 terms stand side by side.
        self.first, self.second = (
            convolutions([rows, (K + 1) * columns], self.S)[0]
            for rows, columns in ((F, H), (H, C))
        )
        self.biases = biases([H, C], self.S)
        self.reset_parameters(generator=generator)

    def reset_parameters(self, *, generator: Generators = None) -> None:
        """Draw the weights as Glorot and Bengio do; biases start at 0."""
        for layer, bias in zip(
            (self.first, self.second), self.biases, strict=True
        ):
            glorot(layer, generator, parts=self.degree + 1)
            nn.init.zeros_(bias)

    def score(
        self, x: Tensor | SparseFeatures, graph: Operator, drop: Dropout
    ) -> Scores:
        """Map, then filter: the two commute, and mapping first is cheaper."""
        X = from_features(self.first, x, drop, self.p)
        X = (self._mixed(graph, X) + self.biases[0][:, None]).relu()
        X = self.second(drop(X, self.p))
        return self._mixed(graph, X) + self.biases[1][:, None]

    def _mixed(self, graph: Operator, X: Tensor) -> Scores:
        """Sum the terms, each filtered by its polynomial."""
        terms = X.unflatten(-1, (self.degree + 1, -1))  # (S, N, P, c)
        return graph.summed(terms.movedim(2, 1))
