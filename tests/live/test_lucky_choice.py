"""The figure of chapter 10b: what the best of many settings is worth."""

import re
from typing import Any

import numpy as np
import pytest

from grokbook.errors import AltTextError, GrokbookError
from grokbook.live import LiveFigure, lucky_choice
from grokbook.live.choice_figure import expected_lead
from grokbook.luck import expected_best

browser = pytest.mark.browser
CASES = [(24, 3, 0.3, 1.5), (24, 3, 0, 1.5), (24, 10, 2, 0), (50, 5, 0, 0),
         (1, 3, 1, 2), (100, 1, 3, 5), (2, 30, 0.1, 0.1)]  # fmt: skip
EXPERIMENTS = """(m, count, ...given) => Array.from({ length: count },
  (_, luck) => m.experiment(...given, luck))"""
MODULE = "lucky_choice"


def figure(**start: float) -> LiveFigure:
    return lucky_choice(alt="The best of many settings.", **start)


@browser
@pytest.mark.parametrize("n", [1, 2, 5, 24, 100])
def test_the_mean_of_the_largest_is_that_of_python(call, n):
    found = call(MODULE, "(m, n) => m.expectedBest(n)", n)
    assert found == pytest.approx(expected_best(n), abs=1e-8)


@browser
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_lead_is_that_of_python(call, case):
    code = "(m, ...given) => m.expectedLead(...given)"
    found = call(MODULE, code, *case)
    promised, kept = expected_lead(*case)
    assert found["promised"] == pytest.approx(promised, abs=1e-7)
    assert found["kept"] == pytest.approx(kept, abs=1e-7)


def test_the_lead_is_what_many_draws_have():
    rng = np.random.default_rng(0)
    worth = rng.normal(0, 0.8, (20000, 12))
    tried = worth + rng.normal(0, 1.5 / 2, worth.shape)
    best = tried.argmax(1)[:, None]
    leads = [np.take_along_axis(x, best, 1).mean() for x in (tried, worth)]
    # Both deviate by less than 1, their means over 20,000 by 0.007.
    assert leads == pytest.approx(expected_lead(12, 4, 0.8, 1.5), abs=0.03)


@browser
@pytest.mark.parametrize(
    "case", [(24, 3, 0.3, 1.5), (8, 4, 1, 1), (30, 2, 0, 2), (100, 1, 2, 1)],
    ids=str,
)  # fmt: skip
def test_experiments_have_the_means_that_are_said(call, case):
    found = call(MODULE, EXPERIMENTS, 300, *case)
    leads = zip(("promised", "kept"), expected_lead(*case), strict=True)
    for name, exact in leads:
        given = np.array([one[name] for one in found])
        # Four deviations of the mean of 300, by their own spread.
        near = 4 * given.std(ddof=1) / 300**0.5
        assert given.mean() == pytest.approx(exact, abs=near)
        assert len(set(given)) == 300


@browser
def test_worth_and_noise_have_the_spread_of_the_sliders(call):
    # 100 settings of 300 experiments; a deviation is then known to 0.4%,
    # and a correlation to 0.006.
    found = call(MODULE, EXPERIMENTS, 300, 100, 4, 1.5, 3)
    worth, tried, fresh = (
        np.ravel([one[name] for one in found])
        for name in ("worth", "tried", "fresh")
    )
    noises = tried - worth, fresh - worth
    spreads = [values.std() for values in (worth, *noises)]
    assert spreads == pytest.approx([1.5, 1.5, 1.5], rel=0.02)
    near = np.corrcoef([worth, *noises]) - np.eye(3)
    assert np.abs(near).max() < 0.03
    assert len(np.unique(worth)) == 30000


@browser
def test_more_settings_or_splits_add_to_the_draws(call):
    def draws(*given: float) -> dict[str, list[float]]:
        code = "(m, ...given) => m.experiment(...given)"
        return call(MODULE, code, *given)

    few = draws(10, 2, 1, 2, 7)
    more = draws(25, 2, 1, 2, 7)
    for name in ("worth", "tried", "fresh"):
        assert more[name][:10] == few[name]
    longer = draws(10, 3, 1, 2, 7)
    assert longer["worth"] == few["worth"]
    worth = np.array(few["worth"])
    for name in ("tried", "fresh"):  # the first two noises stay, one is new
        third = 3 * np.array(longer[name]) - 2 * np.array(few[name]) - worth
        assert 0.5 < third.std() < 4
        quiet = draws(10, 3, 1, 1, 7)
        half = (np.array(longer[name]) + worth) / 2
        np.testing.assert_allclose(quiet[name], half, atol=1e-12)
    assert draws(10, 2, 1, 2, 8)["worth"] != few["worth"]


@browser
def test_the_best_is_chosen_by_what_was_tried(call):
    for one in call(MODULE, EXPERIMENTS, 20, 12, 3, 0.5, 2):
        tried, fresh = np.array(one["tried"]), np.array(one["fresh"])
        assert one["best"] == tried.argmax()
        assert one["promised"] == pytest.approx(tried.max() - tried.mean())
        lead = fresh[one["best"]] - fresh.mean()
        assert one["kept"] == pytest.approx(lead)


def said(page: Any) -> str:
    return page.locator("p:not([aria-live])").last.text_content()


def dial(page: Any, name: str) -> Any:
    return page.get_by_role("slider", name=name)


@browser
def test_it_starts_with_what_the_caller_gives(show):
    page = show(figure())
    assert said(page).startswith("24 settings, 3 splits. This time the best")
    assert "luck it promises +1.8 and keeps +0.2: 11% of the" in said(page)
    page = show(figure(settings=2, splits=1, real=3, noise=0))
    assert said(page).startswith("2 settings, 1 split. This time the best")
    assert "promises +1.7 and keeps +1.7: 100% of the" in said(page)


