import { deflateSync } from "node:zlib";
import { randomStream, UsageError } from "@loopwright/core";
import { decode, encode } from "fast-png";
import { describe, expect, it } from "vitest";
import { maskToPicture, type Picture, pictureToMask } from "./picture.ts";
import { pictureToPng, pngToPicture } from "./png.ts";

function randomPicture(width: number, height: number, channels: Picture["channels"], seed: number): Picture {
  const random = randomStream("picture", seed);
  const data = Uint8Array.from({ length: width * height * channels }, () => Math.floor(random() * 256));
  return { width, height, channels, data };
}

describe("a picture as a PNG", () => {
  it.each([1, 2, 3, 4] as const)("with %i channels comes back as it was, here and in another decoder", (channels) => {
    for (const [width, height] of [
      [1, 1],
      [7, 5],
      [64, 33],
    ] as const) {
      const picture = randomPicture(width, height, channels, width);
      const png = pictureToPng(picture);
      expect(pngToPicture(png)).toEqual(picture);
      const other = decode(png, { checkCrc: true });
      expect(other).toMatchObject({ width, height, channels, depth: 8 });
      expect(Uint8Array.from(other.data)).toEqual(picture.data);
    }
  });

  it("has the same bytes every time", () => {
    const picture = randomPicture(40, 40, 2, 3);
    expect(pictureToPng(picture)).toEqual(pictureToPng({ ...picture, data: picture.data.slice() }));
  });

  it("can be read from the middle of a larger buffer", () => {
    const picture = randomPicture(9, 9, 3, 4);
    const png = pictureToPng(picture);
    const larger = new Uint8Array(png.length + 21).fill(7);
    larger.set(png, 13);
    expect(pngToPicture(larger.subarray(13, 13 + png.length))).toEqual(picture);
  });
});

describe("a PNG of another encoder", () => {
  it.each([1, 2, 3, 4] as const)("with %i channels and 8 bits reads the same, interlaced or not", (channels) => {
    const { width, height, data } = randomPicture(21, 13, channels, channels);
    for (const interlace of ["null", "Adam7"] as const) {
      const png = encode({ width, height, data, channels, depth: 8 }, { interlace });
      expect(pngToPicture(png)).toEqual({ width, height, channels, data });
    }
  });

  it.each([1, 2, 3, 4] as const)("with %i channels and 16 bits comes back rounded to 8", (channels) => {
    const random = randomStream("deep", channels);
    const data = Uint16Array.from({ length: 21 * 13 * channels }, () => Math.floor(random() * 65_536));
    for (const interlace of ["null", "Adam7"] as const) {
      const png = encode({ width: 21, height: 13, data, channels, depth: 16 }, { interlace });
      expect(pngToPicture(png).data).toEqual(Uint8Array.from(data, (value) => Math.round((value / 65_535) * 255)));
    }
  });
});

describe("a PNG in every form but that of few bits and interlaced", () => {
  const forms = [0, 2, 3, 4, 6].flatMap((color) =>
    [1, 2, 4, 8, 16]
      .filter((depth) => (color === 0 ? true : color === 3 ? depth <= 8 : depth >= 8))
      .flatMap((depth) =>
        (depth < 8 ? [false] : [false, true]).map((isInterlaced) => ({ color, depth, isInterlaced })),
      ),
  );

  it.each(forms)("reads color type $color at $depth bits, interlaced: $isInterlaced", (form) => {
    for (const [width, height] of [
      [1, 1],
      [3, 9],
      [13, 10],
      [17, 3],
    ] as const) {
      const { png, samples } = makePng({ width, height, ...form });
      const channels = form.color === 3 ? 3 : form.color === 0 ? 1 : form.color === 2 ? 3 : form.color === 4 ? 2 : 4;
      const largest = 2 ** form.depth - 1;
      const data =
        form.color === 3
          ? Uint8Array.from(samples.flatMap((index) => colorOf(index)))
          : Uint8Array.from(samples, (sample) => Math.round((sample / largest) * 255));
      expect(pngToPicture(png)).toEqual({ width, height, channels, data });
    }
  });

  it("reads the alpha of a palette, which may name only its first colors", () => {
    const { png, samples } = makePng({
      width: 8,
      height: 8,
      color: 3,
      depth: 2,
      chunks: [["tRNS", Buffer.of(0, 99)]],
    });
    const picture = pngToPicture(png);
    expect(picture.channels).toBe(4);
    expect(picture.data).toEqual(
      Uint8Array.from(samples.flatMap((index) => [...colorOf(index), [0, 99, 255, 255][index]!])),
    );
    expect(samples).toContain(3);
  });

  it("takes a color that is named as transparent for what it shows", () => {
    const gray = makePng({ width: 9, height: 9, color: 0, depth: 2, chunks: [["tRNS", Buffer.of(0, 2)]] });
    expect(pngToPicture(gray.png)).toMatchObject({
      channels: 1,
      data: Uint8Array.from(gray.samples, (sample) => sample * 85),
    });
  });

  it("skips a palette that is only a hint", () => {
    const hint = makePng({ width: 5, height: 5, color: 2, depth: 8, chunks: [["PLTE", Buffer.of(1, 2, 3)]] });
    expect(pngToPicture(hint.png)).toMatchObject({ channels: 3, data: Uint8Array.from(hint.samples) });
  });

  it("skips chunks that it need not know, and joins pixels that come in pieces", () => {
    const chunks = [
      ["tEXt", Buffer.from("Title\0boat")] as const,
      ["iCCP", Buffer.from("x\0\0broken profile")] as const,
    ];
    const plain = makePng({ width: 13, height: 10, color: 6, depth: 8 });
    const pieces = makePng({ width: 13, height: 10, color: 6, depth: 8, chunks, pieces: 7 });
    expect(pngToPicture(pieces.png)).toEqual(pngToPicture(plain.png));
  });
});

