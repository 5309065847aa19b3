// Answers in words: "yes, but bring the brother back", "no, because it is too cute". The choice, and what was said with it.

import type { GateRecord } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { gates } from "../../gates.ts";
import { changeSaid, filesInWords, readSome, saysChange, saysSome } from "../../reach/words.ts";
import { BINDING, jointIn, plainAnswer } from "./answer-words.ts";
import { fitsName } from "./file-names.ts";
import { quoted } from "./words.ts";

export interface Spoken {
  choice: string;
  note: string;
}

type Gate = Pick<GateRecord, "name" | "choices">;

/** Gates at which something can be said beside the choice, and other words for their choices. */
const spokenAt: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  accept: {},
  continue: {},
  downstream: {},
  edited: {},
  kept: { no: "stop" },
  reach: { no: "cancel" },
  variant: { no: "none" },
};

/** `take variant 2`, `nimm 2`: what stands before a variant's number. */
const TAKING =
  /^\s*(?:(?:i(?:['’]d| would)?\s+)?(?:take|use|choose|pick|like|prefer)|nimm|nehme|ich nehme|prends|je prends|toma|elige|prendi|kies|variante?|number|the|die|la|le|el|il|de)\s+(?:(?:the|die|la|le|el|il|de|variante?|number|nr\.?)\s+)*(?=\d)/i;

/** `the parts 2:1-3 1:4-`, in the languages whose words are known. */
const PARTS =
  /^\s*(?:(?:the|die|les|las|le|as|de)\s+)?(?:parts?|teile?|parties?|partes?|parti|delen|części|delar|части)\s+(?=\d)/i;

/** A line as it would be typed in English and in short. */
export function plainLineOf({ name }: Gate, line: string, language?: string): string {
  return plainAnswer(name === "variant" ? withoutTaking(line) : line, language);
}

function withoutTaking(line: string): string {
  const taken = line.replace(/^\s*(?:take|use|nimm|prends|toma|prendi)\s+/i, "");
  return PARTS.test(taken) ? `parts ${taken.replace(PARTS, "")}` : line.replace(TAKING, "");
}

/** A file, in whatever folder, that a choice names: `chapter-3`. */
export function pathOfChoice(choice: string): string {
  return `chapters/${choice.replace(/-(\d)$/, "-0$1")}.md`;
}

/** What a gate takes beside the names of its choices. */
const ownWords: Readonly<Record<string, (line: string, gate: Gate, language?: string) => string | undefined>> = {
  // "ajoute le 4", "without 3": what begins with its choice is read by the gate.
  reach: (line) => {
    const change = /^(?:add|drop)(?!\p{L})/iu.test(line) ? undefined : changeSaid(line);
    return change && `${change.choice}: ${change.list}`;
  },
  // "chapitre 4", "4"
  detail: (line, { choices }) => choices.find((choice) => fitsName(pathOfChoice(choice), line)),
  // "leave it and do the rest", as the question says
  kept: (line, _gate, language) => {
    const [first = "", next = ""] = line.trim().split(/\s+/);
    return /^(?:it|e|y|et|und|en|i|och|и)$/i.test(next)
      ? /^(?:release|leave|stop)$/.exec(plainAnswer(first, language).toLowerCase())?.[0]
      : undefined;
  },
};

/** A line as it is handed to its gate: in English and in short where that begins with an answer, else as it was typed. */
export function answerLine(gate: Gate, line: string, language?: string): string {
  const plain = plainLineOf(gate, line, language);
  const own = Object.hasOwn(ownWords, gate.name) ? ownWords[gate.name]!(plain, gate, language) : undefined;
  if (own !== undefined) return own;
  const { synonyms = {} } = (Object.hasOwn(gates, gate.name) && gates[gate.name]) || {};
  const [word = ""] = /^[\p{L}\d-]+/u.exec(plain.trim().toLowerCase()) ?? [];
  return gate.choices.includes(word) || Object.hasOwn(synonyms, word) ? plain : line;
}

/** The choice and the words of a line; undefined where it is a plain answer, or none. */
export function readSpoken(gate: Gate, given: string, language?: string): Spoken | undefined {
  const others = Object.hasOwn(spokenAt, gate.name) ? spokenAt[gate.name] : undefined;
  const line = plainLineOf(gate, given, language);
  const [, word, sign, rest] =
    /^\s*([\p{L}\d](?:[\p{L}\d-]|['’](?=\p{L}))*)(\s*[,;:.!—–]+\s*|\s+)(\S[\s\S]*)$/u.exec(line) ?? [];
  if (others === undefined || word === undefined || rest === undefined) return undefined;
  const choice = choiceOf(gate, plainAnswer(word, language).toLowerCase(), others);
  const joint = jointIn(language);
  const hasJoint = joint.test(rest);
  // "yes the brother" may be anything; a sign or a joining word says that more was meant.
  if (choice === undefined || !(hasJoint || /[,;:.!—–]/.test(sign!))) return undefined;
  const note = (BINDING.test(rest) ? rest : rest.replace(joint, "")).trim();
  return note.split(/\s+/).length > 1 || (hasJoint && note !== "") ? { choice, note } : undefined;
}

function choiceOf({ choices }: Gate, word: string, others: Readonly<Record<string, string>>): string | undefined {
  const meant = Object.hasOwn(others, word) ? others[word]! : word;
  return choices.includes(meant) ? meant : undefined;
}

/** Whether a line at the question about the texts is meant for the one that follows it: "no, because it is too cute". */
export function isForAccept({ name }: Gate, line: string, language?: string): boolean {
  return name === "detail" && readSpoken({ name: "accept", choices: ["yes", "no"] }, line, language) !== undefined;
}

/** What is about to be done, for a yes or a no; `changed` are the files that are asked about. */
export function confirmWords(
  { name, choices }: Gate,
  { choice, note }: Spoken,
  changed: readonly string[] = [],
): string {
  const said = quoted(plainLine(note));
  if (name === "accept" && choice === "yes" && choices.includes("some") && saysSome(note)) {
    const some = readSome(note, changed);
    const files = "refused" in some ? said : filesInWords(some.taken);
    const left = "refused" in some ? "the others" : filesInWords(some.left);
    return `Take ${files}, leave ${left} as before, and show what that comes to?`;
  }
  if (name === "reach" && choice === "yes" && saysChange(note))
    return `Change what is written by ${said}, and ask again?`;
  const key = name === "variant" && choice !== "none" ? "variant" : `${name} ${choice}`;
  const words: Readonly<Record<string, string>> = {
    "accept yes": `Accept, and then go on with ${said}?`,
    "accept no": `Reject, and try again with ${said}? stop makes no other attempt and keeps that as the reason; no asks again.`,
    "accept stop": `Reject for good, and keep your reason ${said}?`,
    "continue yes": `Continue, and tell the writer ${said} too?`,
    "continue no": `Make no other attempt, keep your reason ${said}, and show this one?`,
    "reach yes": `Write these, and take ${said} into account?`,
    "reach cancel": `Stop here, and keep your reason ${said}?`,
    "variant none": `Reject these, and have others written with ${said}?`,
    variant: `Have others written from variant ${choice} with ${said}?`,
  };
  return words[key] ?? `Answer ${choice}, and keep ${said} with it?`;
}

/** What a question of `confirmWords` is answered with: a reason to reject may lead to another attempt, or end it all. */
export function confirmChoices({ name }: Gate, { choice }: Spoken): readonly ("yes" | "no" | "stop")[] {
  return name === "accept" && choice === "no" ? ["yes", "no", "stop"] : ["yes", "no"];
}
