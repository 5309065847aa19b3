// Pictures: told by their first bytes, never by their name. Only what runs nothing as a picture is put into a page.

export interface Picture {
  type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/svg+xml";
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

/** An SVG stands in a page as a picture alone: so a browser runs nothing in it and fetches nothing for it. */
export function readSvg(bytes: Uint8Array): Picture | undefined {
  if (bytes.byteLength > SVG_LIMIT) return undefined;
  const head = Buffer.from(bytes.subarray(0, 2_000)).toString("utf8");
  const tag = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!doctype svg[^>]*>\s*)*<svg\b([^>]*)>/i.exec(head);
  if (!tag) return undefined;
  const measure = (name: string) =>
    Number(new RegExp(`\\s${name}=["'](\\d+(?:\\.\\d+)?)(?:px)?["']`).exec(tag[1]!)?.[1]);
  const [width, height] = [measure("width"), measure("height")].map(Math.round);
  return { type: "image/svg+xml", ...(width! > 0 && height! > 0 && { width: width!, height: height! }) };
}

const SVG_LIMIT = 1_000_000;

/** Whether a file's name is that of a picture that a page may hold. */
export function isPictureName(name: string): boolean {
  return /\.(png|jpe?g|gif|webp|svg)$/i.test(name);
}

/** Whether a file's name is that of an SVG. */
export function isSvgName(name: string): boolean {
  return /\.svg$/i.test(name);
}

function startsWith(bytes: Uint8Array, signs: readonly number[]): boolean {
  return signs.every((sign, index) => bytes[index] === sign);
}

function text(word: string): number[] {
  return [...Buffer.from(word, "latin1")];
}
