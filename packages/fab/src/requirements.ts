// What was asked for, requirement by requirement: no word of a prompt is left out. Without a model a prompt is read by the words that
// its gate declares, and by nothing else: each is a requirement with a measure, and every other word is one that no check can judge.

import { FormatError } from "@loopwright/core";
import { obtainObject, readPrompt, renderPrompt } from "@loopwright/models";
import { z } from "zod";
import { promptsFolder } from "./folders.ts";
import type { GateConfig, Measure } from "./gate/schema.ts";
import type { FabContext } from "./task.ts";

/** Something that was asked for. */
export const Requirement = z.strictObject({
  words: z.string().trim().min(1).describe("the words of the prompt that say it, exactly as they stand there"),
  means: z.string().optional().describe("what must be seen or measured of the asset for it to hold"),
});
export type Requirement = z.output<typeof Requirement>;

/** A prompt, read: each of its words stands in one of the two. */
export const Reading = z.object({
  requirements: z.array(Requirement),
  nothing: z.array(z.string()).describe("words of the prompt that ask for nothing by themselves, such as articles"),
});
export type Reading = z.output<typeof Reading>;

/** What somebody answers to one requirement, which is named by its words. */
export const Answer = z.strictObject({
  words: z.string(),
  by: z.string(),
  says: z.enum(["yes", "no", "cannot tell"]),
  reason: z.string(),
});
export type Answer = z.output<typeof Answer>;

/** A requirement and everybody's answers: unmet where one says no, unjudged where nobody says yes or no. */
export const JudgedRequirement = Requirement.extend({
  result: z.enum(["met", "unmet", "unjudged"]),
  answers: z.array(Answer.omit({ words: true })),
});
export type JudgedRequirement = z.output<typeof JudgedRequirement>;

/** A word or some, the measure that the gate has for them, and the number that is in them. */
export interface Match {
  words: string;
  measure?: Measure;
  number?: number;
}

type Gate = Pick<GateConfig, "kind" | "words">;

/** What a text says in the words of a gate: the longest first, and each word in one place. */
export function matchesIn(text: string, { kind, words }: Gate): Match[] {
  const known = Object.entries({ [kindToWords(kind)]: "kind" as const, ...words })
    .map(([key, measure]) => ({ key: wordsOf(key), measure }))
    .toSorted((a, b) => b.key.length - a.key.length);
  const given = wordsOf(text);
  const matches: Match[] = [];
  for (let at = 0; at < given.length; ) {
    const entry = known.find(({ key }) => key.every((word, each) => isSame(word, given[at + each])));
    const found = given.slice(at, at + (entry?.key.length ?? 1));
    const number = found.map(Number).find(Number.isFinite);
    at += found.length;
    matches.push({
      words: found.join(" "),
      ...(entry && { measure: entry.measure }),
      ...(number !== undefined && { number }),
    });
  }
  return matches;
}

function isSame(known: string, given: string | undefined): boolean {
  return known === given || (known === NUMBER && Number.isFinite(Number(given)));
}

/** Stands for a number among a gate's words. */
const NUMBER = "#";

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** The words of a text in any script, as they are compared. */
export function wordsOf(text: string): string[] {
  return [...segmenter.segment(text.toLowerCase())].flatMap(({ segment, isWordLike }) =>
    isWordLike || segment === NUMBER ? [segment] : [],
  );
}

export function kindToWords(kind: string): string {
  return kind.replaceAll("_", " ");
}

/** What checks can measure of a requirement; none where one of its words is nothing to them, for that may change all of it. */
export function measured(requirement: Requirement, gate: Gate): Match[] {
  const matches = matchesIn(requirement.words, gate);
  if (matches.some(({ measure }) => measure === undefined)) return [];
  return matches.filter(({ measure }) => measure !== "nothing");
}

/** Whether the alignment check has something to measure. */
export function isMeasurable(requirements: readonly Requirement[], gate: Gate): boolean {
  return requirements.some((each) => measured(each, gate).some(({ measure }) => measure !== "kind"));
}

/** What is asked for by a prompt and the kind of its issue, by the gate's words alone. */
export function readByWords({ prompt, kind }: { prompt: string; kind?: string | undefined }, gate: Gate): Reading {
  const matches = matchesIn(prompt, gate);
  const nothing = matches.filter(({ measure }) => measure === "nothing");
  const asked = matches.filter(({ measure }) => measure !== "nothing").map(({ words }) => ({ words }));
  return { requirements: withKind(asked, kind ?? gate.kind, gate), nothing: nothing.map(({ words }) => words) };
}

/** Whatever else was asked for, it is to be of its kind; each once. */
function withKind(requirements: readonly Requirement[], kind: string, gate: Gate): Requirement[] {
  const isKind = ({ words }: Requirement) => matchesIn(words, gate)[0]?.measure === "kind";
  const isSaid = kind === gate.kind && requirements.some(isKind);
  const all = isSaid ? requirements : [{ words: kindToWords(kind) }, ...requirements];
  return [...new Map(all.map((each) => [each.words, each])).values()];
}

/** What is asked for, read by the critic's model; each word that it leaves out is a requirement of its own. By the gate's words where it
 * gives no usable reading. */
export async function readByModel(ctx: FabContext, asked: Parameters<typeof readByWords>[0]): Promise<Reading> {
  const { gate } = ctx.input;
  const kind = asked.kind ?? gate.kind;
  const byWords = readByWords(asked, gate);
  const template = await readPrompt(ctx, { loop: "fab", folder: promptsFolder }, "requirements");
  try {
    const prompt = await renderPrompt(template, { kind: kindToWords(kind), prompt: asked.prompt });
    const question = { prompt, maxRetries: ctx.input.max_retries };
    const { requirements, nothing } = await obtainObject(ctx, "read-prompt", Reading, question);
    const said = new Set([kindToWords(kind), ...requirements.map(({ words }) => words), ...nothing].flatMap(wordsOf));
    const left = byWords.requirements.filter(({ words }) => wordsOf(words).some((word) => !said.has(word)));
    return { requirements: withKind([...requirements, ...left], kind, gate), nothing };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return byWords;
  }
}
