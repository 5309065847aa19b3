// Drives an iteration in a session: the driver does what every run needs, and here is who shows it and asks.

import {
  type Ceilings,
  type FrontEnd,
  type GateRecord,
  type Json,
  type LoopEvent,
  LoopwrightError,
  type RunRecord,
  type RunResult,
} from "@loopwright/core";
import { plainLine, showCount, showDollars } from "@loopwright/terminal";
import { fileTitle } from "../diff/render.ts";
import type { NovelTask } from "../task.ts";
import { type Level, levels } from "../types.ts";
import { isQuit, promptFor } from "./input/input.ts";
import type { Session } from "./session.ts";
import { Renderer } from "./words/renderer.ts";
import { answerLine, askedWords, downstreamLines, messages, type Origin } from "./words/words.ts";

/** Starts an iteration and drives it until it ends, waits or is stopped. */
export async function startIteration(session: Session, task: NovelTask): Promise<RunResult> {
  const renderer = new Renderer(session.output, { isStep: task.follows !== undefined });
  const frontEnd = new SessionFrontEnd(session, task, renderer);
  const [raised, slug] = [ceilingsLeft(session), await slugOf(session, task)];
  const { result } = await session.novel.driver.start(task as unknown as Json, { slug, frontEnd, raised });
  return settle(session, task, result!);
}

/** What a run is called, in `loopwright runs` too: an iteration of the book by its number. */
async function slugOf(session: Session, { kind, target }: NovelTask): Promise<string> {
  if (kind === "ask") return "ask";
  if (kind === "generate" || kind === "derive") return `${kind} ${target}`;
  const manuscript = await session.manuscript();
  const histories = await Promise.all(levels.map((level) => manuscript.history(level)));
  const runs = (await session.novel.project.list()).map(({ run }) => run);
  return `iteration ${numberAfter(histories.flat().length, runs)} of this book`;
}

/** The number of the next iteration: of those that were rejected or undone, only their runs are left to know of. */
export function numberAfter(accepted: number, runs: readonly string[]): number {
  const numbers = runs.map((run) => Number(/_iteration-(\d+)-of-this-book/.exec(run)?.[1] ?? 0));
  return Math.max(accepted, ...numbers) + 1;
}

interface Resume {
  run: string;
  task: NovelTask;
  /** It knows the run's past. */
  renderer: Renderer;
  /** What a person raises. */
  raised: Partial<Ceilings>;
}

/** Goes on with an iteration that was left. */
export async function resumeIteration(session: Session, { run, task, renderer, raised }: Resume): Promise<RunResult> {
  const { driver, project } = session.novel;
  const frontEnd = new SessionFrontEnd(session, task, renderer);
  const before = structuredClone(await project.record(run));
  const ceilings = { ...ceilingsLeft(session, before), ...raised };
  const { result } = await driver.resume(run, { frontEnd, raised: ceilings });
  return settle(session, task, result!, before);
}

async function settle(
  session: Session,
  task: NovelTask,
  result: RunResult,
  before?: Parameters<typeof countSpent>[2],
): Promise<RunResult> {
  countSpent(session, await session.novel.project.record(result.run), before);
  // The lines that follow in a script were written for another course of things.
  if (result.outcome === "interrupted" && !session.input.isInteractive) {
    session.isOver = true;
    session.exitCode = result.exitCode;
  }
  if (result.outcome !== "done" || task.kind === "ask") return result;
  session.target = task.target;
  const stale = task.follows ? [] : (await session.manuscript()).stale().filter(({ level }) => level !== "analysis");
  if (stale.length > 0)
    session.output.note(`Stale: ${stale.map(({ level }) => level).join(", ")}. /cascade brings it in line`);
  return result;
}

const LEAVING = "(Ctrl-C again leaves; the question stays open until the project is opened again)";

class SessionFrontEnd implements FrontEnd {
  readonly #session: Session;
  readonly #task: NovelTask;
  readonly #renderer: Renderer;
  /** The gate that was asked last: what leads to it is said once. */
  #asked: string | undefined;

  constructor(session: Session, task: NovelTask, renderer: Renderer) {
    this.#session = session;
    this.#task = task;
    this.#renderer = renderer;
  }

  take(event: LoopEvent): void {
    if (this.#session.output.terminal.isJson) this.#renderer.recall(event);
    else this.#renderer.take(event);
  }

  async ask(gate: GateRecord, signal: AbortSignal): Promise<string | undefined> {
    const { input } = this.#session;
    await this.#page();
    if (gate.name === "downstream" && this.#asked !== gate.id) await this.#tellDownstream();
    this.#asked = gate.id;
    const giveUp = () => input.close();
    signal.addEventListener("abort", giveUp, { once: true });
    const line = await this.#answer(gate);
    signal.removeEventListener("abort", giveUp);
    return line;
  }

  /** An answer as the driver reads it. */
  async #answer(gate: GateRecord): Promise<string | undefined> {
    for (;;) {
      const { input } = this.#session;
      const prompt = this.#prompt(gate);
      const line = await input.read({ prompt, isAnswer: true, words: gate.choices, leaving: LEAVING });
      if (line === undefined) return undefined;
      if (isQuit(line)) this.say(`${messages.leave}, and the question stays open`);
      else if (line.trim().startsWith("/")) this.say("A question is open: commands wait for its answer");
      else return answerLine(gate, line);
    }
  }

  #prompt(gate: GateRecord): string {
    const { output } = this.#session;
    if (gate.name !== "clarify") return promptFor(output, plainLine(askedWords(gate)));
    output.say(`\n${plainLine(gate.question)}`);
    return "Your answer (Enter skips): ";
  }

