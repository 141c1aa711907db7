// Walk through the responses that splits have learned, graph by graph.
import { axis, button, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [310, 50, 18, 12, 44];

const STYLE = `${SLIDER_STYLE}
.lf-plotbox { max-width: 46rem; cursor: ew-resize; touch-action: pan-y; }
.lf-band { fill: var(--lf-1); fill-opacity: 0.2; }
.lf-mean { fill: none; stroke: var(--lf-1); stroke-width: 1.8; stroke-dasharray: 6 4; }
.lf-curve { fill: none; stroke: var(--lf-2); stroke-width: 2.6; stroke-linejoin: round; }
.lf-at { stroke: var(--lf-muted); stroke-width: 1.2; }
.lf-point { fill: var(--lf-2); stroke: var(--lf-paper); stroke-width: 1.5; }
.lf-zero { stroke: var(--lf-grid); stroke-width: 1.2; }
.lf-blur { fill: var(--lf-muted); fill-opacity: 0.14; }`;

const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const column = (rows, i) => rows.map((row) => row[i]);

/** The least, the mean and the largest response at each point. */
function band(rows) {
  return rows[0].map((_, i) => {
    const at = column(rows, i);
    return { low: Math.min(...at), mean: average(at), high: Math.max(...at) };
  });
}

/** How alike two shapes are: 1 is the same but for size and offset. */
function correlation(a, b) {
  const [p, q] = [a, b].map((row) => {
    const mean = average(row);
    return row.map((value) => value - mean);
  });
  const dot = (u, v) => u.reduce((sum, value, i) => sum + value * v[i], 0);
  return dot(p, q) / Math.sqrt(dot(p, p) * dot(q, q));
}

/** The mean response of all splits but one. */
function others(rows, split) {
  const rest = rows.filter((_, s) => s !== split);
  return rest[0].map((_, i) => average(column(rest, i)));
}

/** The value at λ of a response sampled evenly on [0, 2], on a straight line. */
function at(row, lam) {
  const place = (lam / 2) * (row.length - 1);
  const i = Math.min(Math.floor(place), row.length - 2);
  return row[i] + (place - i) * (row[i + 1] - row[i]);
}

/** Three to six round numbers that span what is drawn. */
function ticks(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => size >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => (first + i) * step);
}

function scales(rows, width) {
  const all = [0, ...rows.flat()];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const spare = 0.06 * (high - low || 1);
  const span = { low: low - spare, high: high + spare };
  return {
    span,
    x: (lam) => LEFT + (lam / 2) * (width - LEFT - RIGHT),
    y: (h) => TOP + ((span.high - h) / (span.high - span.low)) * (HEIGHT - TOP - BOTTOM),
  };
}

function draw(element, width, { h: rows, readable }, split, lam) {
  const { span, x, y } = scales(rows, width);
  const spot = (value, i, all) => `${x((2 * i) / (all.length - 1)).toFixed(1)} ${y(value).toFixed(1)}`;
  const edge = band(rows);
  const [low, mean, high] = ["low", "mean", "high"].map((key) => edge.map((b) => b[key]).map(spot));
  const levels = ticks(span.low, span.high).flatMap((h) => [
    svg("line", { class: "lf-zero", x1: x(0), x2: x(2), y1: y(h), y2: y(h),
      "stroke-opacity": Math.abs(h) < 1e-9 ? 1 : 0.5 }),
    svg("text", { x: x(0) - 8, y: y(h) + 4, "text-anchor": "end" }, number(h)),
  ]);
  const blur = readable < 2 ? [svg("rect", { class: "lf-blur", x: x(readable), y: TOP,
    width: x(2) - x(readable), height: HEIGHT - TOP - BOTTOM })] : [];
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(...blur, ...levels, axis(x, [0, 0.5, 1, 1.5, 2], HEIGHT - BOTTOM),
    svg("text", { class: "lf-quiet", x: x(1), y: HEIGHT - 6, "text-anchor": "middle" }, "frequency λ"),
    svg("path", { class: "lf-band", d: `M${high.join("L")}L${low.reverse().join("L")}Z` }),
    svg("path", { class: "lf-mean", d: `M${mean.join("L")}` }),
    svg("path", { class: "lf-curve", d: `M${rows[split].map(spot).join("L")}` }),
    svg("line", { class: "lf-at", x1: x(lam), x2: x(lam), y1: TOP, y2: HEIGHT - BOTTOM }),
    svg("circle", { class: "lf-point", cx: x(lam), cy: y(at(rows[split], lam)), r: 6 }));
}

