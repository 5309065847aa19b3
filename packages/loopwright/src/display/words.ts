// What an event says in words, one line each: the terminal, `show` and the report say the same.

import {
  type Ceilings,
  type DurableEvent,
  type ErrorRecord,
  FAST_RETRY,
  hitToReason,
  type Json,
  type LoopPackage,
  type NoteWords,
  type TransientEvent,
} from "@loopwright/core/look";
import { plainLine, showCount, showDollars, showNumber, wrap } from "@loopwright/terminal";

/** An event in words. */
export interface Moment {
  kind: "ceiling" | "child" | "failure" | "fork" | "gate" | "note" | "resume" | "stop" | "workcell";
  text: string;
  /** What a note shows below its words. */
  diff?: string;
  /** Where an error was thrown. */
  stack?: string;
  /** A note for which nobody has words: its data as they are. */
  isRaw?: true;
}

/** The words of an event; undefined for the ordinary course of a run. */
export function eventToMoment(event: DurableEvent | TransientEvent, notes: Notes = {}): Moment | undefined {
  const said = (kind: Moment["kind"], text: string): Moment => ({ kind, text });
  switch (event.type) {
    case "run-resumed":
      return said("resume", event.given ? `resumed with what a person made: ${event.given.path}` : "resumed");
    case "run-migrated":
      return said("resume", `carried over to version ${event.version} of the loop`);
    case "run-forked":
      return said("fork", `forked from ${event.from} at iteration ${event.iteration}`);
    case "visit-failed":
      // Where it was thrown is told of an effect, and not again of its phase.
      return failure(`the phase '${event.phase}'`, event.error, event.effect === undefined);
    case "effect-failed":
      return failure(`the effect '${event.key}'`, event.error, true);
    case "workcell-restarted":
      return said("workcell", `the workcell '${event.kind}' was restarted: ${event.reason}`);
    case "gate-opened":
      return said("gate", `asked: ${event.gate.question} (${event.gate.choices.join(", ")})`);
    case "gate-answered": {
      const { choice, by, note } = event.answer;
      return said("gate", `answered '${choice}'${by === "person" ? "" : ` (by ${by})`}${note ? `: ${note}` : ""}`);
    }
    case "answer-refused":
      return said("gate", `the answer '${event.choice}' did not count: ${event.reason}`);
    case "child-waiting":
      return said("child", `the child run ${event.child} waits: ${event.gate.question}`);
    case "ceilings-changed":
      return said("ceiling", `ceilings changed: ${ceilingWords(event.ceilings)}`);
    case "ceiling-reached":
      return said("ceiling", hitToReason(event));
    case "loop-noted":
      return noteToMoment(event.name, event.data, notes);
    case "run-ended":
      return said("stop", `stopped as ${event.outcome}: ${event.reason}`);
    default:
      return undefined;
  }
}

function failure(what: string, error: ErrorRecord, hasStack: boolean): Moment {
  const text = `${what} failed: ${headed(error.code, errorWords(error), ", ")}`;
  return { kind: "failure", text, ...(hasStack && error.stack !== undefined && { stack: error.stack }) };
}

/** A note in the loop's words; as it is where it has none for it, but for a large value, which stands in the journal. */
function noteToMoment(name: string, data: Json, notes: Notes): Moment | undefined {
  const told = noteToWords(name, data, notes);
  if (told === undefined) return undefined;
  if (told) return { kind: "note", text: told.words, ...(told.diff !== undefined && { diff: told.diff }) };
  const isLarge = typeof data === "object" && data !== null && "$blob" in data;
  const words = typeof data === "string" ? data : JSON.stringify(data);
  return { kind: "note", text: `${name}: ${isLarge ? "(a large value, kept in the journal)" : words}`, isRaw: true };
}

/** Names that say nothing; a record of another making may have none. */
const PLAIN: readonly (string | undefined)[] = [undefined, "Error", "LoopwrightError"];

