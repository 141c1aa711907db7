"""Controls with a kernel: a menu per input, and a picture that follows."""

from collections.abc import Iterator

import matplotlib.pyplot as plt
import pytest
from ipywidgets import Dropdown, HBox
from matplotlib.figure import Figure

from grokbook import plots
from grokbook.errors import AltTextError
from grokbook.live import controls


class Screen:
    """Stands for the notebook: keeps what is shown and what is updated."""

    def __init__(self) -> None:
        self.shown: list[tuple[object, dict]] = []
        self.updates: list[tuple[object, dict]] = []

    def display(self, obj: object, **options: object) -> "Screen":
        self.shown.append((obj, options))
        return self

    def update(self, obj: object, **options: object) -> None:
        self.updates.append((obj, options))

    @property
    def menus(self) -> dict[str, Dropdown]:
        """The menus by the name beside them."""
        (box,) = [obj for obj, _ in self.shown if isinstance(obj, HBox)]
        return {menu.description: menu for menu in box.children}


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    plt.switch_backend("agg")
    screen = Screen()
    monkeypatch.setattr("IPython.display.display", screen.display)
    yield screen
    plt.close("all")


def draw(degree: int, kind: str) -> tuple[Figure, str]:
    """A figure that says what it was asked for."""
    fig, ax = plots.subplots()
    ax.set_title(f"{kind} of degree {degree}")
    return fig, f"A {kind} polynomial of degree {degree} over the spectrum."


def show_controls() -> None:
    controls(draw, degree=[3, 5], kind=["Chebyshev", "Bernstein"])


def test_there_is_a_menu_for_each_input_with_its_values(
    screen: Screen,
) -> None:
    show_controls()
    assert {name: menu.options for name, menu in screen.menus.items()} == {
        "degree": (3, 5),
        "kind": ("Chebyshev", "Bernstein"),
    }


def test_the_first_choices_are_drawn_at_once_above_the_menus(
    screen: Screen,
) -> None:
    show_controls()
    picture, options = screen.shown[0]
    alt = "A Chebyshev polynomial of degree 3 over the spectrum."
    assert "Chebyshev of degree 3" in picture["image/svg+xml"]
    assert picture["text/plain"] == f"[figure] {alt}"
    assert options["metadata"]["image/svg+xml"]["alt"] == alt
    assert options["display_id"] is True
    assert options["raw"] is True
    assert isinstance(screen.shown[1][0], HBox)
    assert screen.updates == []


def test_changing_a_menu_redraws_the_picture_with_new_words(
    screen: Screen,
) -> None:
    show_controls()
    screen.menus["degree"].value = 5
    screen.menus["kind"].value = "Bernstein"
    assert len(screen.updates) == 2
    assert "Chebyshev of degree 5" in screen.updates[0][0]["image/svg+xml"]
    picture, options = screen.updates[1]
    assert "Bernstein of degree 5" in picture["image/svg+xml"]
    assert options["metadata"]["image/svg+xml"]["alt"] == (
        "A Bernstein polynomial of degree 5 over the spectrum."
    )
    assert len(screen.shown) == 2  # updated in place, not shown again


def test_choosing_what_is_chosen_draws_nothing(screen: Screen) -> None:
    show_controls()
    screen.menus["degree"].value = 3
    assert screen.updates == []


def test_no_figure_stays_open(screen: Screen) -> None:
    plt.close("all")
    show_controls()
    screen.menus["degree"].value = 5
    assert plt.get_fignums() == []


def test_a_figure_without_words_is_not_shown(screen: Screen) -> None:
    with pytest.raises(AltTextError):
        controls(lambda degree: (draw(degree, "x")[0], ""), degree=[1])
    assert screen.shown == []
