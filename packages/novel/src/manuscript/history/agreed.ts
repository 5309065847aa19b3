// What an author says is in line: the record of such a file names what is above it as it is now.

import type { FileBlock } from "../../types.ts";
import type { Manuscript } from "../files/open.ts";
import { sourcesOf } from "./sources.ts";
import { completeRecord, toFile } from "./staleness.ts";

/** The new text of staleness.json once its author took some files as in line; one whose source is stale itself is so still. */
export function agreedChange(manuscript: Manuscript, paths: readonly string[]): FileBlock {
  const { generated_from, files } = completeRecord(manuscript);
  for (const path of paths)
    files[path] = Object.fromEntries(sourcesOf(path, manuscript).map((source) => [source, manuscript.hash(source)!]));
  return toFile({ ...manuscript.staleness, generated_from, files });
}
