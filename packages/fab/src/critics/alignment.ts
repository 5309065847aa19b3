// The alignment check: what was asked for that can be measured (color, body type, numbers), against what the asset has. It answers
// only for requirements whose every word the gate has a measure for.

import type { Measure } from "../gate/schema.ts";
import { found } from "../playbook.ts";
import { type Answer, isMeasurable, type Match, measured } from "../requirements.ts";
import { likenessToCar } from "./category/car.ts";
import { fitAll } from "./category/likeness.ts";
import { bodyOf, mapsOf, turnMaps } from "./category/maps.ts";
import { dominantOf, isColor, isNear, paintOf } from "./colors.ts";
import { type Evidence, type MeasuredCritic, meters } from "./critic.ts";

/** Under these scores the asset is not what was asked for, and only just. */
const [LOW, MARGIN] = [0.5, 0.65];
/** Under this score an attribute is not there; from there to 1 it is not for a measure to say. */
const NOT_THERE = 0.5;

export const alignment: MeasuredCritic = {
  name: "alignment",
  missing: ({ requirements, gate }) =>
    isMeasurable(requirements, gate) ? undefined : "nothing that was asked for can be measured",
  look: (evidence) => {
    const all = measureAll(evidence);
    const score = all.reduce((sum, each) => sum + each.score, 0) / all.length;
    const reason = all.map((each) => each.reason).join("; ");
    const code = score < LOW ? "ALIGN_LOW_SIMILARITY" : score < MARGIN ? "ALIGN_MARGIN_LOW" : undefined;
    const answers = all.map((each): Answer => {
      const says = each.score === 1 ? "yes" : each.score < NOT_THERE ? "no" : "cannot tell";
      return { words: each.words, by: `${each.check} check`, says, reason: each.reason };
    });
    return { score, findings: code ? [found(code, reason)] : [], reason, answers };
  },
};

/** How well the asset has what was asked for, 0 to 1, and what there is. */
type Measurement = Readonly<{ check: "color" | "body" | "size"; score: number; reason: string }>;

/** What of the requirements can be measured on an asset, each with the words that it is of. */
function measureAll(evidence: Evidence): (Measurement & { words: string })[] {
  return evidence.requirements.flatMap(({ words }) =>
    measured({ words }, evidence.gate).flatMap((match) => {
      const measurement = measureOne(match, evidence);
      return measurement ? [{ words, ...measurement }] : [];
    }),
  );
}

function measureOne(
  { measure = "nothing", number }: Match,
  { model, report, gate }: Evidence,
): Measurement | undefined {
  if (isColor(measure)) return colorOf(measure, model);
  if (isBody(measure)) return bodyTypeOf(measure, model);
  const { length, width, height } = report;
  const sizes: Partial<Record<Measure, number>> = { length, width, height, wheels: likenessToCar(model).wheels };
  const is = sizes[measure];
  const asked = number ?? (measure === "wheels" ? gate.geometry.wheels : undefined);
  if (is === undefined || asked === undefined) return undefined;
  const score = Math.abs(is - asked) <= EXACT * asked ? 1 : 0;
  return { check: "size", score, reason: `${measure}: ${asked} was asked for, and it has ${meters(is)}` };
}

/** How far a size may be off, as a part of it. */
const EXACT = 0.05;

function colorOf(color: string, model: Evidence["model"]): Measurement {
  const paint = paintOf(model);
  if (!paint) return { check: "color", score: 0.7, reason: "the colors of its pictures cannot be read" };
  const main = dominantOf(paint);
  const share = [...paint].reduce((sum, [name, part]) => sum + (isNear(color, name) ? part : 0), 0);
  const score = color === main ? 1 : main !== undefined && isNear(color, main) ? 0.8 : Math.min(0.7, share * 2);
  return { check: "color", score, reason: `${color} was asked for, and it is mostly ${main ?? "nothing"}` };
}

/** The sizes that set real cars of one type apart from those of the others: how high they are in meters and by their length, how high
 * the higher of their ends is, and how much of their length is under the roof. */
const bodies = {
  sedan: { height: [1.35, 1.58], tall: [0.27, 0.36], end: [0.55, 0.78], roof: [0.28, 0.45] },
  hatchback: { height: [1.38, 1.58], tall: [0.31, 0.45], end: [0.84, 1], roof: [0.4, 0.7] },
  suv: { height: [1.6, 2.1], tall: [0.33, 0.48], end: [0.84, 1], roof: [0.4, 0.75] },
  van: { height: [1.8, 2.8], tall: [0.37, 0.62], end: [0.84, 1], roof: [0.6, 1] },
  "sports car": { height: [0.9, 1.32], tall: [0.2, 0.32], end: [0.4, 0.95], roof: [0.1, 0.45] },
} as const;
type Body = keyof typeof bodies;

function isBody(measure: string): measure is Body {
  return Object.hasOwn(bodies, measure);
}

function bodyTypeOf(asked: Body, model: Evidence["model"]): Measurement {
  const maps = mapsOf(model);
  if (!maps) return { check: "body", score: 0, reason: "it is flat" };
  const turned = likenessToCar(model).forward === "y" ? turnMaps(maps, 1) : maps;
  const { highEnd, roof } = bodyOf(turned);
  const ranges = bodies[asked];
  const { score, against } = fitAll([
    { name: "height in meters", is: maps.height, range: ranges.height },
    { name: "height to length", is: maps.height / (turned.columns * turned.cell), range: ranges.tall },
    { name: "higher end to height", is: highEnd, range: ranges.end },
    { name: "roof to length", is: roof, range: ranges.roof },
  ]);
  const reason = against.length > 0 ? against.join(", ") : "as high, with such ends and such a roof";
  return { check: "body", score, reason: `${asked}: ${reason}` };
}
