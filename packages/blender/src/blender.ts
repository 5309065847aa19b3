// A scene in a sandboxed Blender: the workcell. It is always there: a Blender that crashes, hangs or takes too much is
// exchanged for another, in which the scene stands as it was after the last step that went well.
//
//   B1  Every call has a limit of its own, and a call that changes the scene is a step: done and saved, or not done at all.
//   B2  What a Blender says is not evidence. Pictures and checks are made here, of the GLB.
//   B3  A dead or hanging Blender is E0, an exception in code is E1; after either the next call works.

import type { Json, Workcell } from "@loopwright/core";
import { type Frame, glbToMesh, type Mesh, pictureToPng, shade, type ViewName, viewNames } from "@loopwright/mesh";
import { removeAll, WorkerDied } from "@loopwright/sandbox";
import { LeftRunning, lost, requireStillness, withOutput } from "./failures.ts";
import { type BlenderOptions, placeOf, readBaseline } from "./options.ts";
import { Processes } from "./processes.ts";
import type { BlenderProgram } from "./program.ts";
import { Snapshots } from "./snapshots.ts";
import { type Answer, isRecord, toError, words } from "./worker/answers.ts";
import type { BlenderLimits, BlenderPlace } from "./worker/job.ts";
import type { BlenderProcess } from "./worker/process.ts";

/** How long calls may take that are not as long as any other. */
const [PING_MS, EXECUTION_MS, PICTURE_MS] = [5_000, 60_000, 300_000];
export const LONGEST_EXECUTION_MS = 600_000;
/** After so long a silence a Blender is asked whether it is there. */
const IDLE_MS = 30_000;

export interface Executed {
  /** What the code printed, the middle of much left out. */
  output: string;
}

export class Blender implements Workcell {
  readonly program: BlenderProgram;
  readonly #processes: Processes;
  readonly #snapshots: Snapshots;
  readonly #own: string;
  readonly #limits: BlenderLimits;
  #baseline = "";
  #turn: Promise<unknown> = Promise.resolve();
  #heardAt = performance.now();
  #glb: { at: string; bytes: Uint8Array; mesh: Mesh } | undefined;

  private constructor(place: BlenderPlace, hasSpare: boolean) {
    this.program = place.program;
    this.#own = place.folder;
    this.#limits = place.limits;
    this.#snapshots = new Snapshots(place.snapshots);
    this.#processes = new Processes(place, hasSpare);
  }

  /** Starts one, at its baseline. */
  static async start(options: BlenderOptions = {}): Promise<Blender> {
    const place = await placeOf(options);
    const blender = new Blender(place, options.hasSpare ?? true);
    try {
      await blender.#begin(options.baseline);
      return blender;
    } catch (error) {
      await blender.stop();
      throw error;
    }
  }

  /** The snapshot that it stands at: each step ends with one. */
  get at(): string {
    return this.#snapshots.at;
  }

