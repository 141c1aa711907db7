"""Adam for copies: fast where that changes no copy."""

from collections.abc import Iterator
from typing import Any

import torch

from grokbook.copies import Copied

BLOCK = 16  # numbers that the fused step takes at once


def adam(model: Copied, lr: float, weight_decay: float) -> torch.optim.Adam:
    """Adam for a model of copies, each trained as it would be alone.

    PyTorch's fused step reads a tensor once instead of eight times, but
    rounds what is left over after the last whole block in another way: a
    copy whose numbers do not fill whole blocks would then be trained
    otherwise among others than alone. Such parameters take the plain step.
    """
    return torch.optim.Adam(
        list(_groups(model)), lr=lr, weight_decay=weight_decay
    )


def _groups(model: Copied) -> Iterator[dict[str, Any]]:
    """Each group of the model, cut into fused and plain."""
    copies = model.copies or 1
    for group in model.groups():
        fits: dict[bool, list] = {True: [], False: []}
        for parameter in group["params"]:
            whole = parameter.numel() // copies % BLOCK == 0
            fits[whole].append(parameter)
        for fused, parameters in fits.items():
            if parameters:
                yield {**group, "params": parameters, "fused": fused}
