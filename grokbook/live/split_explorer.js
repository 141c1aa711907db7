// Drag the sizes of the classes: who trains, who validates, who is tested?
import { BARS_STYLE, classBars, PARTS } from "./class_bars.js";
import { button, frame, html, number, speaker } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const STYLE = `${SLIDER_STYLE}${BARS_STYLE}
.lf-wide { max-width: 40rem; }`;
const RULES = { quota: "quota (released)", stratified: "stratified (fair)", uniform: "uniform random" };
const [TRAIN, VAL] = [0.6, 0.2];

/** To the nearest whole number, halves to the even one, as Python does. */
function round(value) {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 ? low + 1 : low;
}

/** n numbers between 0 and 1, always the same for a seed (mulberry32). */
function uniforms(seed, n) {
  let state = (seed * 0x9e3779b9) >>> 0;
  return Array.from({ length: n }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  });
}

const sum = (values) => values.reduce((a, b) => a + b, 0);
const order = (draw) => draw.map((_, i) => i).sort((i, j) => draw[i] - draw[j] || i - j);

/** How many nodes of each class are in each part. `label` is the class of each
    node, `first` and `again` are two random numbers per node. */
function parts(rule, label, C, first, again) {
  const N = label.length;
  const part = new Array(N).fill(2);
  const size = Array.from({ length: C }, (_, c) => label.filter((l) => l === c).length);
  const seen = new Array(C).fill(0);
  if (rule === "quota") {
    const quota = round((TRAIN * N) / C);
    for (const i of order(first)) if (seen[label[i]]++ < quota) part[i] = 0;
    const left = order(again).filter((i) => part[i] === 2);
    left.slice(0, round(VAL * N)).forEach((i) => { part[i] = 1; });
  } else if (rule === "stratified") {
    const few = size.map((n) => (n > 2 ? Math.max(1, round(VAL * n)) : 0));
    for (const i of order(first)) {
      const rank = seen[label[i]]++ - (size[label[i]] - 2 * few[label[i]]);
      part[i] = rank < 0 ? 0 : rank < few[label[i]] ? 1 : 2;
    }
  } else {
    order(first).slice(0, round(TRAIN * N)).forEach((i) => { part[i] = 0; });
    order(first).slice(round(TRAIN * N), round(TRAIN * N) + round(VAL * N))
      .forEach((i) => { part[i] = 1; });
  }
  return PARTS.map((_, p) => size.map((_, c) => label.filter((l, i) => l === c && part[i] === p).length));
}

/** The class most frequent in training and validation, and its share of the test part. */
function constant([train, val, test]) {
  const known = train.map((count, c) => count + val[c]);
  const answer = known.indexOf(Math.max(...known));
  return { answer, score: test[answer] / sum(test) };
}

const labels = (sizes) => sizes.flatMap((size, c) => new Array(size).fill(c));

function explore(rule, sizes, seed) {
  const label = labels(sizes);
  const draw = uniforms(seed, 2 * label.length);
  return parts(rule, label, sizes.length, draw.slice(0, label.length), draw.slice(label.length));
}

/** What `parts` counts in the mean over all splits of a rule. */
function expected(rule, sizes) {
  if (rule === "stratified") return explore(rule, sizes, 0); // no luck in its counts
  const N = sum(sizes);
  const quota = round((TRAIN * N) / sizes.length);
  const train = sizes.map((n) => (rule === "quota" ? Math.min(n, quota) : (n * round(TRAIN * N)) / N));
  const left = sizes.map((n, c) => n - train[c]);
  const share = round(VAL * N) / sum(left);
  return [train, left.map((n) => n * share), left.map((n) => n * (1 - share))];
}

function sentence(rule, sizes, seed) {
  const counts = explore(rule, sizes, seed);
  const totals = counts.map(sum);
  const text = `${totals.map((n, p) => `${n} ${["train", "validate", "test"][p]}`).join(", ")}. `;
  if (totals.some((n) => n === 0)) return `${text}A part is empty: these nodes are too few for the rule.`;
  const never = counts[2].flatMap((n, c) => (n ? [] : [c]));
  const { answer, score } = constant(counts);
  return `${text}${never.length ? `Never tested: class ${never.join(", ")}. ` : "Every class is tested. "}`
    + `Always answering class ${answer} scores ${number(100 * score, 1)}% (in the mean over all `
    + `splits ${number(100 * constant(expected(rule, sizes)).score, 1)}%); `
    + `one test node is ${number(100 / totals[2], 1)} points.`;
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const [starts, most] = ["starts", "most"].map((key) => model.get(key));
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);

  function update() {
    const [rule, sizes, seed] = ["rule", "sizes", "seed"].map((key) => model.get(key));
    bars.draw(sizes, explore(rule, sizes, seed));
    line.textContent = sentence(rule, sizes, seed);
    say(line.textContent);
    rules.forEach((item, i) => item.setAttribute("aria-pressed", Object.keys(RULES)[i] === rule));
    choices.forEach((item, i) => item.setAttribute("aria-pressed",
      starts[i].sizes.every((size, c) => size === sizes[c])));
  }

  function set(values) {
    Object.entries(values).forEach(([key, value]) => model.set(key, value));
    model.save_changes();
    seeds.set(model.get("seed"));
    update();
  }

  const bars = classBars(starts[0].sizes.length, most, (c, size) => set({
    sizes: model.get("sizes").map((old, k) => (k === c ? size : old)) }));
  const seeds = slider("seed of the split", { min: 0, max: 50, step: 1 },
    (value) => number(value, 0), (seed) => set({ seed }));
  const choices = starts.map(({ name, sizes }) => button(name, () => set({ sizes })));
  const rules = Object.entries(RULES).map(([rule, name]) => button(name, () => set({ rule })));
  const row = (label, items) => html("div", { class: "lf-row", role: "group", "aria-label": label }, ...items);
  const box = html("div", { class: "lf-wide" }, bars.element);
  root.append(row("Class sizes to start from", choices), row("Rule of the split", rules),
    seeds.element, box, line, ear);
  set({ rule: "quota", sizes: starts[0].sizes, seed: 0 });
  new ResizeObserver(() => {
    bars.resize(box.clientWidth);
    update();
  }).observe(root);
}

export default { render, parts, constant, explore, expected, round };
