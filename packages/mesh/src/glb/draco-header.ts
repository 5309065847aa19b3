// What a piece of Draco data says of itself: read before it is decoded, since a few bytes can announce millions of triangles.

import { unreadableGlb } from "./errors.ts";

const METADATA = 0x8000;

/** How many triangles and vertices a piece of Draco data has. */
export function dracoCounts(data: Uint8Array): { faces: number; vertices: number } {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (bytes.length < 14 || bytes.toString("latin1", 0, 5) !== "DRACO")
    throw unreadableGlb("its Draco data is cut off or none");
  const [major, minor, geometry, method] = [bytes[5]!, bytes[6]!, bytes[7]!, bytes[8]!];
  if (major !== 2 || minor !== 2)
    throw unreadableGlb(`its Draco data is of version ${major}.${minor}, and glTF has 2.2`);
  if (geometry !== 1 || method > 1) throw unreadableGlb("its Draco data is no triangle mesh");
  if (bytes.readUInt16LE(9) & METADATA) throw unreadableGlb("its Draco data carries metadata, which is not read here");
  // Triangles and vertices; or, behind a byte that names the way of it, vertices and triangles.
  const next = varints(bytes, 11 + method);
  const [first, second] = [next(), next()];
  return method === 0 ? { faces: first, vertices: second } : { faces: second, vertices: first };
}

/** Reads numbers of seven bits a byte, one after another. */
function varints(bytes: Buffer, at: number): () => number {
  return () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at];
      at += 1;
      if (byte === undefined || shift > 2 ** 35) throw unreadableGlb("its Draco data is cut off");
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
}
