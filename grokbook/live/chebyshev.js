// Filtering an image on its pixel grid without eigenvectors.
// Chebyshev polynomials T_p live on [-1, 1]; the Laplacian's spectrum lies in
// [0, 2], so the operator of the recurrence is L - I = -D^(-1/2) A D^(-1/2).

/** 1/sqrt(number of neighbours) of each pixel of a width x height grid. */
function rootDegrees(width, height) {
  return Float64Array.from({ length: width * height }, (_, i) => {
    const [column, row] = [i % width, Math.floor(i / width)];
    const sides = (column > 0) + (column < width - 1) + (row > 0) + (row < height - 1);
    return sides > 0 ? 1 / Math.sqrt(sides) : 0;
  });
}

/** x -> (L - I) x on the grid. */
function shifted(width, height) {
  const scale = rootDegrees(width, height);
  return (x) => {
    const z = x.map((value, i) => value * scale[i]);
    return x.map((_, i) => {
      const column = i % width;
      const left = column > 0 ? z[i - 1] : 0;
      const right = column < width - 1 ? z[i + 1] : 0;
      return -scale[i] * (left + right + (z[i - width] ?? 0) + (z[i + width] ?? 0));
    });
  };
}

/** The signals T_0(L-I)x, ..., T_degree(L-I)x, by the three-term recurrence. */
export function chebyshevSignals(x, width, height, degree) {
  const apply = shifted(width, height);
  const signals = [x, apply(x)];
  while (signals.length <= degree) {
    const before = signals.at(-2);
    signals.push(apply(signals.at(-1)).map((value, i) => 2 * value - before[i]));
  }
  return signals;
}

/** Chebyshev coefficients of h on [0, 2]: a cosine transform of its values
    at Chebyshev nodes, four per coefficient to keep aliasing out. */
export function expand(h, degree) {
  const count = 4 * (degree + 1);
  const angles = Array.from({ length: count }, (_, j) => (Math.PI * (j + 0.5)) / count);
  const heights = angles.map((angle) => h(1 + Math.cos(angle)));
  return Array.from({ length: degree + 1 }, (_, p) => {
    const sum = heights.reduce((s, y, j) => s + y * Math.cos(p * angles[j]), 0);
    return ((p === 0 ? 1 : 2) / count) * sum;
  });
}

/** The polynomial with these coefficients at λ. */
export function evaluate(coefficients, lam) {
  const angle = Math.acos(Math.min(1, Math.max(-1, lam - 1)));
  return coefficients.reduce((sum, c, p) => sum + c * Math.cos(p * angle), 0);
}

/** Σ c_p T_p(L-I)x from the signals of the recurrence. */
export function combine(coefficients, signals) {
  const result = new Float64Array(signals[0].length);
  coefficients.forEach((c, p) => signals[p].forEach((value, i) => (result[i] += c * value)));
  return result;
}

const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);

/** Share of the image's energy in each of `bins` bins of [0, 2]: the kernel
    polynomial method. Signals to degree P give moments to 2P, because
    T_2p = 2 T_p² - 1; Jackson's factors keep the density positive. */
export function energyHistogram(signals, bins) {
  const even = dot(signals[0], signals[0]);
  const odd = dot(signals[0], signals[1]);
  const moments = signals.slice(1).flatMap((next, p) => [
    2 * dot(signals[p], signals[p]) - even, 2 * dot(signals[p], next) - odd]);
  const damped = moments.map((m, p) => m * jackson(p, moments.length));
  const cumulative = (angle) => damped.reduce((sum, m, p) => (
    sum + (p === 0 ? m * angle : (2 * m * Math.sin(p * angle)) / p)), 0);
  const edges = Array.from({ length: bins + 1 }, (_, b) => Math.acos((2 * b) / bins - 1));
  return edges.slice(1).map((angle, b) => Math.max(0,
    (cumulative(edges[b]) - cumulative(angle)) / (Math.PI * even)));
}

function jackson(p, count) {
  const a = Math.PI / (count + 1);
  return ((count - p + 1) * Math.cos(a * p) + Math.sin(a * p) / Math.tan(a)) / (count + 1);
}
