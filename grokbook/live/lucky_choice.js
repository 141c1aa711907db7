// The best of several settings: what does its lead promise, what is kept?
import { bits } from "./random.js";
import { axis, frame, html, number, speaker, svg } from "./shared.js";
import { slider, SLIDER_STYLE } from "./slider.js";

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [230, 44, 84, 12, 44];
const MOST = 100; // settings
const LARGE = 6.5; // the radius of the chosen dot

const STYLE = `${SLIDER_STYLE}
.lf-plots { display: grid; gap: 0.4rem 1.2rem; max-width: 60rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); }
.lf-line { stroke: var(--lf-grid); stroke-width: 1; }
.lf-zero { stroke: var(--lf-muted); stroke-width: 1.5; stroke-dasharray: 2 4; }
.lf-tried { fill: var(--lf-1); }
.lf-again { fill: none; stroke: var(--lf-muted); }
.lf-fall { stroke: var(--lf-2); stroke-width: 2.2; }
.lf-best { fill: var(--lf-2); stroke: var(--lf-paper); stroke-width: 1.5; }
.lf-ring { fill: var(--lf-paper); stroke: var(--lf-2); stroke-width: 2.5; }
.lf-promised { fill: var(--lf-2); fill-opacity: 0.75; }
.lf-kept { fill: var(--lf-1); fill-opacity: 0.75; }`;

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** The mean of the largest of n standard normal numbers, as in luck.py: the
    integral of 1 − Φ(x)ⁿ − Φ(−x)ⁿ from 0, by Simpson's rule, as is Φ. */
