// Where trust is remembered: outside every project, in the user's state folder, one small file for each danger.
//
// The file's name says it all, so that processes at the same time lose nothing of each other's and no file is ever half
// written. Deleting one takes the trust back; in it stand the project and the key, for whoever looks.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Danger } from "./dangers.ts";

/** What was trusted in this process, remembered or not. */
const trusted = new Set<string>();

/** Whether the user has trusted this. */
export function isTrusted({ id }: Danger): boolean {
  return trusted.has(id) || existsSync(join(trustFolder(), id));
}

/** Trusts these for as long as this process lives. */
export function trustNow(dangers: readonly Danger[]): void {
  for (const { id } of dangers) trusted.add(id);
}

/** Trusts these for good; gives back why that could not be written down, where it could not. */
export function remember(dangers: readonly Danger[]): string | undefined {
  trustNow(dangers);
  try {
    for (const { id, project, key } of dangers) {
      mkdirSync(trustFolder(), { recursive: true, mode: 0o700 });
      writeFileSync(join(trustFolder(), id), `${project}\n${key}\n`, { mode: 0o600 });
    }
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** Only an absolute XDG_STATE_HOME counts: any other would lie in the folder that is asked about. */
function trustFolder(): string {
  const given = process.env.XDG_STATE_HOME ?? "";
  return join(isAbsolute(given) ? given : join(homedir(), ".local", "state"), "loopwright", "trust");
}
