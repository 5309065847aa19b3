// Prompts and assets that do not belong together, and some that do. The prompts, the paints and the seed were fixed before the first look:
// what an asset is follows from the template that built it and the paint that it was given here, and not from what a check makes of it.

import { randomStream } from "@loopwright/core";
import type { GateConfig } from "@loopwright/fab";
import type { Model } from "@loopwright/mesh";
import { judgeModel } from "./judge.ts";
import type { Built } from "./templates.ts";

const SEED = 34;
const WRONG = 40;

const paints = {
  red: [0.42, 0.012, 0.015],
  blue: [0.015, 0.055, 0.26],
  white: [0.72, 0.72, 0.7],
} as const;

interface Asset {
  kind: Built["kind"];
  body: "sedan" | "suv" | "chair";
  paint: keyof typeof paints | "oak";
  model: Model;
}

type Fits = (asset: Asset) => boolean;
const never: Fits = () => false;

/** What is asked for at the gate of each kind, and which assets are that. */
const prompts: Record<Built["kind"], readonly (readonly [prompt: string, Fits])[]> = {
  car: [
    ["a car", () => true],
    ["a red car", ({ paint }) => paint === "red"],
    ["a blue car", ({ paint }) => paint === "blue"],
    ["a sedan", ({ body }) => body === "sedan"],
    ["a red sedan", ({ body, paint }) => body === "sedan" && paint === "red"],
    ["an SUV", ({ body }) => body === "suv"],
    ["a white SUV", ({ body, paint }) => body === "suv" && paint === "white"],
    ["a white car with four doors", ({ paint }) => paint === "white"],
    ["a green hatchback", never],
    ["a blue convertible from the 1960s", never],
    ["a yellow taxi", never],
    ["a police car with a light bar", never],
    ["a white delivery van", never],
    ["a red sports car", never],
    ["a pickup truck", never],
    ["a school bus", never],
    ["a car with 3 wheels", never],
    ["a car 2.5 m long", never],
    ["a burnt-out wreck of a car", never],
    ["a red fire engine", never],
    ["a toy car of tin", never],
    ["a red chair", never],
  ],
  chair: [
    ["a chair", () => true],
    ["a wooden chair", ({ paint }) => paint === "oak"],
    ["a red chair", ({ paint }) => paint === "red"],
    ["a blue chair with four legs", ({ paint }) => paint === "blue"],
    ["a wooden table", never],
    ["a rocking chair", never],
    ["a metal chair", never],
    ["a green armchair", never],
    ["an office chair on casters", never],
    ["a wheelchair", never],
    ["a bar stool", never],
    ["a sofa for three", never],
    ["a garden bench", never],
    ["a black chair", never],
    ["a chair with a broken leg", never],
    ["a throne of gold", never],
    ["a car", never],
  ],
};

/** How wrong and right pairs end. */
export async function judgePairs(bases: readonly Built[], gates: Record<Built["kind"], GateConfig>) {
  const pairs = bases
    .flatMap(assetsOf)
    .flatMap((asset) => prompts[asset.kind].map(([prompt, fits]) => ({ asset, prompt, isRight: fits(asset) })));
  const draw = randomStream(SEED, "pairs");
  const wrong = pairs
    .filter(({ isRight }) => !isRight)
    .map((pair) => ({ pair, at: draw() }))
    .toSorted((one, other) => one.at - other.at)
    .slice(0, WRONG)
    .map(({ pair }) => pair);
  const right = pairs.filter(({ isRight }) => isRight);
  const ends = { wrong: { pass: 0, fail: 0, escalate: 0 }, right: { pass: 0, fail: 0, escalate: 0 } };
  for (const { asset, prompt, isRight } of [...wrong, ...right]) {
    const { verdict, reason, soft, hard } = await judgeModel(asset.model, gates[asset.kind], prompt);
    ends[isRight ? "right" : "wrong"][verdict] += 1;
    if (verdict === (isRight ? "fail" : "pass"))
      console.error(`'${prompt}' of a ${asset.paint} ${asset.body}: ${verdict} ${[...hard, ...soft]}; ${reason}`);
  }
  return {
    wrong_pairs: wrong.length,
    wrong_kind_passed: ends.wrong.pass,
    wrong_kind_waiting: ends.wrong.escalate,
    right_pairs: right.length,
    right_passed: ends.right.pass,
    right_waiting: ends.right.escalate,
    right_failed: ends.right.fail,
  };
}

/** The asset in each paint; a chair also in the oak that it comes in. */
function assetsOf({ kind, name, model }: Built): Asset[] {
  const body: Asset["body"] = kind === "chair" ? "chair" : name.startsWith("car_suv") ? "suv" : "sedan";
  const painted = Object.entries(paints).map(([paint, color]) => ({
    ...{ kind, body, paint: paint as keyof typeof paints },
    model: repaint(model, color),
  }));
  return kind === "chair" ? [...painted, { kind, body, paint: "oak", model }] : painted;
}

/** The asset with another color on whatever most of it is made of. */
function repaint(model: Model, color: readonly [number, number, number]): Model {
  const counts = new Map<number, number>();
  for (const { material, count } of model.parts)
    if (material !== undefined) counts.set(material, (counts.get(material) ?? 0) + count);
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])[0]!;
  const materials = model.materials.map((each, at) => {
    if (at !== most) return each;
    const { texture: _, ...plain } = each;
    return { ...plain, color: [...color, 1] as [number, number, number, number] };
  });
  return { ...model, materials };
}
