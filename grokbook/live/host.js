// Gives a module with the anywidget interface a home on a page without kernel.

/** The part of anywidget's model that a module needs, over a plain object. */
function modelOf(values) {
  const listeners = {};
  return {
    get: (key) => values[key],
    set(key, value) {
      values[key] = value;
      (listeners[`change:${key}`] ?? []).forEach((listener) => listener());
    },
    on(event, listener) {
      (listeners[event] ??= []).push(listener);
    },
    off(event, listener) {
      listeners[event] = (listeners[event] ?? []).filter((f) => f !== listener);
    },
    save_changes() {},
  };
}

/** Put the live figure where its still picture stands, or say why not. */
function start(id, values, load) {
  // The same figure may be shown twice on a page: take the first still one.
  const still = `[id="${id}"]:not([data-ready]):not([data-failed])`;
  const root = document.querySelector(still);
  if (!root) return;
  try {
    const el = document.createElement("div");
    load().render({ model: modelOf(values), el });
    root.replaceChildren(el);
    root.dataset.ready = "1";
  } catch (error) {
    const note = document.createElement("p");
    note.textContent =
      `This figure could not start (${error.message}); its still picture is shown.`;
    root.append(note);
    root.dataset.failed = "1";
  }
}
