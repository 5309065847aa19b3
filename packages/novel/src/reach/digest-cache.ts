// Digests by the hash of their text, in a file of the project that git does not see: made once for each text.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { leadsOut } from "@loopwright/core";
import type { FileBlock } from "../types.ts";
import { type Digest, digestKey, digestOf } from "./digest.ts";

const FILE = ".agentic/digests.json";
/** Beyond this, those of texts that are no longer there are dropped. */
const MOST = 4_000;

/** The digests of files, in their order; what is new is kept for the next time. */
export async function digestsOf(project: string, files: readonly FileBlock[]): Promise<Digest[]> {
  const path = join(project, FILE);
  const kept = await readKept(path);
  const keys = files.map(digestKey);
  const found = files.map((file, at) => kept[keys[at]!] ?? digestOf(file));
  const isKnown = keys.every((key) => kept[key] !== undefined);
  // A place that leads out of the project is not written through; the digests are made again instead.
  if (isKnown || leadsOut(project, path)) return found;
  const own = Object.fromEntries(keys.map((key, at) => [key, found[at]!]));
  const all = Object.keys(kept).length + keys.length > MOST ? own : { ...kept, ...own };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(join(dirname(path), ".gitignore"), "*\n");
  await writeFile(path, `${JSON.stringify(all)}\n`);
  return found;
}

/** What is kept; a file that cannot be read holds nothing, for all of it can be made again. */
async function readKept(path: string): Promise<Record<string, Digest>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, Digest>) : {};
  } catch {
    return {};
  }
}
