import { pictureToPng } from "@loopwright/mesh/png";
import { encode } from "fast-png";
import { expect, test } from "vitest";
import { namePicture } from "./pictures.ts";

const width = 3;
const height = 2;
const gray = Uint8Array.from([0, 50, 100, 150, 200, 255]);
const spread = (channels: number, alpha: number[]) =>
  Uint8Array.from(
    [...gray].flatMap((level, index) => [...Array(channels).fill(level), ...alpha.slice(index, index + 1)]),
  );
const opaque = Array(6).fill(255) as number[];

test("Pictures with the same pixels have one name, whatever the packing, the channels or the encoder.", () => {
  const names = [
    pictureToPng({ width, height, channels: 1, data: gray }),
    pictureToPng({ width, height, channels: 2, data: spread(1, opaque) }),
    pictureToPng({ width, height, channels: 3, data: spread(3, []) }),
    pictureToPng({ width, height, channels: 4, data: spread(3, opaque) }),
    encode({ width, height, data: gray, channels: 1, depth: 8 }, { zlib: { level: 9 } }),
    encode({ width, height, data: gray, channels: 1, depth: 8 }, { interlace: "Adam7" }),
  ].map(namePicture);
  expect(names[0]).toMatchObject({ width, height, pixels: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(new Set(names.map((name) => JSON.stringify(name))).size).toBe(1);
});

test("One level in one pixel, its opacity, or another shape of the same bytes is another picture.", () => {
  const other = gray.slice();
  other[3] = 151;
  const names = [
    pictureToPng({ width, height, channels: 1, data: gray }),
    pictureToPng({ width, height, channels: 1, data: other }),
    pictureToPng({ width: height, height: width, channels: 1, data: gray }),
    pictureToPng({ width, height, channels: 2, data: spread(1, [255, 255, 254, 255, 255, 255]) }),
  ].map((png) => JSON.stringify(namePicture(png)));
  expect(new Set(names).size).toBe(4);
});

test("The color of what is wholly transparent does not count, for nobody can see it.", () => {
  const clear = (level: number) =>
    pictureToPng({ width: 1, height: 1, channels: 2, data: Uint8Array.from([level, 0]) });
  expect(namePicture(clear(10))).toEqual(namePicture(clear(200)));
});

test("What cannot be decoded is named by its bytes: another format, a truncated file, no file at all.", () => {
  const png = pictureToPng({ width, height, channels: 1, data: gray });
  const truncated = png.subarray(0, png.length - 20);
  expect(namePicture(truncated)).toMatchObject({
    size: truncated.length,
    bytes: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(namePicture(Buffer.from("\xff\xd8\xff\xe0 a JPEG", "latin1"))).toMatchObject({ size: 11 });
  expect(namePicture(new Uint8Array(0))).toMatchObject({ size: 0 });
});
