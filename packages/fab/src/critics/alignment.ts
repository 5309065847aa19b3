// The alignment check: what a prompt says that can be measured (color, body type, what it is made of), against what the asset has.

import type { Model } from "@loopwright/mesh";
import { found } from "../playbook.ts";
import { likenessToCar } from "./category/car.ts";
import { fitAll } from "./category/likeness.ts";
import { bodyOf, mapsOf, turnMaps } from "./category/maps.ts";
import { colorsIn, dominantOf, isNear, paintOf } from "./colors.ts";
import type { MeasuredCritic } from "./critic.ts";

/** What an asset gets of whose prompt nothing can be measured: enough, and no more. */
const NOTHING_TO_MEASURE = 0.7;
/** Under these scores the asset is not what was asked for, and only just. */
const [LOW, MARGIN] = [0.5, 0.65];
/** From this score on an attribute is there. */
const MATCHED = 0.5;

export const alignment: MeasuredCritic = {
  name: "alignment",
  missing: ({ prompt }) => (prompt?.trim() ? undefined : "there is no prompt"),
  look: ({ prompt = "", model, gate }) => {
    const attributes = attributesOf(prompt, model, gate.kind);
    if (attributes.length === 0)
      return { score: NOTHING_TO_MEASURE, findings: [], reason: "the prompt says nothing that can be measured" };
    const score = attributes.reduce((sum, each) => sum + each.score, 0) / attributes.length;
    const wrong = attributes.filter((each) => each.score < MATCHED);
    const words = attributes.map((each) => each.words).join("; ");
    const code = score < LOW ? "ALIGN_LOW_SIMILARITY" : score < MARGIN ? "ALIGN_MARGIN_LOW" : undefined;
    const findings = wrong
      .slice(0, 1)
      .map(() => found("ALIGN_ATTRIBUTE_MISMATCH", wrong.map((each) => each.words).join("; ")));
    if (code) findings.push(found(code, words));
    return { score, findings, reason: words };
  },
};

interface Attribute {
  readonly name: string;
  /** 0 to 1: how well the asset has it. */
  readonly score: number;
  /** What was asked for, and what there is. */
  readonly words: string;
}

/** The attributes of a prompt that can be measured on an asset of a kind. */
export function attributesOf(prompt: string, model: Model, kind: string): Attribute[] {
  return [
    ...colorAttributes(prompt, model),
    ...kindAttributes(prompt, kind),
    ...bodyAttributes(prompt, model, kind),
    ...stuffAttributes(prompt, model),
  ];
}

function colorAttributes(prompt: string, model: Model): Attribute[] {
  const asked = colorsIn(prompt);
  const paint = asked.length > 0 ? paintOf(model) : undefined;
  if (!paint) return [];
  const main = dominantOf(paint);
  return asked.map((color) => {
    const share = [...paint].reduce((sum, [name, part]) => sum + (isNear(color, name) ? part : 0), 0);
    const isMain = main !== undefined && isNear(color, main);
    const score = color === main ? 1 : isMain ? 0.8 : Math.min(0.7, share * 2);
    return { name: "color", score, words: `${color} was asked for, and it is mostly ${main ?? "nothing"}` };
  });
}

const kindWords: Readonly<Record<string, RegExp>> = {
  car: /\b(car|sedan|saloon|suv|hatchback|coupe|convertible|van|minivan|wagon|vehicle|automobile|taxi|limousine|truck|pickup)s?\b/i,
  chair: /\b(chair|armchair|seat|stool)s?\b/i,
};

/** A prompt that names another kind of thing, and not the gate's. */
function kindAttributes(prompt: string, kind: string): Attribute[] {
  const named = Object.keys(kindWords).filter((each) => kindWords[each]!.test(prompt));
  if (named.length === 0 || !kindWords[kind]) return [];
  const score = named.includes(kind) ? 1 : 0;
  return [{ name: "kind", score, words: `a ${named.join(" or ")} was asked for, and this is looked at as a ${kind}` }];
}

