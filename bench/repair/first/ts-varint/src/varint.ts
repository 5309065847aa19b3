// Signed 32-bit integers as zigzag varints, seven bits to a byte, low bits first.

export const zigzag = (n: number): number => ((n << 1) ^ (n >> 31)) >>> 0;

export const unzigzag = (z: number): number => (z >> 1) ^ -(z & 1);

export function encodeAll(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const n of numbers) {
    if ((n | 0) !== n) throw new RangeError(`${n} is not a 32-bit integer`);
    let rest = zigzag(n);
    while (rest > 0x7f) {
      bytes.push((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

export function decodeAll(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const byte of bytes) {
    value |= (byte & 0x7f) << shift;
    if (byte & 0x80) {
      shift += 7;
      continue;
    }
    numbers.push(unzigzag(value >>> 0));
    value = 0;
    shift = 0;
  }
  if (shift !== 0) throw new Error('truncated input');
  return numbers;
}
