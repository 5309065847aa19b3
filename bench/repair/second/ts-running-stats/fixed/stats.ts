export interface Summary {
  count: number;
  mean: number;
  m2: number;
  min: number;
  max: number;
}

export const empty: Summary = Object.freeze({
  count: 0,
  mean: 0,
  m2: 0,
  min: Infinity,
  max: -Infinity,
});

export function add(s: Summary, x: number): Summary {
  const count = s.count + 1;
  const delta = x - s.mean;
  const mean = s.mean + delta / count;
  return {
    count,
    mean,
    m2: s.m2 + delta * (x - mean),
    min: Math.min(s.min, x),
    max: Math.max(s.max, x),
  };
}

export const summarize = (xs: Iterable<number>): Summary => [...xs].reduce(add, empty);

/** Joins two summaries as if all their numbers had been seen by one. */
export function merge(a: Summary, b: Summary): Summary {
  const count = a.count + b.count;
  if (count === 0) return empty;
  const delta = b.mean - a.mean;
  return {
    count,
    mean: a.mean + (delta * b.count) / count,
    m2: a.m2 + b.m2 + (delta * delta * a.count * b.count) / count,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  };
}

/** Sample variance; NaN with fewer than two numbers. */
export function variance(s: Summary): number {
  return s.count < 2 ? NaN : s.m2 / (s.count - 1);
}

export const stdev = (s: Summary): number => Math.sqrt(variance(s));
