// A slider with its name and its value.
import { html } from "./shared.js";

export const SLIDER_STYLE = `
.lf label.lf-slider { display: grid; gap: 0 0.8rem; align-items: center;
  grid-template-columns: 10rem minmax(8rem, 1fr) 4rem;
  min-height: 2rem; max-width: 34rem; }
.lf-slider input { width: 100%; min-height: 1.6rem; margin: 0;
  accent-color: var(--lf-1); cursor: pointer; }
.lf-slider output { font-variant-numeric: tabular-nums; }
@media (max-width: 30rem) { .lf label.lf-slider {
  grid-template-columns: minmax(0, 1fr) 4rem; }
  .lf-slider input { grid-row: 2; grid-column: 1 / -1; } }`;

/** `change(value)` is called while the reader moves the slider; `show` writes
    a value for the eye and the ear. `set` moves it from outside. */
export function slider(name, { min, max, step }, show, change) {
  const input = html("input", { type: "range", min, max, step, "aria-label": name });
  const output = html("output");
  const tell = () => {
    const text = show(Number(input.value));
    output.textContent = text;
    input.setAttribute("aria-valuetext", text);
  };
  input.addEventListener("input", () => {
    tell();
    change(Number(input.value));
  });
  return {
    element: html("label", { class: "lf-slider" }, html("span", {}, name), input, output),
    set(value) {
      input.value = value;
      tell();
    },
  };
}
