r"""The task "fit": learn a designed response from filtered images.

As in the experiment of He et al. (2021), which the paper's authors follow:
the pixels of an image x are a signal on their grid, y = h(L)x is the exactly
filtered image, and one model per image learns to give y from x. Loss and
score are one number, the sum of squared errors over the pixels that are two
or more away from the border. Adam has a constant step of 0.01 and at most
2,000 epochs; 100 without a new best end them. The best is reported, and R².

The data set of a spec is the target's name, its splits are images: the first
ones, or all of them in size "full". Protocols:

published
    gcn, gat, chebynet, gprgnn, bernnet: networks (`fit_networks.py`);
    specformer: that filter alone, one layer of width 16 with one head, as
    its authors published for this experiment; grokformer: the paper's
    filter alone, K = 2 and M = 64 (of the ranges that the paper tried),
    which starts as `reading` says.
equal-parameters
    chebynet, gprgnn, bernnet, grokformer: one linear filter h(L)x with as
    many coefficients as the hyperparameter `parameters` says, all 0 at
    first. For grokformer that is 1 + 2KM; K is 1 unless given.

`basis="orthogonal"` trains the same linear filter in a basis that is
orthonormal on the image's spectrum, from 0; all else stays as it is.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from grokbook.datasets.images import grey_images
from grokbook.draws import generators
from grokbook.errors import SpecError, check_choice
from grokbook.experiments.fit_images import Images, descend, images
from grokbook.experiments.fit_networks import NETWORKS
from grokbook.filters import FourierKAN, Orthogonal, Polynomial, Specformer
from grokbook.filters.filter import LinearFilter
from grokbook.filters.fitting import least_squares
from grokbook.targets import TARGETS

if TYPE_CHECKING:
    from grokbook.experiments.spec import RunSpec

#: Pixels on a side, and epochs at most.
SIZES = {"smoke": (40, 20), "laptop": (100, 2000), "full": (100, 2000)}
POLYNOMIALS = {
    "chebynet": "chebyshev",
    "gprgnn": "gpr",
    "bernnet": "bernstein",
}
MODELS = {
    "published": (*NETWORKS, "specformer", "grokformer"),
    "equal-parameters": (*POLYNOMIALS, "grokformer"),
}
NAMES = list(TARGETS)
Result = dict[str, Any]


def fit(spec: "RunSpec") -> Result:
    """Fit each image and report the sums of squared errors.

    Returns:
        metric and scores, one an image; `r2`; the `epochs` trained; the
        number of `parameters` (of a linear filter, the coefficients that
        its response can tell apart); for linear filters the `optimum`,
        what least squares in float64 reaches (in a basis so
        ill-conditioned that rounding hides part of it, too high); the
        images.
    """
    options = {"images": "2Dgrid", "basis": "own", **spec.hyperparameters}
    _check(spec, options)
    side, epochs = SIZES[spec.size]
    total = len(grey_images(options["images"]))
    if spec.splits > total or (spec.size == "full" and spec.splits < total):
        raise SpecError(
            f"splits={spec.splits}: there are {total} images, and the full "
            "size has all of them. Fewer are size='laptop'."
        )
    data = images(options["images"], spec.splits, side)
    if spec.model in NETWORKS and spec.protocol == "published":
        found = _networks(spec, data, epochs)
    elif spec.model == "specformer":
        found = _specformers(spec, data, epochs)
    else:
        found = _linear(spec, options, data, epochs)
    sse = found.pop("sse").double()
    r2 = 1 - sse / data.spread(spec.dataset)
    rounded = {"scores": _digits(sse), "r2": _digits(r2)}
    shown = {"images": options["images"], "side": side}
    return {"metric": "sse", **rounded, **found, **shown}


def _networks(spec: "RunSpec", data: Images, epochs: int) -> Result:
    """One network after another."""
    rows = []
    for i in range(spec.splits):
        seed = torch.Generator().manual_seed(spec.seed + i)
        model = NETWORKS[spec.model](data.side, seed)
        x = data.x[:, i : i + 1].float()
        y = data.wanted(i, spec.dataset).float()

        def error(model=model, x=x, y=y) -> Float[Tensor, " 1"]:
            gap = model(x)[data.inside, 0] - y
            return gap.square().sum()[None]

        rows.append(descend(error, model.parameters(), epochs))
    return _joined(rows, model)


def _specformers(spec: "RunSpec", data: Images, epochs: int) -> Result:
    """One filter after another; what it attends to are all eigenvalues."""
    lam, rows = data.spectrum.distinct, []
    for i in range(spec.splits):
        seed = torch.Generator().manual_seed(spec.seed + i)
        model = Specformer(hidden=16, heads=1, generator=seed)
        y = data.wanted(i, spec.dataset)

        def error(model=model, i=i, y=y) -> Float[Tensor, " 1"]:
            gap = data.filtered(i, model(lam)[:, None])[:, 0] - y
            return gap.square().sum()[None]

        rows.append(descend(error, model.parameters(), epochs))
    return _joined(rows, model)


def _linear(
    spec: "RunSpec", options: Result, data: Images, epochs: int
) -> Result:
    """All images at once: an error is |Rc − b|² and a rest that stays."""
    own = options["basis"] == "own"
    size = _size(spec, options)
    triangles = _triangles(data, spec.model, size, own)
    P = triangles.shape[1] - len(NAMES)
    R = triangles[:, :P, :P]
    column = triangles[..., P + NAMES.index(spec.dataset)]
    b, rest = column[:, :P], column[:, P:].square().sum(1)
    rows = R.mT.contiguous()  # a row times a matrix is several times faster
    if own and spec.protocol == "published":
        model = FourierKAN(
            *size,
            parameterisation=spec.reading,
            copies=spec.splits,
            generator=generators(spec.seed, spec.splits),
        )
        parameters, c = model.parameters(), lambda: model.coefficients().T
    else:
        theta = nn.Parameter(torch.zeros_like(b))
        parameters, c = [theta], lambda: theta

    def error() -> Float[Tensor, " n"]:
        gap = torch.bmm(c()[:, None], rows)[:, 0] - b
        return gap.square().sum(1) + rest

    best, trained = descend(error, parameters, epochs)
    optimum = [_residual(*Rb) for Rb in zip(R, b, strict=True)]
    return {
        "sse": best,
        "epochs": trained.tolist(),
        "parameters": len(_filter(spec.model, size).coefficients()),
        "optimum": _digits(torch.stack(optimum) + rest),
    }


@lru_cache(maxsize=32)
def _triangles(
    data: Images, model: str, size: tuple[int, ...], own: bool
) -> Float[Tensor, "n P P"]:
    """What is left, for a fit, of the P filtered versions of each image.

    The triangle of a QR decomposition of [filtered by the P functions of
    the basis | filtered by the six targets], inner pixels only: the same
    errors and gradients in P + 6 rows.
    """
    S, filter, found = data.spectrum, _filter(model, size), []
    targets = [h(S.distinct) for h in TARGETS.values()]
    P = len(filter.coefficients())
    for i in range(data.x.shape[1]):
        basis = filter
        if not own:
            basis = Orthogonal(filter, S.distinct, S.energy(data.x_hat[:, i]))
        B = basis.basis(S.distinct)
        # fewer functions where rounding cannot tell them apart
        B = nn.functional.pad(B, (0, P - B.shape[1]))
        both = torch.cat([B, torch.stack(targets, dim=1)], dim=1)
        found.append(torch.linalg.qr(data.filtered(i, both), mode="r").R)
    return torch.stack(found)


def _filter(model: str, size: tuple[int, ...]) -> LinearFilter:
    """The linear filter that gives the basis."""
    if model == "grokformer":
        return FourierKAN(*size)
    return Polynomial(POLYNOMIALS[model], *size)


def _size(spec: "RunSpec", options: Result) -> tuple[int, ...]:
    """K and M of the paper's filter, or the degree of a polynomial."""
    if spec.protocol == "published":
        return options.get("K", 2), options.get("M", 64)
    free = options["parameters"] - 1
    if spec.model != "grokformer":
        return (free,)
    K = options.get("K", 1)
    if free % (2 * K):
        raise SpecError(
            f"parameters={free + 1}: a filter of order K={K} has 1 + 2KM."
        )
    return K, free // (2 * K)


