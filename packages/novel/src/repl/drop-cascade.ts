// Forgets what is left of a cascade: its record, and a step of it that was left, which would bring the record back.

import { commitChange } from "./changes.ts";
import type { Session } from "./session.ts";

export async function dropCascade(session: Session): Promise<void> {
  const { output } = session;
  const isStepDropped = await dropStep(session);
  const { staleness } = await session.manuscript();
  const { cascade, ...rest } = staleness;
  if (!cascade && !isStepDropped) return output.note("No cascade is left. /status shows what is stale");
  if (cascade) {
    const { toFile } = await import("../manuscript/history/staleness.ts");
    await commitChange(session, "project", "drop the cascade", { write: [toFile(rest)], remove: [] });
  }
  const step = isStepDropped ? ", with the step of it that was under way" : "";
  output.note(`What was left of the cascade is forgotten${step}. /status shows what is stale`);
}

/** Ends an unfinished iteration that is a step of a cascade. */
async function dropStep(session: Session): Promise<boolean> {
  const { project } = session.novel;
  const [{ findUnfinished }, { drop }] = await Promise.all([
    import("./unfinished.ts"),
    import("./offer-unfinished.ts"),
  ]);
  const unfinished = await findUnfinished(project);
  if (!unfinished || unfinished.isHeld) return false;
  const { input } = await project.state(unfinished.run);
  if (!(input as { cascade?: unknown }).cascade) return false;
  await drop(session, unfinished.run);
  return true;
}
