// From edges to the eigenvalues and eigenvectors of the normalised Laplacian.

/** L = I - D^(-1/2) A D^(-1/2) as rows; a node without edges has L_ii = 0,
    so that the eigenvalue 0 counts the components. */
export function laplacian(edges, n) {
  const degree = new Array(n).fill(0);
  edges.forEach((edge) => edge.forEach((i) => (degree[i] += 1)));
  const L = degree.map((d, i) => degree.map((_, j) => (i === j && d > 0 ? 1 : 0)));
  for (const [i, j] of edges) {
    L[i][j] = L[j][i] = -1 / Math.sqrt(degree[i] * degree[j]);
  }
  return L;
}

/** Rotate rows and columns p and q of A so that A[p][q] becomes 0. */
function rotate(A, V, p, q) {
  const theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1);
  const s = t * c;
  const turn = (x, y) => [c * x - s * y, s * x + c * y];
  for (let k = 0; k < A.length; k += 1) {
    [A[k][p], A[k][q]] = turn(A[k][p], A[k][q]);
    [V[k][p], V[k][q]] = turn(V[k][p], V[k][q]);
  }
  for (let k = 0; k < A.length; k += 1) {
    [A[p][k], A[q][k]] = turn(A[p][k], A[q][k]);
  }
}

/** Length of what is left off the diagonal. */
function offDiagonal(A) {
  return Math.sqrt(A.reduce((sum, row, i) => (
    sum + row.reduce((part, a, j) => part + (i === j ? 0 : a * a), 0)), 0));
}

/** A vector's sign is free: make its largest entry positive. */
function oriented(vector) {
  const largest = vector.reduce((a, b) => (Math.abs(b) > Math.abs(a) + 1e-9 ? b : a));
  return largest < 0 ? vector.map((x) => -x) : vector;
}

/** Eigenvalues, ascending, and eigenvectors of a symmetric matrix, by cyclic
    Jacobi rotations: sweep over all pairs until nothing is left to rotate. */
export function eigen(matrix) {
  const A = matrix.map((row) => [...row]);
  const n = A.length;
  const V = A.map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 50 && offDiagonal(A) > 1e-13; sweep += 1) {
    for (let p = 0; p < n; p += 1) {
      for (let q = p + 1; q < n; q += 1) {
        if (A[p][q] !== 0) rotate(A, V, p, q);
      }
    }
  }
  const order = [...A.keys()].sort((i, j) => A[i][i] - A[j][j]);
  return {
    values: order.map((i) => A[i][i]),
    vectors: order.map((i) => oriented(V.map((row) => row[i]))),
  };
}
