// Draw a frequency response and see the image it makes.
import { chebyshevSignals, combine, energyHistogram, evaluate, expand } from "./chebyshev.js";
import { pchip } from "./pchip.js";
import { HIGH, LOW, RESPONSE_STYLE, responseView } from "./response_view.js";
import { button, frame, html, number, speaker } from "./shared.js";

const STYLE = `${RESPONSE_STYLE}
.lf-plotbox { max-width: 46rem; }
.lf-result { display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem;
  max-width: 46rem; margin-top: 0.6rem; }
.lf-images { display: flex; flex: 1 1 20rem; gap: 1rem; max-width: 30rem; }
.lf-notes { flex: 1 1 11rem; }
.lf-images figure { flex: 1; min-width: 0; margin: 0; }
.lf-images canvas { display: block; width: 100%; height: auto;
  image-rendering: pixelated; border: 1px solid var(--lf-grid); }
.lf-images figcaption { margin: 0.2rem 0 0; font-size: 0.875rem;
  color: var(--lf-muted); }
.lf label { display: flex; gap: 0.5rem; align-items: center;
  min-height: 1.9rem; cursor: pointer; }
.lf input { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--lf-1); }
.lf-legend { display: flex; flex-wrap: wrap; gap: 0.1rem 1.2rem; }
.lf-key { display: inline-block; width: 0.8rem; height: 0.8rem;
  margin-right: 0.4rem; vertical-align: -0.05rem; }`;

const LAMS = Array.from({ length: 9 }, (_, i) => i / 4);
const BINS = 40;
const total = (x) => x.reduce((sum, value) => sum + value * value, 0);

/** The grey values of an image sent as base64 bytes, from 0 to 1. */
function pixels(text) {
  return Float64Array.from(atob(text), (byte) => byte.charCodeAt(0) / 255);
}

/** A canvas of the image's own size under a caption. */
function picture(width, height, label, caption) {
  const canvas = html("canvas", { width, height, role: "img", "aria-label": label });
  const line = html("figcaption", {}, caption);
  return { canvas, caption: line, element: html("figure", {}, canvas, line) };
}

/** What to multiply values by so that the largest just reaches white. */
function stretch(values, offset) {
  const sizes = offset ? values.map(Math.abs) : values;
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  return largest > 1e-12 ? (1 - offset) / largest : 1;
}

/** Paint values on a canvas: 0 black, 1 white, clipped outside. */
function paint(canvas, values, offset = 0, gain = 1) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  values.forEach((value, i) => {
    const grey = Math.round(255 * (offset + gain * value));
    image.data.set([grey, grey, grey, 255], 4 * i);
  });
  context.putImageData(image, 0, 0);
}

/** The result in a sentence. */
function summary(result, kept) {
  const mean = result.reduce((sum, value) => sum + value, 0) / result.length;
  const share = number(100 * kept, kept < 0.01 ? 3 : 1);
  return `Energy kept ${share} %. Filtered values: mean ${number(mean)}, `
    + `from ${number(Math.min(...result))} to ${number(Math.max(...result))}.`;
}

/** The colours of the bars behind the curve. */
function legend() {
  const entry = (style, text) => html("span", {},
    html("span", { class: "lf-key", style }), text);
  return html("p", { class: "lf-quiet lf-legend" },
    entry("border: 1.5px solid var(--lf-muted)", "energy of the image"),
    entry("background: var(--lf-3); opacity: 0.5", "energy the filter keeps"),
    html("span", {}, "(log scale over five powers of ten)"));
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const [width, height, degree] = ["width", "height", "degree"].map((key) => model.get(key));
  const presets = model.get("presets");
  const image = pixels(model.get("image"));
  const signals = chebyshevSignals(image, width, height, degree);
  const energy = model.get("energy") ?? energyHistogram(signals, BINS);
  const before = picture(width, height, "The image before the filter", "before: x");
  const after = picture(width, height, "", "");
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  const centred = html("input", { type: "checkbox" });
  const stretched = html("input", { type: "checkbox" });
  const plotbox = html("div", { class: "lf-plotbox" });

  const view = responseView(LAMS, (i, h) => {
    const handles = [...model.get("handles")];
    handles[i] = h;
    choose(null, handles, expand(pchip(LAMS, handles), degree));
  });
  let coefficients = [];

  function choose(name, handles, expansion) {
    coefficients = expansion;
    model.set("preset", name);
    model.set("handles", handles);
    model.save_changes();
    draw();
  }

  function load(preset) {
    const at = (lam) => Math.min(HIGH, Math.max(LOW, evaluate(preset.coefficients, lam)));
    centred.checked = Math.abs(evaluate(preset.coefficients, 0)) < 0.05;
    choose(preset.name, LAMS.map((lam) => Math.round(100 * at(lam)) / 100 + 0),
      preset.coefficients);
  }

  function draw() {
    const result = combine(coefficients, signals);
    const text = summary(result, total(result) / total(image));
    view.draw(model.get("handles"), (lam) => evaluate(coefficients, lam), energy);
    const offset = centred.checked ? 0.5 : 0;
    const gain = stretched.checked ? stretch(result, offset) : 1;
    paint(after.canvas, result, offset, gain);
    after.caption.textContent = stretched.checked
      ? `after: ${number(gain)} · h(L) x` : "after: h(L) x";
    after.canvas.setAttribute("aria-label", `The image after the filter. ${text}`);
    buttons.forEach((item, i) => item.setAttribute(
      "aria-pressed", presets[i].name === model.get("preset")));
    line.textContent = text;
    say(text);
  }

  const buttons = presets.map((preset) => button(preset.name, () => load(preset)));
  const reset = button("reset", () => load(presets[0]));
  [centred, stretched].forEach((box) => box.addEventListener("change", draw));
  plotbox.append(view.element);
  paint(before.canvas, image);
  root.append(
    html("div", { class: "lf-row", role: "group", "aria-label": "Responses to start from" },
      ...buttons, reset),
    html("p", {}, "Drag a handle, or focus one and press the up and down arrows."),
    plotbox, legend(),
    html("div", { class: "lf-result" },
      html("div", { class: "lf-images" }, before.element, after.element),
      html("div", { class: "lf-notes" },
        html("label", {}, centred, "show 0 as mid-grey"),
        html("label", {}, stretched, "stretch the contrast"), line, ear)));
  load(presets[0]);
  new ResizeObserver(() => {
    view.resize(plotbox.clientWidth);
    draw();
  }).observe(plotbox);
}

export default { render, chebyshevSignals, combine, energyHistogram, evaluate, expand, pchip };
