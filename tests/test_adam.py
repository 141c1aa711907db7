"""Adam, fused where that changes no copy."""

import torch
from torch import Tensor, nn

from grokbook.adam import adam
from grokbook.copies import Copied


class Three(Copied):
    """Copies of a parameter with so many numbers, starting at a ramp."""

    def __init__(self, numbers: int, copies: int | None) -> None:
        super().__init__()
        self.copies = copies
        ramp = torch.linspace(-1, 1, 3 * numbers).view(3, numbers)
        self.weight = nn.Parameter(ramp[: copies or 1].clone())


def trained(numbers: int, copies: int | None) -> Tensor:
    model = Three(numbers, copies)
    optimizer = adam(model, lr=0.01, weight_decay=1e-3)
    for step in range(20):
        optimizer.zero_grad()
        ((model.weight + 0.1 * step) ** 3).sum().backward()
        optimizer.step()
    return model.weight.detach()


def test_a_copy_trains_among_others_as_alone_to_the_last_bit() -> None:
    for numbers in (16, 48, 7, 33):
        together = trained(numbers, 3)
        assert torch.equal(together[:1], trained(numbers, None))


def test_only_whole_blocks_are_fused() -> None:
    for numbers, fused in [(16, True), (48, True), (7, False), (33, False)]:
        (group,) = adam(Three(numbers, 3), 0.01, 0.0).param_groups
        assert group["fused"] is fused


def test_it_is_adam() -> None:
    ours = trained(48, 3)
    model = Three(48, 3)
    theirs = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-3)
    for step in range(20):
        theirs.zero_grad()
        ((model.weight + 0.1 * step) ** 3).sum().backward()
        theirs.step()
    # The fused step rounds otherwise: a few units of float32 in 20 steps.
    torch.testing.assert_close(ours, model.weight.detach(), rtol=0, atol=1e-5)


def test_a_group_keeps_its_own_rate() -> None:
    class Two(Three):
        def groups(self) -> list[dict]:
            return [{"params": [self.weight], "lr": 0.5}]

    (group,) = adam(Two(16, 3), lr=0.01, weight_decay=1e-3).param_groups
    assert (group["lr"], group["weight_decay"]) == (0.5, 1e-3)
