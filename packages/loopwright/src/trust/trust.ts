// Trust in what a folder asks for: the user is asked once, in a terminal, or says so with --trust, and again when any of it changes.
//
// It is remembered outside every project, in the user's state folder, one small file for each digest: processes at the same time lose
// nothing of each other's, and deleting one takes the trust back.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { UsageError } from "@loopwright/core/look";
import { plainLine, sizeOf, wrap } from "@loopwright/terminal";
import { shellWord } from "../arguments/read-arguments.ts";
import type { Control } from "./control.ts";

/** How trust may be had. */
export interface AllowOptions {
  /** Whether --trust was given. */
  isGiven: boolean;
  /** Whether nothing may be written. */
  isDry: boolean;
  /** Whether a person is there who can be asked here. */
  canAsk: boolean;
  warn: (line: string) => void;
}

/** What was trusted in this process, remembered or not. */
const trusted = new Set<string>();

/** Whether the user has trusted this. A file that is only there is none of ours: it says for what it stands. */
export function isTrusted(control: Control): boolean {
  if (control.lines.length === 0 || trusted.has(digestOf(control))) return true;
  try {
    return readFileSync(join(trustFolder(), digestOf(control)), "utf8") === `${control.project}\n`;
  } catch {
    return false;
  }
}

/** Trusts these for as long as this process lives. */
export function trustNow(controls: readonly Control[]): void {
  for (const control of controls) trusted.add(digestOf(control));
}

/** Trusts these for good; gives back why that could not be written down, where it could not. */
export function remember(controls: readonly Control[]): string | undefined {
  trustNow(controls);
  try {
    for (const control of controls.filter(({ lines }) => lines.length > 0)) {
      mkdirSync(trustFolder(), { recursive: true, mode: 0o700 });
      writeFileSync(join(trustFolder(), digestOf(control)), `${control.project}\n`, { mode: 0o600 });
    }
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function digestOf({ project, lines }: Control): string {
  return createHash("sha256")
    .update(JSON.stringify([project, lines]))
    .digest("hex");
}

/** Only an absolute XDG_STATE_HOME counts: any other would lie in the folder that is asked about. */
function trustFolder(): string {
  const given = process.env.XDG_STATE_HOME ?? "";
  return join(isAbsolute(given) ? given : join(homedir(), ".local", "state"), "loopwright", "trust");
}

/** Has what is not trusted of these trusted, or throws. */
export async function allow(
  controls: readonly Control[],
  { isGiven, isDry, canAsk, warn }: AllowOptions,
): Promise<void> {
  const asked = controls.filter((control) => !isTrusted(control));
  if (asked.length === 0) return;
  if (!isGiven && !canAsk) throw untrusted(asked);
  if (!isGiven && !(await isAnsweredYes(asked))) throw declined(asked);
  const fault = isDry ? trustNow(asked) : remember(asked);
  if (fault !== undefined) warn(`loopwright: that this project is trusted could not be remembered (${fault})`);
}

/** What to say where nobody can be asked. */
export function untrusted(controls: readonly Control[], way = "--trust"): UsageError {
  const { project } = controls[0]!;
  const how = `Look at it first; then trust it as it is now: ${way} (loopwright doctor --trust --dir ${shellWord(project)})`;
  return new UsageError("UNTRUSTED", [...wanted(controls), how].join("\n"));
}

/** What to say where the user does not trust a project. */
export function declined(controls: readonly Control[]): UsageError {
  return new UsageError("UNTRUSTED", `${controls[0]!.project} is not trusted, so nothing of it was run`);
}

/** What a project wants, one line each; whole, so that nothing hides behind a long beginning. */
export function wanted(controls: readonly Control[]): string[] {
  const lines = new Set(controls.flatMap((control) => control.lines.map((line) => `  ${plainLine(line)}`)));
  return [`${controls[0]!.project} is not trusted, and wants what only a trusted project gets:`, ...lines];
}

async function isAnsweredYes(controls: readonly Control[]): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const { dropTypedAhead, TYPED_AHEAD } = await import("../drive/questions.ts");
  if (await dropTypedAhead(process.stdin)) process.stdout.write(`${TYPED_AHEAD}\n`);
  // Each whole, broken between its words.
  const width = Math.max(20, sizeOf(process.stdout).columns - 5);
  const indented = (line: string) => `${line.startsWith(" ") ? "  " : ""}${wrap(line, width).join("\n    ")}`;
  const lines = wanted(controls).map(indented);
  process.stdout.write(`${lines.join("\n")}\nTrust it as it is now? yes / no (default): `);
  using reader = createInterface({ input: process.stdin, terminal: false });
  for await (const line of reader) return /^y(?:es)?$/i.test(line.trim());
  process.stdout.write("\n");
  return false;
}
