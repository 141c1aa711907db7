"""What a live figure writes into a notebook."""

import re
import subprocess
import sys

import numpy as np
import pytest
import torch

from grokbook.errors import (
    AltTextError,
    GrokbookError,
    SignalError,
    UnknownNameError,
)
from grokbook.live import LiveFigure, bundle, graph_spectrum, response_editor

PATH = [(0, 1), (1, 2)]
IMAGE = np.linspace(0, 1, 48).reshape(6, 8)


def test_the_same_figure_gives_the_same_output():
    first = graph_spectrum(PATH, 3, alt="A path.")._repr_mimebundle_()
    again = graph_spectrum(PATH, 3, alt="A path.")._repr_mimebundle_()
    assert first == again
    assert first["text/plain"] == "<live figure: A path.>"


def test_other_content_gives_another_id():
    def id_of(figure: LiveFigure) -> str:
        return re.search(r'id="(live-\w+)"', figure.to_html())[1]

    figures = [
        graph_spectrum(PATH, 3, alt="A path."),
        graph_spectrum(PATH, 4, alt="A path."),
        graph_spectrum(PATH, 3, alt="A line."),
        response_editor(IMAGE, alt="A ramp."),
        response_editor(IMAGE.T, alt="A ramp."),
    ]
    assert len({id_of(figure) for figure in figures}) == len(figures)


@pytest.mark.parametrize(
    "figure",
    [
        graph_spectrum(PATH, 3, alt='Nodes "a" & b.'),
        response_editor(IMAGE, alt='Nodes "a" & b.'),
    ],
)
def test_output_carries_alt_text_and_still_picture(figure):
    html = figure.to_html()
    safe = "Nodes &quot;a&quot; &amp; b."
    assert f'role="group" aria-label="{safe}"' in html
    assert f'<img data-fallback="" alt="{safe}"' in html
    assert f"<title>{safe}</title>" in figure.fallback


def test_still_picture_marks_repeated_eigenvalues():
    star = graph_spectrum([(0, 1), (0, 2), (0, 3)], alt="A star.")
    assert star.fallback.count("×2") == 1


def test_empty_alt_text_is_refused():
    with pytest.raises(AltTextError, match="one sentence"):
        graph_spectrum(PATH, 3, alt="  ")
    with pytest.raises(AltTextError, match="one sentence"):
        response_editor(IMAGE, alt="")


def test_data_cannot_end_the_script():
    figure = graph_spectrum(
        PATH, 3, alt="A path.", names=["</script>", "<!--", "]]>"]
    )
    script = figure.to_html().split('<script type="module">')[1]
    assert script.count("</script") == 1
    assert "<!--" not in script


def test_tensors_arrays_and_lists_are_the_same_data():
    table = [[0, 1, 1, 2], [1, 0, 2, 1]]
    spots = [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]]
    outputs = {
        graph_spectrum(make(table), 3, make(spots), alt="A path.").to_html()
        for make in (list, np.array, torch.tensor)
    }
    outputs.add(graph_spectrum(PATH, 3, spots, alt="A path.").to_html())
    assert len(outputs) == 1
    images = {
        response_editor(make(IMAGE.tolist()), alt="A ramp.").to_html()
        for make in (list, np.array, torch.tensor)
    }
    assert len(images) == 1


def test_bundle_joins_what_the_module_imports():
    source = bundle("graph_spectrum")
    assert not re.search(r"^import", source, re.M)
    assert source.count("const from_shared =") == 1


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (np.full((4, 4), np.nan), "NaN"),
        (np.full((4, 4), 2.0), "outside 0 to 1"),
        (np.zeros(4), "shape"),
        (np.zeros((200, 200)), "at most"),
    ],
)
def test_an_image_that_cannot_be_shown_is_refused(image, words):
    with pytest.raises(SignalError, match=words):
        response_editor(image, alt="An image.")


def test_energy_may_come_on_any_scale():
    def shares(energy: object) -> object:
        figure = response_editor(IMAGE, alt="A ramp.", energy=energy)
        return figure.model["energy"]

    assert shares([3, 1]) == shares(torch.tensor([30.0, 10.0])) == [0.75, 0.25]
    for bad in ([-1, 2], [0, 0], [[1, 2]], [float("nan"), 1]):
        with pytest.raises(SignalError, match="none negative"):
            shares(bad)


def test_bad_graphs_and_names_are_refused():
    with pytest.raises(GrokbookError, match="at most 12 nodes"):
        graph_spectrum(PATH, 13, alt="A graph.")
    with pytest.raises(GrokbookError, match="2 names for 3 nodes"):
        graph_spectrum(PATH, 3, alt="A graph.", names=["a", "b"])
    with pytest.raises(GrokbookError, match="shape"):
        graph_spectrum(PATH, 3, [[0, 0]], alt="A graph.")
    with pytest.raises(UnknownNameError, match="graph_spectrum"):
        LiveFigure("nothing", alt="A figure.", fallback="<svg></svg>")


def test_data_that_is_not_finite_is_refused():
    with pytest.raises(GrokbookError, match="finite"):
        LiveFigure(
            "graph_spectrum", alt="A.", fallback="", edges=float("nan")
        ).to_html()


def test_importing_the_package_is_light():
    code = (
        "import sys, grokbook.live; "
        "print({'torch', 'numpy', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "set()"