@browser
def test_every_dial_changes_what_is_said(show):
    page = show(figure())
    for name, key in (("settings", "End"), ("splits", "ArrowRight"),
                      ("real differences", "Home"), ("luck", "ArrowRight"),
                      ("noise of one split", "End")):  # fmt: skip
        before = said(page)
        dial(page, name).focus()
        page.keyboard.press(key)
        assert said(page) != before
    assert said(page).startswith("100 settings, 4 splits.")
    assert "promises +6.3 and keeps 0: 0% of the promise" in said(page)
    page.locator("[aria-live]").filter(has_text="100 settings, 4").wait_for(
        state="attached", timeout=3000
    )


@browser
def test_the_picture_shows_every_setting_and_the_best_largest(show):
    page = show(figure(settings=30))
    for name in ("tried", "again"):
        assert page.locator(f".lf-{name}").count() == 29
    size = {
        name: page.locator(f".lf-{name}").first.bounding_box()["width"]
        for name in ("tried", "again", "best", "ring")
    }
    assert min(size["best"], size["ring"]) > max(size["tried"], size["again"])
    wide = [
        page.locator(f"rect.lf-{name}").bounding_box()["width"]
        for name in ("promised", "kept")
    ]
    promised, kept = expected_lead(30, 3, 0.3, 1.5)
    assert wide[1] / wide[0] == pytest.approx(kept / promised, abs=0.01)
    shown = page.locator(".lf svg").all_text_contents()
    assert "promised +1.9" in shown[1]
    assert "kept +0.2" in shown[1]


@browser
@pytest.mark.parametrize("start", [{"real": 0, "noise": 0}, {"settings": 1}])
def test_where_there_is_no_lead_nothing_is_promised(show, start):
    page = show(figure(**start))
    assert "promises 0 points over the average setting" in said(page)
    assert "it promises 0 and keeps 0: nothing is promised." in said(page)
    assert "NaN" not in page.locator(".lf").inner_html()


@browser
def test_dragging_the_splits_to_the_end_keeps_more(show):
    page = show(figure())
    box = dial(page, "splits").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 3, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, y, steps=4)
    page.mouse.up()
    promised, kept = expected_lead(24, 30, 0.3, 1.5)
    assert "24 settings, 30 splits" in said(page)
    assert f"promises +{promised:.1f} and keeps +{kept:.1f}" in said(page)
    assert f"{100 * kept / promised:.0f}% of the promise" in said(page)


@browser
def test_keys_stay_inside(show):
    page = show(figure())
    page.evaluate(
        "() => { window.seen = []; document.addEventListener("
        "'keydown', (event) => window.seen.push(event.key)); }"
    )
    dial(page, "real differences").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    assert page.evaluate("window.seen") == ["Tab"]


@browser
def test_a_phone_shows_it_whole_with_targets_large_enough(show):
    page = show(figure(settings=100, splits=1, real=3, noise=5), width=340)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340
    for text in page.locator(".lf svg text").all():
        box = text.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 340
    for target in page.locator(".lf input").all():
        assert target.bounding_box()["height"] >= 24


@browser
def test_without_scripts_the_still_picture_is_seen(show):
    page = show(figure(), java_script_enabled=False)
    assert page.locator("img[data-fallback]").bounding_box()["height"] > 100


def test_the_still_picture_tells_the_promise_and_what_is_kept():
    assert figure().to_html() == figure().to_html()
    for lead in expected_lead(24, 3, 0.3, 1.5):
        assert f">{lead:.2f}<" in figure().fallback
    assert figure(real=0, noise=0).fallback.count(">0.00<") == 2


def test_the_still_pictures_bars_are_as_long_as_their_numbers():
    found = figure(real=1, noise=2).fallback
    said = re.findall(r">(promised|kept on fresh splits|\d+\.\d+)<", found)
    promised, kept = expected_lead(24, 3, 1, 2)
    assert said == ["promised", f"{promised:.2f}", "kept on fresh splits",
                    f"{kept:.2f}"]  # fmt: skip
    wide = [
        float(w) for w in re.findall(r'<rect[^>]* width="([\d.]+)"', found)
    ]
    assert wide[1] / wide[0] == pytest.approx(kept / promised, abs=0.01)


@browser
def test_the_best_stands_on_the_right_and_above_what_is_kept(show):
    page = show(figure(settings=30, noise=3))

    def at(name: str, axis: str) -> list[float]:
        dots = page.locator(f"circle.lf-{name}").all()
        return [float(dot.get_attribute(axis)) for dot in dots]

    tried = at("tried", "cy")
    assert at("tried", "cx") == sorted(at("tried", "cx"))
    assert tried == sorted(tried, reverse=True)  # y grows downwards
    assert at("best", "cx")[0] > max(at("tried", "cx"))
    assert at("best", "cy")[0] <= min(tried)
    found = re.search(
        r"promises \+(\S+) points .* keep (\S+)\. In", said(page)
    )
    promised, kept = found.groups()
    assert (at("best", "cy") < at("ring", "cy")) == (
        float(promised) > float(kept.replace("−", "-"))
    )
    labels = page.locator(".lf svg").first.text_content()
    assert f"tried +{promised}" in labels
    assert f"fresh {kept}" in labels


def test_what_the_figure_cannot_show_is_refused():
    for start in (
        {"settings": 0}, {"splits": 31}, {"real": -0.1}, {"real": 0.25},
        {"noise": 5.1}, {"noise": float("nan")},
    ):  # fmt: skip
        with pytest.raises(GrokbookError, match="off its slider"):
            figure(**start)
    with pytest.raises(AltTextError, match="one sentence"):
        lucky_choice(alt=" ")
