"""Figures: no picture without words, and SVG that is safe to inline."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
import torch
from graphs import PATH
from matplotlib.figure import Figure

from grokbook import plots
from grokbook.errors import AltTextError

ALT = "A line that rises from left to right."
TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.fixture(autouse=True)
def _settings() -> Iterator[None]:
    """Draw without a screen, and leave no figure or setting behind."""
    with mpl.rc_context():
        plt.switch_backend("agg")
        yield
        plt.close("all")


def line(top: float = 1.0) -> Figure:
    """A figure with a line, a label, a legend and a second panel."""
    fig, (left, right) = plots.subplots(1, 2)
    left.plot([0, 1], [0, top], label="a line")
    left.set_xlabel("λ")
    left.grid()
    left.legend()
    right.imshow([[0.0, 1.0]], cmap="gray")
    return fig


def words(svg: str) -> list[str]:
    """What is written in a drawing."""
    return [t.text for t in ElementTree.fromstring(svg).iter(TEXT)]


@pytest.mark.parametrize("alt", ["", "   ", "a plot", "a plot of it"])
def test_no_figure_without_a_sentence(alt: str) -> None:
    with pytest.raises(AltTextError, match=r"too short\. Say in a sentence"):
        plots.to_svg(line(), alt)


def test_alt_text_is_no_option() -> None:
    with pytest.raises(TypeError, match="alt"):
        plots.show(line())


@pytest.mark.parametrize(
    "alt",
    [
        ALT,
        r"The response \lambda of a filter \1 of \g<0> degree two.",
        'Two "lines" & <b>one</b> </title> that cross.',
        "Colour #0072b2 is blue and #000000 is black.",
    ],
)
def test_title_is_the_alt_text_whatever_its_signs(alt: str) -> None:
    root = ElementTree.fromstring(plots.to_svg(line(), alt))
    assert root[0].tag == "{http://www.w3.org/2000/svg}title"
    assert root[0].text == alt
    assert root.get("role") == "img"


def test_svg_is_safe_to_inline() -> None:
    svg = plots.to_svg(line(), ALT)
    assert svg.startswith("<svg")
    assert "<style" not in svg
    assert "<metadata" not in svg
    assert "<script" not in svg
    assert svg.count("<title>") == 1


def test_svg_names_no_place_on_this_machine() -> None:
    svg = plots.to_svg(line(), ALT)
    assert str(Path.home()) not in svg
    assert str(Path(plots.__file__).parents[1]) not in svg
    assert "file:" not in svg
    links = re.findall(r'href="([^"]{0,12})', svg)
    assert links
    assert all(re.match(r"#|data:image/", link) for link in links)


def test_every_colour_follows_the_theme() -> None:
    svg = plots.to_svg(line(), ALT)
    for name in ("ink", "muted", "grid", "paper", "1"):
        assert f"var(--fig-{name}, #" in svg
    bare = re.sub(r"var\(--fig-[\w-]+, #[0-9a-f]{6}\)", "", svg)
    assert not re.findall(r"(?:fill|stroke): #\w+", bare)


def test_fonts_follow_the_theme() -> None:
    svg = plots.to_svg(line(), ALT)
    assert "<text" in svg
    assert set(re.findall(r"font-family: ([^;\"]*)", svg)) <= {plots._FONT}
    assert all("font: " not in tag for tag in re.findall("<text[^>]*>", svg))


def test_the_same_figure_gives_the_same_bytes() -> None:
    assert plots.to_svg(line(), ALT) == plots.to_svg(line(), ALT)
    assert plots.to_svg(line(2.0), ALT) != plots.to_svg(line(), ALT)


def test_numbers_in_the_picture_keep_all_their_digits() -> None:
    fig, ax = plots.subplots()
    ax.plot([0, 1], [0, 0.004])
    ax.set_yticks([0.001, 0.0025])
    ax.text(0.1, 0.001, "λ = 0.12345")
    written = words(plots.to_svg(fig, ALT))
    assert "λ = 0.12345" in written
    assert {"0.0010", "0.0025"} <= set(written)


def test_coordinates_are_short() -> None:
    tags = re.findall("<[^>]*>", plots.to_svg(line(), ALT))
    assert not [tag for tag in tags if re.search(r"\d\.\d{3}", tag)]


def test_bundle_carries_the_alt_text_and_closes_the_figure() -> None:
    fig = line()
    shown = plots.displayed(fig, ALT)
    pictures = {kind for kind in shown["obj"] if kind.startswith("image/")}
    assert pictures == {"image/svg+xml", "image/png"}
    assert shown["metadata"] == {kind: {"alt": ALT} for kind in pictures}
    assert shown["obj"]["text/plain"] == f"[figure] {ALT}"
    assert shown["obj"]["image/svg+xml"].startswith("<svg")
    assert shown["raw"] is True
    assert not plt.fignum_exists(fig.number)


def test_pixels_show_the_same_figure_before_it_is_trusted() -> None:
    first, same, other = (
        base64.b64decode(plots.displayed(line(top), ALT)["obj"]["image/png"])
        for top in (1.0, 1.0, 2.0)
    )
    assert first.startswith(b"\x89PNG")
    assert first == same
    assert first != other


def test_show_displays_the_bundle_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []
    monkeypatch.setattr(
        "IPython.display.display", lambda *a, **k: calls.append((a, k))
    )
    plots.show(line(), ALT)
    ((bundle,), options), *more = calls
    assert not more
    assert set(bundle) == {"image/svg+xml", "image/png", "text/plain"}
    assert options["raw"] is True
    assert options["metadata"]["image/svg+xml"]["alt"] == ALT


def test_figures_have_the_books_width_and_colours() -> None:
    fig, ax = plots.subplots(height=2.5)
    assert tuple(fig.get_size_inches()) == (7.2, 2.5)
    lines = [ax.plot([0, 1])[0] for _ in plots.SERIES]
    assert tuple(li.get_color() for li in lines) == plots.SERIES


TRIANGLE = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])


def test_a_graph_is_drawn_with_its_numbers() -> None:
    _, ax = plots.subplots()
    plots.draw_graph(ax, torch.tensor(PATH), TRIANGLE)
    assert [t.get_text() for t in ax.texts] == ["0", "1", "2"]
    assert ax.texts[2].xy == (0.5, 1.0)
    assert len(ax.lines) == 4
    ends = ax.lines[2].get_xydata()  # from node 1 to node 2
    assert ends.tolist() == [[1.0, 0.0], [0.5, 1.0]]


def test_signs_of_a_signal_are_told_by_shape_and_sizes_by_area() -> None:
    _, ax = plots.subplots()
    value = torch.tensor([2.0, -1.0, 0.0])
    plots.draw_graph(ax, torch.tensor(PATH), TRIANGLE, value)
    positive, negative, nothing = ax.collections
    assert positive.get_offsets().tolist() == [[0, 0]]
    assert negative.get_offsets().tolist() == [[1, 0]]
    assert nothing.get_offsets().tolist() == [[0.5, 1]]
    (two,) = positive.get_sizes().tolist()
    (one,) = negative.get_sizes().tolist()
    (zero,) = nothing.get_sizes().tolist()
    assert two > zero > 0
    assert two - one == pytest.approx(one - zero)
    shapes = [len(c.get_paths()[0].vertices) for c in ax.collections]
    assert shapes[0] != shapes[1]


def test_a_signal_of_zeros_can_be_drawn() -> None:
    _, ax = plots.subplots()
    plots.draw_graph(ax, torch.tensor(PATH), TRIANGLE, torch.zeros(3))
    sizes = ax.collections[-1].get_sizes().tolist()
    assert len(sizes) == 3
    assert 0 < min(sizes) == max(sizes)


def test_images_are_black_at_zero_and_white_at_one() -> None:
    _, ax = plots.subplots()
    plots.draw_image(ax, torch.tensor([[0.0, 1.0], [0.5, 0.25]]))
    picture = ax.images[0]
    seen = picture.cmap(picture.norm(picture.get_array()))[..., 0]
    assert seen[0].tolist() == [0, 1]
    assert picture.get_extent()[2:] == [1.5, -0.5]  # row 0 is on top
    assert not ax.axison
