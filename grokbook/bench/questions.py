"""The comparisons that the chapters speak of."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from grokbook.adam import adam
from grokbook.apply import filter_exactly
from grokbook.bench.comparison import Row, compare
from grokbook.bench.limits import one_thread
from grokbook.bench.literal import LiteralGrokFormer
from grokbook.datasets import load_graph, load_graphs
from grokbook.draws import generators
from grokbook.errors import DataFileError
from grokbook.experiments.graph import contest, labels
from grokbook.experiments.machine import keep_freed_memory
from grokbook.experiments.spec import RunSpec
from grokbook.features import SparseFeatures, prepared
from grokbook.graph_batches import RATIO, Padded, RandomBatches
from grokbook.graph_features import label_and_degree
from grokbook.graph_spectra import cached_spectra
from grokbook.laplacian import laplacian
from grokbook.models import GrokFormer
from grokbook.models.registry import published
from grokbook.spectrum import Spectrum, deflate, spectrum
from grokbook.targets import low_pass
from grokbook.train import CLASSIFICATION, one_pass

SPLITS = 10
# The authors' hyperparameters for Cora, at the hidden width of Table 6.
CORA = {
    "K": 2,
    "M": 8,
    "heads": 2,
    "dropout": 0.7,
    "feature_dropout": 0.5,
    "filter_dropout": 0.6,
}
Step = Callable[[], float]


def measure(rounds: int = 7) -> list[Row]:
    """All comparisons, on Cora."""
    keep_freed_memory()
    cora = load_graph("cora")
    L = laplacian(cora)
    S = spectrum(L)
    return [
        *filtering(L, S, rounds=3),
        *training(cora, L, S, rounds),
        *deflation(rounds),
        *padding(),
    ]


def filtering(L: Tensor, S: Spectrum, rounds: int) -> Iterator[Row]:
    """Decompose, and apply a filter; on all threads."""
    from scipy.linalg import eigh

    dense = L.to_dense().numpy()
    seed = torch.Generator().manual_seed(0)
    X = torch.randn(len(dense), 7, generator=seed, dtype=torch.float64)

    def form_the_matrix() -> Tensor:
        return (S.U * low_pass(S.lam)) @ S.U.T @ X

    yield compare(
        "decompose Cora's Laplacian",
        ("LAPACK evr", lambda: eigh(dense, driver="evr")),
        ("LAPACK evd", lambda: eigh(dense, driver="evd")),
        rounds,
    )
    yield compare(
        "filter 7 signals on Cora",
        ("form h(L)", form_the_matrix),
        ("two transforms", lambda: filter_exactly(low_pass, S, X)),
        rounds,
    )


def training(data: Any, L: Tensor, S: Spectrum, rounds: int) -> Iterator[Row]:
    """One step of training per split, on one thread."""
    x = data.x / data.x.sum(1, keepdim=True).clamp(min=1)
    roads = {
        "deflated": deflate(S),
        "no decomposition": L,
    }
    with one_thread():
        slow = ("as written", literal_step(x, data.y, S))
        slow[1]()
        for road, graph in roads.items():
            for splits in (1, SPLITS):
                step = our_step(SparseFeatures(x), data.y, graph, splits)
                step()
                name = f"{splits} split{'s' * (splits > 1)}, {road}"
                yield compare(
                    "a training step, per split",
                    slow,
                    (name, step),
                    rounds,
                    each=splits,
                )


def deflation(rounds: int) -> Iterator[Row]:
    """An epoch on Chameleon, where half the eigenvalues are 1.

    With the authors' hyperparameters; no row if that graph is not at hand.
    """
    try:
        data = load_graph("chameleon")
    except DataFileError:
        return
    S = spectrum(laplacian(data, isolated=1.0))
    x = prepared(data.x)
    options = published("grokformer", "chameleon")
    names = ("K", "M", "heads", "num_layers", "hidden_channels")
    rates = ("dropout", "feature_dropout", "filter_dropout")
    options = {name: options[name] for name in names + rates}
    with one_thread():
        for splits in (1, SPLITS):
            slow, fast = (
                our_step(x, data.y, road, splits, evaluate=True, **options)
                for road in (S, deflate(S))
            )
            slow(), fast()
            yield compare(
                f"an epoch on Chameleon, {splits} split{'s' * (splits > 1)}",
                ("all eigenvectors", slow),
                ("deflated at 1", fast),
                rounds,
            )


def padding(rounds: int = 1) -> Iterator[Row]:
    """An epoch on PROTEINS, whose graphs have 4 to 620 nodes.

    No row if that set is not at hand.
    """
    try:
        graphs = load_graphs("proteins")
    except DataFileError:
        return
    with one_thread():
        yield compare(
            f"an epoch on {len(graphs):,} graphs of PROTEINS",
            ("padded to the largest", epoch_on(graphs, ratio=float("inf"))),
            ("padded by size", epoch_on(graphs)),
            rounds,
        )


def epoch_on(graphs: Any, ratio: float = RATIO) -> Step:
    """An epoch of `GrokFormer` as Table 3 trains it, one fold."""
    spec = RunSpec("graph", "proteins", reading="paper", size="full")
    y = labels(graphs)
    made = contest(spec, graphs, y)
    store = Padded(
        label_and_degree(graphs), cached_spectra(graphs), ratio=ratio
    )
    order = torch.Generator().manual_seed(0)
    batches = RandomBatches(store, 128, order)
    model, seeds = made.fresh(1)
    optimizer = adam(model, **made.options)
    everything = torch.ones(1, len(y), dtype=torch.bool)

    def epoch() -> float:
        loss = one_pass(
            model, batches, y, everything, CLASSIFICATION, optimizer, seeds
        )
        return loss.item()

    return epoch


def our_step(
    x: Tensor | SparseFeatures,
    y: Tensor,
    graph: Any,
    splits: int,
    *,
    evaluate: bool = False,
    **options: Any,
) -> Step:
    """A step of `GrokFormer` on several splits together.

    With `evaluate`, an epoch: all nodes are scored once more without
    dropout, as early stopping needs it.
    """
    seeds = generators(0, splits)
    model = _model(x, y, copies=splits, generator=seeds, **options)
    graph = model.prepare(graph)
    labels = y.repeat(splits)

    def loss() -> Tensor:
        scores = model(x, graph, generator=seeds).flatten(0, 1)
        return splits * nn.functional.cross_entropy(scores, labels)

    step = _step(model, loss)

    @torch.no_grad()
    def epoch() -> float:
        with torch.enable_grad():
            value = step()
        model.eval()(x, graph)
        model.train()
        return value

    return epoch if evaluate else step


def literal_step(x: Tensor, y: Tensor, S: Spectrum) -> Step:
    """A step of the equations as they are written, on one split."""
    torch.manual_seed(0)
    model = LiteralGrokFormer(_model(x, y))
    lam, U = S.lam.float(), S.U.float()

    def loss() -> Tensor:
        return nn.functional.cross_entropy(model(x, lam, U), y)

    return _step(model, loss)


def _model(
    x: Tensor | SparseFeatures, y: Tensor, **options: Any
) -> GrokFormer:
    """GrokFormer as released, with 64 hidden channels unless told."""
    classes = int(y.max()) + 1
    options = CORA | {"reading": "released"} | options
    hidden = options.pop("hidden_channels", 64)
    return GrokFormer(x.shape[1], hidden, classes, **options)


def _step(model: nn.Module, loss: Callable[[], Tensor]) -> Step:
    """Forward, backward and Adam."""
    optimizer = torch.optim.Adam(
        model.parameters(), lr=0.01, weight_decay=5e-4
    )

    def step() -> float:
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        return value.item()

    return step
