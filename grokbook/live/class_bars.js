// A bar per class, cut into three parts; its top is a knob the reader drags.
import { number, onKeys, svg } from "./shared.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [330, 86, 12, 26, 96];
export const PARTS = ["train", "validation", "test"];

export const BARS_STYLE = `
.lf-handle { cursor: ns-resize; touch-action: none; }
.lf-handle .lf-knob { fill: var(--lf-paper); stroke: var(--lf-ink);
  stroke-width: 2.5; }
.lf-handle .lf-ring { fill: none; stroke: none; stroke-width: 3; }
.lf-handle:hover .lf-knob, .lf-handle:focus-visible .lf-knob {
  fill: var(--lf-grid); }
.lf-handle:focus-visible .lf-ring { stroke: var(--lf-1); }
.lf-handle text { font-weight: 600; pointer-events: none; }
.lf-part-0 { fill: var(--lf-1); }
.lf-part-1 { fill: var(--lf-3); }
.lf-part-2 { fill: var(--lf-2); }
.lf-rule { stroke: var(--lf-grid); stroke-width: 1; }
.lf svg text.lf-none { fill: var(--lf-2); font-weight: 700; }`;

function drawHandle(c, most) {
  return svg("g", { class: "lf-handle", role: "slider", tabindex: 0,
    "aria-label": `Size of class ${c}`, "aria-orientation": "vertical",
    "aria-valuemin": 1, "aria-valuemax": most },
    svg("circle", { r: 17, fill: "transparent" }),
    svg("circle", { class: "lf-ring", r: 16 }),
    svg("circle", { class: "lf-knob", r: 11 }),
    svg("text", { y: 4.5, "text-anchor": "middle" }, c));
}

/** `change(c, size)` is called when the reader moves the top of bar c. */
export function classBars(C, most, change) {
  const back = svg("g", { "aria-hidden": true });
  const handles = Array.from({ length: C }, (_, c) => drawHandle(c, most));
  const element = svg("svg", { role: "group",
    "aria-label": "One bar per class; a slider on each sets the size of the class" },
    back, ...handles);
  let [width, sizes] = [600, []];
  const step = () => (width - LEFT - RIGHT) / C;
  const x = (c) => LEFT + (c + 0.5) * step();
  const y = (value) => TOP + ((most - value) / most) * (HEIGHT - TOP - BOTTOM);
  const set = (c, value) => change(c, Math.round(Math.min(most, Math.max(1, value))));

  function column(counts, c) {
    const wide = Math.min(44, 0.7 * step());
    let below = 0;
    return counts.map((part, p) => {
      const box = svg("rect", { class: `lf-part-${p}`, x: x(c) - wide / 2, width: wide,
        y: y(below + part[c]), height: y(below) - y(below + part[c]) });
      below += part[c];
      return box;
    });
  }

  function row(part, p) {
    const level = HEIGHT - BOTTOM + 34 + 22 * p;
    return [
      svg("rect", { class: `lf-part-${p}`, x: 0, y: level - 10, width: 10, height: 10 }),
      svg("text", { x: 15, y: level }, PARTS[p]),
      ...part.map((count, c) => svg("text", { class: p && !count ? "lf-none" : "lf-count",
        x: x(c), y: level, "text-anchor": "middle" }, count))];
  }

  function draw(now, counts) {
    sizes = now;
    element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const rules = [0, most / 2, most].flatMap((value) => [
      svg("line", { class: "lf-rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, number(value, 0))]);
    back.replaceChildren(...rules, ...sizes.flatMap((_, c) => column(counts, c)),
      ...counts.flatMap(row));
    handles.forEach((handle, c) => {
      handle.setAttribute("transform", `translate(${x(c)} ${y(sizes[c])})`);
      handle.setAttribute("aria-valuenow", sizes[c]);
      handle.setAttribute("aria-valuetext", `${sizes[c]} nodes`);
    });
  }

  handles.forEach((handle, c) => {
    const by = (nodes) => () => set(c, sizes[c] + nodes);
    const go = (way) => () => handles[Math.min(C - 1, Math.max(0, c + way))].focus();
    onKeys(handle, {
      ArrowUp: by(1), ArrowDown: by(-1), PageUp: by(10), PageDown: by(-10),
      Home: () => set(c, 1), End: () => set(c, most), ArrowRight: go(1), ArrowLeft: go(-1),
    });
    handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = element.getBoundingClientRect();
      const at = (event.clientY - box.top) * (HEIGHT / box.height);
      set(c, most * (1 - (at - TOP) / (HEIGHT - TOP - BOTTOM)));
    });
  });
  return { element, draw, resize(pixels) { width = Math.max(280, pixels); } };
}
