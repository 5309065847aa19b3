// /fresh: the author says that a file which is stale is in line as it is, such as after an edit by hand.

import { LoopwrightError } from "@loopwright/core";
import type { Level } from "../../layout.ts";
import type { Manuscript } from "../../manuscript/index.ts";
import { commitChange } from "../changes.ts";
import type { Session } from "../session.ts";
import { fitsName } from "../words/file-names.ts";
import { plural, readLevel, staleFileLines, staleLine } from "../words/words.ts";

/** /fresh FILE|LEVEL */
export async function takeAsFresh(session: Session, rest: string): Promise<void> {
  const { output } = session;
  const name = rest.trim();
  const before = await session.manuscript();
  const found = findStale(before, name, session.target);
  const { agreedChange } = await import("../../manuscript/history/agreed.ts");
  const change = { write: [agreedChange(before, found.paths)], remove: [] };
  const { subject } = await commitChange(session, found.level, `in line as it is: ${name}`, change);
  const stale = (await session.manuscript()).stale();
  const cleared = before
    .stale()
    .filter(
      ({ level }) => level !== found.level && level !== "analysis" && !stale.some((each) => each.level === level),
    );
  const left = stale.flatMap((each) => each.files).filter(({ path }) => found.paths.includes(path));
  if (left.length < found.paths.length) {
    const count = found.paths.length - left.length;
    output.say(
      `✓ ${plural(count, "file")} of ${found.level} ${count === 1 ? "is" : "are"} in line, by your word`,
      "green",
    );
  }
  if (cleared.length > 0)
    output.say(`  ✓ So is what is made from it: ${cleared.map(({ level }) => level).join(", ")}`, "green");
  output.say(`  ✓ Git commit: "${subject}"; /undo takes it back`);
  // What a file is made from may be stale itself: then so is the file, whatever it says.
  for (const each of stale.filter(({ level, files }) => level === found.level && files.length > 0)) {
    output.say(`⚠️  ${staleLine(each)}`, "yellow");
    for (const line of staleFileLines(each, before.paths(found.level).length)) output.say(line);
  }
}

/** The stale files that a name means: those of a level, or one of the target, else of any level. */
function findStale(manuscript: Manuscript, name: string, target: Level | undefined): { level: Level; paths: string[] } {
  const stale = manuscript
    .stale()
    .flatMap(({ level, files }) => (level === "analysis" ? [] : [{ level, paths: files.map(({ path }) => path) }]));
  const level = readLevel(name);
  const fitting = stale
    .map((each) =>
      each.level === level ? each : { ...each, paths: each.paths.filter((path) => fitsName(path, name)) },
    )
    .filter(({ paths }) => name !== "" && paths.length > 0);
  const found = fitting.find((each) => each.level === target) ?? fitting[0];
  if (found) return found;
  const known = stale.flatMap(({ paths }) => paths).join(", ") || "nothing";
  throw new LoopwrightError(
    "NOT_STALE",
    name === ""
      ? `Say what is in line as it is: /fresh chapter-3, /fresh prose. Stale: ${known}`
      : `'${name}' is not stale. Stale: ${known}`,
  );
}