/** Height to length, and how high the lower and the higher end are, of real cars of each type. */
const bodies: Readonly<Record<string, Readonly<Record<"tall" | "lower" | "higher", readonly [number, number]>>>> = {
  sedan: { tall: [0.27, 0.36], lower: [0.4, 0.8], higher: [0.5, 0.86] },
  hatchback: { tall: [0.31, 0.45], lower: [0.4, 0.8], higher: [0.6, 1] },
  suv: { tall: [0.34, 0.48], lower: [0.4, 0.85], higher: [0.72, 1] },
  van: { tall: [0.37, 0.62], lower: [0.35, 0.9], higher: [0.82, 1] },
  sports: { tall: [0.2, 0.32], lower: [0.4, 0.85], higher: [0.4, 0.95] },
};

const bodyWords: readonly (readonly [RegExp, string])[] = [
  [/\b(sedan|saloon|limousine)\b/i, "sedan"],
  [/\bhatchback\b/i, "hatchback"],
  [/\b(suv|crossover|jeep|off-?roader)\b/i, "suv"],
  [/\b(van|minivan|minibus)\b/i, "van"],
  [/\b(sports? car|supercar|roadster|coupe)\b/i, "sports"],
];

/** The body type that a prompt names. */
export function bodyIn(prompt: string): string | undefined {
  return bodyWords.find(([pattern]) => pattern.test(prompt))?.[1];
}

function bodyAttributes(prompt: string, model: Model, kind: string): Attribute[] {
  const asked = kind === "car" ? bodyIn(prompt) : undefined;
  const maps = asked === undefined ? undefined : mapsOf(model);
  if (asked === undefined || !maps) return [];
  const { forward } = likenessToCar(model);
  const turned = forward === "y" ? turnMaps(maps, 1) : maps;
  const { lowEnd, highEnd } = bodyOf(turned);
  const figures = { tall: maps.height / (turned.columns * turned.cell), lowEnd, highEnd };
  const scores = Object.entries(bodies).map(([type, { tall, lower, higher }]) => ({
    type,
    score: fitAll([
      { name: "height to length", is: figures.tall, range: tall },
      { name: "lower end", is: figures.lowEnd, range: lower },
      { name: "higher end", is: figures.highEnd, range: higher },
    ]).score,
  }));
  const like = scores.toSorted((a, b) => b.score - a.score)[0]!;
  const score = scores.find(({ type }) => type === asked)!.score;
  const words = `a body of the type ${asked} was asked for, and it is ${score === 1 ? "one" : `more like ${like.type}`}: ${figures.tall.toFixed(2)} as high as long`;
  return [{ name: "body type", score, words }];
}

/** What things are made of, and how it shows in a material. */
const stuffs: readonly (readonly [RegExp, string, (material: Model["materials"][number]) => boolean])[] = [
  [
    /\b(wood|wooden|oak|walnut|beech|pine|teak)\b/i,
    "wood",
    ({ name }) => /wood|oak|walnut|beech|pine|teak|timber/i.test(name),
  ],
  [/\b(metal|metallic|steel|chrome|alumin(i)?um|iron)\b/i, "metal", ({ metallic }) => metallic > 0.3],
  [
    /\b(leather|cloth|fabric|textile|upholstered|padded)\b/i,
    "cloth or leather",
    ({ name, metallic, roughness }) =>
      /leather|cloth|fabric|cushion|textile/i.test(name) || (metallic < 0.1 && roughness > 0.8),
  ],
];

function stuffAttributes(prompt: string, { materials }: Model): Attribute[] {
  return stuffs
    .filter(([pattern]) => pattern.test(prompt))
    .map(([, name, has]) => ({
      name: "material",
      score: materials.some(has) ? 1 : 0,
      words: `${name} was asked for, and ${materials.some(has) ? "there is some" : "no material is like it"}`,
    }));
}
