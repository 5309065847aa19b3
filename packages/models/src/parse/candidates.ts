// Finds the JSON values in an answer that holds other words too: in fenced blocks, or anywhere.
//
// A value that was meant as JSON and is truncated or broken ends the search, whatever stands before it or inside it: a part of
// an answer is not the answer. A brace in prose is passed over.

import type { Json } from "@loopwright/core";
import { fencedBlocks } from "./fence-blocks.ts";
import { JsonError, readJson, readWholeJson } from "./json.ts";

/** Places that are tried as the beginning of a value before it is given up, and how often the answer is read in vain. */
const MAX_TRIES = 10_000;
const MAX_VAIN = 8;

/** A value that stands in an answer, and how many characters it takes up there. */
export interface Candidate {
  value: Json;
  length: number;
}

/** What was found, and why the search ended early or found nothing. */
export interface Search {
  candidates: Candidate[];
  error?: { message: string; isFinal: boolean; isCut: boolean };
}

/** The objects and lists that fill a fenced block each. */
export function valuesInBlocks(answer: string): Search {
  const candidates: Candidate[] = [];
  for (const { text } of fencedBlocks(answer)) {
    if (!/^\s*[{[]/.test(text)) continue;
    const reading = readWholeJson(text);
    if (!(reading instanceof JsonError)) candidates.push({ value: reading.value, length: text.length });
    else if (reading.isMeant) return { candidates, error: { ...toldOf(reading, text), isFinal: true } };
  }
  return { candidates };
}

/** The objects and lists anywhere in an answer, outermost only, in order. */
export function valuesAnywhere(answer: string): Search {
  const candidates: Candidate[] = [];
  const openings = /[{[]/g;
  let first: JsonError | undefined;
  let vain = 0;
  for (let tries = 0; tries < MAX_TRIES && vain <= MAX_VAIN * answer.length; tries++) {
    const opening = openings.exec(answer);
    if (!opening) break;
    const reading = readJson(answer, opening.index);
    if (!(reading instanceof JsonError)) {
      candidates.push({ value: reading.value, length: reading.end - opening.index });
      openings.lastIndex = reading.end;
      continue;
    }
    if (reading.isMeant || reading.isCut) return { candidates, error: { ...toldOf(reading, answer), isFinal: true } };
    vain += reading.at - opening.index;
    first ??= reading;
  }
  return first ? { candidates, error: { ...toldOf(first, answer), isFinal: false } } : { candidates };
}

/** An error in words, with its line and column. */
function toldOf({ message, at, isCut }: JsonError, text: string): { message: string; isCut: boolean } {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { message: `line ${line}, column ${at - before.lastIndexOf("\n")}: ${message}`, isCut };
}
