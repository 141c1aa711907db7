// A response on [0, 2], and what the filter makes of one spike on a path.
import { axis, number, svg } from "./shared.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [250, 44, 14, 30, 44];
const [LOW, HIGH] = [-0.5, 1.5];
const SAMPLES = Array.from({ length: 201 }, (_, i) => i / 100);

export const SPREAD_STYLE = `
.lf-clip { overflow: hidden !important; }
.lf-curve { fill: none; stroke: var(--lf-1); stroke-width: 3; stroke-linejoin: round; }
.lf-goal { fill: none; stroke: var(--lf-muted); stroke-width: 2; stroke-dasharray: 2 4; }
.lf-term { fill: none; stroke: var(--lf-2); stroke-width: 2; stroke-dasharray: 7 4; }
.lf-reach { fill: var(--lf-3); fill-opacity: 0.16; }
.lf-reached { fill: var(--lf-1); stroke: none; }
.lf-untouched { fill: var(--lf-paper); stroke: var(--lf-muted); stroke-width: 1.5; }`;

/** The plot of h. Curves are functions of a list of eigenvalues, or null. */
export function curveView() {
  const element = svg("svg", { role: "img", class: "lf-clip" });
  let width = 400;
  const x = (lam) => LEFT + (lam / 2) * (width - LEFT - RIGHT);
  const y = (h) => TOP + ((HIGH - h) / (HIGH - LOW)) * (HEIGHT - TOP - BOTTOM);
  const kept = (h) => Math.min(HIGH + 0.4, Math.max(LOW - 0.1, h));
  const line = (kind, curve) => (curve ? [svg("path", { class: kind,
    d: `M${curve(SAMPLES).map((h, i) => `${x(SAMPLES[i]).toFixed(1)} ${y(kept(h)).toFixed(1)}`).join("L")}` })] : []);

  function draw(curve, goal, term, label) {
    element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    element.setAttribute("aria-label", label);
    element.replaceChildren(
      svg("text", { class: "lf-quiet", x: 4, y: TOP - 14 }, "h(λ)"),
      ...[LOW, 0, 0.5, 1, HIGH].flatMap((h) => [
        svg("line", { class: "lf-rule", x1: x(0), x2: x(2), y1: y(h), y2: y(h) }),
        svg("text", { x: x(0) - 8, y: y(h) + 4, "text-anchor": "end" }, number(h))]),
      axis(x, [0, 0.5, 1, 1.5, 2], y(LOW)),
      svg("text", { class: "lf-quiet", x: x(1), y: HEIGHT - 5, "text-anchor": "middle" }, "frequency λ"),
      ...line("lf-goal", goal), ...line("lf-term", term), ...line("lf-curve", curve));
  }

  return { element, draw, resize(pixels) { width = Math.max(280, pixels); } };
}

/** A signal on a path, and the nodes at most K steps from the middle. */
export function pathView(count) {
  const element = svg("svg", { role: "img", class: "lf-clip" });
  const [height, middle, size] = [150, (count - 1) / 2, 62];
  let width = 600;
  const x = (i) => 18 + (i / (count - 1)) * (width - 36);
  const y = (value) => 72 - size * Math.min(1.15, Math.max(-1.15, value));

  function mark(value, i, K) {
    const reached = Math.abs(i - middle) <= K;
    return svg("circle", { class: reached ? "lf-reached" : "lf-untouched",
      cx: x(i), cy: y(value), r: reached ? 5.5 : 4 });
  }

  function draw(signal, K, label) {
    const half = 0.5 * (x(1) - x(0));
    element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    element.setAttribute("aria-label", label);
    element.replaceChildren(
      svg("rect", { class: "lf-reach", x: x(middle - K) - half, y: 4,
        width: x(middle + K) - x(middle - K) + 2 * half, height: 132 }),
      svg("line", { class: "lf-rule", x1: x(0), x2: x(count - 1), y1: y(0), y2: y(0) }),
      ...signal.map((value, i) => svg("line", { class: "lf-stem", x1: x(i), x2: x(i), y1: y(0), y2: y(value) })),
      ...signal.map((value, i) => mark(value, i, K)));
  }

  return { element, draw, resize(pixels) { width = Math.max(280, pixels); } };
}
