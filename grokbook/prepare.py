"""Whatever graph a model is given, in the form in which it filters."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from grokbook.batch_operator import BatchOperator
from grokbook.expansion import coefficients
from grokbook.operators import EigenOperator, Operator, SeriesOperator
from grokbook.spectrum import Spectrum

DEGREE_TOLERANCE = 1e-4  # of each basis function, in float32 training


def prepared(
    graph: Any,
    basis: Callable[[Tensor], Tensor],
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> Operator:
    """Turn a spectrum, several spectra or a Laplacian into an operator.

    Args:
        graph: a `Spectrum`; a list of them, for a batch; a Laplacian, which
            is then not decomposed; or an operator, returned as it is.
        basis: the functions a response is made of. They decide the degree
            that a Laplacian needs.
        device, dtype: where and how the eigenvectors are kept.
    """
    if isinstance(graph, Operator):
        return graph
    if isinstance(graph, Spectrum):
        return EigenOperator(graph, device, dtype)
    if isinstance(graph, list | tuple):
        return BatchOperator(graph, device, dtype)
    c = coefficients(basis, tolerance=DEGREE_TOLERANCE)
    return SeriesOperator(graph, len(c) - 1, device)
