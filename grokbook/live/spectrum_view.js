// Eigenvalues on an axis from 0 to 2, and what three of them say.
import { axis, focusItem, html, number, onKeys, rove, svg } from "./shared.js";

const [W, H, LEFT, BASE, TOP] = [320, 190, 16, 142, 26];
const SAME = 1e-6;

export const SPECTRUM_STYLE = `
.lf-plot { cursor: pointer; }
.lf-dot { fill: var(--lf-ink); stroke: var(--lf-paper); stroke-width: 1.5; }
.lf-dot.lf-on { fill: var(--lf-3); stroke: var(--lf-3); stroke-width: 5; }
.lf-stem { stroke: var(--lf-muted); stroke-width: 1.5; }
.lf-mark { stroke: var(--lf-grid); stroke-width: 1.5; }
.lf svg text.lf-times { font-weight: 600; paint-order: stroke;
  stroke: var(--lf-paper); stroke-width: 4px; }
.lf button.lf-chip { font-variant-numeric: tabular-nums; }
.lf .lf-facts p { margin: 0.15rem 0; padding-left: 3.6rem; }
.lf-facts b { display: inline-block; width: 3.6rem; margin-left: -3.6rem; }`;

const x = (lam) => LEFT + (lam / 2) * (W - 2 * LEFT);

/** How often `lam` is among the eigenvalues. */
export function multiplicity(values, lam) {
  return values.filter((value) => Math.abs(value - lam) < SAME).length;
}

/** Groups of nodes with the same, non-empty, set of neighbours. */
export function twins(edges, n) {
  const groups = {};
  for (let i = 0; i < n; i += 1) {
    const around = edges.flatMap(([a, b]) => (a === i ? [b] : b === i ? [a] : []));
    if (around.length) (groups[around.sort((a, b) => a - b)] ??= []).push(i);
  }
  return Object.values(groups).filter((group) => group.length > 1);
}

const times = (count) => (
  count === 0 ? "absent" : count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);
const components = (count) => `${count} component${count === 1 ? "" : "s"}`;

/** What the eigenvalues 0, 1 and 2 say: how often each appears, and why. */
export function facts(values, edges, names) {
  const [zero, one, two] = [0, 1, 2].map((lam) => multiplicity(values, lam));
  const groups = twins(edges, names.length).map(
    (group) => `{${group.map((i) => names[i]).join(", ")}}`);
  const linked = zero - names.filter((_, i) => !edges.flat().includes(i)).length;
  const bipartite = two === 0 ? "no component with an edge is bipartite"
    : two === linked ? "the graph is bipartite"
      : `bipartite: ${two} of the ${linked} components with an edge`;
  const shared = groups.length ? `twins ${groups.join(", ")} share their neighbours`
    : one ? "without twins (no two nodes share their neighbours)" : "no twins";
  return [
    `${times(zero)}: ${components(zero)}`,
    `${times(one)}: ${shared}`,
    `${times(two)}: ${edges.length ? bipartite : "there is no edge"}`,
  ];
}

/** Where each dot goes: equal eigenvalues are stacked. */
function stack(values) {
  const level = values.map((value, i) => values.slice(0, i).filter(
    (other) => Math.abs(other - value) < SAME).length);
  const step = Math.min(15, (BASE - TOP - 10) / (Math.max(...level) + 1));
  return values.map((value, i) => [x(value), BASE - 12 - level[i] * step]);
}

function drawTimes(values, spots) {
  return values.flatMap((value, i) => {
    const count = multiplicity(values, value);
    const last = Math.abs((values[i + 1] ?? 9) - value) >= SAME;
    return count > 1 && last ? [svg("text", { class: "lf-times",
      x: spots[i][0], y: spots[i][1] - 12, "text-anchor": "middle" }, `×${count}`)] : [];
  });
}

function drawPlot(element, values, on) {
  const spots = stack(values);
  const marks = [0, 1, 2].map((lam) => svg("line", {
    class: "lf-mark", x1: x(lam), x2: x(lam), y1: TOP, y2: BASE }));
  const stems = spots.map(([cx, cy]) => svg("line", {
    class: "lf-stem", x1: cx, x2: cx, y1: BASE, y2: cy }));
  const dots = spots.map(([cx, cy], i) => svg("circle", {
    class: i === on ? "lf-dot lf-on" : "lf-dot", cx, cy, r: 6.5 }));
  element.replaceChildren(...marks, axis(x, [0, 0.5, 1, 1.5, 2], BASE),
    svg("text", { class: "lf-quiet", x: W / 2, y: H - 10, "text-anchor": "middle" },
      "eigenvalue λ of the normalised Laplacian"),
    ...stems, ...dots, ...drawTimes(values, spots));
  return spots;
}

/** The spectrum with its chips; `show(i)` is called with an index or null. */
export function spectrumView(size, show) {
  let values = [];
  let spots = [];
  let pinned = null;
  let over = null;
  const element = svg("svg", { class: "lf-plot", viewBox: `0 0 ${W} ${H}`,
    "aria-hidden": true });
  const chips = Array.from({ length: size }, () => html("button", {
    type: "button", class: "lf-chip" }));
  const table = html("div", { class: "lf-facts" });

  function draw() {
    const on = over ?? pinned;
    spots = drawPlot(element, values, on);
    chips.forEach((chip, i) => {
      chip.textContent = number(values[i]);
      chip.setAttribute("aria-label",
        `Eigenvector ${i + 1} of ${size}, eigenvalue ${number(values[i])}`);
      chip.setAttribute("aria-pressed", i === pinned);
    });
    show(on);
  }
  const hover = (i) => { if (i !== over) { over = i; draw(); } };
  const pin = (i) => { pinned = pinned === i ? null : i; over = null; draw(); };
  const nearest = (event) => {
    const box = element.getBoundingClientRect();
    const at = [(event.clientX - box.left) * (W / box.width),
      (event.clientY - box.top) * (H / box.height)];
    const far = spots.map(([a, b]) => Math.hypot(a - at[0], (b - at[1]) / 3));
    return far.indexOf(Math.min(...far));
  };

  element.addEventListener("pointermove", (event) => hover(nearest(event)));
  element.addEventListener("pointerleave", () => hover(null));
  element.addEventListener("click", (event) => pin(nearest(event)));
  chips.forEach((chip, i) => {
    chip.addEventListener("pointerenter", () => hover(i));
    chip.addEventListener("pointerleave", () => hover(null));
    chip.addEventListener("focus", () => hover(i));
    chip.addEventListener("blur", () => hover(null));
    chip.addEventListener("click", () => pin(i));
    onKeys(chip, {
      ArrowRight: () => focusItem(chips, i + 1), ArrowDown: () => focusItem(chips, i + 1),
      ArrowLeft: () => focusItem(chips, i - 1), ArrowUp: () => focusItem(chips, i - 1),
      Home: () => focusItem(chips, 0), End: () => focusItem(chips, -1),
    });
  });
  rove(chips, 0);
  return {
    element, chips, table,
    update(spectrum, clauses) {
      values = spectrum;
      table.replaceChildren(...clauses.map((text, lam) => html("p", {},
        html("b", {}, `λ = ${lam}`), text)));
      draw();
    },
  };
}
