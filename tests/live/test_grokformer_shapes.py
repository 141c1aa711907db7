"""The figure of chapter 08: what is counted, and what moves."""

import re
from typing import Any

import pytest
import torch

from grokbook.errors import GrokbookError, UnknownNameError
from grokbook.live import LiveFigure, grokformer_shapes
from grokbook.models import GrokFormer
from grokbook.models.cost import multiply_adds

browser = pytest.mark.browser
CORA = {
    "N": 2708, "F": 1433, "H": 64, "C": 7, "heads": 2, "K": 2, "M": 8, "B": 1,
}  # fmt: skip
SMALL = {"N": 9, "F": 5, "H": 12, "C": 3, "heads": 3, "K": 1, "M": 2, "B": 3}
READINGS = ("paper", "released")


def figure(**start: Any) -> LiveFigure:
    starts = {"Cora": CORA, "small": SMALL}
    return grokformer_shapes(starts, alt="Sizes of a model.", **start)


def model_of(sizes: dict[str, int], reading: str) -> GrokFormer:
    """The package's model of these sizes, without memory for its weights."""
    options = {key: sizes[key] for key in ("K", "M", "heads")}
    with torch.device("meta"):
        return GrokFormer(
            sizes["F"], sizes["H"], sizes["C"], num_layers=sizes["B"],
            reading=reading, **options,
        )  # fmt: skip


def numbers_by_part(model: GrokFormer) -> dict[str, int]:
    """The parameters that the package's model has in each part."""
    found = dict.fromkeys(
        ("embedding", "attention", "filter", "feed-forward", "scores"), 0
    )
    homes = {
        "norm": "attention", "query": "attention", "key": "attention",
        "value": "attention", "join": "attention", "filter": "filter",
        "norm_2": "feed-forward", "first": "feed-forward",
        "second": "feed-forward",
    }  # fmt: skip
    for name, parameter in model.named_parameters():
        top, *rest = name.split(".")
        part = {"embed": "embedding", "score": "scores"}.get(top)
        found[part or homes[rest[1]]] += parameter.numel()
    return found


@browser
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("sizes", [CORA, SMALL])
def test_costs_are_those_of_the_package_s_model(call, sizes, reading):
    found = call(
        "grokformer_shapes", "(m, s, r) => m.cost(s, r)", sizes, reading
    )
    model = model_of(sizes, reading)
    assert found["parameters"] == numbers_by_part(model)
    count = sum(p.numel() for p in model.parameters())
    assert sum(found["parameters"].values()) == count
    N, F, H, C = (sizes[key] for key in "NFHC")
    more = {key: sizes[key] for key in ("K", "M", "heads")}
    assert found["products"] == multiply_adds(
        N, F, H, C, num_layers=sizes["B"], reading=reading, **more
    )


@browser
@pytest.mark.parametrize("reading", READINGS)
def test_shapes_are_those_of_the_package_s_model(call, reading):
    s = call(
        "grokformer_shapes", "(m, s, r) => m.shapes(s, r)", SMALL, reading
    )
    seen: list[list[int]] = []

    def spy(part: torch.Tensor, p: float) -> torch.Tensor:
        seen.append([size for size in part.shape if size != 1])
        return part

    model = model_of(SMALL, reading)
    x = torch.empty(SMALL["N"], SMALL["F"], device="meta")
    X = model.embed(x, spy)
    layer = model.layers[0]
    layer.attend(layer.norm(X), None, spy)
    features, embedded, product = seen
    assert [s["x"], s["X"], s["KV"]] == [features, embedded, product]
    assert s["hidden"] == [SMALL["N"], model.embed.first.bias.shape[-1]]
    assert s["basis"][1] == len(layer.filter.coefficients())
    assert s["attended"] == s["X_hat"] == s["filtered"] == s["Y"] == s["X"]
    assert s["scores"] == [SMALL["N"], SMALL["C"]]
    query = layer.query.weight.shape[-1]
    assert s["Q"] == ([9, query] if reading == "released" else [3, 9, 4])


