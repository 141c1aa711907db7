"""The named errors that public functions raise on bad input.

Each message says what was wrong, where, and what to do about it. All of
them are ``ValueError``s, so ``except ValueError`` keeps working for callers
who do not know this package.

Examples:
    >>> from grokbook import laplacian
    >>> laplacian([[0, 1], [1, 5]], num_nodes=3)
    Traceback (most recent call last):
        ...
    grokbook.errors.NodeIndexError: edge_index names node 5, but there are \
num_nodes=3 nodes (0 to 2). Pass num_nodes=6 or more, or drop that edge.
"""

from collections.abc import Iterable


class GrokbookError(ValueError):
    """Base class of everything this package raises on purpose."""


class EmptyGraphError(GrokbookError):
    """A graph with no node."""


class EdgeShapeError(GrokbookError):
    """Edges that are not a 2 × E table of whole numbers."""


class NodeIndexError(GrokbookError):
    """An edge that names a node which does not exist."""


class EdgeWeightError(GrokbookError):
    """Weights that are NaN, infinite, negative, or of the wrong number."""


class MatrixError(GrokbookError):
    """A matrix that is not a symmetric normalised Laplacian."""


class SignalError(GrokbookError):
    """A signal whose shape or values do not fit the graph."""


class ResponseError(GrokbookError):
    """A frequency response that does not return one number per eigenvalue."""


class UnknownNameError(GrokbookError):
    """A name that is in no list; the message gives the list."""


class DataFileError(GrokbookError):
    """A data file that is missing or whose bytes are not the expected ones."""


class AltTextError(GrokbookError):
    """A figure without a sentence for readers who cannot see it."""


class GraphNotice(UserWarning):
    """Told, not raised: the graph was cleaned, or the work will take long."""


class LayerError(GrokbookError):
    """Sizes that make no layer."""


class FilterError(GrokbookError):
    """Sizes or options that make no filter, or a fit it cannot take."""


class SpectrumError(GrokbookError):
    """A question that a truncated or deflated spectrum cannot answer."""


class SizeError(GrokbookError):
    """A graph too large for the road taken; the message names another."""


class ConvergenceError(GrokbookError):
    """An iteration that did not reach its tolerance."""


class DegreeError(GrokbookError):
    """A response that no polynomial of a usable degree comes close to."""


class TrainingError(GrokbookError):
    """Training that cannot start, or that no longer makes sense."""


class SplitError(GrokbookError):
    """Nodes that cannot be parted as asked, or parts that overlap."""


class ScoresError(GrokbookError):
    """Scores that are too few, not finite, or not paired."""


class UnverifiedError(DataFileError):
    """A file that nobody can verify, and no consent to take it as it is."""


class LabelError(GrokbookError):
    """Classes that are not one whole number a node."""


class GeneratorError(GrokbookError):
    """Sizes that no generated graph can have."""


class MissingPackageError(GrokbookError):
    """A package that only this needs, and that is not installed."""


class SpecError(GrokbookError):
    """A run's spec, or a grid of them, that no run can have."""


class StoreError(GrokbookError):
    """A store of results that cannot be read or written to."""


class DamagedRecordError(StoreError):
    """A file of the store that is not the record its name says."""


class ClusterError(GrokbookError):
    """A Ray cluster that is not there, or cannot take a run."""


class DeviceError(GrokbookError):
    """A device that this machine does not have."""


def check_choice(
    what: str, name: str, known: Iterable[str], where: str = ""
) -> str:
    """Refuse a name that is in no list, and give the list.

    Examples:
        >>> check_choice("reading", "paper", ("paper", "released"))
        'paper'
    """
    known = list(known)
    if name not in known:
        raise UnknownNameError(
            f"There is no {what} {name!r}{where}. Choose from: "
            f"{', '.join(known)}."
        )
    return name
