// Labels tossed by a coin: what does a cross-validation report?
import { bits } from "./random.js";
import { axis, button, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const PROTOCOLS = {
  "as-found": "as found: one model for all folds",
  published: "published: best epoch on average",
  own: "each fold's own best epoch",
  fair: "fair: an inner part selects",
};
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [210, 48, 14, 12, 44];

const STYLE = `${SLIDER_STYLE}
.lf-plots { display: grid; gap: 0.4rem 1.2rem; max-width: 60rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); }
.lf-luck { fill: none; stroke: var(--lf-muted); stroke-width: 1.3; }
.lf-half { stroke: var(--lf-muted); stroke-width: 1.5; stroke-dasharray: 2 4; }
.lf-said { stroke: var(--lf-2); stroke-width: 2.2; }
.lf-spot { fill: var(--lf-2); stroke: var(--lf-paper); stroke-width: 1.5; }
.lf-hill { fill: var(--lf-1); fill-opacity: 0.55; }
.lf-line { stroke: var(--lf-grid); stroke-width: 1; }`;

const sum = (values) => values.reduce((a, b) => a + b, 0);
const mean = (values) => sum(values) / values.length;

/** The probabilities of 0 … n heads in n tosses. */
function binomial(n) {
  const p = [0.5 ** n];
  for (let i = 0; i < n; i += 1) p.push((p[i] * (n - i)) / (i + 1));
  return p;
}

/** The probabilities of the largest of `times` independent draws. */
function largest(p, times) {
  let below = 0;
  let before = 0;
  return p.map((share) => {
    below = Math.min(1, below + share);
    const now = below ** times;
    const here = now - before;
    before = now;
    return here;
  });
}

function added(p, q) {
  const made = new Array(p.length + q.length - 1).fill(0);
  p.forEach((a, i) => q.forEach((b, j) => { made[i + j] += a * b; }));
  return made;
}

/** How many of the `folds * size` graphs are reported as right: the exact
    probabilities, if every answer in every epoch is the toss of a coin. */
function distribution(protocol, folds, size, epochs) {
  const n = folds * size;
  if (protocol === "fair") return binomial(n);
  if (protocol === "published") return largest(binomial(n), epochs);
  if (protocol === "own") {
    const one = largest(binomial(size), epochs);
    return Array.from({ length: folds - 1 }).reduce((all) => added(all, one), one);
  }
  return [...new Array(n - size).fill(0), ...binomial(size)]; // the others it knows by heart
}

const expected = (p) => sum(p.map((share, i) => share * i)) / (p.length - 1);

function heads(draw, tosses) {
  let count = 0;
  for (let left = tosses; left > 0; left -= 32) {
    let word = left < 32 ? draw() >>> (32 - left) : draw();
    for (; word; word &= word - 1) count += 1;
  }
  return count;
}

/** One experiment: the score of each fold at each epoch, what was reported
    for each fold, and in the mean. */
function experiment(protocol, folds, size, epochs, seed) {
  const draw = bits(seed);
  const table = () => Array.from({ length: folds }, () => Array.from(
    { length: epochs }, () => heads(draw, size) / size));
  const outer = table();
  const curve = outer[0].map((_, e) => mean(outer.map((fold) => fold[e])));
  const at = (rows) => rows.map((row) => row.indexOf(Math.max(...row)));
  let chosen = at(outer);
  if (protocol === "published") chosen = outer.map(() => at([curve])[0]);
  if (protocol === "fair") chosen = at(table());
  let scores = outer.map((fold, f) => fold[chosen[f]]);
  if (protocol === "as-found") scores = outer.map((fold, f) => (f ? 1 : fold.at(-1)));
  return { curve, chosen, scores, reported: mean(scores) };
}

function levels(x, y, ticks) {
  return ticks.flatMap((tick) => [
    svg("line", { class: "lf-line", x1: x[0], x2: x[1], y1: y(tick), y2: y(tick) }),
    svg("text", { x: x[0] - 7, y: y(tick) + 4, "text-anchor": "end" }, number(100 * tick, 0)),
  ]);
}

const words = (text, x, y, anchor = "middle") => svg("text",
  { class: "lf-quiet", x, y, "text-anchor": anchor }, text);

/** Scores by epoch, or by fold where a model goes from fold to fold. */
function drawLuck(element, width, protocol, { curve, chosen, scores, reported }) {
  const byFold = protocol === "as-found";
  const row = byFold ? scores : curve;
  const last = Math.max(2, row.length);
  const x = (i) => LEFT + ((i - 1) / (last - 1)) * (width - LEFT - RIGHT);
  const low = Math.floor(10 * Math.min(0.4, ...row)) / 10;
  const high = Math.ceil(10 * Math.max(0.7, reported, ...row)) / 10;
  const y = (s) => TOP + ((high - s) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const step = high - low > 0.45 ? 0.2 : 0.1;
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step)
    .filter((tick) => tick <= high + 1e-9);
  const [from, to] = [x(1), x(last)];
  const across = (name, s) => svg("line", { class: name, x1: from, x2: to, y1: y(s), y2: y(s) });
  const spots = { "as-found": row.map((s, f) => [f + 1, s]), published: [[chosen[0] + 1, reported]] };
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(...levels([from, to], y, ticks),
    axis(x, [1, last], HEIGHT - BOTTOM), across("lf-half", 0.5), across("lf-said", reported),
    ...(byFold ? [] : [svg("path", { class: "lf-luck",
      d: `M${row.map((s, i) => `${x(i + 1).toFixed(1)} ${y(s).toFixed(1)}`).join("L")}` })]),
    ...(spots[protocol] ?? []).map(([i, s]) => svg("circle", { class: "lf-spot", cx: x(i), cy: y(s), r: 5.5 })),
    words(`accuracy, %, by ${byFold ? "fold" : "epoch"}`, (from + to) / 2, HEIGHT - 8));
}

/** The probabilities of what is reported. */
function drawHill(element, width, p, reported) {
  const n = p.length - 1;
  const x = (s) => LEFT + ((s - 0.3) / 0.7) * (width - LEFT - RIGHT);
  const top = Math.max(...p);
  const floor = HEIGHT - BOTTOM;
  const half = Math.max(0.6, (x(1) - x(0.3)) / (0.7 * n) / 2);
  const bars = p.flatMap((share, i) => (share < top / 400 || i / n < 0.3 ? [] : [svg("rect", {
    class: "lf-hill", x: x(i / n) - half, width: 2 * half,
    y: floor - (share / top) * (floor - TOP), height: (share / top) * (floor - TOP) })]));
  const up = (name, s) => svg("line", { class: name, x1: x(s), x2: x(s), y1: TOP, y2: floor });
  const line = svg("line", { class: "lf-line", x1: x(0.3), x2: x(1), y1: floor, y2: floor });
  const ticks = [0.3, 0.5, 0.7, 0.9].map((tick) => svg("text",
    { x: x(tick), y: floor + 19, "text-anchor": "middle" }, number(100 * tick, 0)));
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(...bars, line, ...ticks, up("lf-half", 0.5),
    up("lf-said", reported), words("reported accuracy, %, over all luck", (x(0.3) + x(1)) / 2, HEIGHT - 8));
}

function describe({ folds, size, epochs, p, said }) {
  const truth = expected(p);
  return `${folds} folds of ${size} graphs, ${epochs} epochs. This time ${number(100 * said.reported, 1)}% is `
    + `reported; in the mean over all luck ${number(100 * truth, 1)}%. The truth is 50%: `
    + `the protocol adds ${number(100 * (truth - 0.5), 1)} points.`;
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const [luck, hill] = [0, 1].map(() => svg("svg", { "aria-hidden": true }));
  const boxes = [luck, hill].map((picture) => html("div", {}, picture));
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  const state = { ...model.get("start"), protocol: "published", luck: 0 };

  function update() {
    const { protocol, folds, epochs } = state;
    const size = Math.max(1, Math.round(state.graphs / folds));
    const p = distribution(protocol, folds, size, epochs);
    const said = experiment(protocol, folds, size, epochs, state.luck);
    const width = Math.max(260, boxes[0].clientWidth);
    drawLuck(luck, width, protocol, said);
    drawHill(hill, width, p, said.reported);
    line.textContent = describe({ folds, size, epochs, p, said });
    say(line.textContent);
    choices.forEach((item, i) => item.setAttribute("aria-pressed", Object.keys(PROTOCOLS)[i] === protocol));
  }

  const dial = (name, key, range) => {
    const made = slider(name, range, (value) => `${value}`, (value) => {
      state[key] = value;
      update();
    });
    made.set(state[key]);
    return made.element;
  };
  const choices = Object.entries(PROTOCOLS).map(([protocol, name]) => button(name, () => {
    state.protocol = protocol;
    update();
  }));
  root.append(
    html("div", { class: "lf-row", role: "group", "aria-label": "Protocol" }, ...choices),
    dial("graphs", "graphs", { min: 20, max: 1000, step: 10 }),
    dial("folds", "folds", { min: 2, max: 20, step: 1 }),
    dial("epochs", "epochs", { min: 1, max: 300, step: 1 }),
    dial("luck", "luck", { min: 0, max: 50, step: 1 }),
    html("p", { class: "lf-quiet" }, "First one experiment, then all of them. Dotted: the truth. "
      + "Solid: what is reported."),
    html("div", { class: "lf-plots" }, ...boxes), line, ear);
  update();
  new ResizeObserver(update).observe(root);
}

export default { render, binomial, largest, distribution, expected, experiment, heads, bits };
