// Each code of alignment: a prompt or an asset that must get it, and one just on the good side that must not.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { boundsOf, checkMesh, glbToModel, type Material, type Model } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { car, paint, rubber } from "../../../../test/fakes/car.ts";
import { loadGate } from "../gate/load.ts";
import { readByWords } from "../requirements.ts";
import { alignment } from "./alignment.ts";
import { nameOf } from "./colors.ts";
import type { AnsweringOpinion, Evidence } from "./critic.ts";

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

function evidence(prompt: string, model: Model): Evidence {
  const report = checkMesh(model);
  return {
    prompt,
    model,
    report,
    gate,
    requirements: readByWords({ prompt }, gate).requirements,
  } as unknown as Evidence;
}

function look(prompt: string, model: Model) {
  const { findings, score, answers } = alignment.look(evidence(prompt, model)) as AnsweringOpinion;
  return {
    codes: findings.map(({ code }) => code),
    score,
    says: answers!.map(({ words, says }) => `${words} ${says}`),
  };
}

const [LOW, MARGIN] = ["ALIGN_LOW_SIMILARITY", "ALIGN_MARGIN_LOW"];

describe("the alignment check", () => {
  it.each<[prompt: string, Model, score: number, codes: string[], says: string[]]>([
    ["a red car", carOf(red), 1, [], ["red yes"]],
    ["a blue car", carOf(blue), 1, [], ["blue yes"]],
    ["an orange car", carOf(red), 0.8, [], ["orange cannot tell"]],
    ["a blue car", carOf(red), 0, [LOW!], ["blue no"]],
    ["a red blue car", carOf(red), 0.5, [MARGIN!], ["red yes", "blue no"]],
    ["blue", patchwork(red, blue, 24), 0.48, [LOW!], ["blue no"]],
    ["blue", patchwork(red, blue, 26), 0.52, [MARGIN!], ["blue cannot tell"]],
    ["blue", patchwork(red, blue, 33), 0.66, [], ["blue cannot tell"]],
    ["white", patchwork(rubber, white, 26), 1, [], ["white yes"]],
    ["a car with 4 wheels", carOf(red), 1, [], ["4 wheels yes"]],
    ["3 wheels", carOf(red), 0, [LOW!], ["3 wheels no"]],
    ["4.2 m long", carOf(red), 1, [], ["4.2 m long yes"]],
    ["5 m long", carOf(red), 0, [LOW!], ["5 m long no"]],
  ])("'%s' of %#", (prompt, model, score, codes, says) => {
    const seen = look(prompt, model);
    expect(seen.codes).toEqual(codes);
    expect(seen.score).toBeCloseTo(score, 6);
    expect(seen.says).toEqual(says);
  });

  it("does not look where nothing that was asked for can be measured", () => {
    expect(alignment.missing!(evidence("something nice", carOf(red)))).toMatch("nothing that was asked for");
    expect(alignment.missing!(evidence("a car", carOf(red)))).toMatch("nothing that was asked for");
    expect(alignment.missing!(evidence("a red car", carOf(red)))).toBeUndefined();
  });
});

describe("the body of a car", () => {
  const recorded = (name: string) =>
    glbToModel(readFileSync(join(import.meta.dirname, `../../../../test/fixtures/fab/recorded/${name}.glb`)));

  /** Nothing of it is higher than the hood, but for what is at the windshield. */
  async function convertible(): Promise<Model> {
    const model = await recorded("sedan");
    const { min, max } = boundsOf(model);
    const [low, back] = [0.7 * max[2], min[0] + 0.55 * (max[0] - min[0])];
    const positions = model.positions.map((value, at) =>
      at % 3 === 2 && model.positions[at - 2]! < back ? Math.min(value, low) : value,
    );
    return { ...model, positions };
  }

  const bodies = ["sedan", "hatchback", "suv", "van", "sports car"];

  it.each([
    ["sedan", () => recorded("sedan"), ["yes", "no", "no", "no", "cannot tell"]],
    ["hatchback", () => recorded("hatchback"), ["no", "yes", "cannot tell", "no", "no"]],
    ["suv", () => recorded("suv"), ["no", "cannot tell", "yes", "no", "no"]],
    ["convertible", convertible, ["no", "no", "no", "no", "no"]],
  ])("of a %s is asked for as each type", async (_, make, says) => {
    const model = await make();
    const answers = bodies.map((body) => (alignment.look(evidence(body, model)) as AnsweringOpinion).answers![0]!);
    expect(
      answers.map((each) => each.says),
      answers.map(({ reason }) => reason).join("\n"),
    ).toEqual(says);
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
});