function describe({ h: rows, scores, readable }, split, lam) {
  const here = rows.map((row) => at(row, lam));
  const alike = correlation(rows[split], others(rows, split));
  const blur = lam > readable ? " Here the curve turns faster than its points can show." : "";
  return `Split ${split + 1} of ${rows.length}: test accuracy ${number(100 * scores[split], 1)}%. `
    + `At λ = ${number(lam)}, h = ${number(here[split])}; the splits lie between `
    + `${number(Math.min(...here))} and ${number(Math.max(...here))}. `
    + `Correlation with the mean of the others: ${number(alike)}.${blur}`;
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const graphs = model.get("graphs");
  const picture = svg("svg", { "aria-hidden": true });
  const plotbox = html("div", { class: "lf-plotbox" }, picture);
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  const sets = html("div", { class: "lf-row", role: "group", "aria-label": "Data set" });
  const kinds = html("div", { class: "lf-row", role: "group", "aria-label": "Model" });
  let [graph, kind, split, lam, width] = [0, 0, 0, 0.5, 600];

  const shown = () => graphs[graph].models[kind];
  function update() {
    const text = describe(shown(), split, lam);
    draw(picture, width, shown(), split, lam);
    line.textContent = text;
    say(text);
    [[sets, graph], [kinds, kind]].forEach(([row, on]) => [...row.children].forEach(
      (item, i) => item.setAttribute("aria-pressed", i === on)));
  }
  const splits = slider("split", { min: 1, max: 1, step: 1 }, (value) => `${value}`,
    (value) => { split = value - 1; update(); });
  const cursor = slider("frequency λ", { min: 0, max: 2, step: 0.02 }, (value) => number(value),
    (value) => { lam = value; update(); });

  function choose(name) {
    kind = Math.max(0, graphs[graph].models.findIndex((item) => item.name === name));
    const count = shown().h.length;
    split = Math.min(split, count - 1);
    splits.element.querySelector("input").max = count;
    splits.set(split + 1);
    update();
  }
  function open(next) {
    const { name } = shown(); // the same model on another graph, if it is there
    graph = next;
    kinds.replaceChildren(...graphs[graph].models.map(
      (item) => button(item.name, () => choose(item.name))));
    choose(name);
  }

  function drag(event) {
    if (event.buttons === 0 && event.type !== "pointerdown") return;
    const box = plotbox.getBoundingClientRect();
    const inner = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    lam = Math.round(Math.min(1, Math.max(0, inner)) * 100) / 50;
    cursor.set(lam);
    update();
  }
  plotbox.addEventListener("pointerdown", (event) => {
    plotbox.setPointerCapture(event.pointerId);
    drag(event);
  });
  plotbox.addEventListener("pointermove", drag);

  sets.append(...graphs.map((item, g) => button(item.name, () => open(g))));
  root.append(sets, kinds, splits.element, cursor.element,
    html("p", { class: "lf-quiet" }, "Solid: this split. Dashed: the mean of all. Shaded: from "
      + "the least to the largest. Drag in the plot to read it off."),
    plotbox, line, ear);
  cursor.set(lam);
  open(0);
  new ResizeObserver(() => {
    width = Math.max(280, plotbox.clientWidth);
    update();
  }).observe(plotbox);
}

export default { render, band, correlation, others, at, ticks };
