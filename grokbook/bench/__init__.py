"""Benchmarks: ratios of times, the two sides measured in turn in one run.

Machines differ and are noisy, so no time is reported without the one it is
compared with, taken seconds before and after, and without what the machine
can do at most.
"""

from grokbook.bench.comparison import Row, compare, store, table
from grokbook.bench.limits import Limits, limits
from grokbook.bench.questions import measure

__all__ = ["Limits", "Row", "compare", "limits", "measure", "store", "table"]
