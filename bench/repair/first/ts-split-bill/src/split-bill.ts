export type Cents = number;

/**
 * Split an amount by weight so that no cent is lost: every share is rounded
 * down, then the cents left over go to those who lost most by the rounding.
 */
export function allocate(total: Cents, weights: number[]): Cents[] {
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  if (weightSum <= 0) throw new RangeError('weights must add up to more than zero');

  const exact = weights.map((weight) => (total * weight) / weightSum);
  const shares = exact.map(Math.floor);
  const leftover = total % weights.length;

  const byLoss = weights
    .map((_, i) => i)
    .sort((a, b) => exact[b] - shares[b] - (exact[a] - shares[a]) || a - b);
  for (const i of byLoss.slice(0, leftover)) shares[i] += 1;

  return shares;
}

export function splitBill(total: Cents, people: Record<string, number>): Record<string, string> {
  const names = Object.keys(people);
  const shares = allocate(total, names.map((name) => people[name]));
  return Object.fromEntries(names.map((name, i) => [name, (shares[i] / 100).toFixed(2)]));
}
