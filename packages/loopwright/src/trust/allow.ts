// Whether a project gets what only a trusted one gets: the user is asked once, in a terminal, or says so with --trust.

import { createInterface } from "node:readline/promises";
import { UsageError } from "@loopwright/core";
import { plainLine, sizeOf, wrap } from "@loopwright/terminal";
import { dropTypedAhead, TYPED_AHEAD } from "../drive/typed-ahead.ts";
import { shellWord } from "../report/shell-word.ts";
import type { Danger } from "./dangers.ts";
import { remember, trustNow } from "./remember.ts";

export interface AllowOptions {
  /** Whether --trust was given. */
  isGiven: boolean;
  /** Whether nothing may be written. */
  isDry: boolean;
  /** Whether a person is there who can be asked here. */
  canAsk: boolean;
  warn: (line: string) => void;
}

/** Has these trusted, or throws. */
export async function allow(dangers: readonly Danger[], { isGiven, isDry, canAsk, warn }: AllowOptions): Promise<void> {
  if (dangers.length === 0) return;
  if (!isGiven && !canAsk) throw untrusted(dangers);
  if (!isGiven && !(await isAnsweredYes(dangers))) throw declined(dangers);
  const fault = isDry ? trustNow(dangers) : remember(dangers);
  if (fault !== undefined) warn(`loopwright: that this project is trusted could not be remembered (${fault})`);
}

/** What to say where nobody can be asked. */
export function untrusted(dangers: readonly Danger[], way = "--trust"): UsageError {
  const { project } = dangers[0]!;
  const how = `Look at it first; then trust it as it is now: ${way} (loopwright doctor --trust --dir ${shellWord(project)})`;
  return new UsageError("UNTRUSTED", [...wanted(dangers), how].join("\n"));
}

/** What to say where the user does not trust a project. */
export function declined(dangers: readonly Danger[]): UsageError {
  return new UsageError("UNTRUSTED", `${dangers[0]!.project} is not trusted, so nothing of it was run`);
}

/** What a project wants, one line each; whole, so that nothing hides behind a long beginning. */
export function wanted(dangers: readonly Danger[]): string[] {
  const lines = new Set(dangers.map(({ words }) => `  ${plainLine(words)}`));
  return [`${dangers[0]!.project} is not trusted, and wants what only a trusted project gets:`, ...lines];
}

/** A line broken between its words, whole; the rows after the first are set in. */
function rowsOf(line: string, columns: number): string[] {
  const indent = line.startsWith(" ") ? "  " : "";
  const rows = wrap(line, Math.max(20, columns - 5), Number.POSITIVE_INFINITY);
  return rows.map((row, at) => `${at === 0 ? indent : "    "}${row}`);
}

async function isAnsweredYes(dangers: readonly Danger[]): Promise<boolean> {
  if (await dropTypedAhead(process.stdin)) process.stdout.write(`${TYPED_AHEAD}\n`);
  const lines = wanted(dangers).flatMap((line) => rowsOf(line, sizeOf(process.stdout).columns));
  process.stdout.write(`${lines.join("\n")}\nTrust it as it is now? yes / no (default): `);
  using reader = createInterface({ input: process.stdin, terminal: false });
  for await (const line of reader) return /^y(?:es)?$/i.test(line.trim());
  process.stdout.write("\n");
  return false;
}
