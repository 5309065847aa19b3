// `/undo` and `/redo`: the last iteration taken back, or brought back, by a commit of its own.

import { commitHandEdit } from "./commits.ts";
import { findDirty, toHandEdits } from "./hand-edits.ts";
import { readIterations } from "./log.ts";
import { stepSubject } from "./message.ts";
import { headOf, type Place, toProjectPath } from "./place.ts";
import { Draft } from "./transaction/draft.ts";
import { transact } from "./transaction/transaction.ts";
import type { Step } from "./types.ts";
import { changesSince, type Reversal, reverse } from "./undo.ts";

/** Undoes the last iteration that is in effect, or redoes the one that was undone last. Hand edits are committed first. */
export async function takeStep(place: Place, step: "undo" | "redo"): Promise<Step> {
  const { all, done, undone } = await readIterations(place);
  const last = (step === "undo" ? done : undone).at(-1);
  const iteration = all.find(({ id }) => id === last?.id);
  if (!last || !iteration) return { refused: nothingTo(step, all.length) };
  const dirty = await findDirty(place);
  for (const edit of toHandEdits(dirty)) await commitHandEdit(place, edit, dirty);
  const reversal = await workOut(place, last.by);
  if (reversal.conflicts.length > 0) return { refused: await conflictWords(place, step, last.by, reversal.conflicts) };
  const subject = stepSubject(step, iteration.subject);
  const committed = await transact(place, {
    subject,
    trailers: { deed: step === "undo" ? "Undo" : "Redo", id: last.id, folder: place.prefix || undefined },
    isEmptyAllowed: true,
    fill: (draft) => draft.setEntries(reversal.entries),
  });
  const paths = committed!.changes.flatMap(({ path }) => toProjectPath(place, path) ?? []);
  return { iteration: { ...iteration, isUndone: step === "undo" }, sha: committed!.sha, subject, paths };
}

async function workOut(place: Place, sha: string): Promise<Reversal> {
  const head = (await headOf(place))!;
  const draft = await Draft.open(place, head);
  try {
    return await reverse(place, sha, head, draft);
  } finally {
    await draft.close();
  }
}

function nothingTo(step: "undo" | "redo", count: number): string {
  if (step === "redo") return "There is nothing to redo: no iteration was undone since the last one was accepted.";
  return count === 0
    ? "There is nothing to undo: no iteration was accepted yet."
    : "There is nothing to undo: every iteration is undone already. Type /redo to bring the last one back.";
}

async function conflictWords(
  place: Place,
  step: "undo" | "redo",
  by: string,
  paths: readonly string[],
): Promise<string> {
  const since = await changesSince(place, by, paths);
  return `This cannot be ${step === "undo" ? "undone" : "redone"} without losing what was changed after it in ${paths
    .map((path) => toProjectPath(place, path) ?? path)
    .join(", ")}:
${since.map(({ sha, subject }) => `  ${sha} ${subject}`).join("\n")}
Nothing was changed. To take that back first, type in a shell: git revert --no-edit ${since.map(({ sha }) => sha).join(" ")}
and then /${step} again.`;
}
