"""The package: light to import, and its names are what they say."""

import subprocess
import sys
from importlib import import_module
from types import ModuleType

import pytest

import grokbook


def python(code: str) -> str:
    """Run code in a fresh interpreter and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.strip()


def test_import_is_light_and_takes_less_than_half_a_second() -> None:
    code = (
        "import sys, time; start = time.perf_counter(); import grokbook; "
        "print(time.perf_counter() - start, 'torch' in sys.modules, "
        "'numpy' in sys.modules, 'matplotlib' in sys.modules)"
    )
    answers = [python(code).split() for _ in range(3)]
    assert [answer[1:] for answer in answers] == [["False"] * 3] * 3
    assert min(float(answer[0]) for answer in answers) < 0.5


# Any import of the file of the same name, before or after first use, must
# leave `grokbook.laplacian` the function.
ORDERS = {
    "plain": "",
    "file first": "import grokbook.spectrum, grokbook.laplacian",
    "from file": "from grokbook.laplacian import clean_edges",
    "twice": "grokbook.laplacian; import grokbook.laplacian",
    "other file": "import grokbook.apply, grokbook.bench",
    "from package": "from grokbook import spectrum, laplacian",
}


def test_functions_are_not_hidden_by_the_files_named_after_them() -> None:
    # One interpreter for all: the package is forgotten between orders,
    # torch, which takes seconds to import, is not.
    code = f"""
import sys
for name, order in {ORDERS!r}.items():
    for module in [m for m in sys.modules if m.startswith("grokbook")]:
        del sys.modules[module]
    import grokbook
    exec(order)
    kinds = [
        type(getattr(grokbook, f)).__name__ for f in ("laplacian", "spectrum")
    ]
    print(name, "=", *kinds)
"""
    expected = [f"{name} = function function" for name in ORDERS]
    assert python(code).splitlines() == expected


@pytest.mark.parametrize("name", grokbook.__all__)
def test_every_public_name_resolves(name: str) -> None:
    value = getattr(grokbook, name)
    assert value is not None
    assert isinstance(value, ModuleType) == (name in grokbook._MODULES)
    assert value.__doc__


def test_public_names_are_the_objects_of_their_files() -> None:
    for name, home in grokbook._HOME.items():
        module = import_module(f"grokbook.{home}")
        assert isinstance(module, ModuleType)
        assert getattr(grokbook, name) is getattr(module, name)


def test_star_import_brings_all_and_nothing_else() -> None:
    names: dict = {}
    exec("from grokbook import *", names)
    assert set(names) - {"__builtins__"} == set(grokbook.__all__)


def test_unknown_names_raise_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'laplaciann'"):
        _ = grokbook.laplaciann
    assert not hasattr(grokbook, "_nothing")


def test_tab_completion_lists_the_public_names() -> None:
    assert set(dir(grokbook)) == {*grokbook.__all__, "__version__"}


def test_version_is_that_of_the_installed_package() -> None:
    from importlib.metadata import version

    assert grokbook.__version__ == version("grokbook")
