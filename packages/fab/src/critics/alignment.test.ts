// Each code of alignment: a prompt or an asset that must get it, and one just on the good side that must not.

import type { Opinion } from "@loopwright/core";
import { boundsOf, type Material, type Mesh, type Model } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { car, paint, rubber } from "../../../../test/fakes/car.ts";
import { cube, joinMeshes, moveMesh } from "../../../../test/fakes/shapes.ts";
import { loadGate } from "../gate/load.ts";
import { alignment, attributesOf } from "./alignment.ts";
import { colorsIn, nameOf } from "./colors.ts";
import type { Evidence } from "./critic.ts";

const gate = await loadGate("car_realism_v001", ".");
const shape = car(1);

const colored = (red: number, green: number, blue: number): Material => ({ ...paint, color: [red, green, blue, 1] });
const [red, blue, white] = [paint, colored(0.02, 0.05, 0.5), colored(0.9, 0.9, 0.9)];

/** The car, painted. */
function carOf(body: Material, tires: Material = rubber): Model {
  return { ...shape, parts: shape.parts!, materials: [body, tires] };
}

/** A hundred triangles of one size, so many of them in the second of two materials. */
function patchwork(first: Material, second: Material, count: number): Model {
  return {
    positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 1]),
    triangles: Uint32Array.from({ length: 300 }, (_, at) => at % 3),
    parts: [
      { name: "one", material: 0, first: 0, count: 100 - count },
      { name: "other", material: 1, first: 100 - count, count },
    ],
    materials: [first, second],
  };
}

function look(prompt: string, model: Model) {
  const { findings, score } = alignment.look({ prompt, model, gate } as unknown as Evidence) as Opinion;
  return { codes: findings.map(({ code }) => code), score };
}

const [MISMATCH, LOW, MARGIN] = ["ALIGN_ATTRIBUTE_MISMATCH", "ALIGN_LOW_SIMILARITY", "ALIGN_MARGIN_LOW"];

describe("the alignment check", () => {
  it.each<[prompt: string, Model, score: number, codes: string[]]>([
    ["a red car", carOf(red), 1, []],
    ["a blue car", carOf(blue), 1, []],
    ["an orange car", carOf(red), 0.9, []],
    ["something nice", carOf(red), 0.7, []],
    ["a blue car", carOf(red), 0.5, [MISMATCH!, MARGIN!]],
    ["a red and blue car", carOf(red), 2 / 3, [MISMATCH!]],
    ["a blue wooden car", carOf(red), 1 / 3, [MISMATCH!, LOW!]],
    ["blue", carOf(red), 0, [MISMATCH!, LOW!]],
    ["a red chair", carOf(red), 0.5, [MISMATCH!, MARGIN!]],
    ["blue", patchwork(red, blue, 24), 0.48, [MISMATCH!, LOW!]],
    ["blue", patchwork(red, blue, 26), 0.52, [MARGIN!]],
    ["blue", patchwork(red, blue, 33), 0.66, []],
    ["white", patchwork(rubber, white, 26), 1, []],
  ])("'%s' of %#", (prompt, model, score, codes) => {
    const seen = look(prompt, model);
    expect(seen.codes).toEqual(codes);
    expect(seen.score).toBeCloseTo(score, 6);
  });

  it("cannot look without a prompt", () => {
    expect(alignment.missing!({ prompt: " " } as Evidence)).toBe("there is no prompt");
    expect(alignment.missing!({ prompt: "a car" } as Evidence)).toBeUndefined();
  });
});

describe("what a prompt asks for", () => {
  const wood = { ...paint, name: "oak veneer" };
  it.each<[prompt: string, Material, score: number]>([
    ["a wooden thing", wood, 1],
    ["a wooden thing", paint, 0],
    ["a metallic thing", { ...paint, metallic: 0.31 }, 1],
    ["a metallic thing", { ...paint, metallic: 0.3 }, 0],
    ["a leather thing", { ...paint, metallic: 0.09, roughness: 0.81 }, 1],
    ["a leather thing", { ...paint, metallic: 0.09, roughness: 0.8 }, 0],
    ["a leather thing", { ...paint, name: "seat fabric" }, 1],
  ])("'%s' of %o", (prompt, material, score) => {
    expect(attributesOf(prompt, carOf(material, material), "car")).toEqual([
      expect.objectContaining({ name: "material", score }),
    ]);
  });

  /** A body so many times as high as long; of two boxes: a cabin as high as all of it, and a hood. */
  function body(from: Mesh, ratio: number): Model {
    const { min, max } = boundsOf(from);
    const by = (ratio * (max[0] - min[0])) / (max[2] - min[2]);
    const positions = from.positions.map((value, at) => (at % 3 === 2 ? value * by : value));
    return { ...from, positions, parts: [], materials: [] };
  }
  const boxes = joinMeshes(cube(2), moveMesh(cube(1), [1.5, 0, -0.5]));

  it.each<[prompt: string, shape: Mesh, ratio: number, isMatched: boolean]>([
    ["a sedan", shape, 0.39, true],
    ["a sedan", shape, 0.42, false],
    ["a sports car", shape, 0.35, true],
    ["a sports car", shape, 0.38, false],
    ["an SUV", boxes, 0.3, true],
    ["an SUV", boxes, 0.29, false],
    ["an SUV", shape, 0.4, false],
    ["a van", boxes, 0.33, true],
    ["a van", boxes, 0.32, false],
    ["a hatchback", boxes, 0.28, true],
    ["a hatchback", boxes, 0.26, false],
  ])("'%s' of %#", (prompt, from, ratio, isMatched) => {
    const asked = attributesOf(prompt, body(from, ratio), "car").find(({ name }) => name === "body type")!;
    expect(asked.score >= 0.5, asked.words).toBe(isMatched);
  });

  it("asks no body type of a chair", () => {
    expect(attributesOf("a sedan", carOf(red), "chair").map(({ name }) => name)).toEqual(["kind"]);
  });
});

describe("the name of a color", () => {
  it.each<[name: string, red: number, green: number, blue: number]>([
    ["black", 0.19, 0.1, 0.1],
    ["red", 0.21, 0.1, 0.1],
    ["grey", 0.5, 0.5, 0.5],
    ["grey", 0.77, 0.77, 0.77],
    ["white", 0.79, 0.79, 0.79],
    ["pink", 1, 0.6, 0.6],
    ["orange", 1, 0.5, 0],
    ["brown", 0.5, 0.3, 0.1],
    ["beige", 0.9, 0.8, 0.6],
    ["yellow", 1, 0.95, 0],
    ["green", 0.1, 0.6, 0.2],
    ["blue", 0.1, 0.2, 0.8],
    ["purple", 0.5, 0, 0.8],
  ])("%s: %s %s %s", (name, ...rgb) => {
    expect(nameOf(rgb)).toBe(name);
  });

  it("is read from a prompt by its synonyms, once each", () => {
    expect(colorsIn("A navy and azure car, charcoal rims")).toEqual(["blue", "grey"]);
    expect(colorsIn("a constructor's favorite")).toEqual([]);
  });
});
