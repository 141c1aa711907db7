// The coefficients of a polynomial, one vertical slider each.
import { number, onKeys, svg } from "./shared.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [250, 48, 14, 30, 40];

export const COEFFICIENT_STYLE = `
.lf-handle { cursor: ns-resize; touch-action: none; }
.lf-handle .lf-knob { fill: var(--lf-paper); stroke: var(--lf-1); stroke-width: 3; }
.lf-handle .lf-ring { fill: none; stroke: none; stroke-width: 3; }
.lf-handle:hover .lf-knob { fill: var(--lf-1); }
.lf-handle:focus-visible .lf-knob { fill: var(--lf-1); }
.lf-handle:focus-visible .lf-ring { stroke: var(--lf-ink); }
.lf-rule { stroke: var(--lf-grid); stroke-width: 1; }
.lf-stem { stroke: var(--lf-1); stroke-width: 3; }`;

const SUBSCRIPTS = "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089";

/** The first of 2, 5, 10, 20, 50, … that is not below `size`. */
export function rangeFor(size) {
  const steps = [2, 5, 10];
  let scale = 1;
  while (steps[2] * scale < size) scale *= 10;
  return scale * steps.find((step) => step * scale >= size);
}

function drawHandle(k) {
  return svg("g", { class: "lf-handle", role: "slider", tabindex: 0,
    "aria-label": `Coefficient ${k}`, "aria-orientation": "vertical" },
    svg("circle", { r: 15, fill: "transparent" }),
    svg("circle", { class: "lf-ring", r: 13 }),
    svg("circle", { class: "lf-knob", r: 8 }));
}

/** `change(k, value)` is called when the reader moves slider k, `point(k)`
    when a slider is pointed at or focused, with null when it no longer is. */
export function coefficientView(change, point) {
  const back = svg("g", { "aria-hidden": true });
  const front = svg("g");
  const element = svg("svg", { role: "group", "aria-label": "Coefficients, one slider each" },
    back, front);
  let [width, range, values, handles] = [400, 2, [], []];
  const x = (k) => LEFT + ((k + 0.5) * (width - LEFT - RIGHT)) / values.length;
  const y = (value) => TOP + ((range - value) / (2 * range)) * (HEIGHT - TOP - BOTTOM);
  const set = (k, value) => {
    const quantum = range / 200;
    const inside = Math.min(range, Math.max(-range, value));
    change(k, Number((Math.round(inside / quantum) * quantum).toFixed(6)));
  };

  function make(k) {
    const handle = drawHandle(k);
    const by = (share) => () => set(k, values[k] + share * range);
    const go = (step) => () => handles[Math.min(values.length - 1, Math.max(0, k + step))].focus();
    onKeys(handle, {
      ArrowUp: by(0.025), ArrowDown: by(-0.025), PageUp: by(0.125), PageDown: by(-0.125),
      Home: () => set(k, -range), End: () => set(k, range), ArrowRight: go(1), ArrowLeft: go(-1),
    });
    handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = element.getBoundingClientRect();
      const at = (event.clientY - box.top) * (HEIGHT / box.height);
      set(k, range - ((at - TOP) / (HEIGHT - TOP - BOTTOM)) * 2 * range);
    });
    for (const [event, k_] of [["pointerenter", k], ["pointerleave", null], ["focus", k], ["blur", null]]) {
      handle.addEventListener(event, () => point(k_));
    }
    return handle;
  }

  function draw(theta, limit) {
    values = theta;
    range = limit;
    if (handles.length !== values.length) {
      handles = values.map((_, k) => make(k));
      front.replaceChildren(...handles);
    }
    element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const text = { "text-anchor": "middle" };
    back.replaceChildren(
      svg("text", { class: "lf-quiet", x: 4, y: TOP - 14 }, "θ"),
      ...[-range, 0, range].flatMap((value) => [
        svg("line", { class: "lf-rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
        svg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, number(value))]),
      ...values.flatMap((value, k) => [
        svg("line", { class: "lf-stem", x1: x(k), x2: x(k), y1: y(0), y2: y(value) }),
        svg("text", { x: x(k), y: HEIGHT - 20, ...text }, `θ${SUBSCRIPTS[k]}`),
        svg("text", { class: "lf-quiet", x: x(k), y: HEIGHT - 3, ...text }, short(value))]));
    handles.forEach((handle, k) => {
      handle.setAttribute("transform", `translate(${x(k)} ${y(values[k])})`);
      handle.setAttribute("aria-valuemin", -range);
      handle.setAttribute("aria-valuemax", range);
      handle.setAttribute("aria-valuenow", values[k]);
      handle.setAttribute("aria-valuetext", number(values[k]));
    });
  }

  return { element, draw, resize(pixels) { width = Math.max(280, pixels); } };
}

/** A number in at most five signs. */
const short = (value) => number(value, Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
