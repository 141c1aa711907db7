"""The figure of chapter 09: who trains, who validates, who is tested."""

import re
from typing import Any

import numpy as np
import pytest
import torch

from grokbook.baselines import majority
from grokbook.errors import GrokbookError
from grokbook.live import LiveFigure, split_explorer
from grokbook.split_masks import Split, as_split
from grokbook.splits import TRAIN, VAL, released, stratified

browser = pytest.mark.browser
TEXAS, EQUAL = [33, 1, 18, 101, 30], [40, 40, 40, 40, 40]
RULES = ("quota", "stratified", "uniform")
CASES = [TEXAS, EQUAL, [110, 40, 15, 5, 2], [7, 3], [12, 13, 14, 15, 16, 17]]


def figure() -> LiveFigure:
    starts = {"Texas": TEXAS, "equal": EQUAL}
    return split_explorer(starts, alt="Five classes.")


def by_the_book(rule: str, y: torch.Tensor, seed: int) -> Split:
    if rule == "quota":
        return released(y, seed=seed)
    if rule == "stratified":
        return stratified(y, seed=seed, small="train")
    N = len(y)
    order = torch.from_numpy(uniforms(N, seed)[0].argsort(kind="stable"))
    cuts = [round(TRAIN * N), round(TRAIN * N) + round(VAL * N)]
    return as_split(N, order.tensor_split(cuts), "uniform", seed)


def uniforms(N: int, seed: int) -> np.ndarray:
    """The numbers that grokbook.splits draws: two for each node."""
    return np.random.Generator(np.random.PCG64(seed)).random((2, N))


@browser
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("sizes", CASES, ids=str)
def test_parts_and_constant_agree_with_the_book_s(call, rule, sizes):
    y = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
    y = y[torch.randperm(len(y), generator=torch.Generator().manual_seed(0))]
    for seed in (0, 1, 2):
        # The rule "quota" draws two orders at once, the others one.
        drawn = uniforms(len(y), seed)
        found, answer, score = call(
            "split_explorer",
            """(m, rule, y, C, first, again) => {
              const counts = m.parts(rule, y, C, first, again);
              const { answer, score } = m.constant(counts);
              return [counts, answer, score];
            }""",
            rule,
            y.tolist(),
            len(sizes),
            *drawn.tolist(),
        )
        split = by_the_book(rule, y, seed)
        assert found == split.counts(y).tolist()
        guess = majority(y, split)
        assert answer == int(guess[0])
        assert score == pytest.approx(
            float((guess == y)[split.test].double().mean())
        )


@browser
def test_halves_are_rounded_as_python_does(call):
    values = [0.5, 1.5, 2.5, 2.4, 2.6, 21.96]
    found = call("split_explorer", "(m, v) => v.map(m.round)", values)
    assert found == [round(value) for value in values]


@browser
def test_seeds_differ_and_repeat_and_are_fair_on_average(call):
    code = "(m, n) => n.map((seed) => m.explore('uniform', [30, 10], seed))"
    found = np.array(call("split_explorer", code, list(range(51))))
    again = np.array(call("split_explorer", code, list(range(51))))
    assert (found == again).all()
    assert len({str(table) for table in found.tolist()}) > 5
    # Of 8 test nodes a quarter is of class 1: 2 in the mean; one draw has
    # the deviation 1.1 (hypergeometric), so the mean of 51 has 0.16.
    assert found[:, 2, 1].mean() == pytest.approx(2, abs=0.5)


@browser
@pytest.mark.parametrize("rule", RULES)
def test_the_mean_over_splits_is_that_of_many_splits(call, rule):
    y = torch.arange(5).repeat_interleave(torch.tensor(TEXAS))
    many = [by_the_book(rule, y, seed).counts(y) for seed in range(200)]
    mean = torch.stack(many).double().mean(0)
    code = "(m, rule, sizes) => m.expected(rule, sizes)"
    found = call("split_explorer", code, rule, TEXAS)
    # A count of at most 110 draws has a deviation below 4 (one class of
    # two, without replacement), the mean of 200 one below 0.3.
    np.testing.assert_allclose(found, mean, atol=1.0)
    if rule == "quota":
        assert found[2][3] / sum(found[2]) == pytest.approx(79 / 98)


def knob(page: Any, c: int) -> Any:
    return page.get_by_role("slider", name=f"Size of class {c}")


