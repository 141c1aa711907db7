"""From the nodes of a graph to one row for the graph."""

from jaxtyping import Bool, Float
from torch import Tensor

from grokbook.errors import check_choice

READOUTS = ("sum", "mean", "max")


def read_out(
    kind: str,
    X: Float[Tensor, "*B N c"],
    mask: Bool[Tensor, "*B2 N"] | None = None,
) -> Float[Tensor, "*B c"]:
    r"""Sum, mean or maximum over the real nodes of each graph.

    .. math:: y = \sum_i x_i, \qquad y = \tfrac1N \sum_i x_i, \qquad
       y_c = \max_i x_{ic}

    Args:
        kind: "sum", "mean" or "max".
        X: a row for each node.
        mask: which rows are real nodes; by default all.

    Shapes:
        X (..., N, c), mask (B, N) → (..., c)

    Examples:
        >>> import torch
        >>> X = torch.tensor([[1.0], [2.0], [9.0]])
        >>> read_out("max", X, torch.tensor([True, True, False]))
        tensor([2.])
    """
    check_choice("readout", kind, READOUTS)
    if mask is None:
        mask = X.new_ones(X.shape[-2], dtype=bool)
    if kind == "max":
        return X.masked_fill(~mask[..., None], float("-inf")).amax(-2)
    total = X.masked_fill(~mask[..., None], 0.0).sum(-2)
    return total if kind == "sum" else total / mask.sum(-1)[..., None]
