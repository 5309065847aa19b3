// `loopwright show`: one run, iteration by iteration, or what its models were asked; and `loopwright explain`: why it stopped.

import { join } from "node:path";
import {
  type ModelAnswer,
  type NextStep,
  type Project,
  type RunRecord,
  type StampedEvent,
  usage,
} from "@loopwright/core/look";
import type { RecordedCall } from "@loopwright/models/calls";
import {
  cut,
  pad,
  plainLine,
  plainText,
  showCount,
  showDollars,
  showDuration,
  showNumber,
  showScore,
  showSize,
  showTime,
  sparkline,
  type Terminal,
} from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { ceilingWords, findWords, textRows } from "../display/words.ts";
import { FOLDER_GONE, isFolderGone } from "../project.ts";
import { nextSteps, whyItStopped } from "../report/standing.ts";
import { gatherStory, readStory, type Section, type Story } from "../report/story.ts";

export async function run(cli: Cli): Promise<number> {
  refuseTwoViews(cli);
  const { project, run, chain } = await cli.followedRun();
  await using _ = project;
  const isWhole = !cli.isSet("rebuild") || (await rebuild(cli, project, run));
  const code = await show(cli, project, chain);
  return code === 0 && !isWhole ? 1 : code;
}

/** Makes the run's folder again, and says what could not be; false where that is something. */
async function rebuild(cli: Cli, project: Project, run: string): Promise<boolean> {
  const { terminal } = cli;
  if (cli.isSet("dry-run")) {
    terminal.say("It would make the run's folder again.");
    return true;
  }
  const gone = await project.rebuild(run);
  if (gone.length > 0) {
    const what = `${showCount(gone.length, "file")} cannot be made again`;
    terminal.warn(`loopwright: ${what}, for what was stored in .loopwright/files is gone or was changed:`);
    for (const file of gone) terminal.warn(`  ${plainLine(file)}`);
  }
  const part = gone.length > 0 ? "The rest of the run's folder" : "The run's folder";
  terminal.say(`${part} was made again from the journal.`);
  return gone.length === 0;
}

async function show(cli: Cli, project: Project, chain: RunRecord[]): Promise<number> {
  const { terminal } = cli;
  const { run, loop } = chain.at(-1)!;
  if (cli.isSet("follow")) return await (await import("./show-follow.ts")).followRun(cli, project, chain);
  const call = cli.number("call");
  if (call !== undefined || cli.isSet("calls")) {
    const calls = (await import("@loopwright/models/calls")).modelCalls(await Array.fromAsync(project.events(run)));
    return call === undefined ? showCalls(cli, run, calls) : showCall(cli, run, calls, call);
  }
  const { record, events } = await readStory(project, chain);
  const story = gatherStory(record, events, (await findWords(loop, project.dir)).notes);
  const folder = join(project.dir, "runs", record.folder);
  const isGone = isFolderGone(project.dir, record);
  if (terminal.isJson)
    terminal.document("run", {
      ...storyToJson(record, story, folder),
      ...(isGone && { pruned: true }),
      failures: failuresOf(events),
    });
  else {
    const held = await project.ports.journal.holder(run, project.ports.process);
    const known = { isHeld: held?.alive === true, answer: await project.givenAnswer(record) };
    printStory(cli, record, story, isGone ? FOLDER_GONE : folder);
    terminal.print(plainLine(cli.told(whyItStopped(record, known))));
  }
  return 0;
}

/** Why a run stopped, and what to type next. */
export async function explain(cli: Cli): Promise<number> {
  const { project, run, record } = await cli.followedRun();
  await using _ = project;
  const isPruned = isFolderGone(project.dir, record);
  const { steps, gates } = await findWords(record.loop, project.dir);
  const { stepLines } = await import("../display/lines.ts");
  const held = await project.ports.journal.holder(run, project.ports.process);
  const known = { isHeld: false, answer: await project.givenAnswer(record), gates };
  const why = held?.alive
    ? `It is running now, in process ${held.holder.pid} on ${held.holder.host}.`
    : `${cli.told(whyItStopped(record, known))}${isPruned ? " What it had made was pruned, or deleted by hand." : ""}`;
  const next = held?.alive
    ? [{ command: `loopwright pause ${run}`, does: "stops it at its next phase boundary" }]
    : nextSteps(record, { steps, isPruned, ...known });
  const typed = ({ command, does }: NextStep) => ({ command: cli.typed(command), does });
  const { terminal } = cli;
  if (terminal.isJson) {
    terminal.document("explanation", { run, outcome: record.ended?.outcome ?? null, why, next: next.map(typed) });
    return 0;
  }
  terminal.print(plainText(why));
  terminal.print();
  for (const line of stepLines(next, cli)) terminal.print(line);
  return 0;
}

