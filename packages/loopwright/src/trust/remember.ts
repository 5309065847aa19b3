// Where trust is remembered: outside every project, in the user's state folder, one small file for each danger.
//
// The file's name says it all, so that processes at the same time lose nothing of each other's and no file is ever half
// written. Deleting one takes the trust back; in it stand the project and the key, for whoever looks.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Danger } from "./dangers.ts";

/** What was trusted in this process, remembered or not. */
const trusted = new Set<string>();

/** Whether the user has trusted this. A file that is only there is none of ours: it says for what it stands. */
export function isTrusted(danger: Danger): boolean {
  if (trusted.has(danger.id)) return true;
  try {
    return readFileSync(join(trustFolder(), danger.id), "utf8") === contentOf(danger);
  } catch {
    return false;
  }
}

function contentOf({ project, key }: Danger): string {
  return `${project}\n${key}\n`;
}

/** Trusts these for as long as this process lives. */
export function trustNow(dangers: readonly Danger[]): void {
  for (const { id } of dangers) trusted.add(id);
}

/** Trusts these for good; gives back why that could not be written down, where it could not. */
export function remember(dangers: readonly Danger[]): string | undefined {
  trustNow(dangers);
  try {
    for (const danger of dangers) {
      mkdirSync(trustFolder(), { recursive: true, mode: 0o700 });
      writeFileSync(join(trustFolder(), danger.id), contentOf(danger), { mode: 0o600 });
    }
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function trustFolder(): string {
  return join(stateFolder(), "trust");
}

/** Only an absolute XDG_STATE_HOME counts: any other would lie in the folder that is asked about. */
export function stateFolder(): string {
  const given = process.env.XDG_STATE_HOME ?? "";
  return join(isAbsolute(given) ? given : join(homedir(), ".local", "state"), "loopwright");
}