function expectedBest(n) {
  const [step, last] = [0.01, 800];
  const density = (x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let below = 0.5; // Φ(x)
  let total = 0;
  for (let i = 0; i <= last; i += 1) {
    const weight = i % last === 0 ? 1 : 2 + 2 * (i % 2);
    total += weight * (1 - below ** n - (1 - below) ** n);
    const x = i * step;
    below += (step / 6) * (density(x) + 4 * density(x + step / 2) + density(x + step));
  }
  return Math.abs((total * step) / 3); // n = 1 may round to −0
}

/** What the best of the settings promises over the average one, and what it
    keeps, in the mean over all luck: exact. */
function expectedLead(settings, splits, real, noise) {
  const spread = Math.sqrt(real ** 2 + noise ** 2 / splits);
  if (spread === 0) return { promised: 0, kept: 0 };
  const best = expectedBest(settings);
  return { promised: best * spread, kept: (best * real ** 2) / spread };
}

/** Two independent standard normal numbers (Box and Muller). */
function pair(draw) {
  const far = Math.sqrt(-2 * Math.log((draw() + 0.5) / 2 ** 32));
  const turn = (2 * Math.PI * draw()) / 2 ** 32;
  return [far * Math.cos(turn), far * Math.sin(turn)];
}

/** One experiment: what each setting is worth, its mean over the splits it
    was tried on and over fresh ones, which was best, and the best one's lead
    over the average. Each setting draws by itself, split by split: another
    setting or split adds to the draws and changes none. */
function experiment(settings, splits, real, noise, luck) {
  const worth = [];
  const [tried, fresh] = [[], []];
  for (let i = 0; i < settings; i += 1) {
    const draw = bits(MOST * luck + i);
    worth.push(real * pair(draw)[0]);
    const noises = Array.from({ length: splits }, () => pair(draw));
    [tried, fresh].forEach((scores, which) => scores.push(
      worth[i] + noise * mean(noises.map((both) => both[which]))));
  }
  const best = tried.indexOf(Math.max(...tried));
  const [promised, kept] = [tried, fresh].map((scores) => scores[best] - mean(scores));
  return { worth, tried, fresh, best, promised, kept };
}

/** The end of an axis that holds `value`; its half is a round number too. */
const reach = (value) => [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30].find((end) => end >= value) ?? 40;

const signed = (value) => (value >= 0.05 ? "+" : "") + number(value, 1);

const words = (text, x, y, anchor = "middle", name = "lf-quiet") => svg("text",
  { class: name, x, y, "text-anchor": anchor }, text);

/** The settings in the order of their scores, and the fall of the best. */
function drawLuck(element, width, { tried, fresh, best, promised, kept }) {
  const n = tried.length;
  const centred = [tried, fresh].map((scores) => {
    const middle = mean(scores);
    return scores.map((score) => score - middle);
  });
  const order = tried.map((_, i) => i).filter((i) => i !== best)
    .sort((a, b) => tried[a] - tried[b]);
  const end = reach(Math.max(...centred.flat().map(Math.abs)));
  const [from, to] = [LEFT, width - RIGHT];
  const x = (rank) => to - 10 - (n - 1 - rank) * ((to - from - 20) / Math.max(1, n - 1));
  const y = (points) => TOP + ((end - points) / (2 * end)) * (HEIGHT - TOP - BOTTOM);
  const across = (name, at) => svg("line", { class: name, x1: from, x2: to, y1: y(at), y2: y(at) });
  const dots = (scores, name, r) => order.map((i, rank) => svg("circle",
    { class: name, cx: x(rank), cy: y(scores[i]), r }));
  const [top, low] = [y(promised), y(kept)];
  const [cx, right] = [x(n - 1), x(n - 1) + 12];
  const apart = Math.max(0, 17 - Math.abs(low - top)) / 2 * (low < top ? -1 : 1);
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(
    ...[-end, -end / 2, end / 2, end].map((at) => across("lf-line", at)), across("lf-zero", 0),
    ...[-end, -end / 2, 0, end / 2, end].map((at) => words(signed(at), from - 7, y(at) + 4, "end", "")),
    ...dots(centred[1], "lf-again", 2.5), ...dots(centred[0], "lf-tried", n > 50 ? 2.5 : 3.5),
    svg("line", { class: "lf-fall", x1: cx, x2: cx, y1: top, y2: low }),
    svg("circle", { class: "lf-ring", cx, cy: low, r: LARGE }),
    svg("circle", { class: "lf-best", cx, cy: top, r: LARGE - 1 }),
    words(`tried ${signed(promised)}`, right, top + 4 - apart, "start", ""),
    words(`fresh ${signed(kept)}`, right, low + 4 + apart, "start", ""),
    words("points over the average, this time", (from + to) / 2, HEIGHT - 22),
    words("settings, the best on the right", (from + to) / 2, HEIGHT - 4));
}

/** The two means over all luck. */
function drawMean(element, width, { promised, kept }) {
  const end = reach(promised);
  const x = (points) => 14 + (points / end) * (width - 28);
  const floor = HEIGHT - BOTTOM;
  const bar = (name, lead, y) => [
    words(`${name} ${signed(lead)}`, x(0) + 6, y - 7, "start", ""),
    svg("rect", { class: `lf-${name}`, x: x(0), y, width: x(lead) - x(0), height: 34 })];
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(...bar("promised", promised, 38), ...bar("kept", kept, 116),
    axis(x, [0, end / 2, end], floor), svg("line", { class: "lf-zero", x1: x(0), x2: x(0), y1: TOP, y2: floor }),
    words("points over the average, over all luck", width / 2, HEIGHT - 4));
}

const many = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;

function describe({ settings, splits }, said, { promised, kept }) {
  const share = promised > 1e-9 ? `${number((100 * kept) / promised, 0)}% of the promise is real` : "nothing is promised";
  return `${many(settings, "setting")}, ${many(splits, "split")}. This time the best promises `
    + `${signed(said.promised)} points over the average setting, and fresh splits keep ${signed(said.kept)}. `
    + `In the mean over all luck it promises ${signed(promised)} and keeps ${signed(kept)}: ${share}.`;
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const [luck, bars] = [0, 1].map(() => svg("svg", { "aria-hidden": true }));
  const boxes = [luck, bars].map((picture) => html("div", {}, picture));
  const line = html("p", {});
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  const state = { ...model.get("start"), luck: 0 };

  function update() {
    const { settings, splits, real, noise } = state;
    const said = experiment(settings, splits, real, noise, state.luck);
    const exact = expectedLead(settings, splits, real, noise);
    const width = Math.max(260, boxes[0].clientWidth);
    drawLuck(luck, width, said);
    drawMean(bars, width, exact);
    line.textContent = describe(state, said, exact);
    say(line.textContent);
  }

  const dial = (name, key, range) => {
    const made = slider(name, range, (value) => `${value}`, (value) => {
      state[key] = value;
      update();
    });
    made.set(state[key]);
    return made.element;
  };
  root.append(
    dial("settings", "settings", { min: 1, max: MOST, step: 1 }),
    dial("splits", "splits", { min: 1, max: 30, step: 1 }),
    dial("real differences", "real", { min: 0, max: 3, step: 0.1 }),
    dial("noise of one split", "noise", { min: 0, max: 5, step: 0.1 }),
    dial("luck", "luck", { min: 0, max: 50, step: 1 }),
    html("p", { class: "lf-quiet" }, "Differences and noise are standard deviations, in points. First one "
      + "experiment: filled dots are the scores that chose, hollow ones those on fresh splits; large, the best. "
      + "Then the mean over all experiments."),
    html("div", { class: "lf-plots" }, ...boxes), line, ear);
  update();
  new ResizeObserver(update).observe(root);
}

export default { render, expectedBest, expectedLead, experiment };
