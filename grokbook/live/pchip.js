// A smooth curve through points that never overshoots them.

/** The slope at an inner point: none at a peak, else a harmonic mean. */
const inner = (a, b) => (a * b <= 0 ? 0 : (2 * a * b) / (a + b));

/** Piecewise cubic through (x_i, y_i), x equally spaced, monotone wherever
    the points are (Fritsch and Carlson). */
export function pchip(xs, ys) {
  const step = xs[1] - xs[0];
  const chord = ys.slice(1).map((y, i) => (y - ys[i]) / step);
  const slope = ys.map((_, i) => (
    i === 0 ? chord[0] : i === chord.length ? chord.at(-1) : inner(chord[i - 1], chord[i])));
  return (x) => {
    const i = Math.min(chord.length - 1, Math.max(0, Math.floor((x - xs[0]) / step)));
    const t = (x - xs[i]) / step;
    const [u, v] = [1 - t, t];
    return ys[i] * u * u * (1 + 2 * v) + ys[i + 1] * v * v * (1 + 2 * u)
      + step * u * v * (slope[i] * u - slope[i + 1] * v);
  };
}
