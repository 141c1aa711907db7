// The sizes of GrokFormer: every tensor's shape, and what each part costs.
import { button, frame, html, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const STYLE = `${SLIDER_STYLE}
.lf-knobs { display: grid; gap: 0 1.6rem; max-width: 58rem;
  grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }
.lf .lf-knobs label.lf-slider { grid-template-columns: 7.5rem minmax(6rem, 1fr) 3.2rem; }
@media (max-width: 30rem) { .lf .lf-knobs label.lf-slider {
  grid-template-columns: minmax(0, 1fr) 4rem; min-height: 0; } }
.lf-sides { display: flex; flex-wrap: wrap; gap: 0.8rem 1.6rem; margin-top: 0.6rem; }
.lf-sides > div { flex: 1 1 20rem; min-width: 0; max-width: 28rem; }
.lf svg text.lf-name { font-weight: 600; }
.lf svg text.lf-small { font-size: 12px; }
.lf-box { fill: var(--lf-paper); stroke: var(--lf-ink); stroke-width: 1.2; }
.lf-box-attention { stroke: var(--lf-1); stroke-width: 2.4; }
.lf-box-filter { stroke: var(--lf-2); stroke-width: 2.4; }
.lf-flow { fill: none; stroke: var(--lf-muted); stroke-width: 1.5; }
.lf-head { fill: var(--lf-muted); }
.lf-loop { fill: none; stroke: var(--lf-muted); stroke-dasharray: 4 3; }
.lf table { border-collapse: collapse; width: 100%; margin: 0; display: table;
  table-layout: fixed; font-size: 0.78rem; font-variant-numeric: tabular-nums; }
.lf caption { text-align: left; font-weight: 600; padding: 0.2rem 0; }
.lf table th, .lf table td { padding: 0.15rem; text-align: right; border: 0;
  border-bottom: 1px solid var(--lf-grid); background: none; color: inherit;
  font-weight: 400; white-space: nowrap; }
.lf table thead td { width: 24%; } /* the bars share a scale: equal columns */
.lf table th:first-child { text-align: left; padding-left: 0; }
.lf table th[colspan="2"], .lf table tr.lf-total > * { font-weight: 600; }
.lf-bar { display: block; height: 5px; margin: 2px 0 1px auto; min-width: 1px; }
.lf-paper { background: var(--lf-1); } .lf-released { background: var(--lf-2); }`;

const READINGS = ["paper", "released"];
const PARTS = ["embedding", "attention", "filter", "feed-forward", "scores"];
const KNOBS = [
  ["N", "nodes N", 2, 5000], ["F", "features F", 1, 4000], ["H", "hidden H", 4, 256, 4],
  ["C", "classes C", 2, 40], ["heads", "heads r", 1, 5], ["K", "order K", 1, 10],
  ["M", "harmonics M", 1, 32], ["B", "layers B", 1, 4]];

/** The widths that the readings choose differently. */
function widths({ H, C, heads }, reading) {
  const released = reading === "released";
  const c = released ? C : H; // of the layers
  const inner = released ? heads * c : c; // of Q, K and V
  const apart = released ? 1 : heads; // heads that are cut
  return { released, c, inner, apart, w: inner / apart };
}

/** Parameters and multiply-adds of each part. */
function cost(sizes, reading) {
  const { N, F, H, C, K, M, B } = sizes;
  const { released, c, inner, w } = widths(sizes, reading);
  const linear = (a, b) => a * b + b;
  const own = released ? 1 : B; // sets of weights
  const parameters = {
    embedding: linear(F, H) + linear(H, c),
    attention: own * (2 * c + 3 * linear(c, inner) + linear(inner, c)),
    filter: own * (K + K * (M + 1) + K * M),
    "feed-forward": own * (2 * c + 2 * linear(c, c)),
    scores: released ? 0 : linear(c, C),
  };
  const products = {
    embedding: N * F * H + N * H * c,
    attention: B * (4 * N * c * inner + 2 * N * inner * w),
    filter: B * (2 * N * N * c + N * (1 + 2 * K * M)),
    "feed-forward": B * 2 * N * c * c,
    scores: released ? 0 : N * c * C,
  };
  return { parameters, products };
}

/** The tensors of one forward pass, by name. */
function shapes(sizes, reading) {
  const { N, F, H, C, K, M } = sizes;
  const { c, inner, apart, w } = widths(sizes, reading);
  const cut = (rows) => (apart > 1 ? [apart, rows, w] : [rows, inner]);
  return { x: [N, F], hidden: [N, H], X: [N, c], Q: cut(N), KV: cut(w), attended: [N, c],
    basis: [N, 1 + 2 * K * M], X_hat: [N, c], filtered: [N, c], Y: [N, c], scores: [N, C] };
}

const possible = ({ H, heads }, reading) => reading === "released" || H % heads === 0;
const total = (table) => PARTS.reduce((sum, part) => sum + table[part], 0);
const times = (shape) => shape.join(" × ");
const exact = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** Three digits and a unit: 248 M is 248 million. */
function short(value) {
  if (value < 1000) return String(value);
  const step = Math.min(3, Math.floor(Math.log10(value) / 3));
  const rounded = Number((value / 1000 ** step).toPrecision(3));
  if (rounded >= 1000 && step < 3) return `1 ${" kMG"[step + 1]}`;
  return `${rounded} ${" kMG"[step]}`;
}

function box(x, y, width, height, kind, lines) {
  const middle = x + width / 2;
  return [svg("rect", { class: `lf-box lf-box-${kind}`, x, y, width, height, rx: 6 }),
    ...lines.map((line, i) => svg("text", { class: i ? "lf-small" : "lf-name", x: middle,
      y: y + 19 + 17 * i, "text-anchor": "middle" }, line))];
}

function arrow(...points) {
  const [x, y] = points.at(-1);
  return [svg("polyline", { class: "lf-flow", points: points.join(" ") }),
    svg("path", { class: "lf-head", d: `M${x} ${y + 1}l-4 -7h8z` })];
}

/** The architecture with the shapes of one reading. */
function draw(sizes, reading) {
  const s = shapes(sizes, reading);
  const { released } = widths(sizes, reading);
  const { F, H, K, M, B } = sizes;
  const note = (y, text) => svg("text", { class: "lf-small lf-quiet", x: 190, y }, text);
  const c = s.X[1];
  const marks = [
    svg("text", { class: "lf-small", x: 182, y: 12, "text-anchor": "middle" }, `features ${times(s.x)}`),
    ...arrow([182, 17], [182, 28]),
    ...box(60, 29, 244, 44, "plain", ["embedding", `${F} → ${H} → ${c}`]),
    ...arrow([182, 73], [182, 112], [80, 112], [80, 128]), ...arrow([182, 112], [284, 112], [284, 128]),
    note(92, `X ${times(s.X)}`),
    ...box(6, 129, 152, 80, "attention", ["attention", `Q, K, V ${times(s.Q)}`,
      `KᵀV ${times(s.KV)}`, released ? "nothing normalised" : "softmax on Q, on K"]),
    ...box(206, 129, 152, 80, "filter", ["filter h(L)", `UᵀX ${times(s.X_hat)}`,
      `K = ${K}, M = ${M}`, `1 + 2KM = ${1 + 2 * K * M} waves`]),
    ...arrow([182, 112], [182, 229]), ...arrow([80, 209], [80, 240], [170, 240]).slice(0, 1),
    ...arrow([284, 209], [284, 240], [194, 240]).slice(0, 1),
    svg("circle", { class: "lf-box", cx: 182, cy: 240, r: 11 }),
    svg("text", { class: "lf-name", x: 182, y: 245, "text-anchor": "middle" }, "+"),
    note(268, `X′ ${times(s.Y)}`), ...arrow([182, 251], [182, 282]),
    ...box(60, 283, 244, 44, "plain", ["feed-forward, + its input", `${c} → ${c} → ${c}`]),
    ...arrow([182, 327], [182, 354]),
    svg("rect", { class: "lf-loop", x: 0.5, y: 100, width: 363, height: 236, rx: 8 }),
    svg("text", { class: "lf-small lf-quiet", x: 356, y: 351, "text-anchor": "end" },
      B === 1 ? "1 layer" : `${B} times, ${released ? "the same weights" : "own weights"}`),
  ];
  const end = released ? [] : [...box(60, 355, 244, 28, "plain", [`linear ${c} → ${sizes.C}`]),
    ...arrow([182, 383], [182, 402])];
  return [...marks, ...end, svg("text", { class: "lf-small", x: 182,
    y: released ? 369 : 417, "text-anchor": "middle" }, `scores ${times(s.scores)}`)];
}

/** A table of both readings; a bar under each count of multiply-adds. */
function table(sizes) {
  const costs = READINGS.map((reading) => (possible(sizes, reading) ? cost(sizes, reading) : null));
  const most = Math.max(...costs.filter(Boolean).flatMap(({ products }) => PARTS.map((p) => products[p])));
  const cell = (text, ...more) => html("td", {}, text, ...more);
  const bar = (value, reading) => html("span", { class: `lf-bar lf-${reading}`,
    style: `width: ${(100 * value) / most}%` });
  const line = (part, read, className = "") => html("tr", { class: className },
    html("th", { scope: "row" }, part),
    ...costs.map((c) => cell(c ? exact(read(c.parameters)) : "–")),
    ...costs.map((c, i) => (c ? cell(short(read(c.products)),
      ...(className ? [] : [bar(read(c.products), READINGS[i])])) : cell("–"))));
  const head = (text, span) => html("th", { scope: span ? "colgroup" : "col", colspan: span ?? 1 }, text);
  return [html("caption", {}, "What each part costs"),
    html("thead", {}, html("tr", {}, html("td", {}), head("parameters", 2), head("multiply-adds", 2)),
      html("tr", {}, html("td", {}), ...[...READINGS, ...READINGS].map((name) => head(name)))),
    html("tbody", {}, ...PARTS.map((part) => line(part, (c) => c[part])), line("total", total, "lf-total"))];
}

/** What the numbers say, in words. */
function summary(sizes, reading) {
  if (!possible(sizes, reading)) {
    return `${sizes.heads} heads cannot share ${sizes.H} channels: the paper's reading needs a number that divides.`;
  }
  const { parameters, products } = cost(sizes, reading);
  const largest = PARTS.reduce((best, part) => (products[part] > products[best] ? part : best));
  const share = Math.round((100 * products[largest]) / total(products));
  return `As ${reading === "paper" ? "the paper writes it" : "released"}: ${exact(total(parameters))
  } parameters; ${share}% of the multiply-adds are in the ${largest}.`;
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const starts = model.get("starts");
  const drawing = svg("svg", { viewBox: "0 0 364 424", "aria-hidden": true });
  const rows = html("table", {});
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);

  function update() {
    const [sizes, reading] = [model.get("sizes"), model.get("reading")];
    const text = summary(sizes, reading);
    drawing.replaceChildren(...(possible(sizes, reading) ? draw(sizes, reading) : [svg("text",
      { x: 182, y: 200, "text-anchor": "middle" }, `${sizes.heads} heads cannot share ${sizes.H} channels`)]));
    rows.replaceChildren(...table(sizes));
    line.textContent = text;
    say(text);
    readings.forEach((item, i) => item.setAttribute("aria-pressed", READINGS[i] === reading));
    choices.forEach((item, i) => item.setAttribute("aria-pressed",
      KNOBS.every(([key]) => starts[i].sizes[key] === sizes[key])));
  }

  function set(values) {
    Object.entries(values).forEach(([key, value]) => model.set(key, value));
    model.save_changes();
    knobs.forEach((knob, i) => knob.set(model.get("sizes")[KNOBS[i][0]]));
    update();
  }

  const knobs = KNOBS.map(([key, name, min, max, step = 1]) => slider(name, { min, max, step },
    exact, (value) => set({ sizes: { ...model.get("sizes"), [key]: value } })));
  const readings = READINGS.map((reading) => button(reading, () => set({ reading })));
  const choices = starts.map((start) => button(start.name, () => set({ sizes: start.sizes })));
  const row = (label, items) => html("div", { class: "lf-row", role: "group", "aria-label": label }, ...items);
  root.append(row("Sizes to start from", choices), row("Reading", readings),
    html("div", { class: "lf-knobs" }, ...knobs.map((knob) => knob.element)),
    html("div", { class: "lf-sides" }, html("div", {}, drawing), html("div", {}, rows, line)), ear);
  set({ sizes: starts[0].sizes, reading: model.get("reading") });
}

export default { render, cost, shapes, possible, short };