/** What is followed is the whole run, and nothing else of it is shown meanwhile. */
function refuseTwoViews(cli: Cli): void {
  const other = ["calls", "call"].find((flag) => cli.isSet(flag) || cli.number(flag) !== undefined);
  if (cli.isSet("follow") && other) throw usage(`give --follow or --${other}, not both`);
}

function printStory({ terminal }: Cli, record: RunRecord, story: Story, folder: string): void {
  const { usage: used, ceilings, scores } = record;
  const room = terminal.columns - 1;
  const wholeRow = (name: string, value: string) => terminal.print(`${terminal.style("dim", pad(name, 10))}${value}`);
  const row = (name: string, value: string) => wholeRow(name, cut(value, Math.max(40, room - 10)));
  wholeRow("run", record.run);
  if (record.after) wholeRow("after", record.after.run);
  row("loop", `${plainLine(record.loop)}, version ${record.version}, seed ${record.seed}`);
  row("started", showTime(record.startedAt));
  row("active", `${showDuration(record.active)}, ${showNumber(used.tokens)} tokens, ${showDollars(used.usd)}`);
  row("ceilings", ceilingWords(ceilings));
  const curve = scores.map(({ score }) => score);
  if (scores.length > 0) row("scores", sparkline(curve, 60));
  wholeRow("folder", folder);
  terminal.print();
  for (const section of story.sections) printSection(terminal, section, room);
  for (const { name, artifact } of story.results)
    terminal.print(`  ${pad(plainLine(name), 28)} ${showSize(artifact.size)}`);
  terminal.print();
}

function printSection(
  terminal: Terminal,
  { iteration, verdicts, files, moments, active }: Section,
  room: number,
): void {
  const title = iteration === 0 ? "before the first iteration" : `iteration ${iteration}`;
  const facts = [showDuration(active), showCount(files.size, "file")].join(", ");
  terminal.print(`${terminal.style("bold", title)}  ${terminal.style("dim", facts)}`);
  for (const { verdict, score, reason, findings } of verdicts) {
    terminal.print(cut(`  ${verdict} ${showScore(score)}  ${plainLine(reason)}`, room));
    for (const { code, severity, message } of findings.slice(0, 6))
      terminal.print(terminal.style("dim", cut(`    ${severity} ${code}: ${plainLine(message)}`, room)));
    if (findings.length > 6)
      terminal.print(terminal.style("dim", `    … and ${showCount(findings.length - 6, "more finding")}`));
  }
  for (const { text, stack = "" } of moments) {
    for (const row of textRows(text, room)) terminal.print(terminal.style("dim", row));
    // Whole: what matters in it stands at the end of each line.
    for (const line of stack.split("\n").filter((each) => each !== ""))
      terminal.print(terminal.style("dim", `  ${plainLine(line)}`));
  }
}

/** What failed, where and when. */
function failuresOf(events: readonly StampedEvent[]): Record<string, unknown>[] {
  return events.flatMap((event) => {
    if (event.type !== "effect-failed" && event.type !== "visit-failed") return [];
    const place = event.type === "effect-failed" ? { effect: event.key } : { phase: event.phase };
    return [{ at: new Date(event.at).toISOString(), visit: event.visit, ...place, error: event.error }];
  });
}

