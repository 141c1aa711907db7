// The Fourier filter: order and harmonics, and what least squares makes of them.
import { axis, button, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";
import { singular } from "./splines.js";

const STYLE = `${SLIDER_STYLE}
.lf-plotbox { max-width: 46rem; }
.lf-chirp { fill: none; stroke: var(--lf-3); stroke-width: 1.6; }
.lf-target { fill: none; stroke: var(--lf-muted); stroke-width: 6;
  stroke-opacity: 0.45; }
.lf-fit { fill: none; stroke: var(--lf-1); stroke-width: 2.2; }
.lf-target, .lf-fit, .lf-chirp { stroke-linejoin: round; }
.lf-lam { stroke: var(--lf-2); stroke-width: 1; stroke-opacity: 0.7; }
.lf-rule { stroke: var(--lf-grid); stroke-width: 1; }
.lf-facts { display: grid; gap: 0 1.2rem; max-width: 34rem; margin: 0.6rem 0;
  grid-template-columns: max-content 1fr; }
.lf-facts dt { color: var(--lf-muted); font-weight: 400; }
.lf-facts dd { margin: 0; font-variant-numeric: tabular-nums; }`;

const [STRIP, PLOT, LEFT, RIGHT, BOTTOM] = [46, 200, 44, 12, 42];
const [LOW, HIGH] = [-0.35, 1.35];
const CUT = 1e-12; // of the largest singular value
const FINE = Array.from({ length: 401 }, (_, i) => i / 200);
const TARGETS = {
  "low-pass": (x) => Math.exp(-10 * x ** 2),
  "high-pass": (x) => 1 - Math.exp(-10 * x ** 2),
  "band-pass": (x) => Math.exp(-10 * (x - 1) ** 2),
  "band-rejection": (x) => 1 - Math.exp(-10 * (x - 1) ** 2),
  comb: (x) => Math.abs(Math.sin(Math.PI * x)),
  "low-comb": (x) => (x <= 0.5 ? 1 : Math.abs(Math.sin((x < 1 ? 1 : 2) * Math.PI * x))),
};

const count = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);

/** A row of the design matrix: 1, then cosines and sines, order by order. */
function waves(lam, K, M) {
  return [1, ...count(1, K).flatMap((k) => [Math.cos, Math.sin].flatMap(
    (wave) => count(1, M).map((m) => wave(m * lam ** k))))];
}

/** Least squares at the eigenvalues, columns scaled to equal length. Singular
    values below the cut are rounding and get no part. */
function fit(target, lams, K, M) {
  const rows = lams.map((lam) => waves(lam, K, M));
  const wanted = lams.map(TARGETS[target]);
  const columns = rows[0].map((_, p) => rows.map((row) => row[p]));
  const lengths = columns.map((column) => Math.hypot(...column) || 1);
  const { sizes, A, V } = singular(columns.map((column, p) => column.map((v) => v / lengths[p])));
  const largest = Math.max(...sizes);
  const kept = sizes.map((size) => size > CUT * largest);
  const parts = sizes.map((size, j) => (kept[j] ? dot(A[j], wanted) / size ** 2 : 0));
  const c = lengths.map((length, p) => dot(parts, V.map((v) => v[p])) / length);
  const at = (lam) => dot(waves(lam, K, M), c);
  const miss = (points) => Math.max(...points.map((lam) => Math.abs(at(lam) - TARGETS[target](lam))));
  return { c, at, rank: kept.filter(Boolean).length, condition: largest / Math.min(...sizes),
    onSpectrum: miss(lams), between: miss(FINE) };
}

/** A size over many powers of ten. */
function short(value) {
  if (value >= 0.01 && value < 1000) return number(value);
  return value.toExponential(0).replace("-", "\u2212");
}

function drawStrips(x, K, M) {
  return count(1, K).flatMap((k) => {
    const middle = (k - 0.5) * STRIP;
    const points = count(0, 1200).map((i) => {
      const lam = i / 600;
      return `${x(lam).toFixed(1)} ${(middle - 0.36 * STRIP * Math.cos(M * lam ** k)).toFixed(1)}`;
    });
    const raised = k === 1 ? "" : ["²", "³", "⁴"][k - 2];
    return [svg("path", { class: "lf-chirp", d: `M${points.join("L")}` }),
      svg("text", { x: 0, y: middle + 4 }, `λ${raised}`)];
  });
}

