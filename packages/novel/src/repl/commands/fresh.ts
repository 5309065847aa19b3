// /fresh: the author says that a level which is stale is in line as it is, such as after an edit by hand.

import { LoopwrightError } from "@loopwright/core";
import { commitChange } from "../iterations.ts";
import type { Session } from "../session.ts";
import { plural, readLevel, staleLine } from "../words/words.ts";

/** /fresh LEVEL */
export async function takeAsFresh(session: Session, rest: string): Promise<void> {
  const { output } = session;
  const name = rest.trim();
  const before = await session.manuscript();
  const level = readLevel(name);
  const found = before.stale().find((each) => each.level === level);
  if (!found || found.level === "analysis") {
    const known = before.stale().flatMap((each) => (each.level === "analysis" ? [] : [each.level]));
    const stale = `Stale: ${known.join(", ") || "nothing"}`;
    const words = name === "" ? "Say which level is in line as it is: /fresh prose" : `'${name}' is no stale level`;
    throw new LoopwrightError("NOT_STALE", `${words}. ${stale}`);
  }
  const paths = found.files.map(({ path }) => path);
  const { agreedChange } = await import("../../manuscript/history/agreed.ts");
  const change = { write: [agreedChange(before, paths)], remove: [] };
  const { subject } = await commitChange(session, found.level, `in line as it is: ${found.level}`, change);
  output.say(`✓ ${plural(paths.length, "file")} of ${found.level} in line, by your word`, "green");
  output.say(`  ✓ Git commit: "${subject}"; /undo takes it back`);
  // What is made from something stale is stale itself, whatever its author says.
  for (const each of (await session.manuscript()).stale()) output.say(`⚠️  ${staleLine(each)}`, "yellow");
}