function storyToJson(record: RunRecord, story: Story, folder: string): Record<string, unknown> {
  const { run, loop, version, seed, ceilings, active, parent, scores } = record;
  const iterations = story.sections.map(({ iteration, verdicts, files, active: time, usage: used }) => ({
    ...{ iteration, verdicts, files: [...files.values()].map(({ artifact }) => artifact) },
    ...{ seconds: time / 1000, ...used },
  }));
  const facts = { run, loop, version, seed, parent: parent?.run, folder, ceilings, ...record.usage };
  const startedAt = new Date(record.startedAt).toISOString();
  const results = story.results.map(({ artifact }) => artifact);
  const ended = record.ended && { outcome: record.ended.outcome, reason: record.ended.reason };
  return { ...facts, seconds: active / 1000, startedAt, ended: ended ?? null, scores, iterations, results };
}

/** Lists the calls of a run. */
function showCalls({ terminal }: Cli, run: string, calls: readonly RecordedCall[]): number {
  if (terminal.isJson) {
    terminal.document("calls", { run, calls: calls.map((call, index) => callToJson(call, index + 1)) });
    return 0;
  }
  if (calls.length === 0) terminal.print("This run has called no model.");
  for (const [index, call] of calls.entries()) {
    const { role, answer, details, error, usage: used } = call;
    const facts = [
      pad(String(index + 1), 4),
      pad(plainLine(role), 12),
      pad(plainLine(answer?.model ?? call.request.id ?? ""), 20),
      pad(`${showNumber(used?.tokens ?? 0)} tokens`, 14),
      pad(details.costKnown === false ? "cost unknown" : showDollars(used?.usd ?? 0), 12),
      pad(details.ms === undefined ? "" : showDuration(details.ms), 8),
    ];
    const words = error
      ? `failed: ${error.message}`
      : answer
        ? answerToText(answer)
        : "under way when its process died";
    terminal.print(cut(`${facts.join(" ")} ${plainLine(words.slice(0, 400))}`, terminal.columns - 1));
  }
  return 0;
}

/** Shows one call whole. */
function showCall({ terminal }: Cli, run: string, calls: readonly RecordedCall[], number: number): number {
  const call = calls[number - 1];
  if (!call)
    throw usage(`run ${run} has had ${showCount(calls.length, "call")} of models, so there is no call ${number}`);
  if (terminal.isJson) {
    terminal.document("call", { run, ...callToJson(call, number), request: call.request, answer: call.answer ?? null });
    return 0;
  }
  const { request, answer, error, details } = call;
  const printPart = (words: string, text?: string) => {
    terminal.print(terminal.style("bold", `\n── ${words}`));
    for (const line of text?.split("\n") ?? [])
      terminal.print(line.trim() === "" ? "" : `${/^\s*/.exec(line)![0]}${plainLine(line)}`);
  };
  const tries = (details.tries ?? []).map(({ endpoint, error: why }) => `  failed at ${endpoint}: ${why}`);
  terminal.print(`call ${number}, role ${plainLine(call.role)}, phase visit ${call.visit}, key ${plainLine(call.key)}`);
  const { asked = "?", endpoint = "?" } = details;
  terminal.print(`asked ${asked} at ${endpoint}, answered by ${answer?.model ?? "no one"}`);
  for (const line of tries) terminal.print(plainLine(line));
  for (const { part, from, to } of details.cut ?? [])
    terminal.print(`  '${part}' was cut from ${from} to ${to} tokens`);
  const { system, prompt } = request;
  if (system) printPart("system", system);
  printPart("prompt", typeof prompt === "string" ? prompt : prompt.map(({ text }) => text).join("\n\n"));
  const ending = error ? `failed: ${plainLine(error.message)}` : `answer (${answer?.finishReason ?? "none"})`;
  printPart(ending, answer ? answerToText(answer) : undefined);
  return 0;
}

/** What a model said, and the tools that it called. */
function answerToText({ text, toolCalls = [] }: ModelAnswer): string {
  const calls = toolCalls.map(({ name, input }) => `→ ${name} ${JSON.stringify(input)}`);
  return [...(text === "" ? [] : [text]), ...calls].join("\n");
}

function callToJson({ role, visit, key, answer, error, usage: used, details }: RecordedCall, number: number) {
  const { model = null, finishReason = null } = answer ?? {};
  const { tokens = 0, usd = 0 } = used ?? {};
  return { number, role, visit, key, model, finishReason, tokens, usd, details, error: error ?? null };
}
