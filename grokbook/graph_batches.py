"""Many small graphs as batches: drawn at random, padded by size.

Which graphs share a step of training is a matter of chance; which graphs are
padded to one size is a matter of cost. So a batch is drawn first and then
cut into pieces of graphs of like size, each padded to its own largest. The
model sees one piece after the other, the step is that of the whole batch.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from grokbook.batch_operator import BatchOperator
from grokbook.copies import Copied
from grokbook.draws import Generators
from grokbook.errors import SignalError
from grokbook.spectrum import Spectrum
from grokbook.train import Batch

if TYPE_CHECKING:
    from torch_geometric.data import Data

RATIO = 1.5  # of the largest graph of a piece to its smallest
Index = Int[Tensor, " n"]


class Store(ABC):
    """Graphs in the form that a kind of model takes, any of them at a time."""

    @abstractmethod
    def take(self, index: Index) -> Batch:
        """The batch of these graphs; it may list them in another order."""

    @abstractmethod
    def __len__(self) -> int:
        """How many graphs there are."""


class Padded(Store):
    """Features and spectra, padded in pieces of like size.

    Args:
        x: the features of each graph.
        spectra: the spectrum of each.
        ratio: how much larger than its smallest the largest graph of a
            piece may be; infinite pads all graphs to one size.
        device, dtype: where and how the eigenvectors are kept.

    Shapes:
        x[i] (N_i, F) → `take` gives pieces (b, N, F)

    Examples:
        >>> from grokbook import laplacian, spectrum
        >>> edge = spectrum(laplacian([[0, 1], [1, 0]]))
        >>> path = spectrum(laplacian([[0, 1, 1, 2], [1, 0, 2, 1]]))
        >>> store = Padded([torch.ones(2, 4), torch.ones(3, 4)], [edge, path])
        >>> [piece.shape for piece in store.take(torch.tensor([1, 0])).x]
        [torch.Size([2, 3, 4])]
    """

    def __init__(
        self,
        x: Sequence[Float[Tensor, "_ F"]],
        spectra: Sequence[Spectrum],
        *,
        ratio: float = RATIO,
        device: torch.device | str | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        """Sort by size and pad each piece once."""
        sizes = [S.num_nodes for S in spectra]
        if [len(rows) for rows in x] != sizes:
            raise SignalError(
                f"{len(x)} tables of features do not fit {len(spectra)} "
                "graphs: pass one row for each node of each graph."
            )
        self._pieces = like_sizes(sizes, ratio)
        self._x = [
            nn.utils.rnn.pad_sequence([x[i] for i in piece], True).to(device)
            for piece in self._pieces
        ]
        self._graphs = [
            BatchOperator([spectra[i] for i in piece], device, dtype)
            for piece in self._pieces
        ]
        count = [len(piece) for piece in self._pieces]
        order = torch.tensor([i for piece in self._pieces for i in piece])
        # Of each graph: its piece, and its row there.
        self._piece, self._row = torch.empty(2, len(x), dtype=torch.long)
        self._piece[order] = torch.arange(len(count)).repeat_interleave(
            torch.tensor(count)
        )
        self._row[order] = torch.cat([torch.arange(n) for n in count])

    def take(self, index: Index) -> Batch:
        """Rows of each piece that has some of these graphs."""
        found: list[tuple[Tensor, BatchOperator, Tensor]] = []
        for piece in self._piece[index].unique().tolist():
            here = index[self._piece[index] == piece]
            rows = self._row[here]
            graph = self._graphs[piece]
            rows = rows.to(graph.U.device)
            found.append((self._x[piece][rows], graph.rows(rows), here))
        x, graphs, order = zip(*found, strict=True)
        return Batch(x, graphs, torch.cat(order).to(x[0].device))

    def __len__(self) -> int:
        """How many graphs there are."""
        return len(self._row)


class Packed(Store):
    """Edge lists end to end, as PyG's layers take them.

    Shapes:
        `take` gives x (nodes, F) and (edge_index (2, E), which graph each
        node belongs to (nodes,))
    """

    def __init__(
        self, x: Sequence[Float[Tensor, "_ F"]], graphs: Sequence["Data"]
    ) -> None:
        """Keep features and edges alone."""
        from torch_geometric.data import Data

        self._graphs = [
            Data(x=rows, edge_index=graph.edge_index)
            for rows, graph in zip(x, graphs, strict=True)
        ]

    def take(self, index: Index) -> Batch:
        """Count the nodes through."""
        from torch_geometric.data import Batch as Joined

        some = Joined.from_data_list([self._graphs[i] for i in index.tolist()])
        return Batch(some.x, (some.edge_index, some.batch), index)

    def __len__(self) -> int:
        """How many graphs there are."""
        return len(self._graphs)


class Rows(Store):
    """A row of numbers for each graph: nothing of its structure.

    Shapes:
        x (graphs, F); `take` gives rows of it
    """

    def __init__(self, x: Float[Tensor, "n F"]) -> None:
        """Keep the rows."""
        self._x = x

    def take(self, index: Index) -> Batch:
        """These rows."""
        return Batch(self._x[index], None, index)

    def __len__(self) -> int:
        """How many graphs there are."""
        return len(self._x)


class RandomBatches(Sequence[Batch]):
    """All graphs in batches; each time one goes through them, in new ones.

    Args:
        store: the graphs.
        size: of a batch; the last may be smaller.
        generator: of the order.

    Examples:
        >>> batches = RandomBatches(Rows(torch.zeros(5, 1)), 2)
        >>> [len(batch.index) for batch in batches]
        [2, 2, 1]
    """

    def __init__(
        self,
        store: Store,
        size: int,
        generator: torch.Generator | None = None,
    ) -> None:
        """Draw a first order."""
        self._store, self._size, self._generator = store, size, generator
        self._draw()

    def _draw(self) -> None:
        """Put the graphs into another order."""
        order = torch.randperm(len(self._store), generator=self._generator)
        self._parts = order.split(self._size)

    def __len__(self) -> int:
        """How many batches there are."""
        return len(self._parts)

    def __getitem__(self, number: Any) -> Any:
        """A batch of the order drawn last."""
        return self._store.take(self._parts[number])

    def __iter__(self) -> Iterator[Batch]:
        """Go through all graphs in a new order."""
        return self.among(torch.ones(len(self._store), dtype=torch.bool))

    def among(self, units: Bool[Tensor, " n"]) -> Iterator[Batch]:
        """Go through these graphs alone, in a new order.

        The order of all is drawn, so that what comes after does not depend
        on which graphs were asked for.

        Examples:
            >>> batches = RandomBatches(Rows(torch.zeros(5, 1)), 2)
            >>> some = torch.tensor([True, False, True, True, False])
            >>> [len(batch.index) for batch in batches.among(some)]
            [2, 1]
        """
        self._draw()
        order = torch.cat(self._parts)
        parts = order[units.to(order.device)[order]].split(self._size)
        return (self._store.take(part) for part in parts if len(part))


class InPieces(Copied):
    """A model of padded graphs, called on each piece of a batch.

    Shapes:
        x: pieces (b, N, F) → scores (S, sum of b, C)
    """

    def __init__(self, model: Copied) -> None:
        """Keep the model."""
        super().__init__()
        self.model, self.copies = model, model.copies

    def forward(
        self,
        x: Sequence[Float[Tensor, "_ _ F"]],
        graph: Sequence[Any],
        *,
        generator: Generators = None,
    ) -> Float[Tensor, "S n C"]:
        """Scores of all graphs, piece after piece."""
        scores = [
            self.model(piece, part, generator=generator)
            for piece, part in zip(x, graph, strict=True)
        ]
        return torch.cat(scores, dim=1)

    def keep(
        self,
        which: Sequence[int],
        optimizer: torch.optim.Optimizer | None = None,
    ) -> None:
        """Let all copies but these leave."""
        self.model.keep(which, optimizer)
        self.copies = self.model.copies


def like_sizes(sizes: Sequence[int], ratio: float = RATIO) -> list[list[int]]:
    """Sort by size, and cut where the next is too large for its piece.

    Examples:
        >>> like_sizes([20, 4, 5, 21, 6], ratio=1.5)
        [[1, 2, 4], [0, 3]]
    """
    pieces: list[list[int]] = []
    for i in sorted(range(len(sizes)), key=sizes.__getitem__):
        if not pieces or sizes[i] > ratio * sizes[pieces[-1][0]]:
            pieces.append([])
        pieces[-1].append(i)
    return pieces
