// /undo and /redo: whole iterations, with everything that came with them.

import type { Step } from "../../repository/index.ts";
import type { Session } from "../session.ts";
import { plural, targetIs } from "../words/words.ts";

/** /undo */
export async function undo(session: Session): Promise<void> {
  await tellStep(session, "Undone", await session.novel.repository.undo());
}

/** /redo */
export async function redo(session: Session): Promise<void> {
  await tellStep(session, "Done again", await session.novel.repository.redo());
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
