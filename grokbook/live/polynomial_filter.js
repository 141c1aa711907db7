// Coefficients in five bases, the response they make, and how far it reaches.
import { BASES, coefficientsOf, pathLaplacian, respond, sum } from "./bases.js";
import { evaluate } from "./chebyshev.js";
import { COEFFICIENT_STYLE, coefficientView, rangeFor } from "./coefficient_view.js";
import { button, frame, html, number, speaker } from "./shared.js";
import { SPREAD_STYLE, curveView, pathView } from "./spread_view.js";

const STYLE = `${COEFFICIENT_STYLE}${SPREAD_STYLE}
.lf-panels { display: grid; gap: 0.5rem 1.5rem; max-width: 52rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.lf-panels > div, .lf-path { min-width: 0; }
.lf-path { max-width: 52rem; margin-top: 0.5rem; }
.lf-row > span { align-self: center; min-width: 4.2rem; }
.lf-key { display: inline-block; width: 1.7rem; margin-right: 0.4rem;
  vertical-align: 0.25rem; border-top: 3px solid; }
.lf-legend { display: flex; flex-wrap: wrap; gap: 0.1rem 1.2rem; }`;

const NAMES = { monomial: "monomial", chebyshev: "Chebyshev", gpr: "GPR",
  bernstein: "Bernstein", jacobi: "Jacobi (1, 1)" };
const DEGREES = [1, 2, 3, 4, 5, 6, 7, 8];
const NODES = 21;
const hops = (count) => `${count} ${count === 1 ? "hop" : "hops"}`;

const group = (label, buttons) => html("div", { class: "lf-row", role: "group", "aria-label": label },
  html("span", { class: "lf-quiet", "aria-hidden": true }, label), ...buttons);

function legend() {
  const entry = (style, text) => html("span", {}, html("span", { class: "lf-key", style }), text);
  return html("p", { class: "lf-quiet lf-legend" },
    entry("border-color: var(--lf-1)", "response"),
    entry("border-color: var(--lf-muted); border-top-style: dotted", "what it should be"),
    entry("border-color: var(--lf-2); border-top-style: dashed", "term of the slider you point at"));
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const presets = model.get("presets");
  const laplacian = pathLaplacian(NODES);
  const spike = Array.from({ length: NODES }, (_, i) => Number(i === (NODES - 1) / 2));
  const plain = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  const curve = curveView();
  const path = pathView(NODES);
  let [range, pointed] = [2, null];
  const sliders = coefficientView((k, value) => {
    const theta = [...model.get("theta")];
    theta[k] = value;
    set({ theta, preset: null });
  }, (k) => {
    pointed = k;
    draw();
  });
  const goal = () => presets.find((preset) => preset.name === model.get("preset"));

  function set(values) {
    Object.entries(values).forEach(([key, value]) => model.set(key, value));
    model.save_changes();
    draw();
  }

  /** Change basis or degree. The response stays where it is, as far as the
      degree allows; a ready-made one is cut off anew. */
  function express(basis, K, preset) {
    const before = [model.get("basis"), model.get("theta")];
    const series = preset?.coefficients.slice(0, K + 1);
    const h = series ? (lams) => lams.map((lam) => evaluate(series, lam))
      : (lams) => respond(...before, lams);
    const theta = coefficientsOf(h, basis, K);
    range = rangeFor(Math.max(...theta.map(Math.abs)) * 0.999);
    set({ basis, theta, preset: preset?.name ?? null });
  }

  function summary(h, signal) {
    const far = signal.map((value, i) => (
      Math.abs(value) > 1e-12 ? Math.abs(i - (NODES - 1) / 2) : 0));
    return `${NAMES[model.get("basis")]}, degree ${K()}: h(0) = ${number(h[0])}, `
      + `h(1) = ${number(h[1])}, h(2) = ${number(h[2])}. `
      + `The farthest node that the spike reaches is ${hops(Math.max(...far))} away.`;
  }

  function draw() {
    const [basis, theta, preset] = [model.get("basis"), model.get("theta"), goal()];
    const K = theta.length - 1;
    const signal = sum(basis, theta, laplacian, spike);
    const text = summary(respond(basis, theta, [0, 1, 2]), signal);
    const one = pointed !== null && pointed <= K && theta.map((_, k) => Number(k === pointed));
    sliders.draw(theta, range);
    curve.draw((lams) => respond(basis, theta, lams),
      preset && ((lams) => lams.map((lam) => evaluate(preset.coefficients, lam))),
      one && ((lams) => respond(basis, one, lams)), `Response. ${text}`);
    path.draw(signal, K, "A spike in the middle of a path, after the filter.");
    press(bases, Object.keys(BASES).indexOf(basis));
    press(degrees, DEGREES.indexOf(K));
    press(starts, presets.indexOf(preset));
    if (plain.textContent !== text) say(text);
    plain.textContent = text;
  }

  const press = (buttons, at) => buttons.forEach((item, i) => item.setAttribute("aria-pressed", i === at));
  const K = () => model.get("theta").length - 1;
  const bases = Object.keys(BASES).map((name) => button(NAMES[name],
    () => express(name, K(), goal())));
  const degrees = DEGREES.map((degree) => button(String(degree),
    () => express(model.get("basis"), degree, goal())));
  const starts = presets.map((preset) => button(preset.name,
    () => express(model.get("basis"), K(), preset)));
  const boxes = [sliders, curve].map((view) => html("div", {}, view.element));
  const below = html("div", { class: "lf-path" }, path.element);
  root.append(group("Basis", bases), group("Degree", degrees), group("Start", starts),
    html("p", {}, "Drag a coefficient, or focus one and press the up and down arrows."),
    html("div", { class: "lf-panels" }, ...boxes), legend(), below,
    html("p", { class: "lf-quiet" }, "A spike on the middle node of a path, after the filter. "
      + "Shaded: the nodes that its degree lets it reach."), plain, ear);
  model.set("theta", Array(model.get("degree") + 1).fill(0));
  express(model.get("basis"), model.get("degree"), presets[0]);
  new ResizeObserver(() => {
    [[sliders, boxes[0]], [curve, boxes[1]], [path, below]].forEach(
      ([view, box]) => view.resize(box.clientWidth));
    draw();
  }).observe(root);
}

export default { render, coefficientsOf, pathLaplacian, rangeFor, respond, sum };
