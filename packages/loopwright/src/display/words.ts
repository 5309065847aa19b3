// What an event says in words, one line each: the terminal, `show` and the report say the same.

import {
  type Ceilings,
  type DurableEvent,
  type ErrorRecord,
  hitToReason,
  type Json,
  type TransientEvent,
} from "@loopwright/core/look";
import { plainLine, showCount, showDollars, showNumber, wrap } from "@loopwright/terminal";
import { type Notes, noteToWords } from "../loops/notes.ts";

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
