"""The figure of learned responses: its arithmetic, its output, its use."""

from typing import Any

import numpy as np
import pytest
import torch

from grokbook.agreement import correlations
from grokbook.errors import AltTextError, GrokbookError
from grokbook.live import Learned, LiveFigure, learned_filters

LAM = np.linspace(0, 2, 11)
LOW = np.stack([np.exp(-LAM), 0.9 * np.exp(-2 * LAM), 2 - LAM])
HIGH = np.stack([LAM, LAM**2, LAM, LAM + 0.5])
LONG = Learned(LOW, [0.8, 0.9, 0.85])
SHORT = Learned(LOW[:2], [0.7, 0.75], readable=1.1)


def figure(graphs: Any = None) -> LiveFigure:
    shown = graphs or {
        "Cora": {"GrokFormer": LONG, "BernNet": SHORT},
        "Texas": {"BernNet": Learned(HIGH, [0.5, 0.6, 0.7, 0.8])},
    }
    return learned_filters(shown, alt="Curves to leaf through.")


def told(page: Any) -> str:
    """The line under the plot."""
    ear = page.locator("[aria-live]")
    return ear.locator("xpath=preceding-sibling::p[1]").text_content()


def pressed(page: Any) -> list[str]:
    return page.locator("[aria-pressed=true]").all_text_contents()


@pytest.mark.browser
def test_the_band_is_the_least_the_mean_and_the_largest(call):
    found = call("learned_filters", "(m, h) => m.band(h)", LOW.tolist())
    for key, row in (("low", LOW.min(0)), ("high", LOW.max(0))):
        np.testing.assert_allclose([b[key] for b in found], row)
    np.testing.assert_allclose([b["mean"] for b in found], LOW.mean(0))


@pytest.mark.browser
def test_correlations_agree_with_the_package(call):
    found = call(
        "learned_filters",
        "(m, h) => h.map((a) => h.map((b) => m.correlation(a, b)))",
        HIGH.tolist(),
    )
    exact = correlations(torch.from_numpy(HIGH))
    np.testing.assert_allclose(found, exact, atol=1e-12)


@pytest.mark.browser
def test_a_split_is_compared_with_the_mean_of_the_others(call):
    found = call("learned_filters", "(m, h) => m.others(h, 1)", LOW.tolist())
    np.testing.assert_allclose(found, LOW[[0, 2]].mean(0))


@pytest.mark.browser
def test_values_between_the_points_lie_on_straight_lines(call):
    lams = [0, 0.13, 0.2, 1.07, 1.999, 2]
    found = call(
        "learned_filters",
        "(m, h, lams) => lams.map((lam) => m.at(h, lam))",
        LOW[0].tolist(),
        lams,
    )
    np.testing.assert_allclose(found, np.interp(lams, LAM, LOW[0]))


@pytest.mark.browser
def test_the_axis_has_a_few_round_numbers(call):
    spans = [(-0.1, 1.2), (-3, 12.0), (0, 0.031), (-250, 10), (0, 1)]
    found = call(
        "learned_filters", "(m, s) => s.map((a) => m.ticks(...a))", spans
    )
    for marks, (low, high) in zip(found, spans, strict=True):
        assert 3 <= len(marks) <= 6
        assert low <= marks[0] < marks[-1] <= high + 1e-12
    np.testing.assert_allclose(found[0], [0, 0.5, 1])


@pytest.mark.browser
def test_dragging_in_the_plot_reads_the_curve_off(show):
    page = show(figure())
    box = page.locator(".lf-plotbox").bounding_box()
    left, width = box["x"] + 50, box["width"] - 68  # the margins of the plot
    height = box["y"] + 100
    page.mouse.move(left + 0.1 * width, height)
    page.mouse.down()
    page.mouse.move(left + 0.3 * width, height)
    page.mouse.move(left + 0.5 * width, height)
    page.mouse.up()
    low, high = np.sort(LOW[:, 5])[[0, -1]]
    said = told(page)
    assert "At λ = 1, h = 0.37;" in said
    assert f"between {low:.2f} and {high:g}." in said
    page.mouse.move(left + 0.9 * width, height)  # no button is pressed
    assert told(page) == said


@pytest.mark.browser
def test_keys_move_the_split_and_the_frequency(show):
    page = show(figure())
    before = page.locator(".lf-curve").get_attribute("d")
    page.get_by_role("slider", name="split").press("ArrowRight")
    assert "Split 2 of 3: test accuracy 90%." in told(page)
    assert page.locator(".lf-curve").get_attribute("d") != before
    page.get_by_role("slider", name="frequency").press("End")
    assert f"At λ = 2, h = {LOW[1, -1]:.2f};" in told(page)
    alike = np.corrcoef(LOW[1], LOW[[0, 2]].mean(0))[0, 1]
    assert f"mean of the others: {alike:.2f}." in told(page)


@pytest.mark.browser
def test_another_graph_keeps_the_model_if_it_has_it(show):
    page = show(figure())
    assert pressed(page) == ["Cora", "GrokFormer"]
    page.get_by_role("button", name="Texas").click()
    assert pressed(page) == ["Texas", "BernNet"]
    page.get_by_role("slider", name="split").press("End")
    assert "Split 4 of 4" in told(page)
    page.get_by_role("button", name="Cora").click()
    assert pressed(page) == ["Cora", "BernNet"]
    assert "Split 2 of 2" in told(page)  # there is no fourth


@pytest.mark.browser
def test_what_the_points_cannot_show_is_shaded_and_said(show):
    page = show(figure())
    assert page.locator(".lf-blur").count() == 0
    page.get_by_role("button", name="BernNet").click()
    assert page.locator(".lf-blur").count() == 1
    frequency = page.get_by_role("slider", name="frequency")
    frequency.press("Home")
    assert "turns faster" not in told(page)
    frequency.press("End")
    assert "turns faster than its points can show" in told(page)


@pytest.mark.browser
def test_the_figure_fits_a_phone_and_takes_a_tap(show):
    page = show(figure(), width=360, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    box = page.locator(".lf-plotbox").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 18, box["y"] + 90)
    assert "At λ = 2," in told(page)


def test_the_same_figure_gives_the_same_output():
    assert figure().to_html() == figure().to_html()


def test_the_still_picture_has_the_band_and_the_mean():
    still = figure().fallback
    assert still.count("<polygon") == still.count("<polyline") == 1
    assert "<title>Curves to leaf through.</title>" in still


def test_the_data_are_rounded_to_thousandths():
    first = figure().model["graphs"][0]["models"][0]
    assert first["h"][0][1] == round(float(LOW[0, 1]), 3)


@pytest.mark.parametrize(
    ("graphs", "told"),
    [
        ({"Cora": {}}, "nothing to show"),
        ({"Cora": {"GCN": Learned(LOW[:1], [0.5])}}, "two or more splits"),
        ({"Cora": {"GCN": Learned(LOW, [0.5])}}, "scores the length 1"),
        ({"Cora": {"GCN": Learned(LOW + np.inf, [0.5] * 3)}}, "finite"),
    ],
)
def test_what_the_figure_cannot_show_is_refused(graphs: Any, told: str):
    with pytest.raises(GrokbookError) as error:
        figure(graphs)
    assert told in str(error.value)


def test_a_figure_without_words_is_refused():
    with pytest.raises(AltTextError):
        learned_filters({"Cora": {"GCN": LONG}}, alt=" ")
