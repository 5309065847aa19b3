// One Blender: a process in the sandbox with a folder of its own, asked one question at a time.
//
// What it answers is not believed. Files come out of its folder as plain files or not at all.

import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { ExecutionError, InfrastructureError, type Json } from "@loopwright/core";
import { isCode, removeAll } from "@loopwright/sandbox";
import { Worker, WorkerDied } from "@loopwright/sandbox/worker";
import { type BlenderPlace, blenderJob, pathsIn } from "./job.ts";

/** Files come by another way: an answer is some words. */
const LONGEST_ANSWER = 4 * 2 ** 20;
const LARGEST_FILE = 2 ** 29;
const PING_MS = 5_000;

let made = 0;

export class BlenderProcess {
  readonly #worker: Worker;
  readonly #place: BlenderPlace;
  readonly #folder: string;

  private constructor(worker: Worker, place: BlenderPlace, folder: string) {
    this.#worker = worker;
    this.#place = place;
    this.#folder = folder;
  }

  /** Starts one with an empty scene. */
  static async start(place: BlenderPlace, signal: AbortSignal): Promise<BlenderProcess> {
    const folder = join(place.folder, `job-${process.pid}-${++made}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      const job = async (hello: string) => blenderJob(place, folder, hello);
      const worker = await Worker.start({ sandbox: place.sandbox, job, signal, longestAnswer: LONGEST_ANSWER });
      return new BlenderProcess(worker, place, folder);
    } catch (error) {
      await removeAll(folder);
      throw error;
    }
  }

  get isAlive(): boolean {
    return this.#worker.isAlive;
  }

  async answers(): Promise<boolean> {
    try {
      await this.ask({ ask: "ping" }, PING_MS);
      return true;
    } catch {
      return false;
    }
  }

  /** Asks; rejects with WorkerDied where no answer comes or it makes no sense, and with ExecutionError where code is at fault. */
  async ask(question: object, limitMs: number): Promise<Answer> {
    const answer = readAnswer(await this.#worker.ask<unknown>(question, limitMs));
    if (answer === undefined) throw new WorkerDied("died", "its answer makes no sense");
    if ("error" in answer) throw answer.error;
    return answer.ok;
  }

  /** Asks for a file, and brings it out. */
  async askForFile(question: object, ending: string, limitMs: number): Promise<Buffer> {
    const name = `${randomBytes(9).toString("hex")}.${ending}`;
    await this.ask({ ...question, path: pathsIn(this.#place, this.#folder).own(name) }, limitMs);
    return this.#bringOut(name);
  }

  /** Opens a scene that was saved, or has a GLB that lies among them in place of its own. */
  async open(ask: "load" | "import", name: string, limitMs: number): Promise<void> {
    await this.ask({ ask, path: pathsIn(this.#place, this.#folder).snapshot(name) }, limitMs);
  }

  /** Blender runs on meanwhile: a link is not followed, and a pipe not waited for. */
  #bringOut(name: string): Buffer {
    const path = join(this.#folder, name);
    const descriptor = openPlain(path);
    if (descriptor === undefined) throw new WorkerDied("died", "it says that it wrote a file, and there is none");
    try {
      if (fstatSync(descriptor).size > LARGEST_FILE)
        throw new ExecutionError(
          "BLENDER_TOO_LARGE",
          `the file is larger than ${LARGEST_FILE / 2 ** 20} MB: make the scene smaller`,
        );
      const bytes = readFileSync(descriptor);
      unlinkSync(path);
      return bytes;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Ends it; settles when nothing of it is left, its folder neither. */
  async stop(): Promise<void> {
    await this.#worker.stop();
    await removeAll(this.#folder);
  }
}

function openPlain(path: string): number | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
  } catch (error) {
    if (!isCode(error, "ENOENT", "ELOOP", "ENXIO", "EACCES")) throw error;
  }
  return undefined;
}

export type Answer = { [key: string]: Json };

const MOST_WORDS = 4_000;

/** What an answer says; undefined where it is none. */
function readAnswer(given: unknown): { ok: Answer } | { error: ExecutionError } | undefined {
  if (!isRecord(given)) return undefined;
  if (isRecord(given.error)) return { error: toError(given.error) };
  return isRecord(given.ok) ? { ok: given.ok as Answer } : undefined;
}

/** An exception as whoever wrote the code reads it. */
export function toError(given: Readonly<Record<string, unknown>>): ExecutionError {
  const [kind, message, hint] = [words(given.kind), words(given.message), words(given.hint)];
  if (kind === "refused") return new ExecutionError("BLENDER_REFUSED", message || "it was refused");
  const line = Number.isInteger(given.line) ? (given.line as number) : undefined;
  const source = words(given.source);
  const trace = Array.isArray(given.trace) ? given.trace.slice(0, 10).map(words) : [];
  const text = [
    `${kind || "Error"}: ${message}`,
    ...(line === undefined ? [] : [`at line ${line}${source ? `: ${source}` : ""}`]),
    ...(trace.length > 0 ? [`by way of ${trace.join("; ")}`] : []),
    ...(hint ? [hint] : []),
  ].join("\n");
  const data = { kind: kind || "Error", ...(line === undefined ? {} : { line }), ...(hint ? { hint } : {}) };
  return new ExecutionError("BLENDER_RAISED", text, { data });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text as it is, within bounds. */
export function words(value: unknown): string {
  const text = typeof value === "string" ? value : "";
  return text.length <= MOST_WORDS ? text : `${text.slice(0, MOST_WORDS)}…`;
}

/** A Blender that has died, hangs, took too much or makes no sense; or one that was told to open a scene, and could not. */
export function lost(died: unknown): unknown {
  if (died instanceof ExecutionError)
    return new InfrastructureError("BLENDER_LOST", `Blender does not open a scene of its own: ${died.message}`, {
      cause: died,
    });
  if (!(died instanceof WorkerDied)) return died;
  const how = { died: "ended by itself", limit: "was stopped", stopped: "was stopped" }[died.reason];
  return new InfrastructureError("BLENDER_LOST", `Blender ${how}: ${died.message}`, {
    cause: died,
    data: { reason: died.reason },
  });
}

/** An error, and what the code had printed by then. */
export function withOutput(error: ExecutionError, output: string): ExecutionError {
  if (output.trim() === "") return error;
  return new ExecutionError(error.code, `${error.message}\nprinted before: ${output.trim().slice(-1_000)}`, {
    data: error.data,
  });
}

/** Code whose threads or processes go on could change the scene at any later moment: that Blender is not kept. */
export class LeftRunning extends ExecutionError {
  constructor(what: string, error: ExecutionError | undefined) {
    const advice = "wait for them to end (thread.join(), process.wait()) before it ends";
    super("BLENDER_LEFT_RUNNING", `the code left ${what} running: ${advice}${error ? `\n${error.message}` : ""}`);
  }
}

/** Throws where not all of the code has ended. */
export function requireStillness(left: unknown, error?: ExecutionError): void {
  const count = (name: string) => (isRecord(left) && Number.isInteger(left[name]) ? (left[name] as number) : 0);
  const [threads, processes] = [count("threads"), count("processes")];
  if (threads > 0) throw new LeftRunning(threads === 1 ? "1 thread" : `${threads} threads`, error);
  if (processes > 0) throw new LeftRunning(processes === 1 ? "1 process" : `${processes} processes`, error);
}
