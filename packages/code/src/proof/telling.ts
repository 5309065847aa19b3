// The proof and its ledger as models read them. Pure.

import type { CodeState } from "../task.ts";
import { openTrials } from "./evidence.ts";

const MOST_SHOWN = 12;

/** What no test notices, numbered, and whatever else speaks against a result; empty where nothing does. */
export function proofToText({ proof }: Pick<CodeState, "proof">): string {
  if (!proof) return "";
  const open = openTrials(proof.trials);
  const numbered = open.slice(0, MOST_SHOWN).map(({ title }, at) => `${at + 1}. no test notices: ${title}`);
  const more = open.length > MOST_SHOWN ? [`… and ${open.length - MOST_SHOWN} more`] : [];
  const special = proof.special.map(
    (each) => `${each}, a value that only the tests have: is the program right for others?`,
  );
  const checks = proof.checks.flatMap(({ command, found }) => found.map((line) => `${command}, new: ${line}`));
  const failed = proof.after.flatMap(({ name, state }) =>
    state === "failed" ? [`${name} fails now, and did not before`] : [],
  );
  const beyond = proof.beyond.map((path) => `${path} was changed, and the plan does not name it`);
  return [...failed, ...numbered, ...more, ...special, ...checks, ...beyond].join("\n");
}

/** The ledger of a result whose tests pass, a statement a line. */
export function ledgerToText({ proof, requirements = [] }: Pick<CodeState, "proof" | "requirements">): string {
  if (!proof) return "";
  if (requirements.length === 0) return "nobody has listed it yet";
  return requirements.map(({ statement, tests }) => `- ${statement}: ${tests.join(", ") || "no test"}`).join("\n");
}