@browser
def test_large_counts_are_shortened(call):
    short = call(
        "grokformer_shapes",
        "(m, ...v) => v.map(m.short)",
        0, 999, 1000, 1234, 999_949, 999_999, 248_364_928, 5e12,
    )  # fmt: skip
    assert short == [
        "0", "999", "1 k", "1.23 k", "1 M", "1 M", "248 M", "5000 G",
    ]  # fmt: skip


def knob(page: Any, name: str) -> Any:
    return page.get_by_role("slider", name=name)


def row(page: Any, part: str) -> list[str]:
    """The numbers beside a part in the table."""
    line = page.locator("tr", has=page.locator(f'th:text-is("{part}")'))
    return line.locator("td").all_text_contents()


@browser
def test_dragging_a_slider_changes_shapes_and_costs(show):
    page = show(figure())
    before = row(page, "filter")
    assert page.locator("svg text", has_text="UᵀX 2708 × 7").count() == 1
    box = knob(page, "nodes N").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.54 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.2 * box["width"], y, steps=4)
    page.mouse.up()
    N = int(knob(page, "nodes N").input_value())
    assert 500 < N < 1500
    assert page.locator("svg text", has_text=f"UᵀX {N} × 7").count() == 1
    after = row(page, "filter")
    assert after[:2] == before[:2]  # parameters do not see the graph
    assert after[2:] != before[2:]
    page.get_by_role("button", name="Cora").click()
    assert row(page, "filter") == before


@browser
def test_the_reading_changes_every_width(show):
    page = show(figure())
    pictures = page.locator("svg text")
    assert pictures.filter(has_text="Q, K, V 2708 × 14").count() == 1
    page.get_by_role("button", name="paper").click()
    assert pictures.filter(has_text="Q, K, V 2 × 2708 × 32").count() == 1
    assert pictures.filter(has_text="linear 64 → 7").count() == 1
    assert row(page, "total")[0] == "121,643"


@browser
def test_heads_that_do_not_divide_the_channels_are_refused_in_words(show):
    page = show(figure(reading="paper"))
    knob(page, "heads r").focus()
    page.keyboard.press("ArrowRight")
    words = "3 heads cannot share 64 channels"
    assert page.locator("p", has_text=words).first.is_visible()
    assert row(page, "attention")[0] == "–"
    assert row(page, "attention")[1] != "–"  # as released they can


@browser
def test_keys_move_a_slider_stay_inside_and_it_is_said(show):
    page = show(figure())
    page.evaluate(
        "() => { window.seen = []; document.addEventListener("
        "'keydown', (event) => window.seen.push(event.key)); }"
    )
    knob(page, "order K").focus()
    for key in ("ArrowRight", "End", "Home", "ArrowUp"):
        page.keyboard.press(key)
    assert knob(page, "order K").input_value() == "2"
    page.keyboard.press("Tab")
    assert page.evaluate("window.seen") == ["Tab"]
    page.locator("[aria-live]").filter(has_text="parameters").wait_for(
        state="attached", timeout=3000
    )


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


def test_the_still_picture_shows_the_counts():
    assert figure().to_html() == figure().to_html()
    bars = re.findall(r'<rect [^>]*width="([\d.]+)"', figure().fallback)
    counts = [
        multiply_adds(
            2708, 1433, 64, 7, K=2, M=8, heads=2, num_layers=1, reading=r
        )
        for r in READINGS
    ]
    most = max(counts[0].values())
    wanted = [480 * c[part] / most for part in counts[0] for c in counts]
    # The picture has one decimal.
    assert [float(bar) for bar in bars] == pytest.approx(wanted, abs=0.06)


def test_what_the_figure_cannot_show_is_refused():
    with pytest.raises(UnknownNameError, match="paper, released"):
        figure(reading="mine")
    with pytest.raises(GrokbookError, match="at least one"):
        grokformer_shapes({}, alt="Sizes.")
    for wrong in ({"N": 1}, {"N": 10**6}, {"H": 30}, {"heads": 0}):
        with pytest.raises(GrokbookError, match="Pass a whole number"):
            grokformer_shapes({"far": CORA | wrong}, alt="Sizes.")
    with pytest.raises(GrokbookError, match="N, F, H, C"):
        grokformer_shapes({"few": {"N": 3}}, alt="Sizes.")
