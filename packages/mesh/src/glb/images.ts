// How large a picture is, from its header: nothing is unpacked.

export interface ImageHeader {
  readonly type: string;
  /** 0 where the header does not say. */
  readonly width: number;
  readonly height: number;
}

/** The type and size of a picture's file; undefined for a file of no known type. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number) => file.toString("latin1", from, to);
  if (text(1, 4) === "PNG" && file.length >= 24)
    return { type: "image/png", width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  if (file.length >= 4 && file.readUInt16BE(0) === 0xffd8) return { type: "image/jpeg", ...jpegSize(file) };
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP" && file.length >= 30)
    return { type: "image/webp", ...webpSize(file) };
  if (text(1, 7) === "KTX 20" && file.length >= 28)
    return { type: "image/ktx2", width: file.readUInt32LE(20), height: file.readUInt32LE(24) };
  return undefined;
}

/** From the segment that begins the picture, the way there going from segment to segment. */
function jpegSize(file: Buffer): { width: number; height: number } {
  for (let at = 2; at + 9 < file.length && file[at] === 0xff; ) {
    const marker = file[at + 1]!;
    const isStart = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isStart) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    at += 2 + Math.max(2, file.readUInt16BE(at + 2));
  }
  return { width: 0, height: 0 };
}

function webpSize(file: Buffer): { width: number; height: number } {
  const kind = file.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ") return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return { width: 0, height: 0 };
  const bits = file.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