describe("a PNG that cannot be trusted", () => {
  const whole = pictureToPng(randomPicture(16, 16, 2, 9));
  const refuse = (bytes: Uint8Array) => {
    try {
      pngToPicture(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      expect((error as UsageError).code).toBe("PICTURE_UNREADABLE");
      return (error as UsageError).message;
    }
    return "it was read";
  };

  it("is refused wherever it is truncated", () => {
    for (let length = 0; length < whole.length; length += 1)
      expect(refuse(whole.subarray(0, length))).toMatch(/^the picture cannot be read: it is (not a PNG|cut off)/);
  });

  it("is refused with any byte changed", () => {
    const random = randomStream("changed");
    for (let at = 0; at < whole.length; at += 1) {
      const changed = whole.slice();
      changed[at]! ^= 1 + Math.floor(random() * 255);
      expect(refuse(changed)).toMatch(/^the picture cannot be read: /);
    }
  });

  it("is refused when it is something else", () => {
    expect(refuse(Buffer.from("GIF89a, or so"))).toMatch("it is not a PNG file");
  });

  it("is refused by its header when it is absurdly large or empty, before anything is unpacked", () => {
    for (const [width, height] of [
      [2 ** 31 - 1, 2 ** 31 - 1],
      [8193, 1],
      [1, 8193],
      [0, 5],
    ] as const) {
      const start = performance.now();
      const { png } = makePng({ width: 1, height: 1, color: 6, depth: 8, says: [width, height] });
      expect(refuse(png)).toMatch(`it is ${width} × ${height} pixels, and a side has 1 to 8192`);
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  });

  it("is refused with a second header, which would hold over the one that was looked at", () => {
    const second = Buffer.alloc(13);
    second.writeUInt32BE(2 ** 31 - 1, 0);
    expect(refuse(makePng({ width: 4, height: 4, color: 0, depth: 8, chunks: [["IHDR", second]] }).png)).toMatch(
      "it has a chunk 'IHDR'",
    );
  });

  it("is refused when its pixels unpack to more or less than its header says", () => {
    const bomb = makePng({ width: 4, height: 4, color: 0, depth: 8, rows: new Uint8Array(50_000_000) });
    const start = performance.now();
    expect(refuse(bomb.png)).toMatch("cannot be unpacked to the size in its header");
    expect(performance.now() - start).toBeLessThan(2_000);
    const short = makePng({ width: 4, height: 4, color: 0, depth: 8, rows: new Uint8Array(19) });
    expect(refuse(short.png)).toMatch("it has 19 bytes of pixels where 20 belong");
  });

  it("is refused with forms that do not exist", () => {
    expect(refuse(makePng({ width: 2, height: 2, color: 2, depth: 4 }).png)).toMatch("no color type 2 with 4 bits");
    expect(refuse(makePng({ width: 2, height: 2, color: 5, depth: 8 }).png)).toMatch("no color type 5 with 8 bits");
    const filter = makePng({ width: 1, height: 1, color: 0, depth: 8, rows: Uint8Array.of(5, 0) });
    expect(refuse(filter.png)).toMatch("filter: 5");
    const few = makePng({ width: 9, height: 9, color: 3, depth: 4, isInterlaced: true });
    expect(refuse(few.png)).toMatch("it is interlaced with 4 bits a sample, which is not known here");
    const strange = makePng({ width: 2, height: 2, color: 0, depth: 8, chunks: [["ABCD", Buffer.of(1)]] });
    expect(refuse(strange.png)).toMatch("it has a chunk 'ABCD'");
  });

  it("is refused when its palette is missing or truncated", () => {
    const base = { width: 2, height: 2, color: 3, depth: 8 };
    expect(refuse(makePng({ ...base, palette: Buffer.of() }).png)).toMatch("palette is missing or too long");
    expect(refuse(makePng({ ...base, palette: Buffer.of(1, 2, 3, 4) }).png)).toMatch("must be a multiple of 3");
    const few = makePng({ ...base, palette: Buffer.of(1, 2, 3), rows: Uint8Array.of(0, 0, 0, 0, 9, 0) });
    expect(refuse(few.png)).toMatch("index of palette color");
  });
});

describe("a picture as a mask", () => {
  const mask = (channels: Picture["channels"], ...data: number[]) =>
    [...pictureToMask({ width: data.length / channels, height: 1, channels, data: Uint8Array.from(data) }).data].join(
      "",
    );

  it("has the object where there is alpha, when some pixel is not opaque", () => {
    expect(mask(2, 255, 255, 255, 128, 0, 127, 0, 0)).toBe("1100");
    expect(mask(4, 255, 255, 255, 255, 0, 0, 0, 254, 0, 0, 0, 3)).toBe("110");
  });

  it("has the object where it is dark, when every pixel is opaque", () => {
    expect(mask(1, 0, 127, 128, 255)).toBe("1100");
    expect(mask(2, 0, 255, 200, 255)).toBe("10");
    expect(mask(3, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255)).toBe("1010");
    expect(mask(4, 10, 10, 10, 255, 240, 240, 240, 255)).toBe("10");
  });

  it("comes back from a picture of itself, through a PNG too", () => {
    const random = randomStream("mask");
    const data = Uint8Array.from({ length: 31 * 17 }, () => (random() < 0.4 ? 1 : 0));
    const picture = maskToPicture({ width: 31, height: 17, data });
    expect(picture.channels).toBe(2);
    expect(picture.data.filter((_, at) => at % 2 === 0).every((gray) => gray === 0)).toBe(true);
    expect(pictureToMask(pngToPicture(pictureToPng(picture)))).toEqual({ width: 31, height: 17, data });
  });
});

interface Form {
  width: number;
  height: number;
  color: number;
  depth: number;
  isInterlaced?: boolean;
  chunks?: readonly (readonly [type: string, data: Uint8Array])[];
  palette?: Uint8Array;
  /** What the header says, where that is not so. */
  says?: readonly [number, number];
  /** The rows as they are packed, where they are not random. */
  rows?: Uint8Array;
  /** How many chunks the pixels come in. */
  pieces?: number;
}

const colorOf = (index: number) => [index, 255 - index, (index * 7) % 256];

/** A PNG of random samples in any form, its rows filtered in all five ways, by the text of the format. */
function makePng({ width, height, color, depth, isInterlaced = false, ...rest }: Form) {
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color] ?? 1;
  const random = randomStream("png", width, height, color, depth);
  const samples = Array.from({ length: width * height * channels }, () => Math.floor(random() * 2 ** depth));
  const starts = isInterlaced ? ["0088", "4088", "0448", "2044", "0224", "1022", "0112"] : ["0011"];
  const rows = starts.flatMap((pass) => {
    const [x0, y0, dx, dy] = [...pass].map(Number) as [number, number, number, number];
    let above: number[] = [];
    const packed: number[] = [];
    for (let y = y0; y < height && x0 < width; y += dy) {
      const bits: string[] = [];
      for (let x = x0; x < width; x += dx)
        for (let channel = 0; channel < channels; channel += 1)
          bits.push(samples[(y * width + x) * channels + channel]!.toString(2).padStart(depth, "0"));
      const row = (bits.join("").match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, "0"), 2));
      packed.push(...filtered(row, above, y % 5, Math.max(1, (channels * depth) / 8)));
      above = row;
    }
    return packed;
  });
  const [saidWidth, saidHeight] = rest.says ?? [width, height];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(saidWidth, 0);
  header.writeUInt32BE(saidHeight, 4);
  header.set([depth, color, 0, 0, isInterlaced ? 1 : 0], 8);
  const palette =
    rest.palette ?? Buffer.from(Array.from({ length: 2 ** Math.min(8, depth) }, (_, index) => colorOf(index)).flat());
  const packed = deflateSync(rest.rows ?? Uint8Array.from(rows));
  const pieces = rest.pieces ?? 1;
  const step = Math.ceil(packed.length / pieces);
  const png = Buffer.concat([
    Buffer.of(137, 80, 78, 71, 13, 10, 26, 10),
    chunk("IHDR", header),
    ...(color === 3 ? [chunk("PLTE", palette)] : []),
    ...(rest.chunks ?? []).map(([type, data]) => chunk(type, data)),
    ...Array.from({ length: pieces }, (_, at) => chunk("IDAT", packed.subarray(at * step, (at + 1) * step))),
    chunk("IEND", Buffer.of()),
  ]);
  return { png, samples };
}

function filtered(row: number[], above: number[], filter: number, pixel: number): number[] {
  const guesses = row.map((_, at) => {
    const [left, up, corner] = [row[at - pixel] ?? 0, above[at] ?? 0, above[at - pixel] ?? 0];
    const estimate = left + up - corner;
    const ordered = [left, up, corner].map((value, order) => ({ value, order, off: Math.abs(estimate - value) }));
    const paeth = ordered.sort((a, b) => a.off - b.off || a.order - b.order)[0]!.value;
    return [0, left, up, Math.floor((left + up) / 2), paeth][filter]!;
  });
  return [filter, ...row.map((value, at) => (value - guesses[at]! + 256) % 256)];
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type), data]);
  let crc = 0xffffffff;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(~crc >>> 0, 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}
