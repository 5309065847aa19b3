// Each code of realism: a picture that must get it, and one just on the good side that must not.

import type { Opinion } from "@loopwright/core";
import { type Material, type Model, type Picture, pictureToPng } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { paint, rubber } from "../../../../test/fakes/car.ts";
import type { Evidence } from "./critic.ts";
import { measurePicture, realism, varietyOf } from "./realism.ts";

const [SIDE, FROM, TO] = [80, 10, 70];
type Color = readonly [number, number, number];
const gray = (value: number): Color => [value, value, value];

/** A picture with an object of 60 × 60 pixels before nothing; `color` gets places in the object. */
function picture(color: (x: number, y: number) => Color): Picture {
  const data = new Uint8Array(SIDE * SIDE * 4);
  for (let y = FROM; y < TO; y += 1)
    for (let x = FROM; x < TO; x += 1) data.set([...color(x - FROM, y - FROM), 255], (y * SIDE + x) * 4);
  return { width: SIDE, height: SIDE, channels: 4, data };
}

/** From dark to light without grain: nothing is wrong with it. */
const slope = (x: number): Color => gray(40 + 3 * x);
/** The first part of the object in one color, the rest as a slope. */
const partly = (part: number, color: Color) => picture((x, y) => (y * 60 + x < part * 3600 ? color : slope(x)));
const grainy = (by: number) => picture((x, y) => gray(40 + 3 * x + ((x + y) % 2 === 0 ? by : -by)));
const stripes = (tones: number) => picture((x) => gray(40 + 40 * Math.floor((x * tones) / 60)));

const chrome: Material = { ...paint, name: "chrome", color: [0.6, 0.6, 0.6, 1], metallic: 1, roughness: 0.1 };
const pink: Material = { ...paint, name: "pink", color: [0.8, 0.01, 0.7, 1] };

function modelOf(materials: readonly Material[]): Model {
  const parts = materials.map(({ name }, material) => ({ name, material, first: material, count: 1 }));
  return { positions: new Float32Array(9), triangles: new Uint32Array(materials.length * 3), parts, materials };
}

const three = [paint, rubber, chrome];
const renderOf = (made: Picture, style: "beauty" | "clay" = "beauty") => ({
  ...{ view: "front_3q", style },
  png: pictureToPng(made),
});

function look(pictures: readonly Picture[], materials: readonly Material[] = three) {
  const renders = pictures.map((made) => renderOf(made));
  const { findings, score } = realism.look({ renders, model: modelOf(materials) } as unknown as Evidence) as Opinion;
  return { codes: findings.map(({ code }) => code), score };
}

describe("the realism check", () => {
  it("finds nothing in a slope of three materials", () => {
    expect(look([picture(slope)])).toEqual({ codes: [], score: 1 });
  });

  it.each<[code: string, what: string, bad: Picture[], good: Picture[]]>([
    ["REAL_NOISY_RENDER", "grain of 14 and of 12 gray levels", [grainy(7)], [grainy(6)]],
    ["REAL_CLIPPING", "36 and 34 % burned out", [partly(0.36, gray(255))], [partly(0.34, gray(255))]],
    ["REAL_CLIPPING", "62 and 58 % pitch black", [partly(0.62, gray(0))], [partly(0.58, gray(0))]],
    ["REAL_LOW_ENTROPY", "four and five tones", [stripes(4)], [stripes(5)]],
    ["REAL_MISSING_TEXTURE", "1.2 and .8 % magenta", [partly(0.012, [255, 0, 255])], [partly(0.008, [255, 0, 255])]],
    [
      "REAL_MISSING_TEXTURE",
      "magenta in one view of three, and purple",
      [picture(slope), picture(slope), partly(0.03, [255, 0, 255])],
      [partly(0.5, [120, 0, 160])],
    ],
  ])("%s: %s", (code, _, bad, good) => {
    expect(look(bad)).toEqual({ codes: [code], score: 0.55 });
    expect(look(good)).toEqual({ codes: [], score: 1 });
  });

  it.each<[what: string, picture: Picture, materials: readonly Material[], isLow: boolean]>([
    ["one finding of black", partly(0.7, gray(0)), three, false],
    ["two findings", picture(() => gray(255)), three, true],
    ["one finding and two materials", grainy(9), [paint, rubber], true],
    ["one finding and three materials", grainy(9), three, false],
    ["no finding and one material", picture(slope), [paint], false],
  ])("REAL_LOW_AESTHETIC: %s", (_, made, materials, isLow) => {
    expect(look([made], materials).codes.includes("REAL_LOW_AESTHETIC")).toBe(isLow);
  });

  it("takes magenta for paint where a material is magenta", () => {
    expect(look([partly(0.3, [255, 0, 255])], [...three, pink]).codes).toEqual([]);
  });

  it("sees nothing where nothing is", () => {
    expect(look([{ ...picture(slope), data: new Uint8Array(SIDE * SIDE * 4) }])).toEqual({
      codes: ["REAL_LOW_ENTROPY"],
      score: 0,
    });
  });

  it("cannot look without a beauty render", () => {
    const clay = { renders: [renderOf(picture(slope), "clay")] } as unknown as Evidence;
    expect(realism.missing!(clay)).toBe("there is no beauty render to measure");
    expect(realism.missing!({ renders: [renderOf(picture(slope))] } as unknown as Evidence)).toBeUndefined();
  });
});

describe("materials that can be told apart", () => {
  it.each<[what: string, materials: readonly Material[], count: number]>([
    ["none", [], 0],
    ["two of one look", [paint, { ...paint, name: "lacquer" }], 1],
    ["a shade apart", [paint, { ...paint, color: [0.56, 0.04, 0.03, 1] }], 1],
    ["paint, rubber and chrome", three, 3],
    ["rough and smooth", [paint, { ...paint, roughness: 0.9 }], 2],
  ])("%s", (_, materials, count) => {
    expect(varietyOf(modelOf(materials))).toBe(count);
  });

  it("counts none that no part has", () => {
    expect(varietyOf({ ...modelOf(three), parts: [] })).toBe(0);
  });
});

describe("a picture without alpha", () => {
  it("has its object where it differs from the corners", () => {
    const { data } = picture(slope);
    const plain = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) => {
      const pixel = Math.floor(at / 3) * 4;
      return data[pixel + 3] === 0 ? 230 : data[pixel + (at % 3)]!;
    });
    const { pixels, grain } = measurePicture({ width: SIDE, height: SIDE, channels: 3, data: plain });
    expect({ pixels, grain }).toEqual({ pixels: 3600, grain: 0 });
  });
});
