// /status, /history and /stats: the project as it stands, and what was done so far.

import { LoopwrightError, type Project } from "@loopwright/core";
import { showAge, showCount } from "@loopwright/terminal";
import type { Spent } from "../../learning.ts";
import { bookPart } from "../../manuscript/files/layout.ts";
import { describeKept, keptOf } from "../../manuscript/format/text.ts";
import { type HistoryEntry, levels } from "../../types.ts";
import type { Commands } from "../command-table.ts";
import { findUnfinished } from "../iterations.ts";
import { roleNames, type Session } from "../session.ts";
import { firstLine, textWidth, wrap } from "../words/output.ts";
import { messages, quoted, readLevel, staleFileLines, staleLine, verdictWords } from "../words/words.ts";

export const commands: Commands = { status: showStatus, history: showHistory, stats: showStatistics };

const SHOWN = 20;

/** /history [LEVEL] */
async function showHistory(session: Session, rest: string): Promise<void> {
  const { output, novel } = session;
  const word = rest.trim();
  const level = word === "" ? session.target : readLevel(word);
  if (level === undefined)
    throw new LoopwrightError("TARGET_INVALID", word === "" ? messages.noTarget : messages.invalidTarget);
  const [manuscript, shas] = await Promise.all([session.manuscript(), novel.repository.shas()]);
  const entries = await manuscript.history(level, shas);
  if (entries.length === 0) return output.note(`There is no iteration on ${level} yet`);
  const shown = entries.slice(-SHOWN);
  output.say(`${showCount(entries.length, "iteration")} on ${level}, oldest first:`, "bold");
  if (shown.length < entries.length)
    output.note(`${entries.length - shown.length} earlier ones are in the level's iteration_history.json`);
  const first = entries.length - shown.length + 1;
  const widest = String(entries.length).length;
  for (const [at, entry] of shown.entries())
    for (const line of entryLines(entry, String(first + at).padStart(widest), output.terminal.columns))
      output.say(line);
}

/** An entry as it is listed: what was asked, what came of it, and what was judged and said along. */
export function entryLines(entry: HistoryEntry, number: string, columns: number): string[] {
  const {
    timestamp,
    feedback,
    judge_attempts,
    judge_verdict,
    semantic_summary,
    commit_sha,
    files_changed,
    lines_changed,
    conditions = [],
    said = [],
  } = entry;
  const under = " ".repeat(number.length + 4);
  const wrapped = (text: string) => wrap(text.trim(), textWidth(columns) - under.length);
  const judge =
    judge_attempts === 0 ? "no judge" : `${showCount(judge_attempts, "judge attempt")}, ${verdictWords[judge_verdict]}`;
  const facts = [
    timestamp.slice(0, 16).replace("T", " "),
    ...(commit_sha ? [commit_sha.slice(0, 7)] : []),
    judge,
    `${showCount(files_changed, "file")}, ±${showCount(lines_changed, "line")}`,
  ];
  const lines = [
    facts.join(" · "),
    ...conditions.flatMap(wrapped),
    ...said.flatMap((text) => wrapped(`You said: ${quoted(text)}`)),
    ...wrapped(semantic_summary),
  ];
  return [`  ${number}. ${quoted(firstLine(feedback, 200))}`, ...lines.map((line) => `${under}${line}`.trimEnd())];
}

/** /stats */
async function showStatistics(session: Session): Promise<void> {
  const { statisticsLines } = await import("../../learning.ts");
  const spent = await spentOn(session.novel.project);
  for (const line of await statisticsLines(await session.manuscript(), spent)) session.output.say(line);
}

/** What the models took in all runs of the book. A run that takes over from another has that one's figures in its own. */
async function spentOn(project: Project): Promise<Spent> {
  const runs = (await project.list()).flatMap((listed) => ("fault" in listed ? [] : [listed]));
  const followed = new Set(runs.map(({ after }) => after));
  const asked = runs.filter(({ run, loop, tokens }) => loop === "novel" && tokens > 0 && !followed.has(run));
  const sum = (key: "tokens" | "usd") => asked.reduce((total, run) => total + run[key], 0);
  return { runs: asked.length, tokens: sum("tokens"), usd: sum("usd") };
}

async function showStatus(session: Session): Promise<void> {
  const { output, target, novel } = session;
  const manuscript = await session.manuscript();
  output.say(`Project: ${manuscript.name}`, "bold");
  output.say(`Iteration target: ${target ?? "none yet"}`);
  if (target) output.say(`Iterations: ${(await manuscript.history(target)).length} on ${target}`);
  output.say();
  for (const level of levels) {
    if (!manuscript.has(level)) {
      output.say(`  ${level.padEnd(10)} –`, "dim");
      continue;
    }
    const isChaptered = level === "chapters" || level === "prose";
    const parts = manuscript.paths(level).flatMap((path) => bookPart(path)?.replace("-", " ") ?? []);
    const count = isChaptered ? `${[showCount(manuscript.count(level), "chapter"), ...parts].join(", ")}, ` : "";
    const iterations = showCount((await manuscript.history(level)).length, "iteration");
    output.say(`  ${level.padEnd(10)} ${count}${showCount(manuscript.words(level), "word")}, ${iterations}`);
  }
  const stale = manuscript.stale();
  if (stale.length > 0) output.say();
  for (const each of stale) {
    output.say(`⚠️  ${staleLine(each)}`, "yellow");
    const count = each.level === "analysis" ? 0 : manuscript.paths(each.level).length;
    for (const line of staleFileLines(each, count)) output.say(line);
  }
  if (stale.some(({ level }) => level !== "analysis"))
    output.note("/cascade brings them in line, one after the other; /fresh LEVEL says that one is in line as it is");
  for (const level of levels)
    for (const kept of keptOf(await manuscript.read(level))) output.note(`Kept: ${describeKept(kept)}`);
  for (const note of manuscript.notes) output.note(note);
  output.say();
  const unfinished = await findUnfinished(session);
  if (unfinished)
    output.say(
      `Unfinished: an iteration, ${showAge(Date.now() - unfinished.at)} ago; /resume goes on with it`,
      "yellow",
    );
  await tellRepository(session);
  const names = roleNames.map((role) => `${role} ${novel.roles.nameOf(role) ?? "none"}`);
  output.say(`Models: ${names.join(", ")}`);
}

async function tellRepository({ output, novel }: Session): Promise<void> {
  const refused = await novel.repository.check();
  if (refused !== undefined) return output.say(`Git: ${refused}`, "yellow");
  const edits = await novel.repository.handEdits();
  const paths = edits.flatMap((edit) => edit.paths);
  const hint = `committed on ${paths.length === 1 ? "its" : "their"} own before the next iteration`;
  output.say(paths.length === 0 ? "Git: clean" : `Git: ${showCount(paths.length, "file")} edited by hand, ${hint}`);
}
