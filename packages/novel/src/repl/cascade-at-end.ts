// A cascade that is decided about as a whole: its levels are judged, shown and taken as they come, and once they are all there
// the author keeps them, or takes all of them back, each by its own undo. A crash in between leaves what is committed.

import type { Cascade } from "../manuscript/index.ts";
import { askWord } from "./ask.ts";
import type { Session } from "./session.ts";
import { firstLine } from "./words/wrapping.ts";

/** Runs a cascade; where more than one level follows, a person is asked when they want to decide. */
export async function beginCascade(session: Session, cascade: Cascade): Promise<void> {
  const { runCascade } = await import("./cascade.ts");
  // In a script the next line was written for something else.
  const isAsked = cascade.levels.length > 1 && session.input.isInteractive;
  const question = "Accept each level as it comes, or all at the end?";
  const word = isAsked ? await askWord(session, question, ["each", "end"], "each") : "each";
  return word === "end" ? runAtEnd(session, cascade) : runCascade(session, cascade);
}

/** Runs a cascade whose levels are accepted at its end. */
export async function runAtEnd(session: Session, cascade: Cascade): Promise<void> {
  const { runCascade } = await import("./cascade.ts");
  const { output, novel } = session;
  const standing = async () => (await novel.repository.iterations()).filter(({ isUndone }) => !isUndone);
  const before = new Set((await standing()).map(({ id }) => id));
  session.decidesAtEnd = true;
  try {
    await runCascade(session, cascade);
  } finally {
    session.decidesAtEnd = false;
  }
  const taken = (await standing()).filter(({ id }) => !before.has(id)).reverse();
  if (taken.length === 0) return;
  const list = taken.map(({ subject }) => `  • ${firstLine(subject)}`);
  output.say(`\nBrought in line:\n${list.join("\n")}`, "bold");
  const word = await askWord(session, "Keep all of it, or take all of it back?", ["keep", "back"], "keep");
  for (const _ of word === "back" ? taken : []) {
    const step = await novel.repository.undo();
    if (step.refused !== undefined) return output.fail(step.refused);
    output.say(`✓ Undone: "${firstLine(step.iteration.subject)}"`, "green");
  }
  if (word === "back") output.note("Nothing is lost: /redo brings a level back, /cascade begins again");
}
