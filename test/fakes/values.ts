// Random plain values from a seed: the awkward ones come often.

import { type Json, randomStream } from "@loopwright/core";

const awkward: Json[] = [
  null,
  0,
  -1.5,
  1e300,
  "",
  "\ud800 alone",
  "low \udc00",
  "é漢字🙂\u2028\u0000",
  '"$blob"',
  "$blob",
  { $blob: "0".repeat(64) },
  { $blob: "0".repeat(64), spread: true },
  { $blob: 7 },
  { nested: { $blob: null } },
  [{ $blob: "x", spread: true }],
  ["$blob", "spread"],
  { spread: true },
  [],
  {},
  [[], [[]]],
];

/** A maker of random values. */
export function valuesFrom(seed: number): { value(): Json; list(length?: number): Json[]; below(n: number): number } {
  const random = randomStream("values", seed);
  const below = (n: number) => Math.floor(random() * n);
  const value = (depth = 0): Json => {
    const kind = below(depth > 3 ? 3 : 6);
    if (kind === 0) return awkward[below(awkward.length)]!;
    if (kind === 1) return "ab🙂\ud83d".repeat(below(2) === 0 ? below(6) : 150 + below(400));
    if (kind === 2) return Math.round(random() * 1e6) / 7;
    if (kind === 3) return Array.from({ length: below(6) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: below(5) }, (_, i) => [`key ${i}`, value(depth + 1)]));
  };
  const list = (length = below(7)) => Array.from({ length }, () => value(1));
  return { value: () => value(), list, below };
}
