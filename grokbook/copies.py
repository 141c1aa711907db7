"""S models in one: layers whose parameters have a leading axis of copies.

Ten splits of one graph train ten models that read the same graph. Kept side
by side in one tensor they read it once for all. Copy s draws its parameters
and its dropout masks from its own generator, so it is the model that would
have been trained alone with that generator.
"""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from grokbook.draws import Generators, draw, draw_uniform
from grokbook.errors import LayerError

THIN = 16  # columns
ALIGNMENT = 64  # bytes, at which PyTorch's own memory begins on a CPU


class Linear(nn.Module):
    r"""A linear layer for each copy.

    .. math:: Y_s = X_s W_s + b_s

    Starts as PyTorch's own, weights and biases uniform within
    :math:`\pm 1 / \sqrt{c_{\text{in}}}`; or, given a deviation, with
    weights :math:`\mathcal N(0, \text{std}^2)` and biases 0.

    Args:
        in_channels, out_channels: the widths.
        copies: S.
        bias: whether b is learned; else there is none.

    Shapes:
        X (S, ..., c_in) → (S, ..., c_out); weight (S, c_in, c_out)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        copies: int = 1,
        *,
        bias: bool = True,
    ) -> None:
        """Make room for the parameters; `reset_parameters` draws them."""
        super().__init__()
        shape = (copies, in_channels, out_channels)
        self.weight = nn.Parameter(torch.empty(shape))
        room = torch.empty(copies, out_channels) if bias else None
        self.bias = nn.Parameter(room) if bias else None

    @torch.no_grad()
    def reset_parameters(
        self, generator: Generators = None, std: float | None = None
    ) -> None:
        """Draw the parameters of each copy from its generator."""
        if std is not None:
            draw(
                self.weight,
                lambda copy, g: copy.normal_(std=std, generator=g),
                generator,
            )
            if self.bias is not None:
                self.bias.zero_()
            return
        bound = max(1, self.weight.shape[1]) ** -0.5
        for parameter in self.parameters():
            draw_uniform(parameter, bound, generator)

    def forward(
        self, X: Float[Tensor, "S *B c_in"]
    ) -> Float[Tensor, "S *B c_out"]:
        """Multiply each copy with its own weights."""
        rows = X.reshape(len(X), -1, X.shape[-1])  # (S, rows, c_in)
        Y = _Product.apply(rows, self.weight)
        if self.bias is not None:
            Y = Y + self.bias[:, None]
        return Y.reshape(*X.shape[:-1], -1)

    def extra_repr(self) -> str:
        """Name the widths."""
        _, c_in, c_out = self.weight.shape
        return f"{c_in} → {c_out}"


class _Product(torch.autograd.Function):
    """X W, with the gradient of W summed copy by copy.

    A product of ten copies in one call adds the same numbers in another
    order than that of one. Over thousands of nodes that shows in float32,
    and an optimizer soon makes much of it. One by one, each in memory as
    it would be alone, the copies train as they would alone.
    """

    @staticmethod
    def forward(ctx: Any, X: Tensor, W: Tensor) -> Tensor:
        ctx.save_for_backward(X, W)
        return product(X, W)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> tuple[Tensor | None, Tensor]:
        X, W = ctx.saved_tensors
        dX = product(G, W.mT) if ctx.needs_input_grad[0] else None
        dW = [weight_gradient(x, g) for x, g in zip(X, G, strict=True)]
        return dX, torch.stack(dW)


def product(
    X: Float[Tensor, "*S N a"], W: Float[Tensor, "*S a b"]
) -> Float[Tensor, "*S N b"]:
    """X W, computed as (Wᵀ Xᵀ)ᵀ where the result is thin.

    The libraries under PyTorch are up to four times as fast when the long
    side of a result is its last.
    """
    if W.shape[-1] >= THIN:
        return X @ W
    return (W.mT @ X.mT).mT.contiguous()


def weight_gradient(
    X: Float[Tensor, "N a"], G: Float[Tensor, "N b"]
) -> Float[Tensor, "a b"]:
    """Xᵀ G, the wide side last, which is up to eight times as fast."""
    X, G = aligned(X), aligned(G)
    return X.T @ G if X.shape[1] < G.shape[1] else (G.T @ X).T


def aligned(X: Tensor) -> Tensor:
    """A table that lies in memory as a new one does, copied if need be.

    Where it begins decides how the libraries under PyTorch cut a product,
    and so how it rounds.
    """
    begins = 0 if X.is_meta else X.data_ptr() % ALIGNMENT
    return (
        X.clone(memory_format=torch.contiguous_format)
        if begins or not X.is_contiguous()
        else X
    )


class LayerNorm(nn.Module):
    r"""Layer normalisation with a scale and a shift for each copy.

    .. math:: Y_s = \gamma_s \odot \frac{X_s - \operatorname{mean}(X_s)}
       {\sqrt{\operatorname{var}(X_s) + 10^{-5}}} + \beta_s

    over the channels of each node.

    Shapes:
        X (S, ..., c) → the same; weight (S, c), bias (S, c)
    """

    def __init__(self, channels: int, copies: int = 1) -> None:
        """Make room for the parameters; `reset_parameters` sets them."""
        super().__init__()
        self.weight = nn.Parameter(torch.empty(copies, channels))
        self.bias = nn.Parameter(torch.empty(copies, channels))

    @torch.no_grad()
    def reset_parameters(self, generator: Generators = None) -> None:
        """Scale 1 and shift 0; nothing is drawn."""
        self.weight.fill_(1)
        self.bias.fill_(0)

    def forward(self, X: Float[Tensor, "S *B c"]) -> Float[Tensor, "S *B c"]:
        """Normalise the channels of each node."""
        thin = X.shape[-1] < THIN and not X.is_meta
        Y = _Normal.apply(X) if thin else normal(X)
        along = (len(self.weight), *[1] * (X.dim() - 2), X.shape[-1])
        return torch.addcmul(self.bias.view(along), Y, self.weight.view(along))

    def extra_repr(self) -> str:
        """Name the width."""
        return f"{self.weight.shape[1]}"


def normal(X: Float[Tensor, "*B c"]) -> Float[Tensor, "*B c"]:
    """Rows of mean 0 and variance 1."""
    return nn.functional.layer_norm(X, X.shape[-1:])


class _Normal(torch.autograd.Function):
    """`normal` for thin rows, computed channel by channel over all nodes.

    PyTorch's own goes row by row, which takes three times as long when a
    row has seven entries.
    """

    @staticmethod
    def forward(ctx: Any, X: Tensor) -> Tensor:
        Y = X.mT.contiguous()  # (..., c, N)
        Y = Y - Y.mean(-2, keepdim=True)
        scale = Y.square().mean(-2, keepdim=True).add_(1e-5).rsqrt_()
        Y *= scale
        ctx.save_for_backward(Y, scale)
        return Y.mT.contiguous()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, G: Tensor) -> Tensor:
        Y, scale = ctx.saved_tensors
        G = G.mT.contiguous()
        along = (G * Y).mean(-2, keepdim=True)
        dX = G - G.mean(-2, keepdim=True)
        dX.sub_(Y * along).mul_(scale)
        return dX.mT.contiguous()


class Copied(nn.Module):
    """A model that is S copies, of which some may leave while it trains.

    Attributes:
        copies: S, or None for one model without a leading axis.
    """

    copies: int | None

    def groups(self) -> list[dict[str, Any]]:
        """The parameters, as an optimizer takes them.

        A group may have a rate of its own.
        """
        return [{"params": list(self.parameters())}]

    def keep(
        self,
        which: Sequence[int],
        optimizer: torch.optim.Optimizer | None = None,
    ) -> None:
        """Let all copies but these leave, and their optimizer's memory."""
        keep_copies(self, which, optimizer)
        self.copies = len(which)


@torch.no_grad()
def keep_copies(
    module: nn.Module,
    which: Sequence[int],
    optimizer: torch.optim.Optimizer | None = None,
) -> None:
    """Let all copies but these leave, with their share of the optimizer.

    The parameters stay the same objects, so the optimizer goes on.

    Raises:
        LayerError: nobody would stay, or there is no such copy.
    """
    S = len(next(module.parameters()))
    if not which or not all(0 <= s < S for s in which):
        raise LayerError(
            f"Of {S} copies, {list(which)} cannot stay. Name one or more of "
            f"0 to {S - 1}."
        )
    for parameter in module.parameters():
        rows = torch.as_tensor(which, device=parameter.device)
        whole = parameter.shape
        if optimizer is not None:
            for name, value in optimizer.state[parameter].items():
                if isinstance(value, Tensor) and value.shape == whole:
                    optimizer.state[parameter][name] = value[rows]
        parameter.grad = None
        parameter.data = parameter.data[rows]
