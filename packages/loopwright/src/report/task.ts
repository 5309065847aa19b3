// What a run was to do, as its input has it: the title of its page, and the score that it was to reach.

import type { Json, PassesAt, RunRecord } from "@loopwright/core";

const TITLE_KEYS = ["title", "task_description", "task", "prompt", "goal", "feedback", "question", "topic", "text"];
const TITLE_LENGTH = 100;
const THRESHOLD_KEYS = ["score_threshold", "threshold", "pass_threshold", "pass"];

/** The task in one line; where the input names none, what the run was called. */
export function titleOf({ run, loop }: Pick<RunRecord, "run" | "loop">, input: Json): string {
  const texts = typeof input === "string" ? [input] : TITLE_KEYS.flatMap((key) => fieldOf(input, key) ?? "");
  const title = texts.map(titleIn).find((text) => text !== "");
  if (title !== undefined) return title;
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

/** The first paragraph that says something, as one line: a heading of one word, such as `# Task`, does not. Of that a first
 * sentence that is short enough, else as many words as fit. */
function titleIn(text: Json): string {
  if (typeof text !== "string") return "";
  const paragraphs = text.replaceAll(/^#.*$/gm, "\n$&\n").split(/\n\s*\n/);
  const says = (part: string) => part !== "" && !/^#+\s*\S+$/.test(part);
  const found = paragraphs.map((part) => part.trim()).find(says) ?? "";
  const line = found
    .replace(/^#+\s*/, "")
    .replaceAll("`", "")
    .replaceAll(/\s+/g, " ");
  const sentence = /^.+?[.!?](?=\s)/.exec(line)?.[0] ?? line;
  if (sentence.length <= TITLE_LENGTH) return sentence;
  return `${sentence.slice(0, TITLE_LENGTH).replace(/[,;:]?\s+\S*$/, "")}…`;
}
