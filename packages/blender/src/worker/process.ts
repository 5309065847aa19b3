// One Blender: a process in the sandbox with a folder of its own, asked one question at a time.
//
// What it answers is not believed. Files come out of its folder as plain files or not at all.

import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { ExecutionError } from "@loopwright/core";
import { isCode, removeAll, Worker, WorkerDied } from "@loopwright/sandbox";
import { type Answer, readAnswer } from "./answers.ts";
import { type BlenderPlace, blenderJob, pathsIn } from "./job.ts";

/** Files come by another way: an answer is some words. */
const LONGEST_ANSWER = 4 * 2 ** 20;
const LARGEST_FILE = 2 ** 29;

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
