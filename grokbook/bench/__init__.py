"""Benchmarks: ratios of times, the two sides measured in turn in one run.

Machines differ and are noisy, so no time is reported without the one it is
compared with, taken seconds before and after, and without what the machine
can do at most.
"""

from grokbook.bench.comparison import Row, compare, store, table
from grokbook.bench.large import large_epoch
from grokbook.bench.limits import Limits, limits
from grokbook.bench.questions import measure
from grokbook.bench.stopping import stopping

__all__ = [
    "Limits",
    "Row",
    "compare",
    "large_epoch",
    "limits",
    "measure",
    "stopping",
    "store",
    "table",
]
