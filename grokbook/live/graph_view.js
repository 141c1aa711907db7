// A small graph the reader edits: pick two nodes to toggle the edge between.
import { fixed, focusItem, onKeys, rove, svg } from "./shared.js";

const [W, H, MARGIN, RADIUS] = [320, 280, 34, 15];

export const GRAPH_STYLE = `
.lf-node { cursor: pointer; touch-action: none; }
.lf-node .lf-disc { fill: var(--lf-paper); stroke: var(--lf-ink);
  stroke-width: 1.75; }
.lf-node .lf-tint { stroke: none; }
.lf-node .lf-name { font-weight: 600; }
.lf-node .lf-ring { fill: none; stroke: none; stroke-width: 3; }
.lf-node:hover .lf-disc { stroke-width: 3; }
.lf-node[aria-pressed="true"] .lf-disc { stroke: var(--lf-3);
  stroke-width: 4; }
.lf-node:focus-visible .lf-ring { stroke: var(--lf-1); }
.lf-edge { stroke: var(--lf-muted); stroke-width: 2.5; }
.lf svg .lf-value { pointer-events: none; font-variant-numeric: tabular-nums; paint-order: stroke;
  stroke: var(--lf-paper); stroke-width: 4px; }`;

const place = ([x, y]) => [
  MARGIN + x * (W - 2 * MARGIN), H - MARGIN - y * (H - 2 * MARGIN)];
const within = (t) => Math.min(1, Math.max(0, t));
const same = ([a, b], i, j) => (a === i && b === j) || (a === j && b === i);

/** Toggle the edge between i and j in a list of pairs. */
function toggled(edges, i, j) {
  const rest = edges.filter((edge) => !same(edge, i, j));
  return rest.length < edges.length ? rest : [...edges, [i, j]];
}

function drawNode(name) {
  return svg("g", { class: "lf-node", role: "button", "aria-pressed": false },
    svg("circle", { r: 21, fill: "transparent" }),
    svg("circle", { class: "lf-ring", r: RADIUS + 9 }),
    svg("circle", { class: "lf-disc", r: RADIUS }),
    svg("circle", { class: "lf-tint", r: RADIUS }),
    svg("text", { class: "lf-name", y: 4.5, "text-anchor": "middle" }, name));
}

/** Show one entry of an eigenvector: its size by the disc's, its sign by
    colour and dashes, and its value in text. Without a value, a bare node. */
function tint(node, text, value, share) {
  const disc = node.querySelector(".lf-disc");
  const mark = node.querySelector(".lf-tint");
  const radius = value === null ? RADIUS : RADIUS - 3 + 8 * share;
  const negative = value !== null && value < -1e-9;
  disc.setAttribute("r", radius);
  disc.setAttribute("stroke-dasharray", negative ? "5 3" : "none");
  mark.setAttribute("r", radius);
  mark.setAttribute("fill", negative ? "var(--lf-2)" : "var(--lf-1)");
  mark.setAttribute("fill-opacity", value === null ? 0 : 0.55 * share);
  text.setAttribute("dy", radius + 17);
  text.textContent = value === null ? "" : fixed(value);
}

