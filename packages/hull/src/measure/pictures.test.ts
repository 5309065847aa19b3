import { expect, it } from "vitest";
import { joinPictures } from "./look.ts";

it("puts pictures side by side, row by row", () => {
  const picture = (value: number, width: number) => ({
    width,
    height: 2,
    channels: 1 as const,
    data: Uint8Array.from({ length: width * 2 }, (_, i) => value + i),
  });
  const joined = joinPictures([picture(10, 2), picture(50, 1), picture(90, 3)]);
  expect(joined).toMatchObject({ width: 6, height: 2, channels: 1 });
  expect([...joined.data]).toEqual([10, 11, 50, 90, 91, 92, 12, 13, 51, 93, 94, 95]);
});
