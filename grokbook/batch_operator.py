"""Several small graphs prepared for a model, padded to one size."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from grokbook.errors import EmptyGraphError, SignalError
from grokbook.operators import Operator, check_nodes
from grokbook.spectrum import Spectrum


class BatchOperator(Operator):
    r"""Several small graphs at once, padded to the size of the largest.

    .. math:: Y_b = U_b \operatorname{diag}(h(\lambda_b))\, U_b^\top X_b

    The padded rows and columns of U are zero, so nothing leaves or enters
    them, whatever stands there.

    Args:
        spectra: a full spectrum for each graph.

    Examples:
        >>> from grokbook import laplacian, spectrum
        >>> edge = spectrum(laplacian([[0, 1], [1, 0]]))
        >>> path = spectrum(laplacian([[0, 1, 1, 2], [1, 0, 2, 1]]))
        >>> BatchOperator([edge, path]).mask
        tensor([[ True,  True, False],
                [ True,  True,  True]])
    """

    def __init__(
        self,
        spectra: Sequence[Spectrum],
        device: torch.device | str | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        """Pad the eigenvectors with zeros."""
        if not spectra:
            raise EmptyGraphError(
                "The batch holds no graph. Pass at least one spectrum."
            )
        sizes = [S.num_nodes for S in spectra]
        B, N = len(spectra), max(sizes)
        self.U = torch.zeros(B, N, N, device=device, dtype=dtype)
        lam = torch.zeros(B, N, device=device, dtype=torch.float64)
        for b, S in enumerate(spectra):
            if len(S.lam) != S.num_nodes:
                raise SignalError(
                    f"Spectrum {b} of the batch is truncated or deflated. "
                    "Small graphs are cheap: pass spectrum(L)."
                )
            self.U[b, : S.num_nodes, : S.num_nodes] = S.U
            lam[b, : S.num_nodes] = S.lam
        self.points = lam.flatten()
        size = torch.tensor(sizes, device=device)
        self.mask = torch.arange(N, device=device) < size[:, None]

    def rows(self, which: Int[Tensor, " b"]) -> "BatchOperator":
        """Some graphs of the batch, padded as they are."""
        part = BatchOperator.__new__(BatchOperator)
        part.U, part.mask = self.U[which], self.mask[which]
        part.points = self.points.view(self.mask.shape)[which].flatten()
        return part

    def __call__(
        self, responses: Float[Tensor, "n S"], X: Float[Tensor, "S B N C"]
    ) -> Float[Tensor, "S B N C"]:
        """Transform each graph by its own eigenvectors."""
        check_nodes(X, self.U.shape[1], len(self.U))
        # All copies of a graph side by side: its eigenvectors serve them all.
        h = responses.unflatten(0, self.U.shape[:2])  # (B, N, S)
        rows = X.movedim(0, 2).flatten(2).to(self.U)  # (B, N, S·C)
        X_hat = (self.U.mT @ rows).unflatten(2, (len(X), -1))
        Y = self.U @ (X_hat * h.to(X_hat)[..., None]).flatten(2)
        return Y.unflatten(2, (len(X), -1)).movedim(2, 0).to(X)
