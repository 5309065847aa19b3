export type Matrix = number[][];

export function zeros(rows: number, columns: number): Matrix {
  return Array.from({ length: rows }, () => new Array(columns).fill(0));
}

export function identity(size: number): Matrix {
  const result = zeros(size, size);
  for (let i = 0; i < size; i++) result[i][i] = 1;
  return result;
}

export function transpose(m: Matrix): Matrix {
  return (m[0] ?? []).map((_, column) => m.map((row) => row[column]));
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  if ((a[0] ?? []).length !== b.length) {
    throw new RangeError("inner sizes differ");
  }
  const width = (b[0] ?? []).length;
  const result = zeros(a.length, width);
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < width; j++) {
      for (let k = 0; k < b.length; k++) {
        result[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return result;
}

export function power(m: Matrix, exponent: number): Matrix {
  let result = identity(m.length);
  let base = m;
  for (let e = exponent; e > 0; e >>= 1) {
    if (e & 1) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}
