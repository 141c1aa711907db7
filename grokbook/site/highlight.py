"""Colour code with Pygments, as classes that the style sheet knows."""

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

FORMATTER = HtmlFormatter(nowrap=True)


def colour(code: str, language: str | None) -> str:
    """Return code as HTML; an unknown language stays uncoloured.

    Examples:
        >>> colour("x = 1", "python")
        '<span class="n">x</span> <span class="o">=</span> \
<span class="mi">1</span>'
    """
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    return highlight(code, lexer, FORMATTER).rstrip("\n")


def numbered(coloured: str, emphasized: list[int], show: bool) -> str:
    """Wrap each line, to number some lines and to mark others."""
    if not show and not emphasized:
        return coloured
    lines = [
        f'<span class="line{" marked" if i in emphasized else ""}">'
        f"{line}</span>"
        for i, line in enumerate(coloured.split("\n"), start=1)
    ]
    return "\n".join(lines)
