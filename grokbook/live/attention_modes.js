// Drag the features of a few nodes: what does their attention do to the modes?
import { eigen, laplacian } from "./eigen.js";
import { featureView, FEATURE_STYLE } from "./feature_view.js";
import { axis, button, fixed, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const STYLE = `${SLIDER_STYLE}${FEATURE_STYLE}
.lf-panels { display: flex; flex-wrap: wrap; gap: 0.6rem 1.4rem; }
.lf-panels > div { flex: 1 1 18rem; min-width: 0; max-width: 27rem; }
.lf-panels p { margin: 0.4rem 0; font-weight: 600; }
.lf-cell { stroke: var(--lf-grid); stroke-width: 1; }
.lf-gain { fill: var(--lf-1); fill-opacity: 0.55; }
.lf-own { stroke: var(--lf-2); stroke-width: 4; }
.lf-ground { stroke: var(--lf-muted); stroke-width: 1; }
.lf-wide { max-width: 46rem; }`;
const KINDS = ["softmax", "efficient", "linear"];
const LIMIT = 2; // of a feature, up and down

function softmax(scores) {
  const top = Math.max(...scores);
  const parts = scores.map((score) => Math.exp(score - top));
  const sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => part / sum);
}

/** The matrix of an attention with one channel: keys x, queries s·x. */
function attentionMatrix(kind, x, s) {
  if (kind === "efficient") return x.map(() => softmax(x)); // one query channel: all 1
  const scores = x.map((xi) => x.map((xj) => s * xi * xj));
  return kind === "softmax" ? scores.map(softmax) : scores;
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** Of each mode u of the path: ‖A u‖, and uᵀ A u. */
function response(A) {
  const n = A.length;
  const path = Array.from({ length: n - 1 }, (_, i) => [i, i + 1]);
  const { values, vectors } = eigen(laplacian(path, n));
  const after = vectors.map((u) => A.map((row) => dot(row, u)));
  return { lam: values, gain: after.map((y) => Math.sqrt(dot(y, y))),
    own: after.map((y, k) => dot(y, vectors[k])) };
}

function drawMatrix(A) {
  const n = A.length;
  const size = 230 / n;
  const top = Math.max(1e-9, ...A.flat().map(Math.abs));
  const cells = A.flatMap((row, i) => row.flatMap((value, j) => {
    const box = { x: 28 + j * size, y: 26 + i * size, width: size, height: size };
    const cell = svg("rect", { class: "lf-cell", ...box,
      fill: value < 0 ? "var(--lf-2)" : "var(--lf-1)",
      "fill-opacity": (0.6 * Math.abs(value)) / top });
    return [cell, svg("text", { x: box.x + size / 2, y: box.y + size / 2 + 4,
      "text-anchor": "middle", style: "font-size: 11px" },
      Math.abs(value) < 9.995 ? fixed(value) : number(value, 0))];
  }));
  const names = A.flatMap((_, i) => [
    svg("text", { x: 28 + (i + 0.5) * size, y: 18, "text-anchor": "middle" }, i),
    svg("text", { x: 18, y: 26 + (i + 0.5) * size + 4, "text-anchor": "end" }, i)]);
  return [...names, ...cells];
}

function drawResponse(width, { lam, gain, own }) {
  const x = (value) => 52 + (value / 2) * (width - 82);
  const high = Math.max(1.05, ...gain);
  const low = Math.min(0, ...own);
  const y = (value) => 14 + ((high - value) / (high - low)) * 196;
  const marks = lam.flatMap((at, k) => [
    svg("rect", { class: "lf-gain", x: x(at) - 8, width: 16, y: y(gain[k]),
      height: Math.max(0.5, y(0) - y(gain[k])) }),
    svg("line", { class: "lf-own", x1: x(at) - 12, x2: x(at) + 12, y1: y(own[k]), y2: y(own[k]) })]);
  const levels = [...new Set([0, high > 2 ? Math.floor(high) : 1])];
  return [...levels.flatMap((value) => [
    svg("line", { class: "lf-ground", x1: x(0) - 14, x2: x(2) + 14, y1: y(value), y2: y(value),
      "stroke-dasharray": value ? "4 3" : "none" }),
    svg("text", { x: x(0) - 20, y: y(value) + 4, "text-anchor": "end" }, number(value))]),
  ...marks, axis(x, [0, 0.5, 1, 1.5, 2], 216),
  svg("text", { class: "lf-quiet", x: x(1), y: 254, "text-anchor": "middle" }, "graph frequency λ")];
}

/** Which mode apart from the lowest comes out strongest. */
function strongest({ lam, gain }) {
  const rest = gain.slice(1);
  const at = 1 + rest.indexOf(Math.max(...rest));
  return { lam: lam[at], gain: gain[at] };
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const starts = model.get("starts");
  const [matrix, bars] = [0, 1].map(() => svg("svg", { "aria-hidden": true }));
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  let width = 360;

  function update() {
    const [kind, x, s] = ["kind", "x", "s"].map((key) => model.get(key));
    const A = attentionMatrix(kind, x, s);
    const found = response(A);
    const peak = strongest(found);
    const text = `λ = 0 comes out ${number(found.gain[0])} times as long. Of the others, λ = ${
      number(peak.lam)} comes out strongest: ${number(peak.gain)} times.`;
    view.draw(x);
    matrix.setAttribute("viewBox", "0 0 264 262");
    matrix.replaceChildren(...drawMatrix(A));
    bars.setAttribute("viewBox", `0 0 ${width} 262`);
    bars.replaceChildren(...drawResponse(width, found));
    line.textContent = text;
    say(text);
    kinds.forEach((item, i) => item.setAttribute("aria-pressed", KINDS[i] === kind));
    choices.forEach((item, i) => item.setAttribute("aria-pressed",
      starts[i].s === s && starts[i].x.every((value, k) => value === x[k])));
  }

  function set(values) {
    Object.entries(values).forEach(([key, value]) => model.set(key, value));
    model.save_changes();
    sharpness.set(model.get("s"));
    update();
  }

  const view = featureView(starts[0].x.length, LIMIT, (i, value) => set({
    x: model.get("x").map((old, k) => (k === i ? value : old)) }));
  const sharpness = slider("query · key weight s", { min: -4, max: 4, step: 0.1 },
    (value) => number(value, 1), (s) => set({ s }));
  const kinds = KINDS.map((kind) => button(kind, () => set({ kind })));
  const choices = starts.map((start) => button(start.name, () => set({ x: start.x, s: start.s })));
  const row = (label, items) => html("div", { class: "lf-row", role: "group", "aria-label": label }, ...items);
  const responseBox = html("div", {}, html("p", {}, "Response on the path's modes"), bars);
  const plotbox = html("div", { class: "lf-wide" }, view.element);
  root.append(row("Features to start from", choices), row("Kind of attention", kinds),
    sharpness.element, plotbox, html("div", { class: "lf-panels" },
      html("div", {}, html("p", {}, "Attention: row i is what node i takes"), matrix), responseBox),
    html("p", { class: "lf-quiet" }, "Bars: the gain ‖Au‖ of each mode. "
      + "Short lines: uᵀAu, what stays at its own frequency."), line, ear);
  set({ kind: model.get("kind"), x: starts[0].x, s: starts[0].s });
  new ResizeObserver(() => {
    width = Math.max(260, responseBox.clientWidth);
    view.resize(plotbox.clientWidth);
    update();
  }).observe(root);
}

export default { render, attentionMatrix, response, strongest };