  async #begin(baseline: string | undefined): Promise<void> {
    const process = await this.#processes.next();
    const bytes = baseline === undefined ? undefined : readBaseline(baseline);
    if (bytes) this.#snapshots.begin(this.#snapshots.add(bytes));
    if (bytes) await this.#stand(process, this.at);
    else this.#snapshots.begin(await this.#guarded(() => this.#save(process)));
    this.#baseline = this.at;
    this.#processes.prepare();
  }

  /** Runs code on the scene. Where it raises, the scene is as it was before. */
  async execute(
    code: string,
    { limitMs = EXECUTION_MS, signal }: CallOptions = {},
  ): Promise<Executed & { [key: string]: Json }> {
    return this.#step(limitMs, signal, async (process, limit) => {
      const answer = await process.ask({ ask: "execute", code }, limit);
      const output = words(answer.output);
      const error = isRecord(answer.error) ? withOutput(toError(answer.error), output) : undefined;
      requireStillness(answer.left, error);
      if (error) throw error;
      return { output };
    });
  }

  /** An edit of geometry nodes, as the worker knows it. */
  edit(question: { ask: string; [key: string]: Json }): Promise<Answer> {
    return this.#step(this.#limits.answerMs, undefined, (process, limit) => process.ask(question, limit));
  }

  /** What Blender says that the scene holds. */
  scene(options: { most?: number; contains?: string } = {}): Promise<Answer> {
    const ask = (process: BlenderProcess) => process.ask({ ask: "scene", ...options }, this.#limits.answerMs);
    return this.#inTurn(() => this.#guarded(() => this.#ready().then(ask)));
  }

  /** The scene as a binary glTF, and its triangles as they are read from it here. */
  async exported(): Promise<{ bytes: Uint8Array; mesh: Mesh }> {
    return this.#inTurn(async () => {
      if (this.#glb?.at === this.at) return this.#glb;
      const limitMs = this.#limits.answerMs;
      const ask = (process: BlenderProcess) => process.askForFile({ ask: "glb" }, "glb", limitMs);
      const bytes = await this.#guarded(() => this.#ready().then(ask));
      this.#glb = { at: this.at, bytes, mesh: await glbToMesh(bytes) };
      return this.#glb;
    });
  }

  async exportGlb(): Promise<Uint8Array> {
    return (await this.exported()).bytes;
  }

  /** A PNG of each view of a model that looks to +x, transparent where it is not. */
  async render(frame: Frame, size: number): Promise<Record<ViewName, Uint8Array>> {
    const { mesh } = await this.exported();
    const pictures = viewNames.map((view) => [view, pictureToPng(shade(mesh, view, frame, size))]);
    return Object.fromEntries(pictures) as Record<ViewName, Uint8Array>;
  }

  /** The scene as a .blend: the last step's. */
  async exportBlend(): Promise<Uint8Array> {
    await this.#turn;
    return this.#snapshots.read(this.at);
  }

  /** A picture for people, from a Blender that has run no code of anybody's. */
  async picture(options: PictureOptions): Promise<Uint8Array> {
    await this.#turn;
    const at = this.at;
    try {
      return await this.#processes.lend(async (process) => {
        await process.load(at, this.#limits.answerMs);
        return process.askForFile({ ask: "picture", ...options }, "png", PICTURE_MS);
      });
    } catch (error) {
      throw error instanceof WorkerDied ? lost(error) : error;
    }
  }

  /** Back to the beginning; in a fresh process where the old one's Python itself is not to be kept. */
  async reset({ isFresh = false } = {}): Promise<void> {
    await this.#inTurn(async () => {
      if (isFresh) this.#processes.drop();
      await this.#goTo(this.#baseline);
    });
  }

  /** Takes the last step back; false where there is none. */
  async undo(): Promise<boolean> {
    return this.#inTurn(async () => {
      const { before } = this.#snapshots;
      if (before === undefined) return false;
      await this.#open(before);
      this.#snapshots.back();
      return true;
    });
  }

  /** How many steps can be taken back. */
  get steps(): number {
    return this.#snapshots.count;
  }

  async snapshot(): Promise<string> {
    await this.#turn;
    return this.#snapshots.keep(this.at);
  }

  async restore(snapshot: string): Promise<void> {
    await this.#inTurn(async () => {
      this.#snapshots.read(snapshot);
      this.#snapshots.keep(snapshot);
      await this.#goTo(snapshot);
    });
  }

  /** Asks whether it is there; where it is not, another takes its place. */
  async check(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#ready({ asks: true });
    });
  }

  async stop(): Promise<void> {
    await this.#processes.stop();
    await removeAll(this.#own);
  }

  /** One call that changes the scene: it is saved afterwards, or as it was before. */
  #step<Result>(
    limitMs: number,
    signal: AbortSignal | undefined,
    work: (process: BlenderProcess, limitMs: number) => Promise<Result>,
  ): Promise<Result> {
    return this.#inTurn(async () => {
      signal?.throwIfAborted();
      const process = await this.#ready();
      const drop = () => this.#processes.drop();
      signal?.addEventListener("abort", drop, { once: true });
      try {
        const [result, after] = await this.#guarded(async () => {
          const result = await work(process, limitMs);
          return [result, await this.#save(process)] as const;
        });
        this.#snapshots.step(after);
        return result;
      } catch (error) {
        if (this.#processes.current === process) await this.#stand(process, this.at).catch(() => {});
        throw error;
      } finally {
        signal?.removeEventListener("abort", drop);
      }
    });
  }

  async #goTo(snapshot: string): Promise<void> {
    await this.#open(snapshot);
    if (this.at !== snapshot) this.#snapshots.step(snapshot);
  }

  /** Has a scene open: in another Blender, where this one can open none any more. */
  async #open(snapshot: string): Promise<void> {
    try {
      await this.#stand(await this.#ready(), snapshot);
    } catch {
      await this.#stand(await this.#processes.next(), snapshot);
      this.#processes.prepare();
    }
  }

  /** Has a Blender open a scene; one that does not is not kept, whatever it says. */
  async #stand(process: BlenderProcess, snapshot: string): Promise<void> {
    try {
      await process.load(snapshot, this.#limits.answerMs);
      this.#heardAt = performance.now();
    } catch (error) {
      this.#processes.drop();
      throw lost(error);
    }
  }

  async #save(process: BlenderProcess): Promise<string> {
    return this.#snapshots.add(await process.askForFile({ ask: "save" }, "blend", this.#limits.answerMs));
  }

  /** A Blender that stands where the scene does. */
  async #ready({ asks = false } = {}): Promise<BlenderProcess> {
    const current = this.#processes.current;
    const isIdle = asks || performance.now() - this.#heardAt > IDLE_MS;
    if (current && (!isIdle || (await this.#answers(current)))) return current;
    const next = await this.#processes.next();
    await this.#stand(next, this.at);
    this.#processes.prepare();
    return next;
  }

  async #answers(process: BlenderProcess): Promise<boolean> {
    try {
      await process.ask({ ask: "ping" }, PING_MS);
      this.#heardAt = performance.now();
      return true;
    } catch {
      return false;
    }
  }

  /** Work with a Blender; one that has died of it is exchanged, and it is E0. */
  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.#heardAt = performance.now();
      return result;
    } catch (error) {
      if (error instanceof WorkerDied || error instanceof LeftRunning) this.#processes.drop();
      throw error instanceof WorkerDied ? lost(error) : error;
    }
  }

  /** One call after another. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}

export interface CallOptions {
  limitMs?: number;
  signal?: AbortSignal;
}

export interface PictureOptions {
  engine: "workbench" | "cycles";
  size: number;
  /** Degrees: from +x towards +y, and upwards. */
  azimuth: number;
  elevation: number;
  distance?: number;
  /** Millimeters, on a sensor of 36. */
  lens?: number;
  samples?: number;
}
