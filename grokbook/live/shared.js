// What the figures share: elements, colours, an axis, numbers, keys, speech.

const SVG = "http://www.w3.org/2000/svg";

const STYLE = `
.lf { --lf-ink: var(--fig-ink, var(--jp-content-font-color1, #1d2430));
  --lf-paper: var(--paper, var(--jp-layout-color0, var(--fig-paper, #fff)));
  --lf-muted: var(--fig-muted, var(--jp-content-font-color2, #5b6472));
  --lf-grid: var(--fig-grid, var(--jp-border-color2, #d5dae2));
  --lf-1: var(--fig-1, #0072b2); --lf-2: var(--fig-2, #d55e00);
  --lf-3: var(--fig-3, #008060);
  box-sizing: border-box; max-width: 62rem; color: var(--lf-ink);
  font: 0.9375rem/1.45 system-ui, sans-serif; }
[data-jp-theme-light="false"] .lf { --lf-1: var(--fig-1, #5ab4e6);
  --lf-2: var(--fig-2, #ff9a52); --lf-3: var(--fig-3, #4fc9a4); }
.lf *, .lf *::before { box-sizing: inherit; }
.lf p { margin: 0.35rem 0; }
.lf svg { display: block; width: 100%; height: auto; overflow: visible; }
.lf svg text { fill: var(--lf-ink); font: 13.5px system-ui, sans-serif; }
.lf svg text.lf-quiet { fill: var(--lf-muted); }
.lf-row { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0.4rem 0; }
.lf button { min-width: 2.4rem; min-height: 1.9rem; margin: 0;
  padding: 0.15rem 0.6rem; border: 1px solid var(--lf-muted);
  border-radius: 0.35rem; background: var(--lf-paper); color: var(--lf-ink);
  font: inherit; font-size: 0.875rem; cursor: pointer; }
.lf button:hover { border-color: var(--lf-1); }
.lf button[aria-pressed="true"] { border-color: var(--lf-1);
  box-shadow: inset 0 -0.2rem 0 var(--lf-1); font-weight: 600; }
.lf :focus { outline: none; }
.lf :focus-visible { outline: 3px solid var(--lf-1); outline-offset: 2px; }
.lf svg :focus-visible { outline: none; }
.lf-quiet { color: var(--lf-muted); }
.lf-ear { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }`;

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** An SVG element with attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** An HTML element with attributes and children. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** A button that runs `action`. */
export function button(label, action, attributes = {}) {
  const element = html("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", action);
  return element;
}

/** The figure's root with its styles. Keys pressed inside stay inside:
    JupyterLab would otherwise take Enter, Escape and the arrows for itself. */
export function frame(el, css) {
  const root = html("div", { class: "lf" }, html("style", {}, STYLE + css));
  root.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (plain && event.key !== "Tab") event.stopPropagation();
  });
  el.append(root);
  return root;
}

/** Run `table[event.key]` on a key press, and nothing else for that key. */
export function onKeys(element, table) {
  element.addEventListener("keydown", (event) => {
    const action = table[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event);
  });
}

/** Let one of `items` be the stop of the Tab key. */
export function rove(items, index) {
  items.forEach((item, i) => item.setAttribute("tabindex", i === index ? 0 : -1));
}

/** Move the focus, and the stop of the Tab key, to `items[index]`. */
export function focusItem(items, index) {
  const at = (index + items.length) % items.length;
  rove(items, at);
  items[at].focus();
}

/** A number as the reader sees it: no trailing zeros, no negative zero. */
export function number(value, digits = 2) {
  const text = String(Number(value.toFixed(digits)) + 0);
  return text.replace("-", "\u2212");
}

/** A number with two decimals always, for columns of them. */
export function fixed(value) {
  const text = value.toFixed(2).replace("-", "\u2212");
  return text === "\u22120.00" ? "0.00" : text;
}

/** A horizontal axis at height `y`: a line, ticks, their numbers. */
export function axis(scale, ticks, y) {
  const line = { stroke: "var(--lf-muted)", "stroke-width": 1 };
  const parts = ticks.flatMap((tick) => [
    svg("line", { x1: scale(tick), x2: scale(tick), y1: y, y2: y + 5, ...line }),
    svg("text", { x: scale(tick), y: y + 19, "text-anchor": "middle" }, number(tick)),
  ]);
  const ends = { x1: scale(ticks[0]), x2: scale(ticks.at(-1)), y1: y, y2: y };
  return svg("g", {}, svg("line", { ...ends, ...line }), ...parts);
}

/** Write `text` into a live region, at most once every `wait` ms. */
export function speaker(region, wait) {
  let timer = null;
  let latest = "";
  return (text) => {
    latest = text;
    timer ??= setTimeout(() => {
      timer = null;
      region.textContent = latest;
    }, wait);
  };
}
