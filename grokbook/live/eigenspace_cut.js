// Keep the first q waves of a ring, turn the basis, see whether it matters.
import { axis, button, fixed, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const [HEIGHT, LEFT, RIGHT, MIDDLE, BASE] = [336, 46, 18, 96, 208];
const TALL = 84; // of the longest bar

const STYLE = `${SLIDER_STYLE}
.lf-plotbox { max-width: 46rem; }
.lf-kept { fill: var(--lf-1); stroke: var(--lf-1); stroke-width: 2; }
.lf-dropped { fill: var(--lf-paper); stroke: var(--lf-muted); stroke-width: 2; }
.lf-torn { stroke: var(--lf-2); stroke-width: 3; fill: none; }
.lf-now { fill: var(--lf-1); }
.lf-then { fill: none; stroke: var(--lf-ink); stroke-width: 1.5;
  stroke-dasharray: 4 3; }
.lf-ground { stroke: var(--lf-muted); stroke-width: 1; }`;

/** The waves of a ring of n nodes by ascending eigenvalue, each pair of equal
    ones turned by `angle` inside its plane. */
function waves(n, angle) {
  const list = [];
  for (let k = 0; 2 * k <= n; k += 1) {
    const single = k === 0 || 2 * k === n;
    const size = Math.sqrt((single ? 1 : 2) / n);
    for (let turn = 0; turn < (single ? 1 : 2); turn += 1) {
      const phase = single ? 0 : angle + (turn * Math.PI) / 2;
      list.push({ k, lam: 1 - Math.cos((2 * Math.PI * k) / n),
        u: Array.from({ length: n }, (_, i) => size * Math.cos((2 * Math.PI * k * i) / n - phase)) });
    }
  }
  return list;
}

/** The filter on the first q waves alone; h has one value per k. */
function truncated(x, h, q, angle) {
  const y = x.map(() => 0);
  for (const { k, u } of waves(x.length, angle).slice(0, q)) {
    const part = h[k] * u.reduce((sum, value, i) => sum + value * x[i], 0);
    u.forEach((value, i) => { y[i] += part * value; });
  }
  return y;
}

/** Whether keeping q waves parts two of the same eigenvalue; if so, which. */
function torn(n, q) {
  const list = waves(n, 0);
  return q < n && list[q - 1].k === list[q].k ? list[q].lam : null;
}

const largest = (values) => Math.max(...values.map(Math.abs));

function drawSpectrum(x, n, q) {
  const list = waves(n, 0);
  const cut = torn(n, q);
  const dots = list.map(({ lam, k }, i) => {
    const level = i > 0 && list[i - 1].k === k ? 1 : 0;
    return svg("circle", { class: i < q ? "lf-kept" : "lf-dropped",
      cx: x(lam), cy: MIDDLE - 42 - 18 * level, r: 6.5 });
  });
  const ring = cut === null ? [] : [svg("rect", { class: "lf-torn",
    x: x(cut) - 13, y: MIDDLE - 74, width: 26, height: 46, rx: 13 })];
  return [axis(x, [0, 0.5, 1, 1.5, 2], MIDDLE - 22), ...dots, ...ring];
}

function drawBars(width, now, then, scale) {
  const step = (width - LEFT - RIGHT) / now.length;
  const bar = (kind, value, i, share) => svg("rect", { class: kind,
    x: LEFT + step * (i + (1 - share) / 2), width: step * share,
    y: BASE - Math.max(0, value / scale) * TALL,
    height: Math.max(0.5, (Math.abs(value) / scale) * TALL) });
  const names = now.map((_, i) => svg("text", { x: LEFT + step * (i + 0.5), y: BASE + TALL + 18,
    "text-anchor": "middle" }, i));
  return [...now.map((value, i) => bar("lf-now", value, i, 0.5)),
    ...then.map((value, i) => bar("lf-then", value, i, 0.7)),
    svg("line", { class: "lf-ground", x1: LEFT, x2: width - RIGHT, y1: BASE, y2: BASE }), ...names];
}

/** What the figure shows, in a sentence. */
function sentence(x, h, q, degrees) {
  const turned = truncated(x, h, q, (degrees * Math.PI) / 180);
  const change = largest(turned.map((value, i) => value - truncated(x, h, q, 0)[i]));
  const cut = torn(x.length, q);
  const where = cut === null ? "parts no eigenspace" : `parts the pair at λ = ${number(cut)}`;
  return `Keeping ${q} of ${x.length} ${where}. Turning the basis by ${degrees}° changes the `
    + `output by up to ${fixed(change)}.`;
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const [signal, h] = ["signal", "response"].map((key) => model.get(key));
  const n = signal.length;
  const picture = svg("svg", { "aria-hidden": true });
  const plotbox = html("div", { class: "lf-plotbox" }, picture);
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  const scale = Math.max(...Array.from({ length: n }, (_, i) => i + 1).flatMap(
    (q) => [0, 1, 2, 3, 4, 5].map((a) => largest(truncated(signal, h, q, (a * Math.PI) / 6))))) || 1;
  let width = 600;

  function update() {
    const [q, degrees] = [model.get("q"), model.get("degrees")];
    const now = truncated(signal, h, q, (degrees * Math.PI) / 180);
    const text = sentence(signal, h, q, degrees);
    const x = (lam) => LEFT + (lam / 2) * (width - LEFT - RIGHT);
    picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    picture.replaceChildren(...drawSpectrum(x, n, q),
      ...drawBars(width, now, truncated(signal, h, q, 0), scale),
      svg("text", { class: "lf-quiet", x: LEFT, y: 14 }, "eigenvalues: filled ones are kept"),
      svg("text", { class: "lf-quiet", x: width / 2, y: HEIGHT - 4, "text-anchor": "middle" },
        "node of the ring"));
    line.textContent = text;
    say(text);
  }

  const change = (key) => (value) => {
    model.set(key, value);
    model.save_changes();
    update();
  };
  const sliders = {
    q: slider("eigenvectors kept, q", { min: 1, max: n, step: 1 }, String, change("q")),
    degrees: slider("turn of the basis", { min: 0, max: 180, step: 1 },
      (value) => `${value}°`, change("degrees")),
  };

  function load() {
    for (const [key, value] of [["q", model.get("start")], ["degrees", 0]]) {
      model.set(key, value);
      sliders[key].set(value);
    }
    model.save_changes();
    update();
  }

  root.append(sliders.q.element, sliders.degrees.element,
    html("div", { class: "lf-row" }, button("reset", load)),
    html("p", { class: "lf-quiet" },
      "Bars: the output now. Dashed: the output before the basis was turned."),
    plotbox, line, ear);
  load();
  new ResizeObserver(() => {
    width = Math.max(280, plotbox.clientWidth);
    update();
  }).observe(plotbox);
}

export default { render, waves, truncated, torn, sentence };
