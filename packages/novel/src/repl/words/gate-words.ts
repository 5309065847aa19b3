// A gate's question on one line, with its choices.

import type { GateRecord } from "@loopwright/core";
import { gates } from "../../gates.ts";

/** More choices than this are not all listed. */
const MOST_LISTED = 12;

/** `Accept these changes? (yes/no/diff): ` */
export function questionOf(gate: GateRecord): string {
  const words = (Object.hasOwn(gates, gate.name) && gates[gate.name]?.question?.(gate)) || gate.question;
  return askedWords({ ...gate, question: words });
}

/** The same for a gate whose question is in the writer's words already. */
export function askedWords({ name, question, choices }: Pick<GateRecord, "name" | "question" | "choices">): string {
  const { unlisted = [] } = (Object.hasOwn(gates, name) && gates[name]) || {};
  return `${question} (${listed(choices.filter((choice) => !unlisted.includes(choice)))}): `;
}

function listed(choices: readonly string[]): string {
  if (choices.length <= MOST_LISTED) return choices.join("/");
  return [...choices.slice(0, MOST_LISTED - 3), "…", ...choices.slice(-2)].join("/");
}
