// `loopwright issue drain`: every issue that is ready, each in a process of its own, so many at a time.
//
// A chain is worked on once, by whichever of its issues it is found. Ctrl-C reaches each worker once: they are in process groups
// of their own, and told by this one. An issue whose worker is killed is taken up once more.

import { type ChildProcess, spawn } from "node:child_process";
import { type CommandContext, outcomes, TERMINATED_EXIT, WAITING_EXIT } from "@loopwright/core";
import { plainLine, showCount } from "@loopwright/terminal";
import type { Tracker } from "../sqlite/tracker.ts";
import { rootOf } from "./start.ts";

interface Ready {
  id: string;
  title: string;
  loop: string;
}

interface End extends Ready {
  /** How its run ended, or why there is none: documents.ts has the words. */
  outcome: string;
  exit: number;
}

export async function drain(context: CommandContext, tracker: Tracker): Promise<number> {
  const { output, number } = context;
  const queue = queueOf(tracker);
  if (context.isSet("dry-run")) return showReady(context, queue);
  const workers = workersOf(context);
  const ends = new Map<string, End>();
  const running = new Set<Promise<void>>();
  const take = async (issue: Ready) => {
    const line = `${issue.id}  ${issue.loop}  ${plainLine(issue.title)}`;
    output.say(line);
    const end = await endOf(tracker, issue, await workers.run(issue.id));
    if (end.outcome === "killed" && !ends.has(issue.id)) queue.again(issue.id);
    ends.set(issue.id, end);
    output.say(`${line}  ${end.outcome}`);
  };
  for (;;) {
    while (workers.stopped() === undefined && running.size < (number("workers") ?? 1)) {
      const issue = await queue.next();
      if (!issue) break;
      const taken: Promise<void> = take(issue).finally(() => running.delete(taken));
      running.add(taken);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  for (const id of queue.left)
    output.say(`${id} names no loop, and was left: ${context.typed(`loopwright issue update ${id} --loop NAME`)}`);
  return tell(context, [...ends.values()], workers.stopped());
}

/** The issues to work on, one after another: of a chain that is ready its root, once. `left` are those that say no loop. */
function queueOf(tracker: Tracker) {
  const [tried, left] = [new Set<string>(), new Set<string>()];
  const next = async (): Promise<Ready | undefined> => {
    for (const issue of await tracker.ready()) {
      const { id, title, asset } = await rootOf(tracker, issue);
      if (typeof asset?.loop !== "string") left.add(id);
      else if (!tried.has(id)) {
        tried.add(id);
        return { id, title, loop: asset.loop };
      }
    }
    return undefined;
  };
  return { next, left, again: (id: string) => tried.delete(id) };
}

async function showReady({ output }: CommandContext, { next }: ReturnType<typeof queueOf>): Promise<number> {
  const issues: Ready[] = [];
  for (let issue = await next(); issue; issue = await next()) issues.push(issue);
  if (output.isJson) output.document("drain-plan", { issues });
  else for (const { id, title, loop } of issues) output.print(`${id}  ${loop}  ${plainLine(title)}`);
  return 0;
}

async function endOf(tracker: Tracker, issue: Ready, exit: number): Promise<End> {
  const code = exit === TERMINATED_EXIT ? outcomes.interrupted.exit : exit;
  const words = { ...outcomes, waiting: { exit: WAITING_EXIT }, killed: { exit: KILLED } };
  const known = Object.entries(words).find(([, { exit }]) => exit === code)?.[0];
  if (exit !== USAGE) return { ...issue, outcome: known ?? "error", exit };
  const chain = new Set((await tracker.chain(issue.id)).map(({ id }) => id));
  const isReady = (await tracker.ready()).some(({ id }) => chain.has(id));
  return { ...issue, outcome: isReady ? "refused" : "elsewhere", exit };
}

const USAGE = 2;
/** The exit code of a worker that did not end by itself, as a shell has it. */
const KILLED = 137;

function tell({ output }: CommandContext, ends: readonly End[], stopped: number | undefined): number {
  const isLeft = ({ outcome }: End) => ["elsewhere", "refused", "error", "killed", "interrupted"].includes(outcome);
  const done = ends.filter(({ exit }) => exit === 0).length;
  const escalated = ends.filter((end) => end.exit !== 0 && !isLeft(end)).length;
  if (output.isJson) output.document("drained", { issues: ends, done, escalated, isStopped: stopped !== undefined });
  else {
    const waiting = `${escalated} ${escalated === 1 ? "waits" : "wait"} for a person`;
    output.print(`${showCount(ends.length, "issue")}: ${done} done, ${waiting}`);
  }
  return stopped ?? ends.find((end) => isLeft(end) && end.outcome !== "elsewhere")?.exit ?? 0;
}

/** What a worker is given as it was given here. */
const passed = {
  texts: [
    "attempts",
    "max-iterations",
    "max-minutes",
    "max-tokens",
    "max-usd",
    "seed",
    "url",
    "cassette",
    "cassette-mode",
  ],
  lists: ["model", "config", "answer"],
  switches: ["yes", "trust"],
};

/** The processes that work on issues. A signal is passed on to them; `stopped` is what the command ends with after one. */
function workersOf({ text, number, list, isSet, dir, output }: CommandContext) {
  const texts = passed.texts.flatMap((flag) => {
    const value = text(flag) ?? number(flag);
    return value === undefined ? [] : [`--${flag}`, String(value)];
  });
  const lists = passed.lists.flatMap((flag) => list(flag).flatMap((value) => [`--${flag}`, value]));
  const switches = passed.switches.filter((flag) => isSet(flag)).map((flag) => `--${flag}`);
  const words = [...texts, ...lists, ...switches, "--quiet", "--dir", dir];
  const children = new Set<ChildProcess>();
  let stopped: number | undefined;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => {
      if (stopped === undefined)
        output.warn("stopping: each worker finishes its current write; Ctrl-C again stops at once");
      stopped ??= name === "SIGTERM" ? TERMINATED_EXIT : outcomes.interrupted.exit;
      for (const child of children) child.kill(name);
    });
  const run = (issue: string): Promise<number> => {
    const all = [...process.execArgv, process.argv[1]!, "issue", "start", issue, ...words];
    const child = spawn(process.execPath, all, { stdio: ["ignore", "ignore", "inherit"], detached: true });
    children.add(child);
    return new Promise((resolve) => {
      child.once("error", (error) => output.warn(`loopwright: ${issue}: ${error.message}`));
      child.once("close", (code, signal) => {
        children.delete(child);
        if (signal) output.warn(`loopwright: ${issue}: its worker died (${signal})`);
        resolve(code !== null && code >= 0 ? code : KILLED);
      });
    });
  };
  return { run, stopped: () => stopped };
}
