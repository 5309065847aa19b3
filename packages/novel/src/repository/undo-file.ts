// One file of an iteration taken back: what came after it stays, merged line by line; where both changed the same lines,
// nothing is done.

import { headOf, type Place, toProjectPath, toRepositoryPath } from "./place.ts";
import { fileAt } from "./read.ts";
import { Draft } from "./transaction/draft.ts";
import { readBlobs } from "./trees.ts";
import { changesSince, reverse } from "./undo.ts";

/** A file without what a commit changed in it, or why that cannot be had. */
export type WithoutChange =
  | { refused: string }
  /** The text is undefined where the file goes: the commit had made it. */
  | { refused?: undefined; before: string | undefined; text: string | undefined };

/** Works out how one file of a commit is taken back from where the branch is now. Nothing is changed. */
export async function withoutChange(place: Place, sha: string, path: string): Promise<WithoutChange> {
  const head = (await headOf(place))!;
  const draft = await Draft.open(place, head);
  const name = toRepositoryPath(place, path);
  try {
    const { entries, conflicts } = await reverse(place, sha, head, draft, (changed) => changed === name);
    if (conflicts.length > 0) return { refused: await conflictWords(place, sha, path, name) };
    if (!entries.has(name))
      return { refused: `${path} is already as it was before that iteration, or it did not change it.` };
    const entry = entries.get(name);
    const [text] = entry ? await readBlobs(place, [entry.blob]) : [];
    return { before: await fileAt(place, head, path), text: text?.toString() };
  } finally {
    await draft.close();
  }
}

async function conflictWords(place: Place, sha: string, path: string, name: string): Promise<string> {
  const since = await changesSince(place, sha, [name]);
  const list = since.map((each) => `  ${each.sha} ${each.subject}`).join("\n");
  return `${toProjectPath(place, name) ?? path} was changed since in the same lines, and nothing was done:\n${list}\nTake those back first, or change it with feedback.`;
}
