// Answers in words: "yes, but bring the brother back", "no, because it is too cute". The choice, and what was said with it.

import type { GateRecord } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { firstLine } from "./wrapping.ts";

export interface Spoken {
  choice: string;
  note: string;
}

type Gate = Pick<GateRecord, "name" | "choices">;

/** Gates at which something can be said beside the choice, and other words for their choices. */
const spokenAt: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  accept: {},
  continue: {},
  downstream: { yes: "cull-all", no: "keep-all" },
  edited: {},
  variant: {},
};
const yes = new Set(["yes", "y", "yeah", "ok", "okay", "sure"]);
const no = new Set(["no", "n", "nope"]);
const JOINT = /^(?:but|because|cause|since|as|and|though|although|however|except that|except|only|just)\b[\s,:]*/i;

/** The choice and the words of a line; undefined where it is a plain answer, or none. */
export function readSpoken(gate: Gate, line: string): Spoken | undefined {
  const others = Object.hasOwn(spokenAt, gate.name) ? spokenAt[gate.name] : undefined;
  const [, word, sign, rest] = /^\s*([\p{L}\d][\p{L}\d-]*)(\s*[,;:.!—–]+\s*|\s+)(\S[\s\S]*)$/u.exec(line) ?? [];
  if (others === undefined || word === undefined || rest === undefined) return undefined;
  const choice = choiceOf(gate, word.toLowerCase(), others);
  const hasJoint = JOINT.test(rest);
  // "yes the brother" may be anything; a sign or a joining word says that more was meant.
  if (choice === undefined || !(hasJoint || /[,;:.!—–]/.test(sign!))) return undefined;
  const note = rest.replace(JOINT, "").trim();
  return note.split(/\s+/).length > 1 || (hasJoint && note !== "") ? { choice, note } : undefined;
}

function choiceOf({ choices }: Gate, word: string, others: Readonly<Record<string, string>>): string | undefined {
  const plain = yes.has(word) ? "yes" : no.has(word) ? "no" : word;
  if (choices.includes(plain)) return plain;
  const other = Object.hasOwn(others, plain) ? others[plain] : undefined;
  return other !== undefined && choices.includes(other) ? other : undefined;
}

/** What is about to be done, in one line, for a yes or a no. */
export function confirmWords({ name }: Gate, { choice, note }: Spoken): string {
  const said = `"${firstLine(plainLine(note), 200)}"`;
  if (name === "accept" && choice === "yes") return `Accept, and then go on with ${said}?`;
  if (name === "accept" && choice === "no") return `Reject, and try again with ${said}?`;
  if (name === "continue" && choice === "yes") return `Continue, and tell the writer ${said} too?`;
  if (name === "continue") return `Stop here, and keep your reason ${said}?`;
  return `Answer ${choice}, and keep ${said} with it?`;
}