  /** Shows what was asked for before the question that follows it. */
  async #page(): Promise<void> {
    const { output, input } = this.#session;
    const { detail, full, variants } = this.#renderer.takePages();
    if (!(detail || full || variants)) return;
    const { pageFiles, pageLines, pageSections, sideBySide } = await import("./input/pager.ts");
    if (variants) {
      const { passage, file = "" } = this.#task;
      const current = passage ?? (await this.#session.manuscript()).text(file) ?? "";
      const lines = sideBySide(variants.texts, output.terminal.columns, current);
      await pageLines(variants.name, lines, output, input);
    }
    if (detail) await pageSections(detail.files, output, input);
    const titled = full?.files.map(({ path, content }) => ({ title: fileTitle(path), text: content }));
    if (titled) await pageFiles(titled, output, input);
  }

  /** What is below, and what the answers to the question about it mean. */
  async #tellDownstream(): Promise<void> {
    const [{ stayingBelow }, manuscript] = await Promise.all([
      import("../manuscript/history/history.ts"),
      this.#session.manuscript(),
    ]);
    const { target } = this.#task;
    const below = manuscript.downstreamOf(target);
    const origin = await this.#originOf(below[0]?.level);
    const lines = downstreamLines(below, { target, origin, stays: stayingBelow(manuscript, target) });
    this.#session.output.say(`\n${lines.join("\n")}\n`, "yellow");
    this.say("cull-all or yes: it is deleted · keep-all or no: it stays, and is stale · /undo brings everything back");
  }

  /** How the nearest level below came to be, by the first entry of its history: a generation has none. */
  async #originOf(level: Level | "analysis" | undefined): Promise<Origin> {
    if (level === undefined || level === "analysis") return undefined;
    const manuscript = await this.#session.manuscript();
    const [first] = await manuscript.history(level);
    if (first?.kind === "import" || first?.kind === "edit") return first.kind;
    return manuscript.paths(level).some((path) => manuscript.staleness.files[path]) ? "generated" : undefined;
  }

  say(line: string): void {
    this.#session.output.note(line);
  }

  rest(): void {
    this.#renderer.rest();
  }

  /** How the run stands, where its own notes have not said it. */
  async end({ run, outcome, reason }: RunResult): Promise<void> {
    const { output, novel } = this.#session;
    if (output.terminal.isJson) return;
    const { tokens, usd } = (await novel.project.record(run)).usage;
    if (tokens > 0 && outcome !== "waiting")
      output.note(`It took ${showCount(tokens, "token")}${usd > 0 ? `, ${showDollars(usd)}` : ""}`);
    if (outcome === "done" || outcome === "declined") return;
    if (outcome === "ceiling") {
      this.#tellCeiling(reason);
      return;
    }
    const words = endings[outcome];
    if (words === undefined) output.fail(reason);
    output.note(words ?? "Nothing is lost: the attempts so far are kept. /resume goes on once the cause is fixed");
  }

  /** A ceiling is nothing that went wrong: what it is called, and how it is raised to twice as much. */
  #tellCeiling(reason: string): void {
    const { output } = this.#session;
    const { ceiling, limit } = this.#renderer.ceiling ?? {};
    output.say(`[Stopped at a ceiling: ${reason}]`, "yellow");
    const how = ceiling === undefined || limit === undefined ? "/resume" : `/resume ${ceiling}=${limit * 2}`;
    output.note(`What was written so far is kept. To raise the ceiling and go on: ${how}`);
  }
}

/** Where a run stands that has not failed. */
const endings: Readonly<Record<string, string>> = {
  waiting: "The question stays open. It is asked again when the project is opened, or with /resume",
  interrupted: "Stopped. What was written so far is kept: /resume goes on with it",
  cancelled: "The iteration was dropped. Nothing was changed",
};

const names = ["iterations", "minutes", "tokens", "usd"] as const;
type Name = (typeof names)[number];
type Spent = Pick<RunRecord, "iterations" | "active" | "usage">;

/** The ceilings of the next run: what is left of the session's, on top of what the run took before. */
export function ceilingsLeft({ context, spent }: Session, before?: Spent): Partial<Ceilings> {
  const taken = figuresOf(before);
  const left = names.flatMap((name): [Name, number][] => {
    const given = context.number(`max-${name}`);
    if (given === undefined) return [];
    const rest = given - (spent[name] ?? 0);
    if (rest > 0) return [[name, rest + taken[name]]];
    throw new LoopwrightError(
      "SESSION_CEILING",
      `This session has used up its --max-${name} of ${figure(name, given)}. Leave it with /quit, and start it again with more`,
    );
  });
  return Object.fromEntries(left);
}

/** Counts what a run took in this session. */
export function countSpent({ spent }: Session, after: Spent, before?: Spent): void {
  const [now, then] = [figuresOf(after), figuresOf(before)];
  for (const name of names) spent[name] = (spent[name] ?? 0) + now[name] - then[name];
}

function figuresOf(run?: Spent): Record<Name, number> {
  if (!run) return { iterations: 0, minutes: 0, tokens: 0, usd: 0 };
  return { iterations: run.iterations, minutes: run.active / 60_000, ...run.usage };
}

function figure(name: Name, value: number): string {
  if (name === "usd") return showDollars(value);
  return name === "tokens" ? showCount(value, "token") : String(value);
}
