"""GrokFormer from First Principles: the package the chapters import.

Names load on first use, so ``import grokbook`` does not import PyTorch.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

# public name -> the module that holds it
_HOME = {
    "laplacian": "laplacian",
    "spectrum": "spectrum",
    "Spectrum": "spectrum",
    "deflate": "spectrum",
    "cached_spectrum": "cache",
    "apply_filter": "apply",
    "ChebyshevFilter": "chebyshev",
    "TARGETS": "targets",
    "load_graph": "datasets",
    "load_graphs": "datasets",
    "check": "checks",
    "RunSpec": "experiments",
    "run": "experiments",
    "Sweep": "experiments",
}
_MODULES = (
    "attention",
    "datasets",
    "errors",
    "experiments",
    "filters",
    "kan",
    "live",
    "models",
    "plots",
    "targets",
)

__all__ = [*_HOME, *_MODULES]  # noqa: PLE0604 - names, spread from a table


def __getattr__(name: str) -> Any:
    """Import a public name, or a module of the package, when first used."""
    if name in _HOME:
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'grokbook' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List what the package offers, for tab completion."""
    return sorted([*__all__, "__version__"])


class _Package(ModuleType):
    """Keeps `grokbook.laplacian` the function, not the file of that name.

    Importing a file of a package stores the module under its name in the
    package, which would hide the function that the file is named after.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
