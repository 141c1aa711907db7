"""One ES module, its data and its still picture as the output of a cell."""

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

from grokbook.errors import AltTextError, GrokbookError, check_choice

_FOLDER = Path(__file__).parent
_MODULES = (
    "attention_modes",
    "eigenspace_cut",
    "fourier_filter",
    "graph_spectrum",
    "grokformer_shapes",
    "knots_harmonics",
    "learned_filters",
    "lucky_choice",
    "order_explorer",
    "polynomial_filter",
    "response_editor",
    "selection_bias",
    "series_degree",
    "sinusoid_gap",
    "split_explorer",
    "truncated_spectrum",
)
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.M)
_EXPORT = re.compile(r"^export (function|const) (\w+)", re.M)
_DECIMALS = 6


class LiveFigure:
    """A figure that the reader moves, with no kernel behind it.

    The output is the same on every run and machine: the element's id is a
    hash of the content, and numbers are rounded to six decimals.

    Args:
        module: the name of an ES module of this package.
        alt: what the figure shows, for readers who cannot see it.
        fallback: a still SVG, shown until the module has started, and for
            good where no script runs.
        model: the values the module reads by ``model.get(name)``: numbers,
            text, lists, NumPy arrays, tensors, and dicts of these.

    Raises:
        AltTextError, UnknownNameError, GrokbookError
    """

    def __init__(
        self, module: str, *, alt: str, fallback: str, **model: Any
    ) -> None:
        """Read the module and fix the data."""
        if not alt.strip():
            raise AltTextError(
                "A live figure needs alt text. Pass alt='...': one sentence "
                "that says what the figure shows."
            )
        self.alt = alt
        self.fallback = fallback
        self.source = bundle(module)
        self.model = {name: _plain(value) for name, value in model.items()}

    def __repr__(self) -> str:
        """Name the figure, for outputs that hold text only."""
        return f"<live figure: {self.alt}>"

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> dict[str, str]:
        """Give Jupyter the figure, and a line of text beside it."""
        return {"text/html": self.to_html(), "text/plain": repr(self)}

    def _still(self, label: str) -> str:
        """Return the still picture as an image.

        JupyterLab strips drawings from notebooks that the reader has not
        run or trusted, but keeps images.
        """
        data = base64.b64encode(self.fallback.encode()).decode()
        return (
            f'<img data-fallback="" alt="{label}" '
            f'src="data:image/svg+xml;base64,{data}">'
        )

    def to_html(self) -> str:
        """Return the still picture and the script that brings it to life."""
        data = _script_json(self.model)
        content = "\n".join([self.source, self.fallback, self.alt, data])
        name = "live-" + hashlib.sha256(content.encode()).hexdigest()[:12]
        # As a function body the module can be called inside try ... catch.
        body = self.source.replace("export default", "return")
        label = html.escape(self.alt)
        return (
            f'<div class="live-figure" id="{name}" role="group" '
            f'aria-label="{label}">\n{self._still(label)}\n</div>\n'
            f'<script type="module">\n{_read("host")}\n'
            f'start("{name}", {data}, () => {{\n{body}\n}});\n</script>'
        )


def bundle(module: str) -> str:
    """Join a module and what it imports into one ES module without imports.

    The text is what `LiveFigure` inlines. Written to a file, it also serves
    MyST's ``{anywidget}`` directive.

    Examples:
        >>> bundle("graph_spectrum").count("export default")
        1
    """
    check_choice("live figure", module, _MODULES)
    parts: dict[str, str] = {}
    _collect(module, parts)
    return "\n".join(parts.values())


def _collect(module: str, parts: dict[str, str]) -> None:
    """Add a module after those it imports, each once.

    An imported module becomes a function that returns its exports, so that
    its other names stay its own.
    """
    source = _read(module)
    for _, needed in _IMPORT.findall(source):
        if needed not in parts:
            _collect(needed, parts)
    source = _IMPORT.sub(r"const \1 = from_\2;", source)
    if module not in _MODULES:
        exports = ", ".join(name for _, name in _EXPORT.findall(source))
        body = _EXPORT.sub(r"\1 \2", source)
        source = (
            f"const from_{module} = (() => {{\n{body}"
            f"return {{ {exports} }};\n}})();\n"
        )
    parts[module] = source


def _read(module: str) -> str:
    return (_FOLDER / f"{module}.js").read_text(encoding="utf-8")


def _plain(value: Any) -> Any:
    """Turn tensors and arrays into lists, and round every float."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return round(value, _DECIMALS) + 0.0  # + 0.0 turns -0.0 into 0.0
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _script_json(model: dict[str, Any]) -> str:
    """Write JSON that cannot end the script it stands in."""
    try:
        text = json.dumps(
            model, sort_keys=True, allow_nan=False, separators=(",", ":")
        )
    except (TypeError, ValueError) as error:
        raise GrokbookError(
            f"The figure's data cannot be written as JSON: {error}. Pass "
            "finite numbers, text, lists, arrays or tensors."
        ) from error
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
