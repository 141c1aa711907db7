// One number per node of a path, each a knob the reader drags up and down.
import { number, onKeys, svg } from "./shared.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [210, 48, 20, 26, 30];

export const FEATURE_STYLE = `
.lf-handle { cursor: ns-resize; touch-action: none; }
.lf-handle .lf-knob { fill: var(--lf-paper); stroke: var(--lf-1);
  stroke-width: 3; }
.lf-handle .lf-ring { fill: none; stroke: none; stroke-width: 3; }
.lf-handle:hover .lf-knob, .lf-handle:focus-visible .lf-knob {
  fill: var(--lf-grid); }
.lf-handle:focus-visible .lf-ring { stroke: var(--lf-ink); }
.lf-handle text { font-weight: 600; pointer-events: none; }
.lf-edge { stroke: var(--lf-muted); stroke-width: 2.5; }
.lf-rule { stroke: var(--lf-grid); stroke-width: 1; }`;

function drawHandle(i, limit) {
  return svg("g", { class: "lf-handle", role: "slider", tabindex: 0,
    "aria-label": `Feature of node ${i}`, "aria-orientation": "vertical",
    "aria-valuemin": -limit, "aria-valuemax": limit },
    svg("circle", { r: 17, fill: "transparent" }),
    svg("circle", { class: "lf-ring", r: 17 }),
    svg("circle", { class: "lf-knob", r: 12 }),
    svg("text", { y: 4.5, "text-anchor": "middle" }, i));
}

/** `change(i, value)` is called when the reader moves the feature of node i. */
export function featureView(n, limit, change) {
  const back = svg("g", { "aria-hidden": true });
  const handles = Array.from({ length: n }, (_, i) => drawHandle(i, limit));
  const element = svg("svg", { role: "group",
    "aria-label": "A path of nodes; one slider per node sets its feature" }, back, ...handles);
  let [width, values] = [600, []];
  const x = (i) => LEFT + ((i + 0.5) * (width - LEFT - RIGHT)) / n;
  const y = (value) => TOP + ((limit - value) / (2 * limit)) * (HEIGHT - TOP - BOTTOM);
  const set = (i, value) => change(i,
    Math.round(Math.min(limit, Math.max(-limit, value)) * 20) / 20);

  function draw(now) {
    values = now;
    element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const edges = values.slice(1).map((value, i) => svg("line", { class: "lf-edge",
      x1: x(i), y1: y(values[i]), x2: x(i + 1), y2: y(value) }));
    const rules = [-limit, 0, limit].flatMap((value) => [
      svg("line", { class: "lf-rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 10, y: y(value) + 4, "text-anchor": "end" }, number(value))]);
    back.replaceChildren(...rules, ...edges,
      svg("text", { class: "lf-quiet", x: LEFT, y: HEIGHT - 4 }, "feature of each node; lines are edges"));
    handles.forEach((handle, i) => {
      handle.setAttribute("transform", `translate(${x(i)} ${y(values[i])})`);
      handle.setAttribute("aria-valuenow", values[i]);
      handle.setAttribute("aria-valuetext", number(values[i]));
    });
  }

  handles.forEach((handle, i) => {
    const by = (step) => () => set(i, values[i] + step);
    const go = (step) => () => handles[Math.min(n - 1, Math.max(0, i + step))].focus();
    onKeys(handle, {
      ArrowUp: by(0.1), ArrowDown: by(-0.1), PageUp: by(0.5), PageDown: by(-0.5),
      Home: () => set(i, -limit), End: () => set(i, limit), ArrowRight: go(1), ArrowLeft: go(-1),
    });
    handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = element.getBoundingClientRect();
      const at = (event.clientY - box.top) * (HEIGHT / box.height);
      set(i, limit - ((at - TOP) / (HEIGHT - TOP - BOTTOM)) * 2 * limit);
    });
  });
  return { element, draw, resize(pixels) { width = Math.max(280, pixels); } };
}
