r"""A graph prepared for a model: the same filter step, whatever the road.

A model asks an operator where it wants the response (`points`), computes its
values there, and hands them back with the signals. Exact, deflated and
truncated spectra, a Chebyshev series and a batch of small graphs differ only
in the points and in what is done with the values. S copies of a model filter
their signals together, so that the graph is read once for all.
"""

from abc import ABC, abstractmethod
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from grokbook.chebyshev import ChebyshevFilter
from grokbook.errors import SignalError
from grokbook.expansion import cosine_transform, nodes
from grokbook.matrix import equal_rows
from grokbook.spectrum import Spectrum

WORTH_MERGING = 0.9  # of the rows; with more, merging costs what it saves


class Operator(ABC):
    """A graph, or a batch of graphs, that a response can be applied to.

    Attributes:
        points: the eigenvalues at which the response is wanted, float64.
        mask: which nodes of a padded batch are real; None if all are.

    Shapes:
        points (n,), mask (B, N); responses (n, S), X (S, N, C) or
        (S, B, N, C) → the same
    """

    points: Float[Tensor, " n"]
    mask: Bool[Tensor, "B N"] | None = None

    @abstractmethod
    def __call__(
        self, responses: Float[Tensor, "n S"], X: Float[Tensor, "S *B N C"]
    ) -> Float[Tensor, "S *B N C"]:
        """Filter the signals of copy s by column s of the responses."""

    def mixed(self, X: Float[Tensor, "S *B N C"]) -> Float[Tensor, "S *B N C"]:
        """(I − L) X: the weighted sum over each node's neighbours."""
        return self((1 - self.points)[:, None].expand(-1, len(X)), X)

    def summed(self, X: Float[Tensor, "S P N C"]) -> Float[Tensor, "S N C"]:
        """Σ T_p(L − I) X_p, by Chebyshev's polynomials from p = 0 on."""
        angle = (self.points - 1).clamp(-1, 1).acos()
        Y = X[:, 0]
        for p in range(1, X.shape[1]):
            h = (p * angle).cos()[:, None].expand(-1, len(X))
            Y = Y + self(h, X[:, p])
        return Y


