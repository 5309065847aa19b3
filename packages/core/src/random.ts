// Random streams: numbers that depend on nothing but the seed, the visit and the stream's name (L7).

import { createHash } from "node:crypto";

/** A stream of numbers from 0 (included) to 1 (excluded), by sfc32 from a hashed seed. */
export function randomStream(...seed: (string | number)[]): () => number {
  const bytes = createHash("sha256").update(JSON.stringify(seed)).digest();
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as [number, number, number, number];
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
}
