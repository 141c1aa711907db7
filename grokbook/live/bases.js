// Five polynomial bases, each by one recurrence that serves two roads: with
// numbers `times` multiplies by λ, with a signal it multiplies by L.

const minus = (x, y) => x.map((value, i) => value - y[i]);

function powers(step, one, K) {
  const terms = [one];
  while (terms.length <= K) terms.push(step(terms.at(-1)));
  return terms;
}

/** p_k = slope(k) z p_{k-1} - back(k) p_{k-2}, where `z` multiplies by z. */
function threeTerms(z, one, first, K, slope, back) {
  const terms = [one, first];
  for (let k = 2; k <= K; k += 1) {
    const before = terms[k - 2];
    terms.push(z(terms[k - 1]).map((value, i) => slope(k) * value - back(k) * before[i]));
  }
  return terms;
}

const monomial = (times, one, K) => powers(times, one, K);

const gpr = (times, one, K) => powers((x) => minus(x, times(x)), one, K);

function chebyshev(times, one, K) {
  const z = (x) => minus(times(x), x);
  return threeTerms(z, one, z(one), K, () => 2, () => 1);
}

/** Jacobi polynomials with both parameters 1, at z = 1 - λ. */
function jacobi(times, one, K) {
  const z = (x) => minus(x, times(x));
  const first = z(one).map((value) => 2 * value);
  return threeTerms(z, one, first, K,
    (k) => ((2 * k + 1) * (k + 1)) / (k * (k + 2)), (k) => (k + 1) / (k + 2));
}

function bernstein(times, one, K) {
  let row = [one];
  while (row.length <= K) {
    const half = row.map((term) => times(term).map((value) => value / 2));
    const stay = row.map((term, k) => minus(term, half[k]));
    const inner = half.slice(1).map((_, k) => stay[k + 1].map((v, i) => v + half[k][i]));
    row = [stay[0], ...inner, half.at(-1)];
  }
  return row;
}

export const BASES = { monomial, chebyshev, gpr, bernstein, jacobi };

/** Σ θ_k p_k, as numbers or as a signal. */
export function sum(basis, theta, times, one) {
  const terms = BASES[basis](times, one, theta.length - 1);
  return one.map((_, i) => terms.reduce((total, term, k) => total + theta[k] * term[i], 0));
}

/** The response at a list of eigenvalues. */
export function respond(basis, theta, lams) {
  return sum(basis, theta, (x) => x.map((value, i) => value * lams[i]), lams.map(() => 1));
}

/** The coefficients of degree K in a basis whose response is h at the K + 1
    Chebyshev nodes of [0, 2]: of a polynomial of degree K, its own. */
export function coefficientsOf(h, basis, K) {
  const nodes = Array.from({ length: K + 1 }, (_, j) => (
    1 + Math.cos((Math.PI * (j + 0.5)) / (K + 1))));
  const unit = (k) => Array.from({ length: K + 1 }, (_, j) => Number(j === k));
  const columns = nodes.map((_, k) => respond(basis, unit(k), nodes));
  return solve(nodes.map((_, j) => columns.map((column) => column[j])), h(nodes));
}

/** Gaussian elimination with row exchanges. */
function solve(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  rows.forEach((_, k) => {
    const best = rows.slice(k).reduce((at, row, i) => (
      Math.abs(row[k]) > Math.abs(rows[at][k]) ? k + i : at), k);
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let i = k + 1; i < rows.length; i += 1) {
      const factor = rows[i][k] / rows[k][k];
      rows[i] = rows[i].map((value, j) => value - factor * rows[k][j]);
    }
  });
  const found = [];
  for (let k = rows.length - 1; k >= 0; k -= 1) {
    const known = found.reduce((total, value, i) => total + value * rows[k][k + 1 + i], 0);
    found.unshift((rows[k].at(-1) - known) / rows[k][k]);
  }
  return found;
}

/** x -> L x on a path. */
export function pathLaplacian(count) {
  const degree = (i) => (i === 0 || i === count - 1 ? 1 : 2);
  const along = (x, i, j) => (j < 0 || j >= count ? 0 : x[j] / Math.sqrt(degree(i) * degree(j)));
  return (x) => x.map((value, i) => value - along(x, i, i - 1) - along(x, i, i + 1));
}