class EigenOperator(Operator):
    r"""Through the eigenvectors: exact, deflated or truncated.

    .. math:: h(L) X = h(\text{rest}) X + U
       \bigl(h(\lambda) - h(\text{rest})\bigr) U^\top X

    Memory bounds it: U is read twice forward and twice backward, in the
    order in which it is stored. Nodes with the same neighbours (twins) have
    equal rows in every eigenvector but those of λ = 1. Where these are left
    out, U is kept with one row for each class of twins, and their signals
    are added up first: exact again, and smaller once more.

    Attributes:
        counts: how many eigenvalues each point stands for.
    """

    def __init__(
        self,
        S: Spectrum,
        device: torch.device | str | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        """Move the eigenvectors to their place; eigenvalues stay float64."""
        self.num_nodes = len(S.U)
        first, place = equal_rows(S.U)
        merge = len(first) < WORTH_MERGING * len(S.U)
        self._place = place.to(device) if merge else None
        U = S.U[first] if merge else S.U
        self.U = U.to(device, dtype).contiguous()
        lam = S.lam.to(device)
        self._has_rest = S.rest is not None
        self.counts = torch.ones_like(lam)
        if self._has_rest:
            lam = torch.cat([lam, lam.new_tensor([S.rest])])
            others = lam.new_tensor([self.num_nodes - len(S.lam)])
            self.counts = torch.cat([self.counts, others])
        self.points = lam

    def __call__(
        self, responses: Float[Tensor, "n S"], X: Float[Tensor, "S N C"]
    ) -> Float[Tensor, "S N C"]:
        """Transform all channels of all copies at once."""
        if responses.shape[1] != len(X):
            raise SignalError(
                f"responses has {responses.shape[1]} columns for {len(X)} "
                "copies. Pass one column for each, or use `views`."
            )
        return self.views(responses, X)

    def views(
        self, responses: Float[Tensor, "n R"], X: Float[Tensor, "S N C"]
    ) -> Float[Tensor, "R N C"]:
        """Filter the signals of each copy by R/S responses of its own.

        Those of copy 0 come first, then those of copy 1, and so on; the
        signals of a copy are transformed once for all its responses.
        """
        check_nodes(X, self.num_nodes)
        times, over = divmod(responses.shape[1], len(X))
        if over or not times:
            raise SignalError(
                f"responses has {responses.shape[1]} columns, which cannot be "
                f"shared out among {len(X)} copies. Pass as many for each."
            )
        h = responses.T.to(X)[:, None, :]  # (R, 1, n)
        if self._has_rest:
            rest = h[..., -1:]
            h = h[..., :-1] - rest
        rows = X.mT.flatten(0, 1).to(self.U)  # (S·C, N)
        if self._place is not None:
            sums = rows.new_zeros(len(rows), len(self.U))
            rows = sums.index_add(1, self._place, rows)  # (S·C, classes)
        X_hat = (rows @ self.U).unflatten(0, (len(X), -1))  # (S, C, q)
        X_hat = _repeated(X_hat, times)  # (R, C, q)
        Y = (X_hat * h.to(X_hat)).flatten(0, 1) @ self.U.T
        if self._place is not None:
            Y = Y[:, self._place]
        Y = Y.unflatten(0, (len(h), -1)).mT.to(X)
        return Y + rest * _repeated(X, times) if self._has_rest else Y


class SeriesOperator(Operator):
    r"""Without eigenvectors: a Chebyshev series of a fixed degree.

    .. math:: h(L) X \approx \sum_{r=0}^{R} c_r\, T_r(L - I)\, X

    Args:
        L: a symmetric normalised Laplacian.
        degree: R.
        device: where the model lives.
    """

    def __init__(
        self,
        L: Any,
        degree: int,
        device: torch.device | str | None = None,
    ) -> None:
        """Choose the Chebyshev nodes that give the coefficients."""
        self.degree = degree
        self.points = nodes(2 * (degree + 1), device or "cpu")
        self._filter = ChebyshevFilter(L, degree=degree)

    def __call__(
        self, responses: Float[Tensor, "n S"], X: Float[Tensor, "S N C"]
    ) -> Float[Tensor, "S N C"]:
        """One recurrence for all channels of all copies."""
        check_nodes(X, self._filter.num_nodes)
        c = cosine_transform(responses)[: self.degree + 1]  # (R + 1, S)
        columns = X.movedim(1, 0).flatten(1)  # (N, S·C)
        c = c.repeat_interleave(X.shape[-1], dim=1)
        Y = self._filter.apply_series(c, columns)
        return Y.unflatten(1, (len(X), -1)).movedim(0, 1)

    def mixed(self, X: Float[Tensor, "S N C"]) -> Float[Tensor, "S N C"]:
        """One product for all channels of all copies."""
        check_nodes(X, self._filter.num_nodes)
        Y = self._filter.mixed(X.movedim(1, 0).flatten(1))  # (N, S·C)
        return Y.unflatten(1, (len(X), -1)).movedim(0, 1)

    def summed(self, X: Float[Tensor, "S P N C"]) -> Float[Tensor, "S N C"]:
        """As many products as there are terms, less one."""
        check_nodes(X[:, 0], self._filter.num_nodes)
        columns = X.permute(1, 2, 0, 3).flatten(2)  # (P, N, S·C)
        Y = self._filter.summed(columns.contiguous())
        return Y.unflatten(1, (len(X), -1)).movedim(0, 1)

    def terms(
        self, X: Float[Tensor, "S N C"], degree: int
    ) -> Float[Tensor, "S P N C"]:
        """T_p(L − I) X for p = 0 to a degree: one recurrence for all."""
        check_nodes(X, self._filter.num_nodes)
        columns = X.movedim(1, 0).flatten(1)  # (N, S·C)
        T = self._filter.terms(columns, degree)
        return T.unflatten(2, (len(X), -1)).permute(2, 0, 1, 3)


def _repeated(X: Tensor, times: int) -> Tensor:
    """Each copy so many times, one after the other."""
    return X if times == 1 else X.repeat_interleave(times, dim=0)


def check_nodes(X: Tensor, N: int, B: int | None = None) -> None:
    """Refuse signals of another graph."""
    wanted = (N,) if B is None else (B, N)
    if tuple(X.shape[1:-1]) != wanted:
        raise SignalError(
            f"The signals have shape {tuple(X.shape)} (copies, nodes, "
            f"channels); this graph has nodes {wanted}."
        )
