// Prompts of a project's own: they say to a model what the user did not write. What stands in one is not looked at, so that
// whoever tries out words of their own is asked once.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProjectRequest } from "./dangers.ts";

/** Every file that would take the place of one of our prompts. */
export function promptRequests(dir: string): ProjectRequest[] {
  const folders = namesIn(join(dir, "prompts"));
  const files = folders.flatMap((folder) => namesIn(join(dir, "prompts", folder)).map((name) => `${folder}/${name}`));
  return files
    .filter((path) => /\.md$/i.test(path))
    .map((path) => {
      const key = `prompts/${path}`;
      return { key, file: key, value: "", words: key };
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
