// /history and /stats: what was done so far.

import { isGone, LoopwrightError, type Project } from "@loopwright/core";
import type { HistoryEntry } from "../../layout.ts";
import type { IterationFacts } from "../../manuscript/index.ts";
import type { NovelTask } from "../../task.ts";
import type { Session } from "../session.ts";
import { messages, plural, readLevel } from "../words/words.ts";
import { firstLine, wrap } from "../words/wrapping.ts";

const SHOWN = 20;

/** /history [LEVEL] */
export async function showHistory(session: Session, rest: string): Promise<void> {
  const { voice, novel } = session;
  const word = rest.trim();
  const level = word === "" ? session.target : readLevel(word);
  if (level === undefined)
    throw new LoopwrightError("TARGET_INVALID", word === "" ? messages.noTarget : messages.invalidTarget);
  const [manuscript, shas] = await Promise.all([session.manuscript(), novel.repository.shas()]);
  const entries = await manuscript.history(level, shas);
  if (entries.length === 0) return voice.note(`There is no iteration on ${level} yet`);
  const shown = entries.slice(-SHOWN);
  voice.say(`${plural(entries.length, "iteration")} on ${level}, oldest first:`, "bold");
  if (shown.length < entries.length)
    voice.note(`${entries.length - shown.length} earlier ones are in the level's iteration_history.json`);
  const first = entries.length - shown.length + 1;
  for (const [at, entry] of shown.entries())
    for (const line of entryLines(entry, first + at, voice.terminal.columns)) voice.say(line);
}

function entryLines(entry: HistoryEntry, number: number, columns: number): string[] {
  const {
    timestamp,
    feedback,
    judge_attempts,
    judge_verdict,
    semantic_summary,
    commit_sha,
    files_changed,
    lines_changed,
  } = entry;
  const judge =
    judge_verdict === "none"
      ? "no judge"
      : `${plural(judge_attempts, "judge attempt")}, ${judge_verdict === "approved" ? "approved" : "accepted against the judge"}`;
  const facts = [
    timestamp.slice(0, 16).replace("T", " "),
    ...(commit_sha ? [commit_sha.slice(0, 7)] : []),
    judge,
    `${plural(files_changed, "file")}, ±${plural(lines_changed, "line")}`,
  ];
  return [
    `  ${number}. "${firstLine(feedback, 200)}"`,
    `     ${facts.join(" · ")}`,
    ...wrap(semantic_summary.trim(), Math.min(columns, 90) - 6).map((line) => `     ${line}`.trimEnd()),
  ];
}

/** /stats */
export async function showStatistics(session: Session): Promise<void> {
  const { statistics, renderStatistics } = await import("../../manuscript/index.ts");
  const facts = await factsOf(session.novel.project);
  for (const line of renderStatistics(await statistics(await session.manuscript(), facts))) session.voice.say(line);
}

/** What the journal knows of iterations that have ended: those that were declined, and what each cost. */
async function factsOf(project: Project): Promise<IterationFacts[]> {
  const facts: IterationFacts[] = [];
  for (const listed of await project.list()) {
    if ("fault" in listed || listed.loop !== "novel") continue;
    if (listed.status !== "done" && listed.status !== "declined") continue;
    const task = await taskOf(project, listed.run);
    if (!task || task.is_question) continue;
    const { scores } = await project.record(listed.run);
    facts.push({
      iteration_id: task.iteration_id,
      level: task.target,
      feedback: task.feedback.join("\n"),
      judge_attempts: scores.length,
      verdict: scores.length === 0 ? "none" : scores.at(-1)!.score === 1 ? "approved" : "needs_revision",
      decision: listed.status === "done" ? "accepted" : "declined",
      ...(listed.usd > 0 && { cost_usd: listed.usd }),
    });
  }
  return facts;
}

/** What an iteration was given to do; undefined where that was released. */
async function taskOf(project: Project, run: string): Promise<NovelTask | undefined> {
  for await (const event of project.events(run))
    if (event.type === "run-started") return isGone(event.input) ? undefined : (event.input as unknown as NovelTask);
  return undefined;
}
