import { randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { trawler, trawlerFrame } from "../../../test/fixtures/hull/trawler.ts";
import { cutOut } from "./cut-out.ts";
import type { Picture } from "./picture.ts";
import { overlap } from "./silhouettes.ts";
import { renderViews } from "./views/camera.ts";
import { silhouette } from "./views/silhouette.ts";

const camera = { azimuth: 312, elevation: 17 };
const [view] = renderViews(trawler(), [camera], { size: 256 });

/** The trawler before a background, with noise as a photograph has it. */
function photograph(background: (x: number, y: number) => number, noise: number): Picture {
  const random = randomStream("photograph");
  const { width, height, data: seen } = view!.shaded();
  const data = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    for (let color = 0; color < 3; color += 1) {
      const plain = background((pixel % width) / width, Math.floor(pixel / width) / height) + color * 4;
      const value = seen[pixel * 4 + 3] ? seen[pixel * 4 + color]! * 0.6 : plain;
      data[pixel * 3 + color] = Math.max(0, Math.min(255, value + (random() - 0.5) * 2 * noise));
    }
  return { width, height, channels: 3, data };
}

describe("an object before a background", () => {
  it.each([
    ["white, without noise", () => 250, 0],
    ["light, with noise", () => 225, 9],
    ["that grows darker to one side", (x: number, y: number) => 245 - 30 * x - 15 * y, 5],
    ["darker than the object", () => 12, 4],
  ])("%s is cut out", (_, background, noise) => {
    expect(overlap(cutOut(photograph(background, noise)), view!.silhouette())).toBeGreaterThan(0.97);
  });

  it("that is not plain is refused, with what to give instead", () => {
    const tiles = (x: number, y: number) => ((Math.floor(x * 12) + Math.floor(y * 12)) % 2 ? 240 : 60);
    expect(() => cutOut(photograph(tiles, 5))).toThrow("mask: FILE.png");
  });

  it("keeps the holes that it is seen through", () => {
    const data = new Uint8Array(64 * 64).fill(240);
    for (let y = 10; y < 54; y++) data.fill(60, y * 64 + 10, y * 64 + 54);
    for (let y = 20; y < 30; y++) data.fill(240, y * 64 + 20, y * 64 + 40);
    data[40 * 64 + 40] = 240;
    const mask = cutOut({ width: 64, height: 64, channels: 1, data });
    expect([mask.data[25 * 64 + 30], mask.data[40 * 64 + 40], mask.data[15 * 64 + 15]]).toEqual([0, 1, 1]);
  });

  it("is drawn from any side in a frame", () => {
    const target = silhouette(trawler(), camera, trawlerFrame, 128);
    expect(target.data.reduce((sum, pixel) => sum + pixel, 0)).toBeGreaterThan(1000);
    expect(silhouette(trawler(), { azimuth: 270, elevation: 0 }, trawlerFrame, 128)).toEqual(
      silhouette(trawler(), "side", trawlerFrame, 128),
    );
  });
});
