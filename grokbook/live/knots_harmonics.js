// One function of one variable, written with knots and with harmonics.
import { fit, harmonics, singular, splines } from "./splines.js";
import { axis, button, frame, html, number, speaker, svg } from "./shared.js";

const STYLE = `
.lf-plotbox { max-width: 46rem; }
.lf-data { fill: var(--lf-grid); fill-opacity: 0.45; }
.lf-target { stroke: var(--lf-muted); stroke-width: 6; stroke-opacity: 0.45; }
.lf-knots { stroke: var(--lf-1); stroke-width: 3; }
.lf-waves { stroke: var(--lf-2); stroke-width: 2; stroke-dasharray: 7 3; }
.lf-target, .lf-knots, .lf-waves { fill: none; stroke-linejoin: round; }
.lf-tick { stroke: var(--lf-1); stroke-width: 2; }
.lf-rule { stroke: var(--lf-grid); stroke-width: 1; }
.lf label { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem;
  align-items: center; min-height: 1.9rem; max-width: 46rem; }
.lf label input { flex: 1 1 14rem; min-width: 0; height: 1.9rem; margin: 0;
  accent-color: var(--lf-1); cursor: pointer; }
.lf table { width: 100%; max-width: 46rem; margin: 0.8rem 0 0;
  border-collapse: collapse;
  font-variant-numeric: tabular-nums; }
.lf th, .lf td { padding: 0.2rem 0.5rem; text-align: left; font-weight: 400;
  border: 0; border-bottom: 1px solid var(--lf-grid); background: none; }
.lf thead th { color: var(--lf-muted); font-size: 0.875rem; }
.lf-line { display: inline-block; width: 1.4rem; margin-right: 0.5rem;
  border-top: 3px solid var(--lf-1); vertical-align: 0.25rem; }
.lf-line.lf-two { border-top: 2px dashed var(--lf-2); }`;

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [280, 44, 12, 14, 42];
const [FROM, TO, LOW, HIGH] = [-1, 3, -0.75, 1.75];
const POINTS = Array.from({ length: 201 }, (_, i) => i / 100);
const VIEW = Array.from({ length: 801 }, (_, i) => FROM + (i * (TO - FROM)) / 800);
const TARGETS = {
  bump: (x) => Math.exp(-10 * (x - 1) ** 2),
  comb: (x) => Math.abs(Math.sin(Math.PI * x)),
  line: (x) => x / 2,
  step: (x) => (x < 1 ? 0 : 1),
};
const PERIODS = { "2π": 2 * Math.PI, 4: 4, 2: 2 };

/** Both fits of a target, with 2M + 1 coefficients each. */
function fits(target, M, period) {
  const y = POINTS.map(TARGETS[target]);
  return {
    knots: fit((x) => splines(x, 2 * M - 2), POINTS, y),
    waves: fit((x) => harmonics(x, M, PERIODS[period]), POINTS, y),
  };
}

/** A size over many powers of ten: two digits, if need be with a power. */
function size(value) {
  if (value >= 0.01 && value < 1000) return String(Number(value.toPrecision(2)));
  const [digits, power] = value.toExponential(1).split("e");
  const raised = String(Number(power)).replace(/./g, (sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]);
  return `${digits}·10${raised}`;
}
const conditionText = (value) => (value > 1e15 ? "above 10¹⁵" : size(value));

