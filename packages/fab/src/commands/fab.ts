// `loopwright fab`: which of its words is meant.

import { type CommandContext, usage } from "@loopwright/core";
import { actions } from "./table.ts";

export async function runFab(context: CommandContext): Promise<number> {
  const [action, what] = context.arguments;
  if (context.isSet("drain")) return (await import("./drain.ts")).drain(context);
  if (action === undefined)
    throw usage("which issue? name one, or --drain for all that are ready", "`loopwright issue ready` lists them");
  if (action === "judge") {
    if (what === undefined)
      throw usage("which file? name a binary glTF (.glb)", "`loopwright fab judge FILE.glb --gate ID`");
    return (await import("./judge.ts")).runJudge(context);
  }
  if (action === "review") return (await import("./review.ts")).review(context);
  if (action === "lineage") {
    if (what === undefined)
      throw usage("which issue?", `\`loopwright fab lineage ISSUE\` (words: ${actions.join(", ")})`);
    return (await import("./lineage.ts")).lineage(context, what);
  }
  return (await import("./produce.ts")).produce(context, action);
}