def _residual(R: Tensor, b: Tensor) -> Float[Tensor, ""]:
    """The least |Rc − b|²."""
    c = least_squares(R, b, torch.ones_like(b))
    return (R @ c - b).square().sum()


def _joined(rows: list[tuple[Tensor, Tensor]], model: nn.Module) -> Result:
    """The results of models that were trained one by one."""
    sse, trained = (torch.cat(part) for part in zip(*rows, strict=True))
    count = sum(p.numel() for p in model.parameters())
    return {"sse": sse, "epochs": trained.tolist(), "parameters": count}


def _digits(values: Tensor) -> list[float]:
    """Six digits of each."""
    return [float(f"{value:.6g}") for value in values.tolist()]


def _check(spec: "RunSpec", options: Result) -> None:
    """Refuse what this task does not know."""
    for what, name, known in (
        ("target", spec.dataset, NAMES),
        ("protocol", spec.protocol, list(MODELS)),
        ("model", spec.model, MODELS.get(spec.protocol, ())),
        ("basis", options["basis"], ["own", "orthogonal"]),
    ):
        check_choice(what, name, known, " in the task 'fit'")
    takes = ["images"]
    if spec.protocol == "equal-parameters":
        takes += ["basis", "parameters"]
    if spec.model == "grokformer":
        takes += ["K"] if "basis" in takes else ["basis", "K", "M"]
    strange = sorted(set(spec.hyperparameters) - set(takes))
    if strange or ("parameters" in takes and "parameters" not in options):
        raise SpecError(
            f"{spec.model}, {spec.protocol}, takes the hyperparameters "
            f"{', '.join(takes)}; unknown: {strange}. `parameters` must be "
            "given where it is taken."
        )
