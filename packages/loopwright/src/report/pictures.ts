// Pictures: told by their first bytes, never by their name. Only formats that cannot carry script are put into a page.

export interface Picture {
  type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Width by height, where the first bytes tell. */
  width?: number;
  height?: number;
}

/** What picture some bytes are; undefined where they are none that a page may hold. */
export function readPicture(bytes: Uint8Array): Picture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) {
    return { type: "image/png", ...(bytes.length >= 24 && { width: view.getUint32(16), height: view.getUint32(20) }) };
  }
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return { type: "image/jpeg" };
  if (startsWith(bytes, text("GIF87a")) || startsWith(bytes, text("GIF89a"))) {
    const size = bytes.length >= 10 && { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    return { type: "image/gif", ...size };
  }
  if (startsWith(bytes, text("RIFF")) && startsWith(bytes.subarray(8), text("WEBP"))) return { type: "image/webp" };
  return undefined;
}

/** Whether a file's name is that of a picture that a page may hold. */
export function isPictureName(name: string): boolean {
  return /\.(png|jpe?g|gif|webp)$/i.test(name);
}

function startsWith(bytes: Uint8Array, signs: readonly number[]): boolean {
  return signs.every((sign, index) => bytes[index] === sign);
}

function text(word: string): number[] {
  return [...Buffer.from(word, "latin1")];
}