/** The drawing and its editing. `say` tells the reader what was done. */
export function graphView(model, say) {
  const names = model.get("names");
  const lines = svg("g");
  const nodes = names.map(drawNode);
  const values = names.map(() => svg("text", { class: "lf-value", "text-anchor": "middle" }));
  const element = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "group",
    "aria-label": "Graph. Arrow keys go from node to node, Enter picks." },
    lines, ...nodes, svg("g", { "aria-hidden": true }, ...values));
  let first = null;
  let shown = null;

  const neighbours = (i) => model.get("edges").flatMap(
    ([a, b]) => (a === i ? [b] : b === i ? [a] : [])).sort((a, b) => a - b);
  const label = (i) => {
    const list = neighbours(i).map((j) => names[j]).join(", ");
    const value = shown ? `; eigenvector entry ${fixed(shown[i])}` : "";
    return `Node ${names[i]}, ${list ? `neighbours ${list}` : "no neighbours"}${value}`;
  };

  function draw() {
    const spots = model.get("positions").map(place);
    lines.replaceChildren(...model.get("edges").map(([i, j]) => svg("line", {
      class: "lf-edge", x1: spots[i][0], y1: spots[i][1],
      x2: spots[j][0], y2: spots[j][1] })));
    const scale = shown && Math.max(...shown.map(Math.abs));
    nodes.forEach((node, i) => {
      node.setAttribute("transform", `translate(${spots[i].join(" ")})`);
      node.setAttribute("aria-pressed", first === i);
      node.setAttribute("aria-label", label(i));
      values[i].setAttribute("x", spots[i][0]);
      values[i].setAttribute("y", spots[i][1]);
      tint(node, values[i], shown && shown[i], shown && Math.abs(shown[i]) / scale);
    });
  }

  function setEdges(edges, what) {
    model.set("edges", edges);
    model.save_changes();
    say(what, true);
  }

  function pick(i) {
    const from = first;
    first = from === null ? i : null;
    draw();
    if (from === null) {
      say(`Node ${names[i]} picked. Pick a second node.`);
    } else if (from === i) {
      say(`Node ${names[i]} let go.`);
    } else {
      const edges = toggled(model.get("edges"), from, i);
      const verb = edges.length > model.get("edges").length ? "added" : "removed";
      setEdges(edges, `Edge ${names[from]}\u2013${names[i]} ${verb}.`);
    }
  }

  function cancel() {
    first = null;
    draw();
    say("Nothing is picked.");
  }

  function isolate(i) {
    first = null;
    setEdges(model.get("edges").filter((edge) => !edge.includes(i)),
      `All edges of node ${names[i]} removed.`);
  }

  function move(i, x, y) {
    const positions = model.get("positions").map((spot) => [...spot]);
    positions[i] = [within(x), within(y)];
    model.set("positions", positions);
    model.save_changes();
  }

  const nudge = (i, dx, dy) => {
    const [x, y] = model.get("positions")[i];
    move(i, x + dx, y + dy);
    say(`Node ${names[i]} moved.`);
  };

  nodes.forEach((node, i) => {
    const arrow = (step, dx, dy) => (event) => (event.shiftKey
      ? nudge(i, dx, dy) : focusItem(nodes, i + step));
    onKeys(node, {
      ArrowRight: arrow(1, 0.05, 0), ArrowLeft: arrow(-1, -0.05, 0),
      ArrowDown: arrow(1, 0, -0.05), ArrowUp: arrow(-1, 0, 0.05),
      Home: () => focusItem(nodes, 0), End: () => focusItem(nodes, -1),
      Enter: () => pick(i), " ": () => pick(i), Escape: cancel,
      Delete: () => isolate(first ?? i), Backspace: () => isolate(first ?? i),
    });
    onDrag(element, node, (x, y) => move(i, x, y), () => {
      rove(nodes, i);
      pick(i);
    });
  });
  rove(nodes, 0);
  model.on("change:edges", draw);
  model.on("change:positions", draw);
  draw();
  return { element, show(vector) { shown = vector; draw(); } };
}

/** A pointer that travels drags the node, one that stays put clicks it. */
function onDrag(element, node, move, click) {
  let from = null;
  let travelled = false;
  node.addEventListener("pointerdown", (event) => {
    node.setPointerCapture(event.pointerId);
    from = [event.clientX, event.clientY];
    travelled = false;
  });
  node.addEventListener("pointermove", (event) => {
    if (!from) return;
    travelled ||= Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 5;
    if (!travelled) return;
    const box = element.getBoundingClientRect();
    const x = (event.clientX - box.left) * (W / box.width);
    const y = (event.clientY - box.top) * (H / box.height);
    move((x - MARGIN) / (W - 2 * MARGIN), (H - MARGIN - y) / (H - 2 * MARGIN));
  });
  node.addEventListener("pointerup", () => {
    if (from && !travelled) click();
    from = null;
  });
  node.addEventListener("pointercancel", () => (from = null));
}