/** A path through the points that are in view, broken where they leave it. */
function path(kind, x, y, points, curve) {
  let pen = "M";
  const steps = points.map((point) => {
    const value = curve(point);
    if (value < LOW || value > HIGH) {
      pen = "M";
      return "";
    }
    const step = `${pen}${x(point).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = "L";
    return step;
  });
  return svg("path", { class: kind, d: steps.join("") });
}

function drawPlot(element, width, target, intervals, { knots, waves }) {
  const x = (value) => LEFT + ((value - FROM) / (TO - FROM)) * (width - LEFT - RIGHT);
  const y = (value) => TOP + ((HIGH - value) / (HIGH - LOW)) * (HEIGHT - TOP - BOTTOM);
  const ticks = Array.from({ length: intervals + 1 }, (_, g) => x((2 * g) / intervals));
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.replaceChildren(
    svg("rect", { class: "lf-data", x: x(0), y: TOP, width: x(2) - x(0), height: y(LOW) - TOP }),
    ...[0, 0.5, 1].flatMap((value) => [
      svg("line", { class: "lf-rule", x1: x(FROM), x2: x(TO), y1: y(value), y2: y(value) }),
      svg("text", { x: x(FROM) - 8, y: y(value) + 4, "text-anchor": "end" }, number(value))]),
    axis(x, [-1, 0, 1, 2, 3], y(LOW)),
    svg("text", { class: "lf-quiet", x: x(1), y: HEIGHT - 4, "text-anchor": "middle" },
      "λ; fitted in the shaded part only"),
    path("lf-target", x, y, POINTS, TARGETS[target]),
    path("lf-knots", x, y, VIEW, knots.at), path("lf-waves", x, y, VIEW, waves.at),
    ...ticks.map((at) => svg("line", {
      class: "lf-tick", x1: at, x2: at, y1: y(LOW) - 8, y2: y(LOW) })));
}

function render({ model, el }) {
  const root = frame(el, STYLE);
  const start = ["target", "M", "period"].map((key) => model.get(key));
  const element = svg("svg", { "aria-hidden": true });
  const plotbox = html("div", { class: "lf-plotbox" }, element);
  const slider = html("input", { type: "range", min: 2, max: 16, step: 1, value: start[1] });
  const count = html("span", {});
  const cells = ["knots", "waves"].map(() => [html("th", { scope: "row" }), html("td"), html("td")]);
  const ear = html("p", { class: "lf-ear", "aria-live": "polite" });
  const say = speaker(ear, 700);
  let width = 600;

  function draw() {
    const [target, M, period] = ["target", "M", "period"].map((key) => model.get(key));
    const both = fits(target, M, period);
    const names = [`splines, ${2 * M - 2} intervals`, `harmonics to ${M}, period ${period}`];
    drawPlot(element, width, target, 2 * M - 2, both);
    Object.values(both).forEach((one, i) => {
      const line = html("span", { class: i ? "lf-line lf-two" : "lf-line" });
      cells[i][0].replaceChildren(line, names[i]);
      cells[i][1].textContent = conditionText(one.condition);
      cells[i][2].textContent = size(one.error);
    });
    count.textContent = `${2 * M + 1} coefficients each`;
    slider.setAttribute("aria-valuetext", count.textContent);
    pickers.forEach(([key, name, item]) => item.setAttribute(
      "aria-pressed", name === model.get(key)));
    say(cells.map((row) => `${row[0].textContent}: condition number ${
      row[1].textContent}, largest error ${row[2].textContent}.`).join(" "));
  }

  function choose(key, value) {
    model.set(key, value);
    model.save_changes();
    draw();
  }

  const choices = (key, names) => names.map((name) => [
    key, name, button(key === "period" ? `period ${name}` : name, () => choose(key, name))]);
  const targets = choices("target", Object.keys(TARGETS));
  const periods = choices("period", ["2π", "4", "2"]);
  const pickers = [...targets, ...periods];
  const row = (label, items, ...more) => html("div", {
    class: "lf-row", role: "group", "aria-label": label }, ...items.map((item) => item[2]), ...more);
  const reset = button("reset", () => {
    ["target", "M", "period"].forEach((key, i) => model.set(key, start[i]));
    slider.value = start[1];
    draw();
  });
  const heads = ["basis", "condition number", "largest error"];
  slider.addEventListener("input", () => choose("M", Number(slider.value)));
  root.append(row("Function to fit", targets), row("Period of the harmonics", periods, reset),
    html("label", {}, html("span", {}, "size"), slider, count), plotbox,
    html("table", {},
      html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
      html("tbody", {}, ...cells.map((items) => html("tr", {}, ...items)))), ear);
  draw();
  new ResizeObserver(() => {
    width = Math.max(280, plotbox.clientWidth);
    draw();
  }).observe(plotbox);
}

export default { render, fits, fit, harmonics, singular, splines };