/** What an error says; the name of one that is none of ours, such as `TypeError`, is a part of it. */
function errorWords({ name, kind, message }: ErrorRecord): string {
  return kind !== undefined || PLAIN.includes(name) ? message : headed(name, message);
}

/** A message with its code or name before it, unless it begins with that, as those of Node do. */
export function headed(head: string, message: string, between = ": "): string {
  return message.startsWith(`${head}:`) ? message : `${head}${between}${message}`;
}

/** Ceilings in words. */
export function ceilingWords(ceilings: Partial<Ceilings>): string {
  const words = {
    iterations: (n: number) => showCount(n, "iteration"),
    minutes: (n: number) => `${showNumber(n)} min`,
    tokens: (n: number) => showCount(n, "token"),
    usd: (n: number) => showDollars(n),
    phaseMinutes: (n: number) => `${showNumber(n)} min a phase`,
  };
  const given = Object.entries(ceilings) as [keyof Ceilings, number][];
  return given.map(([name, limit]) => words[name]?.(limit) ?? name).join(", ");
}

const MOST_ROWS = 8;

/** Words in as many rows as they take, those after the first set in. */
export function textRows(words: string, room: number): string[] {
  const width = Math.max(16, room - 4);
  return wrap(plainLine(words), width, MOST_ROWS).map((row, at) => (at === 0 ? `  ${row}` : `    ${row}`));
}

// The notes of loops in words: each package says its own, and some mean the same for every loop.

export type Notes = Readonly<Record<string, NoteWords>>;

/** A note in words; a diff where it shows one. */
export interface Told {
  words: string;
  diff?: string;
}

/** What a note of a loop that says nothing of it means. */
const common: Notes = {
  warning: ({ message }) => message,
  bell: ({ why }) => why,
  "attempts-compared": ({ rows }) =>
    rows
      .map((row: object) =>
        Object.entries(row)
          .map(([name, value]) => `${name} ${value}`)
          .join(", "),
      )
      .join("; "),
  "model-replaced": ({ role, model, by, error }) =>
    `${model} did not answer the ${role}'s question (${error}): ${by} is asked in its place`,
  [FAST_RETRY]: ({ retry_count, errors }) => {
    const many = retry_count === 1 ? "1 re-try" : `${showNumber(retry_count)} re-tries`;
    return `fast retry, ${many} after ${showCount(errors.length, "failure")}: ${countEach(errors).join("; ")}`;
  },
};

/** Each line once, with how often it came. */
function countEach(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`));
}

/** A note in words. Undefined where its package leaves it out, null where nobody has words for it. */
export function noteToWords(name: string, data: Json, notes: Notes): Told | undefined | null {
  const say = [notes, common].find((table) => Object.hasOwn(table, name))?.[name];
  if (!say) return null;
  try {
    const told = say(data);
    if (told === undefined) return undefined;
    const { words, diff } = typeof told === "string" ? { words: told, diff: undefined } : told;
    return typeof words === "string" ? { words, ...(typeof diff === "string" && { diff }) } : null;
  } catch {
    // Data of another version, or cut to its digest: it is shown as it is.
    return null;
  }
}

/** The same notes, with the commands in their words as they are typed. */
export function typedNotes(notes: Notes, told: (text: string) => string): Notes {
  const typed =
    (say: NoteWords): NoteWords =>
    (data) => {
      const words = say(data);
      if (typeof words === "string") return told(words);
      return words && { ...words, words: told(words.words) };
    };
  return Object.fromEntries(Object.entries(notes).map(([name, say]) => [name, typed(say)]));
}

/** A loop's own words, as they are found from a folder; none where its package cannot be loaded. */
export async function findWords(
  loop: string,
  dir: string,
): Promise<Pick<LoopPackage, "notes" | "gates" | "steps" | "legends" | "passesAt">> {
  try {
    const [{ findPackage }, { loadLoops }] = await Promise.all([
      import("../loops/find-package.ts"),
      import("../loops/sources.ts"),
    ]);
    return (await findPackage(loop, { loops: await loadLoops(dir) })).package;
  } catch {
    return { notes: {}, gates: {} };
  }
}
