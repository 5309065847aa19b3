export interface Party {
  name: string;
  weight: number;
}

/**
 * Splits an amount in cents by weight. The shares always add up to the
 * amount; odd cents go one each to the earliest parties that pay anything.
 */
export function allocate(cents: number, weights: number[]): number[] {
  if (!Number.isInteger(cents) || cents < 0) {
    throw new RangeError("amount must be whole, non-negative cents");
  }
  const whole = weights.reduce((sum, w) => sum + w, 0);
  if (whole <= 0) {
    throw new RangeError("weights must add up to more than zero");
  }
  return weights.map((w) => Math.floor((cents * w) / whole));
}

export function splitBill(cents: number, parties: Party[]): Map<string, number> {
  const shares = allocate(cents, parties.map((p) => p.weight));
  return new Map(parties.map((p, i) => [p.name, shares[i]]));
}

export function format(cents: number): string {
  const units = Math.floor(cents / 100);
  return `${units}.${String(cents % 100).padStart(2, "0")}`;
}
