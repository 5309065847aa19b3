// /cull: everything below the target goes, in one commit that can be undone.

import { LoopwrightError } from "@loopwright/core";
import { askWord } from "../ask.ts";
import { commitChange } from "../iterations.ts";
import type { Session } from "../session.ts";
import { culledLine, downstreamList, messages } from "../words/words.ts";

export async function cull(session: Session): Promise<void> {
  const { output, target } = session;
  const [{ cullChange, stayingBelow }, { keptBelow }] = await Promise.all([
    import("../../manuscript/index.ts"),
    import("../../committing/read-project.ts"),
  ]);
  const manuscript = await session.manuscript();
  if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const { write, remove, culled } = cullChange(manuscript, target);
  if (remove.length === 0) return output.note(`There is nothing below ${target}`);
  const stays = stayingBelow(manuscript, target);
  if (stays.length > 0) output.say(`Stays, for nobody would write it again: ${stays.join(", ")}`, "yellow");
  for (const kept of await keptBelow(manuscript, target))
    output.say(`Kept passage, set aside until it is written again: ${kept}`, "yellow");
  const word = await askWord(session, `⚠️  Cull all below ${target}: ${downstreamList(culled)}?`, ["yes", "no"], "no");
  if (word !== "yes") return output.note("Nothing was culled");
  const { subject } = await commitChange(session, target, `cull ${downstreamList(culled)}`, { write, remove });
  for (const each of culled) output.say(`  ✓ ${culledLine(each)}`);
  output.say(`  ✓ Git commit: "${subject}"`);
}