function draw(element, width, { target, lams, K, M, found }) {
  const x = (lam) => LEFT + (lam / 2) * (width - LEFT - RIGHT);
  const top = K * STRIP + 8;
  const y = (h) => top + ((HIGH - Math.max(LOW, Math.min(HIGH, h))) / (HIGH - LOW)) * PLOT;
  const path = (kind, h) => svg("path", { class: kind, d: `M${FINE.map((lam) => (
    `${x(lam).toFixed(1)} ${y(h(lam)).toFixed(1)}`)).join("L")}` });
  element.setAttribute("viewBox", `0 0 ${width} ${top + PLOT + BOTTOM}`);
  element.replaceChildren(...drawStrips(x, K, M),
    ...[0, 1].flatMap((h) => [
      svg("line", { class: "lf-rule", x1: x(0), x2: x(2), y1: y(h), y2: y(h) }),
      svg("text", { x: x(0) - 10, y: y(h) + 4, "text-anchor": "end" }, number(h))]),
    ...lams.map((lam) => svg("line", {
      class: "lf-lam", x1: x(lam), x2: x(lam), y1: y(LOW) - 9, y2: y(LOW) })),
    axis(x, [0, 0.5, 1, 1.5, 2], y(LOW)),
    svg("text", { class: "lf-quiet", x: x(1), y: top + PLOT + 38, "text-anchor": "middle" },
      "frequency λ"),
    path("lf-target", TARGETS[target]), path("lf-fit", found.at));
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const spectra = model.get("spectra");
  const keys = ["target", "spectrum", "K", "M"];
  const start = keys.map((key) => model.get(key));
  const picture = svg("svg", { "aria-hidden": true });
  const plotbox = html("div", { class: "lf-plotbox" }, picture);
  const names = ["functions", "told apart", "condition number", "largest error on the spectrum",
    "largest error on all of [0, 2]"];
  const values = names.map(() => html("dd"));
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  let width = 600;
  let state = null;

  function update() {
    const [target, spectrum, K, M] = keys.map((key) => model.get(key));
    const lams = spectra[spectrum];
    const found = fit(target, lams, K, M);
    state = { target, lams, K, M, found };
    const facts = [1 + 2 * K * M, found.rank,
      found.condition > 1e15 ? "above 10¹⁵" : short(found.condition),
      short(found.onSpectrum), short(found.between)];
    facts.forEach((fact, i) => { values[i].textContent = fact; });
    pickers.forEach(([key, name, item]) => item.setAttribute(
      "aria-pressed", name === model.get(key)));
    draw(picture, width, state);
    say(names.map((name, i) => `${name}: ${facts[i]}`).join(", "));
  }

  function choose(key, value) {
    model.set(key, value);
    model.save_changes();
    update();
  }

  const whole = (value) => String(value);
  const sliders = {
    K: slider("highest order K", { min: 1, max: 4, step: 1 }, whole, (v) => choose("K", v)),
    M: slider("highest harmonic M", { min: 1, max: 10, step: 1 }, whole, (v) => choose("M", v)),
  };
  const choices = (key, list) => list.map((name) => [key, name, button(name, () => choose(key, name))]);
  const targets = choices("target", Object.keys(TARGETS));
  const places = choices("spectrum", Object.keys(spectra));
  const pickers = [...targets, ...places];
  const load = () => {
    keys.forEach((key, i) => model.set(key, start[i]));
    sliders.K.set(start[2]);
    sliders.M.set(start[3]);
    update();
  };
  const row = (label, items, ...more) => html("div", {
    class: "lf-row", role: "group", "aria-label": label }, ...items.map((item) => item[2]), ...more);
  root.append(row("Response to fit", targets),
    row("Spectrum to fit it on", places, button("reset", load)),
    sliders.K.element, sliders.M.element,
    html("p", { class: "lf-quiet" }, "Above: the fastest cosine of each order, cos(Mλᵏ). Below: the "
      + "target (wide) and its best fit (thin); the ticks are the eigenvalues it is fitted on."),
    plotbox, html("dl", { class: "lf-facts" }, ...names.flatMap((name, i) => [
      html("dt", {}, name), values[i]])), ear);
  load();
  new ResizeObserver(() => {
    width = Math.max(280, plotbox.clientWidth);
    draw(picture, width, state);
  }).observe(plotbox);
}

export default { render, waves, fit };
