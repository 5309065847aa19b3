// Changes that are no iteration of a model's: a cull, an import, an analysis. Each is one commit, and can be undone.

import { LoopwrightError } from "@loopwright/core";
import type { Change } from "../layout.ts";
import type { Part } from "../repository/index.ts";
import { newIterationId } from "./iterations.ts";
import type { Session } from "./session.ts";
import { plural } from "./words/words.ts";

/** Commits a change; hand edits are committed on their own first. */
export async function commitChange(
  { novel, output }: Session,
  part: Part,
  words: string,
  change: Change,
  id = newIterationId(),
): Promise<{ sha: string; subject: string }> {
  const { repository } = novel;
  const refused = await repository.check();
  if (refused !== undefined) throw new LoopwrightError("REPOSITORY_STATE", refused);
  for (const { subject, paths } of await repository.commitHandEdits())
    output.note(`Hand edit kept: "${subject}" (${plural(paths.length, "file")})`);
  const { commitSubject } = await import("../repository/index.ts");
  const base = await repository.head();
  return repository.commitIteration({ id, subject: commitSubject(part, words), change, base });
}
