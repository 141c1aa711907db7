"""Graph kernels of GraKeL with scikit-learn's support vector machine."""

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from grokbook.errors import MissingPackageError, SpecError
from grokbook.experiments.protocols import best_on_average
from grokbook.split_masks import Split

if TYPE_CHECKING:
    from torch_geometric.data import Data

KERNELS = ("gk", "wl")
#: Iterations of Weisfeiler and Lehman; graphlets have 3 nodes, of which so
#: many are drawn from each graph.
ITERATIONS, SAMPLES = 4, 500
PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0)


def kernel_machine(
    kind: str,
    graphs: "Sequence[Data]",
    y: Tensor,
    parts: Sequence[Split],
    seed: int,
) -> dict[str, Any]:
    """Fit each fold with each penalty C; choose C as the protocol chooses.

    Where folds have a test part, C is what is best on each fold's own
    validation part; else what is best on the mean of what is held out.

    Raises:
        MissingPackageError: GraKeL is not installed.
    """
    K = gram(kind, graphs, seed)
    val = _scores(K, y, parts, "val")  # (penalties, folds)
    if parts[0].tested:
        test = _scores(K, y, parts, "test")
        best = val.argmax(0)
        scores = test.gather(0, best[None])[0]
    else:
        best = torch.tensor([best_on_average(val)] * len(parts))
        scores = val[best[0]]
    return {
        "scores": scores.tolist(),
        "C": [PENALTIES[i] for i in best.tolist()],
    }


def gram(
    kind: str, graphs: "Sequence[Data]", seed: int = 0
) -> Float[np.ndarray, "n n"]:
    """The similarity of each pair of graphs, 1 with itself."""
    try:
        import grakel
    except ImportError as error:
        raise MissingPackageError(
            "The graph kernels are GraKeL's: run `pip install grakel` and "
            "try again."
        ) from error
    if kind == "wl":
        kernel = grakel.WeisfeilerLehman(n_iter=ITERATIONS, normalize=True)
    else:
        kernel = grakel.GraphletSampling(
            normalize=True,
            random_state=seed,
            k=3,
            sampling={"n_samples": SAMPLES},
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # GraKeL's, of NumPy's new names
        found = kernel.fit_transform(map(_in_grakel, graphs))
    return np.nan_to_num(found)  # of a graph without any such part


def _in_grakel(graph: "Data") -> list[Any]:
    """Edges as pairs, and a label for each node: its kind, or its degree."""
    pairs = {tuple(edge) for edge in graph.edge_index.T.tolist()}
    if graph.x is None:
        label = graph.edge_index[0].bincount(minlength=graph.num_nodes)
    else:
        label = graph.x.argmax(1)
    return [pairs, dict(enumerate(label.tolist()))]


def _scores(
    K: np.ndarray, y: Tensor, parts: Sequence[Split], part: str
) -> Float[Tensor, "penalties folds"]:
    """The accuracy of each fold on a part, for each penalty."""
    from sklearn.svm import SVC

    rows = []
    for C in PENALTIES:
        row = []
        for split in parts:
            fit, look = split.train.numpy(), getattr(split, part).numpy()
            machine = SVC(C=C, kernel="precomputed")
            machine.fit(K[fit][:, fit], y[split.train])
            row.append(machine.score(K[look][:, fit], y[look]))
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float64)


def check_kernel(protocol: str) -> None:
    """A machine that is fitted anew has nothing to carry over."""
    if protocol == "as-found":
        raise SpecError(
            "A kernel machine is fitted anew for each fold: nothing can be "
            "carried from one to the next. Choose published or fair."
        )
