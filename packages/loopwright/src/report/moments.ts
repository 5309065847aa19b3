// Moments: what happened beside the work itself, one line each, where it happened.

import {
  type AnswerRecord,
  type Ceilings,
  type ErrorRecord,
  hitToReason,
  type Json,
  type StampedEvent,
} from "@loopwright/core";
import { showNumber } from "@loopwright/terminal";
import { cutWords } from "@loopwright/terminal/html";
import { type Notes, noteToWords } from "../loops/notes.ts";
import { errorWords, headed } from "./error-words.ts";

/** One line of the timeline. */
export interface Moment {
  at: number;
  kind: "ceiling" | "child" | "failure" | "fork" | "gate" | "note" | "resume" | "stop" | "workcell";
  text: string;
  /** Where an error was thrown. */
  stack?: string;
}

const TEXT_LIMIT = 700;

/** The line that an event is worth; undefined for the ordinary course of a run. */
export function eventToMoment(event: StampedEvent, notes: Notes = {}): Moment | undefined {
  const [kind, text] = lineOf(event, notes) ?? [];
  if (!kind || text === undefined) return undefined;
  const stack = stackOf(event);
  return { at: event.at, kind, text: cutWords(text, TEXT_LIMIT), ...(stack !== undefined && { stack }) };
}

/** Where an error was thrown; told once, of an effect and not again of its phase. */
function stackOf(event: StampedEvent): string | undefined {
  if (event.type === "effect-failed") return event.error.stack;
  return event.type === "visit-failed" && event.effect === undefined ? event.error.stack : undefined;
}

function lineOf(event: StampedEvent, notes: Notes): [Moment["kind"], string] | undefined {
  switch (event.type) {
    case "run-resumed":
      return ["resume", event.given ? `resumed with what a person made: ${event.given.path}` : "resumed"];
    case "run-migrated":
      return ["resume", `carried over to version ${event.version} of the loop`];
    case "run-forked":
      return ["fork", `forked from ${event.from} at iteration ${event.iteration}`];
    case "visit-failed":
      return ["failure", `the phase '${event.phase}' failed: ${errorToText(event.error)}`];
    case "effect-failed":
      return ["failure", `the effect '${event.key}' failed: ${errorToText(event.error)}`];
    case "workcell-restarted":
      return ["workcell", `the workcell '${event.kind}' was restarted: ${event.reason}`];
    case "gate-opened":
      return ["gate", `asked: ${event.gate.question} (${event.gate.choices.join(", ")})`];
    case "gate-answered":
      return ["gate", answerToText(event.answer)];
    case "answer-refused":
      return ["gate", `the answer '${event.choice}' did not count: ${event.reason}`];
    case "child-waiting":
      return ["child", `the child run ${event.child} waits: ${event.gate.question}`];
    case "ceilings-changed":
      return ["ceiling", `ceilings changed: ${ceilingsToText(event.ceilings)}`];
    case "ceiling-reached":
      return ["ceiling", hitToReason(event)];
    case "loop-noted":
      return noteToLine(event.name, event.data, notes);
    case "run-ended":
      return ["stop", `stopped as ${event.outcome}: ${event.reason}`];
    default:
      return undefined;
  }
}

function errorToText(error: ErrorRecord): string {
  return headed(error.code, errorWords(error), ", ");
}

const answerers: Record<AnswerRecord["by"], string> = {
  person: "by a person",
  flag: "as it was told beforehand",
  default: "with the default",
  expiry: "with the default, as its time was over",
};

function answerToText({ choice, by, note }: AnswerRecord): string {
  const remark = note === undefined || note === "" ? "" : `: ${note}`;
  return `answered '${choice}' ${answerers[by]}${remark}`;
}

function ceilingsToText(ceilings: Partial<Ceilings>): string {
  return Object.entries(ceilings)
    .map(([name, limit]) => `${name} ${showNumber(limit)}`)
    .join(", ");
}

/** A note's data in one line; a large value is only named, for it stands in the journal. */
export function jsonToText(data: Json): string {
  if (typeof data === "string") return data;
  if (typeof data === "object" && data !== null && "$blob" in data) return "(a large value, kept in the journal)";
  return JSON.stringify(data);
}

/** A note in the loop's words; as it is where it has none for it. */
function noteToLine(name: string, data: Json, notes: Notes): ["note", string] | undefined {
  const told = noteToWords(name, data, notes);
  if (told === undefined) return undefined;
  // Where the diff that it announces is not shown, a note ends without its colon.
  const words = told?.diff === undefined ? told?.words : told.words.replace(/:\s*$/, "");
  return ["note", words ?? `${name}: ${jsonToText(data)}`];
}
