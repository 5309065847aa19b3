// /undo, /redo, /cull, /fresh and /analyze: what is done without a model, each in a commit of its own.

import { LoopwrightError } from "@loopwright/core";
import { showCount } from "@loopwright/terminal";
import type { Step } from "../../repository/types.ts";
import type { Commands } from "../command-table.ts";
import { askWord } from "../input/input.ts";
import { commitChange } from "../iterations.ts";
import type { Session } from "../session.ts";
import { culledLine, downstreamList, messages, readLevel, staleLine, targetIs } from "../words/words.ts";

export const commands: Commands = { undo, redo, cull, fresh: takeAsFresh, analyze };

/** /undo */
async function undo(session: Session): Promise<void> {
  await tellStep(session, "Undone", await session.novel.repository.undo());
}

/** /redo */
async function redo(session: Session): Promise<void> {
  await tellStep(session, "Done again", await session.novel.repository.redo());
}

async function tellStep(session: Session, what: string, step: Step): Promise<void> {
  const { output } = session;
  if (step.refused !== undefined) return output.note(step.refused);
  output.say(`✓ ${what}: "${step.iteration.subject}" (${showCount(step.paths.length, "file")})`, "green");
  output.say(`  Git commit: "${step.subject}" (${step.sha.slice(0, 7)})`);
  const manuscript = await session.manuscript();
  if (session.target === undefined || !manuscript.has(session.target)) session.target = manuscript.target();
  if (session.target) output.note(targetIs(session.target));
}

/** /cull: everything below the target goes. */
async function cull(session: Session): Promise<void> {
  const { output, target } = session;
  const { cullChange, stayingBelow } = await import("../../manuscript/history/history.ts");
  const manuscript = await session.manuscript();
  if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const { write, remove, culled } = cullChange(manuscript, target);
  if (remove.length === 0) return output.note(`There is nothing below ${target}`);
  const stays = stayingBelow(manuscript, target);
  if (stays.length > 0) output.say(`Stays, for nobody would write it again: ${stays.join(", ")}`, "yellow");
  const word = await askWord(session, `⚠️  Cull all below ${target}: ${downstreamList(culled)}?`, ["yes", "no"], "no");
  if (word !== "yes") return output.note("Nothing was culled");
  const { subject } = await commitChange(session, target, `cull ${downstreamList(culled)}`, { write, remove });
  for (const each of culled) output.say(`  ✓ ${culledLine(each)}`);
  output.say(`  ✓ Git commit: "${subject}"`);
}

/** /fresh LEVEL: the author says that a level which is stale is in line as it is, such as after an edit by hand. */
async function takeAsFresh(session: Session, rest: string): Promise<void> {
  const { output } = session;
  const level = readLevel(rest.trim());
  const before = await session.manuscript();
  const stale = before.stale().filter((each) => each.level !== "analysis");
  const found = stale.find((each) => each.level === level);
  if (!found || level === undefined) {
    const what = rest.trim() === "" ? "Say which level is in line as it is" : `'${rest.trim()}' is no stale level`;
    const known = stale.map((each) => each.level).join(", ") || "nothing";
    throw new LoopwrightError("NOT_STALE", `${what}. Stale: ${known}`);
  }
  const paths = found.files.map(({ path }) => path);
  const { agreedChange } = await import("../../manuscript/history/staleness.ts");
  const change = { write: [agreedChange(before, paths)], remove: [] };
  const { subject } = await commitChange(session, level, `in line as it is: ${level}`, change);
  output.say(`✓ ${showCount(paths.length, "file")} of ${level} in line, by your word`, "green");
  output.say(`  ✓ Git commit: "${subject}"; /undo takes it back`);
  // What is made from something stale is stale itself, whatever its author says.
  for (const each of (await session.manuscript()).stale()) output.say(`⚠️  ${staleLine(each)}`, "yellow");
}

const SHOWN = 30;

async function analyze(session: Session): Promise<void> {
  const { output } = session;
  const { analyze } = await import("../../manuscript/analysis/index.ts");
  const { findings, change } = await analyze(await session.manuscript());
  for (const { severity, message } of findings.slice(0, SHOWN))
    output.say(`  ${severity === "hard" ? "✗" : "•"} ${message}`, severity === "hard" ? "red" : undefined);
  const left = findings.length - SHOWN;
  if (left > 0) output.say(`  … ${left} more in analysis/`);
  output.say(findings.length === 0 ? "✓ Nothing was found" : `${showCount(findings.length, "finding")} in all`);
  if (change.write.length === 0 && change.remove.length === 0)
    return output.note("The reports in analysis/ are up to date");
  const { subject } = await commitChange(session, "analysis", "analyze", change);
  output.say(`  ✓ ${showCount(change.write.length - 1, "report")} saved in analysis/`);
  output.say(`  ✓ Git commit: "${subject}"`);
}
