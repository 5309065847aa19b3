// The mark of a commit under way. It is written before the branch or the work tree is touched and taken away when both
// and the index agree, so whoever finds one knows what a dead process was doing.

import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Place } from "../place.ts";
import { ownFolder } from "./draft.ts";

/** A git directory may come from elsewhere, and anything else would be an option of git's. */
const id = z.string().regex(/^[0-9a-f]{40,64}$/);

const Mark = z.object({
  /** The commit before; absent where there was none. */
  parent: id.optional(),
  /** The tree before hooks saw it. */
  staged: id,
  /** The draft's index: what hooks have put into it is not a person's. */
  index: z.string(),
  /** The commit that the branch is moved to, once it is made. */
  commit: id.optional(),
  /** Whether it commits what lies in the work tree: the work tree itself is then never touched. */
  isFromWorkTree: z.boolean(),
});
export type Mark = z.infer<typeof Mark>;

/** Writes the mark, whole or not at all. */
export async function writeMark(place: Place, mark: Mark): Promise<void> {
  const draft = `${pathOf(place)}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx");
  try {
    await file.writeFile(JSON.stringify(mark));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, pathOf(place));
}

/** The mark that was left, and how many milliseconds ago; undefined where there is none that can be read. */
export async function readMark(place: Place): Promise<{ mark: Mark; age: number } | undefined> {
  try {
    const { mtimeMs } = await stat(pathOf(place));
    const mark = Mark.safeParse(JSON.parse(await readFile(pathOf(place), "utf8")));
    return mark.success ? { mark: mark.data, age: Date.now() - mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the mark away. */
export async function clearMark(place: Place): Promise<void> {
  await rm(pathOf(place), { force: true });
}

function pathOf(place: Place): string {
  return join(ownFolder(place), "pending.json");
}
