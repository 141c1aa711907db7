r"""What a matrix that knows no graph does to the modes of one.

A filter multiplies each mode by a number and sends nothing elsewhere. An
attention matrix A does neither, so its response on a graph is measured: how
much of a mode comes out, and how much of that at the mode's own frequency.
Both are averaged over each eigenspace, which makes them independent of the
eigenbasis.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.errors import SignalError
from grokbook.spectrum import Spectrum

Matrix = Float[Tensor, "N N"]
PerMode = Float[Tensor, " N"]


def gain(A: Matrix, S: Spectrum) -> PerMode:
    r"""How much of each mode comes out, at whatever frequency.

    .. math:: g(\mu) = \sqrt{\operatorname{tr}(A \Pi_\mu A^\top)
       / \operatorname{tr} \Pi_\mu}

    For a simple eigenvalue that is the length of A u. Derived in
    chapter 07.

    Shapes:
        A (N, N) → (N,), one number per eigenvalue of `S.lam`

    Examples:
        >>> from grokbook import laplacian, spectrum
        >>> S = spectrum(laplacian([[0, 1, 1, 2], [1, 0, 2, 1]]))
        >>> gain(-2 * torch.eye(3).double(), S).round(decimals=6)
        tensor([2., 2., 2.], dtype=torch.float64)
    """
    AU = A.to(S.U) @ S.U
    return eigenspace_mean((AU**2).sum(0), S).sqrt()


def nearest_filter(A: Matrix, S: Spectrum) -> PerMode:
    r"""The response of the filter h(L) that is nearest to A.

    .. math:: h(\mu) = \operatorname{tr}(\Pi_\mu A)
       / \operatorname{tr} \Pi_\mu

    For a simple eigenvalue that is uᵀ A u. It minimises the sum of the
    squared entries of A − h(L). Derived in chapter 07.

    Shapes:
        A (N, N) → (N,), one number per eigenvalue of `S.lam`

    Examples:
        >>> from grokbook import laplacian, spectrum
        >>> L = laplacian([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> nearest_filter(L.to_dense(), spectrum(L)).abs().round(decimals=6)
        tensor([0., 1., 2.], dtype=torch.float64)
    """
    AU = A.to(S.U) @ S.U
    return eigenspace_mean((S.U * AU).sum(0), S)


def eigenspace_mean(value: PerMode, S: Spectrum) -> PerMode:
    """Replace each number by the mean over its eigenvalue's eigenspace.

    Raises:
        SignalError: there is not one number per node, or the spectrum is
            not whole.
    """
    if not len(value) == len(S.lam) == S.num_nodes:
        raise SignalError(
            f"There are {len(value)} numbers, {len(S.lam)} eigenvectors and "
            f"{S.num_nodes} nodes. Pass a matrix and a whole spectrum of "
            "one graph: `spectrum(L)`, without k."
        )
    _, count = S.distinct()
    group = torch.arange(len(count)).repeat_interleave(count)
    total = value.new_zeros(len(count)).index_add_(0, group, value)
    return (total / count)[group]
