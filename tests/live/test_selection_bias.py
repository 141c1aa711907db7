"""The figure of chapter 11: what is reported where nothing is learned."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from grokbook.errors import GrokbookError, UnknownNameError
from grokbook.live import LiveFigure, selection_bias
from grokbook.live.selection_figure import PROTOCOLS, expected_report

browser = pytest.mark.browser
CASES = [(2, 1, 2), (10, 19, 100), (3, 7, 1), (20, 50, 300), (5, 40, 30)]


def figure(**start: int) -> LiveFigure:
    return selection_bias(alt="The best of many tosses of a coin.", **start)


def largest(n: int, times: int) -> np.ndarray:
    """The probabilities of the best of several tosses, by SciPy."""
    below = binom.cdf(np.arange(n + 1), n, 0.5) ** times
    return np.diff(below, prepend=0)


def by_scipy(protocol: str, folds: int, size: int, epochs: int) -> np.ndarray:
    n = folds * size
    if protocol == "fair":
        return binom.pmf(np.arange(n + 1), n, 0.5)
    if protocol == "published":
        return largest(n, epochs)
    if protocol == "as-found":
        known = np.zeros(n - size)
        return np.append(known, binom.pmf(np.arange(size + 1), size, 0.5))
    made = np.ones(1)
    for _ in range(folds):
        made = np.convolve(made, largest(size, epochs))
    return made


@browser
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_distribution_is_that_of_scipy(call, protocol, case):
    p, mean = call(
        "selection_bias",
        "(m, ...given) => { const p = m.distribution(...given);"
        " return [p, m.expected(p)]; }",
        protocol,
        *case,
    )
    exact = by_scipy(protocol, *case)
    np.testing.assert_allclose(p, exact, atol=1e-10)
    n = case[0] * case[1]
    assert mean == pytest.approx(exact @ np.arange(n + 1) / n, abs=1e-9)
    assert mean == pytest.approx(expected_report(protocol, *case), abs=1e-9)


@browser
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_experiments_have_the_mean_that_is_said(call, protocol):
    found = call(
        "selection_bias",
        "(m, protocol) => Array.from({ length: 400 }, (_, luck) =>"
        " m.experiment(protocol, 5, 8, 20, luck).reported)",
        protocol,
    )
    # One report of 40 graphs has a deviation below 0.08, the mean of 400
    # one below 0.004.
    assert np.mean(found) == pytest.approx(
        expected_report(protocol, 5, 8, 20), abs=0.016
    )
    assert len(set(found)) > (2 if protocol == "as-found" else 5)


@browser
def test_what_is_reported_is_what_the_rule_chooses(call):
    code = "(m, protocol) => m.experiment(protocol, 4, 10, 30, 7)"
    said = {p: call("selection_bias", code, p) for p in PROTOCOLS}
    curve = said["published"]["curve"]
    assert said["published"]["reported"] == pytest.approx(max(curve))
    assert curve[said["published"]["chosen"][0]] == max(curve)
    assert said["own"]["reported"] > max(curve)  # by 4 folds of 10: surely
    assert said["as-found"]["scores"][1:] == [1, 1, 1]
    assert said["fair"]["curve"] == curve


@browser
def test_coins_are_fair_and_as_many_as_asked_for(call):
    code = """(m, tosses) => { const draw = m.bits(3);
      return Array.from({ length: 2000 }, () => m.heads(draw, tosses)); }"""
    for tosses in (1, 31, 32, 33, 64):
        heads = np.array(call("selection_bias", code, tosses))
        assert 0 <= heads.min() < heads.max() <= tosses
        # Five deviations of the mean of 2,000 counts.
        near = 5 * np.sqrt(tosses / 4 / 2000)
        assert heads.mean() == pytest.approx(tosses / 2, abs=near)


def said(page: Any) -> str:
    return page.locator("p:not([aria-live])").last.text_content()


def dial(page: Any, name: str) -> Any:
    return page.get_by_role("slider", name=name)


@browser
def test_it_starts_with_the_best_epoch_on_average(show):
    page = show(figure())
    assert "10 folds of 19 graphs, 100 epochs" in said(page)
    assert "in the mean over all luck 59.1%" in said(page)
    assert "adds 9.1 points" in said(page)


@browser
def test_every_protocol_and_every_dial_changes_what_is_said(show):
    page = show(figure())
    for name, share in (
        ("as found", "95%"), ("own best", "78%"), ("fair", "50%"),
    ):  # fmt: skip
        page.get_by_role("button", name=name).click()
        assert f"all luck {share}" in said(page)
    page.get_by_role("button", name="published").click()
    for name, key in (("graphs", "ArrowRight"), ("folds", "ArrowLeft"),
                      ("epochs", "Home"), ("luck", "ArrowRight")):  # fmt: skip
        before = said(page)
        dial(page, name).focus()
        page.keyboard.press(key)
        assert said(page) != before
    assert "9 folds of 22 graphs, 1 epochs" in said(page)
    assert "adds 0 points" in said(page)
    page.locator("[aria-live]").filter(has_text="9 folds").wait_for(
        state="attached", timeout=3000
    )


@browser
def test_dragging_the_epochs_to_the_end_raises_what_is_reported(show):
    page = show(figure())
    box = dial(page, "epochs").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 3, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, y, steps=4)
    page.mouse.up()
    assert "300 epochs" in said(page)
    share = 100 * expected_report("published", 10, 19, 300)
    assert f"{share:.1f}%" in said(page)


@browser
def test_keys_stay_inside(show):
    page = show(figure())
    page.evaluate(
        "() => { window.seen = []; document.addEventListener("
        "'keydown', (event) => window.seen.push(event.key)); }"
    )
    dial(page, "folds").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    assert page.evaluate("window.seen") == ["Tab"]


@browser
def test_a_phone_shows_it_whole_with_targets_large_enough(show):
    page = show(figure(), width=340)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340
    for target in page.locator(".lf button, .lf input").all():
        assert target.bounding_box()["height"] >= 24


@browser
def test_without_scripts_the_still_picture_is_seen(show):
    page = show(figure(), java_script_enabled=False)
    assert page.locator("img[data-fallback]").bounding_box()["height"] > 100


def test_the_still_picture_tells_the_four_means():
    assert figure().to_html() == figure().to_html()
    for protocol in PROTOCOLS:
        share = expected_report(protocol, 10, 19, 100)
        assert f"{100 * share:.1f}%" in figure().fallback


def test_what_the_figure_cannot_show_is_refused():
    for start in ({"graphs": 5}, {"folds": 1}, {"epochs": 0}):
        with pytest.raises(GrokbookError, match="off its slider"):
            figure(**start)
    with pytest.raises(UnknownNameError, match="no protocol 'lucky'"):
        expected_report("lucky", 2, 2, 2)
