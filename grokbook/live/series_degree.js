// Move K, M, the tolerance and the edges: what degree does a series need, and
// is it then cheaper than the eigenvectors?
import { axis, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [300, 52, 18, 12, 44];
const NODES = 4096; // of the cosine transform: enough for K = 5, M = 32
const [LOW, HIGH] = [-10, 1]; // powers of ten that are drawn

const STYLE = `${SLIDER_STYLE}
.lf-plotbox { max-width: 46rem; }
.lf-level { stroke: var(--lf-grid); stroke-width: 1; }
.lf-tail { fill: none; stroke: var(--lf-1); stroke-width: 3; }
.lf-allowed { stroke: var(--lf-2); stroke-width: 2; stroke-dasharray: 7 4; }
.lf-degree { stroke: var(--lf-3); stroke-width: 2.5; }`;

/** Discrete Fourier transform of real and imaginary parts, in place. */
function fft(re, im) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i += 1) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    for (let k = 0; k < size / 2; k += 1) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / size), -Math.sin((2 * Math.PI * k) / size)];
      for (let a = k; a < n; a += size) {
        const b = a + size / 2;
        const [x, y] = [re[b] * c - im[b] * s, re[b] * s + im[b] * c];
        [re[b], im[b]] = [re[a] - x, im[a] - y];
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

/** Chebyshev coefficients of h on [0, 2] from its values at n nodes. */
function coefficients(h, n = NODES) {
  const re = new Float64Array(2 * n);
  for (let j = 0; j < n; j += 1) {
    re[j] = h(1 + Math.cos(((j + 0.5) * Math.PI) / n));
    re[2 * n - 1 - j] = re[j];
  }
  const im = new Float64Array(2 * n);
  fft(re, im);
  return Array.from({ length: n }, (_, r) => {
    const angle = (r * Math.PI) / (2 * n);
    const turned = re[r] * Math.cos(angle) + im[r] * Math.sin(angle);
    return turned / (r === 0 ? 2 * n : n);
  });
}

/** The error that a series cut off before each degree may have: the larger
    sum of what is left of cos(Mλᴷ) and of sin(Mλᴷ). */
function tails(K, M, n = NODES) {
  const pair = [Math.cos, Math.sin].map((wave) => {
    const c = coefficients((lam) => wave(M * lam ** K), n);
    for (let r = n - 1, sum = 0; r >= 0; r -= 1) c[r] = sum += Math.abs(c[r]);
    return c;
  });
  return pair[0].map((tail, r) => Math.max(tail, pair[1][r]));
}

/** The smallest degree whose error is within the tolerance. */
function degree(K, M, tolerance) {
  return Math.max(0, tails(K, M).filter((tail) => tail > tolerance).length - 1);
}

/** Numbers multiplied per signal in a step, forward and backward. */
function work(edges, perNode, R, sparse) {
  const N = edges / perNode;
  return { series: 4 * edges * R * sparse, exact: 4 * N * N, even: R * perNode ** 2 * sparse };
}

const power = (value) => {
  const [digits, exponent] = value.toExponential(0).split("e");
  const raised = [...String(Number(exponent))].map((d) => (
    d === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[d])).join("");
  return digits === "1" ? `10${raised}` : `${digits}·10${raised}`;
};

function draw(element, width, tail, tolerance, R) {
  const last = Math.max(20, Math.ceil(tail.filter((t) => t > 1e-9).length * 1.1));
  const x = (r) => LEFT + (r / last) * (width - LEFT - RIGHT);
  const y = (t) => TOP + ((HIGH - Math.log10(Math.max(t, 1e-10))) / (HIGH - LOW))
    * (HEIGHT - TOP - BOTTOM);
  const shown = tail.slice(0, last + 1);
  const points = shown.map((t, r) => `${x(r).toFixed(1)} ${y(t).toFixed(1)}`);
  const rules = [0, -2, -4, -6, -8].flatMap((p) => [
    svg("line", { class: "lf-level", x1: x(0), x2: x(last), y1: y(10 ** p), y2: y(10 ** p) }),
    svg("text", { x: x(0) - 8, y: y(10 ** p) + 4, "text-anchor": "end" }, power(10 ** p)),
  ]);
  const step = 10 ** Math.floor(Math.log10(last)) / (last / 10 ** Math.floor(Math.log10(last)) < 4 ? 2 : 1);
  const ticks = [];
  for (let r = 0; r <= last; r += step) ticks.push(r);
  const few = ticks.length > 6 ? ticks.filter((_, i) => i % 2 === 0) : ticks;
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(...rules, axis(x, few, HEIGHT - BOTTOM),
    svg("text", { class: "lf-quiet", x: x(last / 2), y: HEIGHT - 6, "text-anchor": "middle" },
      "degree of the series"),
    svg("path", { class: "lf-tail", d: `M${points.join("L")}` }),
    svg("line", { class: "lf-allowed", x1: x(0), x2: x(last), y1: y(tolerance), y2: y(tolerance) }),
    svg("line", { class: "lf-degree", x1: x(R), x2: x(R), y1: y(tolerance), y2: HEIGHT - BOTTOM }));
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const [perNode, sparse] = ["per_node", "sparse"].map((key) => model.get(key));
  const picture = svg("svg", { "aria-hidden": true });
  const plotbox = html("div", { class: "lf-plotbox" }, picture);
  const line = html("p", {});
  const verdict = html("p", { class: "lf-verdict" });
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  let width = 600;

  function update() {
    const [K, M] = [model.get("K"), model.get("M")];
    const [tolerance, edges] = [10 ** model.get("digits"), 10 ** model.get("size")];
    const tail = tails(K, M);
    const R = Math.max(0, tail.filter((t) => t > tolerance).length - 1);
    const { series, exact, even } = work(edges, perNode, R, sparse);
    const ratio = exact / series;
    const words = ratio >= 1 ? `the series is ${number(ratio, 1)} times cheaper`
      : `the eigenvectors are ${number(1 / ratio, 1)} times cheaper`;
    draw(picture, width, tail, tolerance, R);
    line.textContent = `Degree ${R}, error at most ${power(tail[R + 1])}.`;
    verdict.textContent = `A step with ${power(edges)} edges, ${perNode} for each node: `
      + `${words}, the decomposition not counted. They cost the same at `
      + `${Math.round(even).toLocaleString("en")} edges.`;
    say(`${line.textContent} ${verdict.textContent}`);
  }

  const control = (key, name, range, show) => {
    const item = slider(name, range, show, (value) => {
      model.set(key, value);
      model.save_changes();
      update();
    });
    item.set(model.get(key));
    return item.element;
  };
  root.append(
    control("K", "order K", { min: 1, max: 5, step: 1 }, String),
    control("M", "harmonic M", { min: 1, max: 32, step: 1 }, String),
    control("digits", "tolerance", { min: -8, max: -1, step: 1 }, (v) => power(10 ** v)),
    control("size", "edges", { min: 3, max: 8, step: 1 }, (v) => power(10 ** v)),
    html("p", { class: "lf-quiet" }, "Curve: the error that is left at each degree, for "
      + "cos(Mλᴷ) or sin(Mλᴷ), whichever is larger. Dashed: the tolerance. Upright: the degree."),
    plotbox, line, verdict, ear);
  update();
  new ResizeObserver(() => {
    width = Math.max(280, plotbox.clientWidth);
    update();
  }).observe(plotbox);
}

export default { render, coefficients, tails, degree, work };
