"""GrokFormer from First Principles: the package the chapters import.

Names load on first use, so ``import grokbook`` does not import PyTorch.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# public name -> the module that holds it
_HOME = {
    "laplacian": "laplacian",
    "spectrum": "spectrum",
    "Spectrum": "spectrum",
    "apply_filter": "apply",
    "TARGETS": "targets",
    "load_graph": "datasets",
    "check": "checks",
}
_MODULES = ("datasets", "errors", "live", "plots", "targets")

__all__ = [*_HOME, *_MODULES]


def __getattr__(name: str) -> Any:
    """Import a public name, or a module of the package, when first used."""
    if name in _HOME:
        module = import_module(f"{__name__}.{_HOME[name]}")
        # The submodule `laplacian` shares its name with the function: the
        # assignment makes `grokbook.laplacian` the function, always.
        globals()[name] = getattr(module, name)
        return globals()[name]
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'grokbook' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List what the package offers, for tab completion."""
    return sorted([*__all__, "__version__"])
