// What filters of each order have learned: response, sizes of orders, accuracy.
import { axis, button, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const [HEIGHT, SMALL, LEFT, RIGHT, TOP, BOTTOM] = [250, 190, 46, 16, 12, 42];
const POINTS = 201;

const STYLE = `${SLIDER_STYLE}
.lf-plotbox, .lf-pair { max-width: 46rem; }
.lf-pair { display: grid; gap: 0.6rem 1.2rem;
  grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); }
.lf-pair p { margin: 0; }
.lf-choose { cursor: ew-resize; touch-action: pan-y; }
.lf-band { fill: var(--lf-1); fill-opacity: 0.2; }
.lf-mean { fill: none; stroke: var(--lf-1); stroke-width: 2.4; stroke-linejoin: round; }
.lf-whole { fill: none; stroke: var(--lf-2); stroke-width: 1.8; stroke-dasharray: 6 4; }
.lf-zero { stroke: var(--lf-grid); stroke-width: 1.2; }
.lf-blur { fill: var(--lf-muted); fill-opacity: 0.14; }
.lf-split { fill: var(--lf-1); fill-opacity: 0.45; }
.lf-off .lf-split { fill: var(--lf-muted); fill-opacity: 0.35; }
.lf-stem { stroke: var(--lf-1); stroke-width: 2.6; }
.lf-dot { fill: var(--lf-1); stroke: var(--lf-paper); stroke-width: 1.5; }
.lf-here .lf-dot { fill: var(--lf-2); } .lf-here .lf-stem { stroke: var(--lf-2); }`;

const count = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const GRID = count(0, POINTS - 1).map((i) => (2 * i) / (POINTS - 1));

/** The design matrix: 1, then cosines and sines, order by order. */
function waves(lams, K, M) {
  return lams.map((lam) => [1, ...count(1, K).flatMap((k) => [Math.cos, Math.sin].flatMap(
    (wave) => count(1, M).map((m) => wave(m * lam ** k))))]);
}

/** The order that coefficient p belongs to; the constant belongs to none. */
const orderOf = (p, M) => (p === 0 ? 0 : Math.floor((p - 1) / (2 * M)) + 1);

/** The response at each row of waves, of the orders that are on. */
function response(rows, c, M, on) {
  const kept = c.map((value, p) => (p === 0 || on[orderOf(p, M) - 1] ? value : 0));
  return rows.map((row) => row.reduce((sum, wave, p) => sum + wave * kept[p], 0));
}

/** The canonical α: the length of each order's coefficients, the constant
    with those of order 1. */
function sizes(c, K, M) {
  return count(1, K).map((k) => Math.hypot(
    ...c.filter((_, p) => Math.max(1, orderOf(p, M)) === k)));
}

function deviation(h) {
  const mean = average(h);
  return Math.sqrt(average(h.map((value) => (value - mean) ** 2)));
}

/** Up to which λ these points can follow the fastest wave. */
function readable(K, M) {
  const limit = (Math.PI * (POINTS - 1)) / (2 * M * K);
  return Math.min(2, K === 1 ? (limit < 1 ? 0 : 2) : limit ** (1 / (K - 1)));
}

const bands = (rows) => rows[0].map((_, i) => {
  const at = rows.map((row) => row[i]);
  return { low: Math.min(...at), mean: average(at), high: Math.max(...at) };
});

/** What is drawn and said of one run, with some orders on. */
function view({ K, c, scores }, M, on) {
  const rows = waves(GRID, K, M);
  const whole = c.map((one) => response(rows, one, M, on.map(() => true)));
  const left = c.map((one) => response(rows, one, M, on));
  const changes = whole.map((h, s) => deviation(h.map((v, i) => v - left[s][i])) / (deviation(h) || 1));
  return { K, whole: bands(whole), left: bands(left), change: average(changes),
    alphas: c.map((one) => sizes(one, K, M)), scores, readable: readable(K, M) };
}

const vertical = (low, high, height) => (value) => TOP
  + ((high - value) / (high - low || 1)) * (height - TOP - BOTTOM);

function levels(marks, y, width, show = number) {
  return marks.flatMap((mark) => [
    svg("line", { class: "lf-zero", x1: LEFT, x2: width - RIGHT, y1: y(mark), y2: y(mark) }),
    svg("text", { x: LEFT - 8, y: y(mark) + 4, "text-anchor": "end" }, show(mark)),
  ]);
}

function drawResponse(element, width, shown, all) {
  const values = [...shown.whole, ...shown.left].flatMap((b) => [b.low, b.high]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (lam) => LEFT + (lam / 2) * (width - LEFT - RIGHT);
  const y = vertical(low, high, HEIGHT);
  const line = (key, from) => from.map((b, i) => `${x(GRID[i]).toFixed(1)} ${y(b[key]).toFixed(1)}`);
  const blur = shown.readable < 2 ? [svg("rect", { class: "lf-blur", x: x(shown.readable), y: TOP,
    width: x(2) - x(shown.readable), height: HEIGHT - TOP - BOTTOM })] : [];
  const marks = [...new Set([low, 0, high])].filter((mark) => mark === 0 || Math.abs(y(mark) - y(0)) > 14);
  const whole = all ? [] : [svg("path", { class: "lf-whole", d: `M${line("mean", shown.whole).join("L")}` })];
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(...blur, ...levels(marks, y, width, (mark) => number(mark, 1)),
    axis(x, [0, 0.5, 1, 1.5, 2], HEIGHT - BOTTOM),
    svg("text", { class: "lf-quiet", x: x(1), y: HEIGHT - 6, "text-anchor": "middle" }, "frequency λ"),
    svg("path", { class: "lf-band", d: `M${line("high", shown.left).join("L")}L${line("low", shown.left).reverse().join("L")}Z` }),
    ...whole, svg("path", { class: "lf-mean", d: `M${line("mean", shown.left).join("L")}` }));
}

/** A column of marks for each k or K: one a split, and the mean. */
function drawColumns(element, width, { columns, low, high, name, mark }) {
  const step = (width - LEFT - RIGHT) / 6;
  const x = (k) => LEFT + (k - 0.5) * step;
  const y = vertical(low, high, SMALL);
  const parts = columns.map(({ at, values, kind }) => svg("g", { class: kind },
    svg("line", { class: "lf-stem", x1: x(at), x2: x(at), y1: y(Math.min(...values)), y2: y(Math.max(...values)),
      "stroke-opacity": 0.45 }),
    ...values.map((value) => svg("circle", { class: "lf-split", cx: x(at), cy: y(value), r: 3 })),
    svg("circle", { class: "lf-dot", cx: x(at), cy: y(average(values)), r: 5.5 })));
  element.setAttribute("viewBox", `0 0 ${width} ${SMALL}`);
  element.replaceChildren(...levels([low, high], y, width, mark),
    axis(x, count(1, 6), SMALL - BOTTOM),
    svg("text", { class: "lf-quiet", x: x(3.5), y: SMALL - 6, "text-anchor": "middle" }, name), ...parts);
}

function describe(name, shown, on) {
  const best = shown.alphas.map((row) => row.indexOf(Math.max(...row)) + 1);
  const wins = count(1, shown.K).map((k) => best.filter((one) => one === k).length);
  const top = wins.indexOf(Math.max(...wins)) + 1;
  const [low, high] = [Math.min(...shown.scores), Math.max(...shown.scores)].map((v) => number(100 * v, 1));
  const off = count(1, shown.K).filter((k) => !on[k - 1]);
  const change = off.length === 0 ? "" : ` Without order ${off.join(", ")}, h changes by ${
    number(100 * shown.change, 0)}% of its own deviation.`;
  const blur = shown.readable < 2 ? ` Beyond λ = ${number(shown.readable)} the curve turns faster than its points.` : "";
  return `${name}, K = ${shown.K}: test accuracy ${number(100 * average(shown.scores), 1)}%, `
    + `splits from ${low} to ${high}. Largest α: order ${top} in ${wins[top - 1]} of ${
      best.length} splits.${change}${blur}`;
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const graphs = model.get("graphs");
  const pictures = [0, 1, 2].map(() => svg("svg", { "aria-hidden": true }));
  const [wide, alphaBox, scoreBox] = ["lf-plotbox", "", "lf-choose"].map(
    (kind, i) => html("div", { class: kind }, pictures[i]));
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  const sets = html("div", { class: "lf-row", role: "group", "aria-label": "Data set" });
  const orders = html("div", { class: "lf-row", role: "group", "aria-label": "Orders left in" });
  let [graph, place, on] = [0, 0, []];

  function update() {
    const { name, M, runs } = graphs[graph];
    const shown = view(runs[place], M, on);
    const wideness = (box) => Math.max(240, box.clientWidth || 300);
    drawResponse(pictures[0], wideness(wide), shown, on.every(Boolean));
    const alphas = count(1, shown.K).map((k) => ({ at: k, kind: on[k - 1] ? "" : "lf-off",
      values: shown.alphas.map((row) => row[k - 1]) }));
    drawColumns(pictures[1], wideness(alphaBox), { columns: alphas, low: 0, name: "order k",
      high: Math.max(...shown.alphas.flat()) || 1, mark: (value) => number(value, 1) });
    const all = runs.flatMap((run) => run.scores);
    drawColumns(pictures[2], wideness(scoreBox), { low: Math.min(...all), high: Math.max(...all),
      name: "highest order K", mark: (value) => `${number(100 * value, 0)}%`,
      columns: runs.map((run, i) => ({ at: run.K, values: run.scores, kind: i === place ? "lf-here" : "" })) });
    const text = describe(name, shown, on);
    line.textContent = text;
    say(text);
    [...sets.children].forEach((item, i) => item.setAttribute("aria-pressed", i === graph));
    [...orders.children].forEach((item, i) => item.setAttribute("aria-pressed", on[i]));
  }
  function go(next) {
    place = next;
    const { K } = graphs[graph].runs[place];
    on = count(1, K).map(() => true);
    orders.replaceChildren(...count(1, K).map((k) => button(`order ${k}`, () => {
      on[k - 1] = !on[k - 1];
      update();
    })));
    update();
  }
  const highest = slider("highest order K", { min: 1, max: 1, step: 1 },
    (value) => `${graphs[graph].runs[value - 1].K}`, (value) => go(value - 1));
  function open(next) {
    const { K } = graphs[graph].runs[place];
    graph = next;
    const { runs } = graphs[graph];
    highest.element.querySelector("input").max = runs.length;
    const same = Math.max(0, runs.findIndex((run) => run.K === K));
    highest.set(same + 1);
    go(same);
  }
  function drag(event) {
    if (event.buttons === 0 && event.type !== "pointerdown") return;
    const box = scoreBox.getBoundingClientRect();
    const K = 0.5 + (6 * (event.clientX - box.left - LEFT)) / (box.width - LEFT - RIGHT);
    const far = graphs[graph].runs.map((run) => Math.abs(run.K - K));
    const next = far.indexOf(Math.min(...far));
    if (next === place) return;
    highest.set(next + 1);
    go(next);
  }
  scoreBox.addEventListener("pointerdown", (event) => {
    scoreBox.setPointerCapture(event.pointerId);
    drag(event);
  });
  scoreBox.addEventListener("pointermove", drag);

  sets.append(...graphs.map((item, g) => button(item.name, () => open(g))));
  root.append(sets, highest.element, orders,
    html("p", { class: "lf-quiet" }, "The response h(λ) of the orders left in: mean of the splits, and from the "
      + "least to the largest. Dashed: all orders."),
    wide, html("div", { class: "lf-pair" },
      html("div", {}, html("p", { class: "lf-quiet" }, "canonical α of each order"), alphaBox),
      html("div", {}, html("p", { class: "lf-quiet" }, "test accuracy (drag to choose K)"), scoreBox)),
    line, ear);
  open(0);
  new ResizeObserver(update).observe(wide);
}

export default { render, waves, response, sizes, deviation, readable, view };
