// A gate's question on one line with its choices, and what a line says to it.

import type { GateRecord, GateWords } from "@loopwright/core";
import { gates } from "../../said.ts";

/** More choices than this are not all listed. */
const MOST_LISTED = 12;

type Gate = Pick<GateRecord, "name" | "choices">;

const wordsOf = ({ name }: Gate): GateWords => (Object.hasOwn(gates, name) && gates[name]) || {};
const listedOf = (gate: Gate) => gate.choices.filter((choice) => !wordsOf(gate).unlisted?.includes(choice));

/** `Accept these changes? (yes/no/diff): ` */
export function questionOf(gate: GateRecord): string {
  return askedWords({ ...gate, question: wordsOf(gate).question?.(gate) ?? gate.question });
}

/** The same for a gate whose question is in the writer's words already. */
export function askedWords(gate: Gate & Pick<GateRecord, "question">): string {
  const all = listedOf(gate);
  const shown = all.length <= MOST_LISTED ? all : [...all.slice(0, MOST_LISTED - 3), "…", ...all.slice(-2)];
  return `${gate.question} (${shown.join("/")}): `;
}

/** A line as the driver reads it: a choice by its word or the beginning of it; what is none goes to the loop as it was said. */
export function answerLine(gate: Gate, line: string): string {
  const text = line.trim();
  const { synonyms = {}, noted = [] } = wordsOf(gate);
  if (gate.name === "clarify" && (text === "" || text.toLowerCase() === "skip")) return "skip";
  if (text === "" || noted.some((choice) => text.toLowerCase().startsWith(`${choice} `))) return line;
  const word = text.toLowerCase().replace(/\s+/g, "-");
  const known = [...listedOf(gate), ...Object.keys(synonyms)];
  const exact = known.find((each) => each === word || each === `chapter-${Number(word)}`);
  const fitting = exact === undefined ? known.filter((each) => each.startsWith(word)) : [exact];
  if (fitting.length > 0) return fitting.length === 1 ? fitting[0]! : line;
  return gate.choices.includes("say") ? `say: ${text}` : line;
}
