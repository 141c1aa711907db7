// Keep k eigenvectors at the ends of a spectrum: what the cut drops.
import { axis, button, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM, BINS] = [310, 46, 18, 12, 44, 50];
const ENDS = { both: "both ends", low: "low end", high: "high end" };
const LEFT_OUT = { zero: "times 0 (Eq. 8)", mean: "times h at their mean" };

const STYLE = `${SLIDER_STYLE}
.lf-plotbox { max-width: 46rem; }
.lf-kept { fill: var(--lf-1); fill-opacity: 0.75; }
.lf-dropped { fill: var(--lf-2); fill-opacity: 0.45; }
.lf-true { fill: none; stroke: var(--lf-muted); stroke-width: 2; stroke-dasharray: 6 4; }
.lf-used { fill: none; stroke: var(--lf-ink); stroke-width: 2.6; stroke-linejoin: round; }`;

/** Which eigenspaces stay: k eigenvectors or more at the ends, none in part. */
function kept(counts, k, ends) {
  const low = ends === "both" ? Math.ceil(k / 2) : ends === "low" ? k : 0;
  const keep = counts.map(() => false);
  const take = (order, wanted) => {
    let taken = 0;
    for (const i of order) {
      if (taken >= wanted) break;
      keep[i] = true;
      taken += counts[i];
    }
  };
  const up = counts.map((_, i) => i);
  take(up, low);
  take(up.toReversed(), k - low);
  return keep;
}

/** A response sampled evenly on [0, 2], on straight lines between. */
function at(row, lam) {
  const place = (lam / 2) * (row.length - 1);
  const i = Math.min(Math.floor(place), row.length - 2);
  return row[i] + (place - i) * (row[i + 1] - row[i]);
}

/** What a cut leaves of the signal, and by how much it misses the filter. */
function cut({ lam, counts, energy }, h, k, ends, leftOut) {
  const keep = kept(counts, k, ends);
  const sum = (value) => lam.reduce((total, l, i) => total + value(l, i), 0);
  const out = (i) => (keep[i] ? 0 : counts[i]);
  const dropped = sum((_, i) => out(i));
  const rest = dropped && sum((l, i) => out(i) * l) / dropped;
  const instead = leftOut === "zero" ? 0 : at(h, rest);
  const missed = sum((l, i) => (keep[i] ? 0 : (at(h, l) - instead) ** 2 * energy[i]));
  const whole = sum((l, i) => at(h, l) ** 2 * energy[i]);
  const gone = lam.filter((_, i) => !keep[i]);
  return { keep, instead, dropped, from: gone[0], to: gone.at(-1),
    energy: sum((_, i) => (keep[i] ? energy[i] : 0)) / sum((_, i) => energy[i]),
    error: Math.sqrt(missed / whole) };
}

function draw(element, width, data, h, found) {
  const x = (lam) => LEFT + (lam / 2) * (width - LEFT - RIGHT);
  const high = Math.max(1, ...h);
  const y = (v) => TOP + (1 - v / high) * (HEIGHT - TOP - BOTTOM);
  const bins = Array.from({ length: BINS }, () => [0, 0]);
  data.lam.forEach((lam, i) => {
    bins[Math.min(BINS - 1, Math.floor((lam / 2) * BINS))][found.keep[i] ? 0 : 1] += data.energy[i];
  });
  const most = Math.max(...bins.map(([a, b]) => a + b));
  const bar = (from, size, i, name) => svg("rect", { class: name, x: x((2 * i) / BINS),
    width: x(2 / BINS) - x(0), y: y((high * (from + size)) / most),
    height: Math.max(0, y(0) - y((high * size) / most)) });
  const bars = bins.flatMap(([a, b], i) => [bar(0, a, i, "lf-kept"), bar(a, b, i, "lf-dropped")]);
  const grid = h.map((_, i) => (2 * i) / (h.length - 1));
  const path = (value) => `M${grid.map((l) => `${x(l).toFixed(1)} ${y(value(l)).toFixed(1)}`).join("L")}`;
  const gone = (l) => found.dropped && l >= found.from && l <= found.to;
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(...bars, axis(x, [0, 0.5, 1, 1.5, 2], HEIGHT - BOTTOM),
    ...[0, high].map((v) => svg("text", { x: LEFT - 8, y: y(v) + 4, "text-anchor": "end" }, number(v))),
    svg("text", { class: "lf-quiet", x: x(1), y: HEIGHT - 6, "text-anchor": "middle" }, "frequency λ"),
    svg("path", { class: "lf-true", d: path((l) => at(h, l)) }),
    svg("path", { class: "lf-used", d: path((l) => (gone(l) ? found.instead : at(h, l))) }));
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const data = model.get("spectrum");
  const responses = model.get("responses");
  const N = data.counts.reduce((a, b) => a + b, 0);
  const picture = svg("svg", { "aria-hidden": true });
  const plotbox = html("div", { class: "lf-plotbox" }, picture);
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  const state = { k: model.get("k"), ends: "both", leftOut: "zero", name: responses[0].name };
  let width = 600;

  function update() {
    const { h } = responses.find(({ name }) => name === state.name);
    const found = cut(data, h, state.k, state.ends, state.leftOut);
    const where = found.dropped
      ? `between λ = ${number(found.from)} and ${number(found.to)}` : "nowhere";
    const text = `${N - found.dropped} of ${N} eigenvectors kept; dropped ${where}. `
      + `Energy kept: ${number(100 * found.energy, 1)}%. `
      + `Error of the filtered signal: ${number(100 * found.error, 1)}%.`;
    draw(picture, width, data, h, found);
    line.textContent = text;
    say(text);
    rows.forEach(({ key, items }) => items.forEach(([value, item]) => item.setAttribute(
      "aria-pressed", state[key] === value)));
  }

  function choice(key, label, table) {
    const items = Object.entries(table).map(([value, name]) => [value, button(name, () => {
      state[key] = value;
      update();
    })]);
    const element = html("div", { class: "lf-row", role: "group", "aria-label": label },
      ...items.map(([, item]) => item));
    return { key, items, element };
  }

  const rows = [
    choice("name", "Response", Object.fromEntries(responses.map(({ name }) => [name, name]))),
    choice("ends", "Kept at", ENDS),
    choice("leftOut", "What is dropped is taken", LEFT_OUT),
  ];
  const sizes = slider("eigenvectors k", { min: 0, max: N, step: Math.max(1, Math.round(N / 200)) },
    (value) => String(value), (value) => {
      state.k = value;
      update();
    });
  sizes.set(state.k);
  root.append(...rows.map(({ element }) => element), sizes.element,
    html("p", { class: "lf-quiet" }, "Bars: energy of the signal, kept (blue) and dropped (orange). "
      + "Dashed: the response. Solid: what is applied."),
    plotbox, line, ear);
  update();
  new ResizeObserver(() => {
    width = Math.max(280, plotbox.clientWidth);
    update();
  }).observe(plotbox);
}

export default { render, kept, at, cut };
