// `loopwright fab --drain`: every issue that is ready, each in a process of its own, so many at a time.
//
// A chain is worked on once, by whichever of its issues it is found. Ctrl-C reaches each worker once: they are in process groups
// of their own, and told by this one. A worker that dies is an end like any other.

import { type ChildProcess, spawn } from "node:child_process";
import { type CommandContext, outcomes, TERMINATED_EXIT, usage } from "@loopwright/core";
import { plainLine, showCount } from "@loopwright/terminal";
import type { Issue, Tracker } from "@loopwright/tracker";
import { type Asset, rootOf, withTracker } from "../issues.ts";

interface End {
  id: string;
  title: string;
  /** How its run ended; `elsewhere` where another process has it, `refused` where it cannot be worked on, `lost` where its
   * worker died. */
  outcome: string;
  exit: number;
}

export async function drain(context: CommandContext): Promise<number> {
  if (context.arguments.length > 0) throw usage("--drain takes every issue that is ready: name none");
  return withTracker(context, async (tracker) => {
    const next = nextOf(tracker);
    if (context.isSet("dry-run")) return showReady(context, next);
    const workers = new Workers(context);
    using _ = workers.onInterrupt();
    const ends: End[] = [];
    const running = new Set<Promise<void>>();
    const take = async (issue: Issue<Asset>) => {
      context.output.say(`${issue.id}  ${plainLine(issue.title)}`);
      const end = await endOf(tracker, issue, await workers.run(issue.id));
      ends.push(end);
      context.output.say(`${issue.id}  ${plainLine(issue.title)}  ${end.outcome}`);
    };
    for (;;) {
      while (workers.stopped === undefined && running.size < (context.number("workers") ?? 1)) {
        const issue = await next();
        if (!issue) break;
        const taken: Promise<void> = take(issue).finally(() => running.delete(taken));
        running.add(taken);
      }
      if (running.size === 0) break;
      await Promise.race(running);
    }
    return tell(context, ends, workers.stopped);
  });
}

/** Finds, one after another, the issues to work on: of a chain that is ready its root, once. */
function nextOf(tracker: Tracker<Asset>): () => Promise<Issue<Asset> | undefined> {
  const tried = new Set<string>();
  return async () => {
    for (const issue of await tracker.ready()) {
      const root = await rootOf(tracker, issue);
      if (!root.asset?.gate || tried.has(root.id)) continue;
      tried.add(root.id);
      return root;
    }
    return undefined;
  };
}

async function showReady({ output }: CommandContext, next: () => Promise<Issue<Asset> | undefined>): Promise<number> {
  const ready: { id: string; title: string }[] = [];
  for (let issue = await next(); issue; issue = await next()) ready.push({ id: issue.id, title: issue.title });
  if (output.isJson) output.document("drain-plan", { issues: ready });
  else for (const { id, title } of ready) output.print(`${id}  ${plainLine(title)}`);
  return 0;
}

async function endOf(tracker: Tracker<Asset>, { id, title }: Issue<Asset>, exit: number): Promise<End> {
  const code = exit === TERMINATED_EXIT ? outcomes.interrupted.exit : exit;
  const known = Object.entries(outcomes).find(([, outcome]) => outcome.exit === code)?.[0];
  if (exit !== USAGE) return { id, title, outcome: known ?? "lost", exit };
  const chain = new Set((await tracker.chain(id)).map((issue) => issue.id));
  const isReady = (await tracker.ready()).some((issue) => chain.has(issue.id));
  return { id, title, outcome: isReady ? "refused" : "elsewhere", exit };
}

const USAGE = 2;

function tell({ output }: CommandContext, ends: readonly End[], stopped: number | undefined): number {
  const passed = ends.filter(({ exit }) => exit === 0).length;
  const escalated = ends.filter(({ exit }) => exit === outcomes.escalated.exit).length;
  if (output.isJson) output.document("drained", { issues: ends, passed, escalated, isStopped: stopped !== undefined });
  else {
    const waiting = `${escalated} ${escalated === 1 ? "waits" : "wait"} for a person`;
    output.print(`${showCount(ends.length, "issue")}: ${passed} passed, ${waiting}`);
  }
  if (stopped !== undefined) return stopped;
  const failed = ends.find(
    ({ exit, outcome }) => exit !== 0 && exit !== outcomes.escalated.exit && outcome !== "elsewhere",
  );
  return failed?.exit ?? 0;
}

/** What a worker is given as it was given here. */
const passed = {
  texts: [
    "profile",
    "builder",
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

/** The processes that work on issues. */
class Workers {
  readonly #words: readonly string[];
  readonly #say: (line: string) => void;
  readonly #running = new Set<ChildProcess>();
  /** What the command ends with, once a signal has stopped it. */
  stopped: number | undefined;

  constructor(context: CommandContext) {
    const texts = passed.texts.flatMap((flag) => {
      const value = context.text(flag) ?? context.number(flag);
      return value === undefined ? [] : [`--${flag}`, String(value)];
    });
    const lists = passed.lists.flatMap((flag) => context.list(flag).flatMap((value) => [`--${flag}`, value]));
    const switches = passed.switches.filter((flag) => context.isSet(flag)).map((flag) => `--${flag}`);
    this.#words = [...texts, ...lists, ...switches, "--quiet", "--dir", context.dir];
    this.#say = (line) => context.output.warn(line);
  }

  /** Works on an issue in a process of its own; its exit code. */
  run(issue: string): Promise<number> {
    const words = [...process.execArgv, process.argv[1]!, "fab", issue, ...this.#words];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"], detached: true });
    this.#running.add(child);
    return new Promise((resolve) => {
      const end = (code: number, words?: string) => {
        this.#running.delete(child);
        if (words !== undefined) this.#say(`loopwright: ${issue}: ${words}`);
        resolve(code);
      };
      child.once("error", (error) => end(LOST, error.message));
      child.once("exit", (code, signal) => (code === null ? end(LOST, `its worker died (${signal})`) : end(code)));
    });
  }

  /** Passes signals on, and takes up nothing more. */
  onInterrupt(): Disposable {
    const stop = (name: NodeJS.Signals) => {
      if (this.stopped === undefined)
        this.#say("stopping: each worker finishes its current write; Ctrl-C again stops at once");
      this.stopped ??= name === "SIGTERM" ? TERMINATED_EXIT : outcomes.interrupted.exit;
      for (const child of this.#running) child.kill(name);
    };
    const names: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const name of names) process.on(name, stop);
    return {
      [Symbol.dispose]: () => {
        for (const name of names) process.off(name, stop);
      },
    };
  }
}

/** The exit code of a worker that did not end by itself. */
const LOST = 1;
