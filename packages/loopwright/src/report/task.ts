// What a run was to do, as its input has it: the title of its page, and the score that it was to reach.

import type { Json, PassesAt, RunRecord } from "@loopwright/core";

const TITLE_KEYS = ["title", "task_description", "task", "prompt", "goal", "feedback", "question", "topic", "text"];
const TITLE_LENGTH = 100;
const THRESHOLD_KEYS = ["score_threshold", "threshold", "pass_threshold", "pass"];

/** The task in one line; where the input names none, what the run was called. */
export function titleOf({ run, loop }: Pick<RunRecord, "run" | "loop">, input: Json): string {
  const texts = typeof input === "string" ? [input] : TITLE_KEYS.flatMap((key) => fieldOf(input, key) ?? "");
  const line = texts.map(firstLine).find((text) => text !== "");
  if (line !== undefined) return shorten(line);
  const slug = /^\d{8}-\d{6}_([a-z0-9-]+?)(-\d+)?$/.exec(run)?.[1] ?? loop;
  return slug.replaceAll("-", " ").replace(/^[a-z]/, (sign) => sign.toUpperCase());
}

/** The score that passes, where the loop's package, the input or the loop's own settings say one. */
export function thresholdOf(
  { loop, config }: Pick<RunRecord, "loop" | "config">,
  input: Json,
  passesAt?: PassesAt,
): number | undefined {
  const found = [input, fieldOf(config, loop)].flatMap((place) => THRESHOLD_KEYS.map((key) => fieldOf(place, key)));
  return [said(passesAt, input), ...found].find((value) => typeof value === "number" && value > 0 && value <= 1) as
    | number
    | undefined;
}

/** What a package says of an input; one of another version may be none that it knows. */
function said(passesAt: PassesAt | undefined, input: Json): Json | undefined {
  try {
    return passesAt?.(input);
  } catch {
    return undefined;
  }
}

function fieldOf(value: Json | undefined, key: string): Json | undefined {
  return Object.hasOwn(Object(value), key) ? (value as Record<string, Json>)[key] : undefined;
}

/** The first paragraph that says something, as one line: a heading of one word, such as `# Task`, does not. */
function firstLine(text: Json): string {
  if (typeof text !== "string") return "";
  const parts = text.split(/\n\s*\n|(?<=^|\n)(#.*)\n/).map((part) => part?.trim() ?? "");
  const found = parts.find((part) => part !== "" && !/^#+\s*\S+$/.test(part)) ?? "";
  return found
    .replace(/^#+\s*/, "")
    .replaceAll("`", "")
    .replaceAll(/\s+/g, " ");
}

/** A first sentence that is short enough, else as many words as fit. */
function shorten(line: string): string {
  const sentence = /^.+?[.!?](?=\s)/.exec(line)?.[0] ?? line;
  if (sentence.length <= TITLE_LENGTH) return sentence;
  const words = sentence.slice(0, TITLE_LENGTH).replace(/\s+\S*$/, "");
  return `${words.replace(/[,;:]$/, "")}…`;
}
