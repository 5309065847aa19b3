function ordered(values) {
  if (values.length === 0) throw new RangeError('no values');
  return [...values].sort();
}

/** Linear interpolation between the closest ranks. */
export function percentile(values, p) {
  if (p < 0 || p > 100) throw new RangeError(`percentile out of range: ${p}`);
  const sorted = ordered(values);
  const rank = (p / 100) * (sorted.length - 1);
  const low = Math.floor(rank);
  const high = Math.ceil(rank);
  return sorted[low] + (sorted[high] - sorted[low]) * (rank - low);
}

export const median = (values) => percentile(values, 50);

export function summary(values) {
  const [min, q1, mid, q3, max] = [0, 25, 50, 75, 100].map((p) => percentile(values, p));
  return { min, q1, median: mid, q3, max, iqr: q3 - q1 };
}

export function outliers(values, reach = 1.5) {
  const { q1, q3, iqr } = summary(values);
  return values.filter((v) => v < q1 - reach * iqr || v > q3 + reach * iqr);
}
