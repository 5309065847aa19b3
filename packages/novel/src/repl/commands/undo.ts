// /undo and /redo: whole iterations, with everything that came with them.

import type { Step } from "../../repository/index.ts";
import type { Session } from "../session.ts";
import { plural, targetIs } from "../words/words.ts";

/** /undo [ITERATION FILE] */
export async function undo(session: Session, rest = ""): Promise<void> {
  if (rest.trim() !== "") return (await import("./undo-file.ts")).undoFile(session, rest);
  await tellStep(session, "Undone", await session.novel.repository.undo());
}

/** /redo */
export async function redo(session: Session): Promise<void> {
  const { repository } = session.novel;
  const { FILE_UNDONE } = await import("./undo-file.ts");
  const last = (await repository.iterations()).find(({ isUndone }) => !isUndone);
  const step = await repository.redo();
  // A file that was taken back is a change of its own: undoing that brings the file back.
  if (step.refused !== undefined && last?.id.endsWith(FILE_UNDONE))
    return tellStep(session, "Taken back", await repository.undo());
  await tellStep(session, "Done again", step);
}

async function tellStep(session: Session, what: string, step: Step): Promise<void> {
  const { output } = session;
  if (step.refused !== undefined) return output.note(step.refused);
  output.say(`✓ ${what}: "${step.iteration.subject}" (${plural(step.paths.length, "file")})`, "green");
  output.say(`  Git commit: "${step.subject}" (${step.sha.slice(0, 7)})`);
  const manuscript = await session.manuscript();
  if (session.target === undefined || !manuscript.has(session.target)) session.target = manuscript.target();
  if (session.target) output.note(targetIs(session.target));
}
