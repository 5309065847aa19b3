// The library: the assets that passed, one folder for each issue. A folder is there whole or not at all.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Puts an asset into the project's library, once, and says where it is. */
export function mergeIntoLibrary(
  project: string,
  issue: string,
  files: Readonly<Record<string, Uint8Array | string>>,
): string {
  const name = `library/${issue}`;
  const place = join(project, name);
  if (existsSync(place)) return name;
  const draft = join(project, `library/.${issue}.draft`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(draft, file), content, { flush: true });
  renameSync(draft, place);
  return name;
}
