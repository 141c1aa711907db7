// Edit a small graph and watch the spectrum of its Laplacian follow.
import { eigen, laplacian } from "./eigen.js";
import { GRAPH_STYLE, graphView } from "./graph_view.js";
import { button, frame, html, number } from "./shared.js";
import { facts, multiplicity, SPECTRUM_STYLE, spectrumView } from "./spectrum_view.js";

const STYLE = `${GRAPH_STYLE}${SPECTRUM_STYLE}
.lf-panels { display: grid; gap: 0.5rem 1.5rem; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 16.5rem), 1fr)); }
.lf-panels > div { min-width: 0; max-width: 30rem; }
.lf-line { min-height: 2.9em; }
.lf-stack { display: grid; color: var(--lf-muted); }
.lf-stack > * { grid-area: 1 / 1; }
.lf-stack > :first-child { visibility: hidden; }`;

const HINT = "Click two nodes to add or cut their edge. Drag to move.";

const KEYS = "Keyboard: arrows go from node to node, Enter picks, Escape lets go, "
  + "Delete removes a node's edges, Shift and an arrow move a node.";

const ring = (nodes) => (nodes.length < 3 ? path(nodes)
  : [...path(nodes), [nodes[0], nodes.at(-1)]]);
const path = (nodes) => nodes.slice(1).map((node, i) => [nodes[i], node]);
const star = (nodes) => nodes.slice(1).map((node) => [nodes[0], node]);
const complete = (nodes) => nodes.flatMap((a, i) => nodes.slice(i + 1).map((b) => [a, b]));

/** `count` points on a circle, from the top, clockwise. */
function circle(count, [cx, cy] = [0.5, 0.5], r = 0.48) {
  return Array.from({ length: count }, (_, i) => {
    const angle = Math.PI / 2 - (2 * Math.PI * i) / count;
    return [cx + r * Math.cos(angle), cy + r * Math.sin(angle)];
  });
}

/** The preset graphs on n nodes: name, edges, positions. */
function presets(n) {
  const all = [...Array(n).keys()];
  const half = Math.ceil(n / 2);
  const two = [...circle(half, [0.22, 0.5], 0.22), ...circle(n - half, [0.78, 0.5], 0.22)];
  return [
    ["Path", path(all), circle(n)],
    ["Ring", ring(all), circle(n)],
    ["Star", star(all), [[0.5, 0.5], ...circle(n - 1)]],
    ["Complete", complete(all), circle(n)],
    ["Two components", [...ring(all.slice(0, half)), ...ring(all.slice(half))], two],
  ];
}

/** What an eigenvector is, for an eigenvalue that appears `count` times. */
function caption(lam, count) {
  const choice = count > 1
    ? ` It is one of ${count} for this eigenvalue; any rotation among them serves as well.` : "";
  return `Eigenvector for λ = ${number(lam)}: solid blue is positive, `
    + `dashed orange negative.${choice}`;
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const n = model.get("names").length;
  const told = html("span", {}, HINT);
  const ear = html("span", { class: "lf-ear" });
  const shown = html("span");
  // The longest text, unseen, keeps the height: a page that moves under the
  // pointer would make hovering flicker.
  const stack = html("p", { class: "lf-stack" },
    html("span", { "aria-hidden": true }, caption(0.75, 10)), shown);
  let spectrum = null;

  const summary = () => ` Eigenvalues ${spectrum.values.map((v) => number(v)).join(", ")}; `
    + `λ = 0 ${facts(spectrum.values, model.get("edges"), model.get("names"))[0]}.`;
  const say = (text, changed = false) => {
    told.textContent = text;
    ear.textContent = changed ? summary() : "";
  };
  const graph = graphView(model, say);
  const right = spectrumView(n, (i) => {
    const { values, vectors } = spectrum;
    graph.show(i === null ? null : vectors[i]);
    shown.textContent = i === null ? KEYS
      : caption(values[i], multiplicity(values, values[i]));
  });
  const update = () => {
    const edges = model.get("edges");
    spectrum = eigen(laplacian(edges, n));
    right.update(spectrum.values, facts(spectrum.values, edges, model.get("names")));
  };
  const load = (name, edges, positions) => button(name, () => {
    model.set("positions", positions);
    model.set("edges", edges);
    model.save_changes();
    say(`${name}: ${edges.length} edge${edges.length === 1 ? "" : "s"}.`, true);
  });
  const start = ["Reset", model.get("edges"), model.get("positions")];

  model.on("change:edges", update);
  root.append(
    html("div", { class: "lf-row", role: "group", "aria-label": "Graphs to start from" },
      ...[...presets(n), start].map((preset) => load(...preset))),
    html("div", { class: "lf-panels" },
      html("div", {}, html("p", { class: "lf-line", "aria-live": "polite" }, told, ear),
        graph.element),
      html("div", {}, html("p", { class: "lf-line" },
        "Point at an eigenvalue, or press its number, to see its eigenvector."),
        right.element,
        html("div", { class: "lf-row", role: "group", "aria-label": "Eigenvalues" },
          ...right.chips), right.table)), stack);
  update();
}

export default { render, eigen, laplacian, facts };