def numbers(page: Any) -> list[list[int]]:
    """The table under the bars."""
    cells = page.locator(".lf-count, .lf-none").all_text_contents()
    C = len(cells) // 3
    return [[int(n) for n in cells[C * p : C * p + C]] for p in range(3)]


def said(page: Any) -> str:
    return page.locator("p:not([aria-live])").last.text_content()


@browser
def test_texas_starts_with_two_classes_that_are_never_tested(show):
    page = show(figure())
    train, val, test = numbers(page)
    assert train == [22, 1, 18, 22, 22]
    assert (sum(val), sum(test)) == (37, 61)
    assert "85 train, 37 validate, 61 test" in said(page)
    assert "Never tested: class 1, 2." in said(page)
    assert f"class 3 scores {100 * test[3] / 61:.1f}%" in said(page)
    assert "one test node is 1.6 points" in said(page)


@browser
def test_dragging_a_bar_changes_the_split(show):
    page = show(figure())
    box = knob(page, 2).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=4)
    page.mouse.up()
    size = int(knob(page, 2).get_attribute("aria-valuenow"))
    assert size > 40
    moved = [33, 1, size, 101, 30]
    quota = round(0.6 * sum(moved) / 5)
    assert numbers(page)[0] == [min(quota, n) for n in moved]
    assert "Never tested: class 1." in said(page)
    page.get_by_role("button", name="Texas").click()
    assert numbers(page)[0] == [22, 1, 18, 22, 22]


@browser
def test_rules_and_seeds_are_chosen_and_it_is_said(show):
    page = show(figure())
    page.get_by_role("button", name="stratified").click()
    y = torch.arange(5).repeat_interleave(torch.tensor(TEXAS))
    expected = stratified(y, seed=0, small="train").counts(y).tolist()
    assert numbers(page) == expected
    page.get_by_role("button", name="uniform random").click()
    before = numbers(page)
    page.get_by_role("slider", name="seed of the split").focus()
    page.keyboard.press("ArrowRight")
    assert numbers(page) != before
    page.locator("[aria-live]").filter(has_text="validate").wait_for(
        state="attached", timeout=3000
    )


@browser
def test_keys_move_a_class_and_stay_inside(show):
    page = show(figure())
    page.evaluate(
        "() => { window.seen = []; document.addEventListener("
        "'keydown', (event) => window.seen.push(event.key)); }"
    )
    knob(page, 0).focus()
    for key in ("ArrowUp", "PageDown", "ArrowRight", "End"):
        page.keyboard.press(key)
    assert knob(page, 0).get_attribute("aria-valuenow") == "24"
    assert knob(page, 1).get_attribute("aria-valuenow") == "120"
    page.keyboard.press("Home")
    assert knob(page, 1).get_attribute("aria-valuetext") == "1 nodes"
    page.keyboard.press("Tab")
    assert page.evaluate("window.seen") == ["Tab"]


@browser
def test_classes_too_small_for_a_rule_are_called_so(show):
    page = show(split_explorer({"few": [1, 1, 1]}, alt="Three nodes."))
    assert "too few for the rule" in said(page)


@browser
def test_a_phone_shows_it_whole_with_targets_large_enough(show):
    page = show(figure(), width=340)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340
    for target in page.locator(".lf button, .lf input, .lf-handle").all():
        assert target.bounding_box()["height"] >= 24


@browser
def test_without_scripts_the_still_picture_is_seen(show):
    page = show(figure(), java_script_enabled=False)
    assert page.locator("img[data-fallback]").bounding_box()["height"] > 100


def test_the_still_picture_shows_what_the_quota_trains_on():
    assert figure().to_html() == figure().to_html()
    words = re.findall(r"class \d: (\d+) of (\d+)", figure().fallback)
    y = torch.arange(5).repeat_interleave(torch.tensor(TEXAS))
    train = released(y, seed=0).counts(y)[0].tolist()
    pairs = zip(train, TEXAS, strict=True)
    assert words == [(str(t), str(n)) for t, n in pairs]


def test_what_the_figure_cannot_show_is_refused():
    with pytest.raises(GrokbookError, match="at least one"):
        split_explorer({}, alt="Nothing.")
    for sizes in ([5], [0, 5], [500, 5], [1] * 9):
        with pytest.raises(GrokbookError, match="from 1 to 120"):
            split_explorer({"odd": sizes}, alt="Odd.")
    with pytest.raises(GrokbookError, match="as many in each"):
        split_explorer({"a": [5, 5], "b": [5, 5, 5]}, alt="Two.")
