"""Filters: frequency responses with parameters, one family a file.

Each is a module with `response(lam)`. Linear ones have `basis(lam)` and fit
a target in closed form with `fit`; all fit by gradient with `fit_gradient`.
"""

from grokbook.filters.filter import Filter, LinearFilter
from grokbook.filters.fourier_kan import FourierKAN
from grokbook.filters.orthogonal import Orthogonal
from grokbook.filters.polynomial import Polynomial
from grokbook.filters.specformer import Specformer

__all__ = [
    "Filter",
    "FourierKAN",
    "LinearFilter",
    "Orthogonal",
    "Polynomial",
    "Specformer",
]
