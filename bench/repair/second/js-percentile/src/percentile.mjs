const sorted = (values) => [...values].sort();

/** Percentile by linear interpolation between the closest ranks; p from 0 to 100. */
export function percentile(values, p) {
  if (values.length === 0) return undefined;
  const ordered = sorted(values);
  const position = ((ordered.length - 1) * p) / 100;
  const low = Math.floor(position);
  const high = Math.ceil(position);
  return ordered[low] + (ordered[high] - ordered[low]) * (position - low);
}

export const median = (values) => percentile(values, 50);

export function outliers(values) {
  const q1 = percentile(values, 25);
  const q3 = percentile(values, 75);
  const reach = 1.5 * (q3 - q1);
  return values.filter((v) => v < q1 - reach || v > q3 + reach);
}

/** Counts per bin of equal width; the largest value belongs to the last bin. */
export function histogram(values, bins) {
  const counts = new Array(bins).fill(0);
  const min = Math.min(...values);
  const max = Math.max(...values);
  const width = (max - min) / bins || 1;
  for (const v of values) {
    const bin = Math.floor((v - min) / width);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
