// Two bases for a function of one variable, and the fit in each.

/** B-splines of degree 3 at x, on equal knots over [0, 2]: Cox and de Boor. */
export function splines(x, intervals) {
  const step = 2 / intervals;
  const t = Array.from({ length: intervals + 7 }, (_, g) => (g - 3) * step);
  let basis = t.slice(1).map((end, g) => (t[g] <= x && x < end ? 1 : 0));
  for (let p = 1; p <= 3; p += 1) {
    const width = p * step; // of the support of a spline of degree p - 1
    basis = basis.slice(1).map((next, g) => (
      ((x - t[g]) * basis[g] + (t[g + p + 1] - x) * next) / width));
  }
  return basis;
}

/** 1, cos, ..., cos M, sin, ..., sin M of the angle 2πx / period. */
export function harmonics(x, M, period) {
  const angle = (2 * Math.PI * x) / period;
  const orders = Array.from({ length: M }, (_, m) => m + 1);
  return [1, ...orders.map((m) => Math.cos(m * angle)), ...orders.map((m) => Math.sin(m * angle))];
}

const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);

function rotate(a, b, cosine, sine) {
  for (let i = 0; i < a.length; i += 1) {
    [a[i], b[i]] = [cosine * a[i] - sine * b[i], sine * a[i] + cosine * b[i]];
  }
}

/** Singular values of the matrix with these columns, by one-sided Jacobi
    rotations: they keep small singular values accurate, where the squares
    in a Gram matrix would lose them. Also the turned columns and the turn. */
export function singular(columns) {
  const A = columns.map((column) => Float64Array.from(column));
  const V = A.map((_, i) => Float64Array.from(A, (_, j) => (i === j ? 1 : 0)));
  for (let sweep = 0, moved = true; moved && sweep < 30; sweep += 1) {
    moved = false;
    for (let q = 1; q < A.length; q += 1) {
      for (let p = 0; p < q; p += 1) {
        const [aa, bb, ab] = [dot(A[p], A[p]), dot(A[q], A[q]), dot(A[p], A[q])];
        if (Math.abs(ab) <= 1e-12 * Math.sqrt(aa * bb)) continue;
        moved = true;
        const zeta = (bb - aa) / (2 * ab);
        const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
        const cosine = 1 / Math.hypot(1, tangent);
        rotate(A[p], A[q], cosine, cosine * tangent);
        rotate(V[p], V[q], cosine, cosine * tangent);
      }
    }
  }
  return { sizes: A.map((column) => Math.sqrt(dot(column, column))), A, V };
}

/** Least squares: coefficients of the basis functions, the condition number
    of the basis at the points x, and the largest error there. Directions
    whose singular value is rounding get no part in the solution. */
export function fit(basis, x, y) {
  const rows = x.map(basis);
  const columns = rows[0].map((_, g) => rows.map((row) => row[g]));
  const { sizes, A, V } = singular(columns);
  const largest = Math.max(...sizes);
  const parts = sizes.map((size, j) => (
    size > x.length * Number.EPSILON * largest ? dot(A[j], y) / size ** 2 : 0));
  const c = columns.map((_, g) => parts.reduce((sum, part, j) => sum + part * V[j][g], 0));
  const misses = rows.map((row, i) => Math.abs(dot(row, c) - y[i]));
  return { c, condition: largest / Math.min(...sizes), error: Math.max(...misses),
    at: (point) => dot(basis(point), c) };
}
