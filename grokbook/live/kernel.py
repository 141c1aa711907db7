"""Controls that need a kernel: choose inputs, see a figure drawn again."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from grokbook import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def controls(
    draw: "Callable[..., tuple[Figure, str]]", **choices: list[Any]
) -> None:
    """Show a figure and a menu for each of its inputs.

    The first of each list is drawn at once and stays in the stored
    notebook; the menus redraw it while a kernel runs.

    Args:
        draw: a function that returns a figure and its alt text.
        choices: for each argument of `draw`, the values to choose from.
    """
    import ipywidgets as widgets
    from IPython.display import display

    menus = {
        name: widgets.Dropdown(options=values, description=name)
        for name, values in choices.items()
    }

    def chosen() -> dict[str, Any]:
        return {name: menu.value for name, menu in menus.items()}

    def drawn() -> dict[str, Any]:
        return plots.displayed(*draw(**chosen()))

    first = drawn()
    picture = display(first.pop("obj"), **first, display_id=True)
    for menu in menus.values():
        menu.observe(lambda _: picture.update(**drawn()), "value")
    display(widgets.HBox(list(menus.values())))
