// A frequency response on [0, 2] with handles the reader drags.
import { axis, number, onKeys, svg } from "./shared.js";

export const LOW = -0.5;
export const HIGH = 1.5;
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [280, 52, 18, 30, 44];

export const RESPONSE_STYLE = `
.lf-handle { cursor: ns-resize; touch-action: none; }
.lf-handle .lf-knob { fill: var(--lf-paper); stroke: var(--lf-1);
  stroke-width: 3; }
.lf-handle .lf-ring { fill: none; stroke: none; stroke-width: 3; }
.lf-handle:hover .lf-knob { fill: var(--lf-1); }
.lf-handle:focus-visible .lf-knob { fill: var(--lf-1); }
.lf-handle:focus-visible .lf-ring { stroke: var(--lf-ink); }
.lf-curve { fill: none; stroke: var(--lf-1); stroke-width: 3;
  stroke-linejoin: round; }
.lf-rule { stroke: var(--lf-grid); stroke-width: 1; }
.lf-before { fill: none; stroke: var(--lf-muted); stroke-width: 1.5; }
.lf-after { fill: var(--lf-3); fill-opacity: 0.4; }`;

const within = (h) => Math.min(HIGH, Math.max(LOW, h));
const LABEL = "h at λ = ";

/** Energies differ by powers of ten: five of them fill the height from 0 to 1. */
const logHeight = (share) => Math.max(0, 1 + Math.log10(share + 1e-12) / 5);

function drawHandle(lam) {
  return svg("g", { class: "lf-handle", role: "slider", tabindex: 0,
    "aria-label": `${LABEL}${lam}`, "aria-orientation": "vertical",
    "aria-valuemin": LOW, "aria-valuemax": HIGH },
    svg("circle", { r: 15, fill: "transparent" }),
    svg("circle", { class: "lf-ring", r: 13 }),
    svg("circle", { class: "lf-knob", r: 8 }));
}

/** A histogram over [0, 2] as one stepped path. */
function drawSteps(kind, x, y, shares) {
  const width = 2 / shares.length;
  const steps = shares.map((share, b) => (
    `V${y(logHeight(share)).toFixed(1)}H${x((b + 1) * width).toFixed(1)}`));
  return svg("path", { class: kind, d: `M${x(0)} ${y(0)}${steps.join("")}V${y(0)}Z` });
}

function drawRules(x, y) {
  const line = (h) => svg("line", { class: "lf-rule", x1: x(0), x2: x(2), y1: y(h), y2: y(h) });
  const text = (h) => svg("text", { x: x(0) - 18, y: y(h) + 4, "text-anchor": "end" }, number(h));
  return [LOW, 0, 0.5, 1, HIGH].flatMap((h) => [line(h), text(h)]);
}

/** The plot. `change(i, h)` is called when the reader moves handle i to h. */
export function responseView(lams, change) {
  const back = svg("g", { "aria-hidden": true });
  const handles = lams.map(drawHandle);
  const element = svg("svg", { role: "group", "aria-label": "Frequency response, one slider per handle" },
    back, ...handles);
  let width = 600;
  let heights = lams.map(() => 0);
  const x = (lam) => LEFT + (lam / 2) * (width - LEFT - RIGHT);
  const y = (h) => TOP + ((HIGH - h) / (HIGH - LOW)) * (HEIGHT - TOP - BOTTOM);
  const hAt = (event) => {
    const box = element.getBoundingClientRect();
    const at = (event.clientY - box.top) * (HEIGHT / box.height);
    return HIGH - ((at - TOP) / (HEIGHT - TOP - BOTTOM)) * (HIGH - LOW);
  };
  const set = (i, h) => change(i, Math.round(within(h) * 100) / 100);

  function draw(values, curve, shares) {
    heights = values;
    element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const samples = Array.from({ length: 201 }, (_, k) => k / 100);
    const points = samples.map((lam) => `${x(lam).toFixed(1)} ${y(curve(lam)).toFixed(1)}`);
    const kept = shares.map((share, b) => share * curve((2 * b + 1) / shares.length) ** 2);
    back.replaceChildren(...drawRules(x, y),
      svg("text", { class: "lf-quiet", x: x(0) - 18, y: TOP - 14, "text-anchor": "end" }, "h(λ)"),
      drawSteps("lf-after", x, y, kept), drawSteps("lf-before", x, y, shares),
      axis(x, [0, 0.5, 1, 1.5, 2], y(LOW)),
      svg("text", { class: "lf-quiet", x: x(1), y: HEIGHT - 6, "text-anchor": "middle" },
        "frequency λ"),
      svg("path", { class: "lf-curve", d: `M${points.join("L")}` }));
    handles.forEach((handle, i) => {
      handle.setAttribute("transform", `translate(${x(lams[i])} ${y(values[i])})`);
      handle.setAttribute("aria-valuenow", values[i]);
      handle.setAttribute("aria-valuetext", `h = ${number(values[i])}`);
    });
  }

  handles.forEach((handle, i) => {
    const by = (step) => () => set(i, heights[i] + step);
    onKeys(handle, {
      ArrowUp: by(0.05), ArrowDown: by(-0.05), PageUp: by(0.25), PageDown: by(-0.25),
      Home: () => set(i, LOW), End: () => set(i, HIGH),
      ArrowRight: () => handles[Math.min(i + 1, handles.length - 1)].focus(),
      ArrowLeft: () => handles[Math.max(i - 1, 0)].focus(),
    });
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (handle.hasPointerCapture(event.pointerId)) set(i, hAt(event));
    });
  });
  return { element, draw, resize(pixels) { width = Math.max(280, pixels); } };
}
