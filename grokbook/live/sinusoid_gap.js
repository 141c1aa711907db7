// Move one sinusoid over a straight line: the gap between them never closes.
import { axis, button, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [310, 46, 18, 12, 44];
const [LOW, HIGH] = [-0.5, 2.5]; // in units of the slope
const STEPS = 400;
const SAMPLES = Array.from({ length: STEPS + 1 }, (_, i) => (2 * i) / STEPS);

const STYLE = `${SLIDER_STYLE}
.lf-plotbox { max-width: 46rem; }
.lf-gap { fill: var(--lf-2); fill-opacity: 0.25; }
.lf-straight { fill: none; stroke: var(--lf-ink); stroke-width: 2.5;
  stroke-dasharray: 7 4; }
.lf-wave { fill: none; stroke: var(--lf-1); stroke-width: 3; }
.lf-miss { stroke: var(--lf-2); stroke-width: 4; }
.lf-level { stroke: var(--lf-grid); stroke-width: 1; }`;

/** The largest |slope·λ − R sin(λ + φ)| on [0, 2], and where it is. */
function gap(slope, R, phi) {
  const misses = SAMPLES.map((lam) => Math.abs(slope * lam - R * Math.sin(lam + phi)));
  const size = Math.max(...misses);
  return { size, at: SAMPLES[misses.indexOf(size)] };
}

/** No sinusoid of frequency 1 comes nearer than this to slope·λ on [0, 2]. */
function bound(slope) {
  return Math.abs(slope) * Math.tan(0.5) ** 2;
}

function draw(element, width, slope, R, phi) {
  const x = (lam) => LEFT + (lam / 2) * (width - LEFT - RIGHT);
  const y = (h) => TOP + ((HIGH - h / slope) / (HIGH - LOW)) * (HEIGHT - TOP - BOTTOM);
  const wave = (lam) => R * Math.sin(lam + phi);
  const points = SAMPLES.map((lam) => `${x(lam).toFixed(1)} ${y(wave(lam)).toFixed(1)}`);
  const { at } = gap(slope, R, phi);
  const rules = [0, 1, 2].flatMap((h) => [
    svg("line", { class: "lf-level", x1: x(0), x2: x(2), y1: y(slope * h), y2: y(slope * h) }),
    svg("text", { x: x(0) - 10, y: y(slope * h) + 4, "text-anchor": "end" }, number(slope * h)),
  ]);
  const line = `${x(2)} ${y(2 * slope)}L${x(0)} ${y(0)}`;
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(...rules, axis(x, [0, 0.5, 1, 1.5, 2], HEIGHT - BOTTOM),
    svg("text", { class: "lf-quiet", x: x(1), y: HEIGHT - 6, "text-anchor": "middle" },
      "frequency λ"),
    svg("path", { class: "lf-gap", d: `M${points.join("L")}L${line}Z` }),
    svg("path", { class: "lf-straight", d: `M${line}` }),
    svg("path", { class: "lf-wave", d: `M${points.join("L")}` }),
    svg("line", { class: "lf-miss", x1: x(at), x2: x(at), y1: y(wave(at)), y2: y(slope * at) }));
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const [slope, starts] = ["slope", "starts"].map((key) => model.get(key));
  const picture = svg("svg", { "aria-hidden": true });
  const plotbox = html("div", { class: "lf-plotbox" }, picture);
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  let width = 600;

  function update() {
    const [R, phi] = [model.get("R"), model.get("phi")];
    const { size, at } = gap(slope, R, phi);
    const text = `Largest gap ${number(size, 3)}, at λ = ${number(at)}. `
      + `No sinusoid gets below ${number(bound(slope), 3)}.`;
    draw(picture, width, slope, R, phi);
    line.textContent = text;
    say(text);
    buttons.forEach((item, i) => item.setAttribute(
      "aria-pressed", starts[i].R === R && starts[i].phi === phi));
  }

  const change = (key) => (value) => {
    model.set(key, value);
    model.save_changes();
    update();
  };
  const most = { R: 3 * Math.abs(slope), phi: Math.PI };
  const sliders = {
    R: slider("amplitude R", { min: 0, max: most.R, step: 0.01 }, (value) => number(value), change("R")),
    phi: slider("phase φ", { min: -most.phi, max: most.phi, step: 0.01 },
      (value) => number(value), change("phi")),
  };

  function load({ R, phi }) {
    model.set("R", R);
    model.set("phi", phi);
    sliders.R.set(R);
    sliders.phi.set(phi);
    model.save_changes();
    update();
  }

  const buttons = starts.map((start) => button(start.name, () => load(start)));
  root.append(
    html("div", { class: "lf-row", role: "group", "aria-label": "Sinusoids to start from" },
      ...buttons),
    sliders.R.element, sliders.phi.element,
    html("p", { class: "lf-quiet" }, `Dashed: ${slope === 1 ? "" : number(slope)}λ. `
      + "Solid: R sin(λ + φ). Shaded: the gap; the bar is where it is largest."),
    plotbox, line, ear);
  load(starts[0]);
  new ResizeObserver(() => {
    width = Math.max(280, plotbox.clientWidth);
    update();
  }).observe(plotbox);
}

export default { render, gap, bound };
