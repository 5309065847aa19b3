// Keeps a scene in a Blender that works: one that crashes, hangs, takes too much or makes no sense is exchanged for another, in
// which the scene stands as it was after the last step that went well. One call after another.

import { removeAll } from "@loopwright/sandbox";
import { WorkerDied } from "@loopwright/sandbox/worker";
import { Processes } from "./processes.ts";
import { Snapshots } from "./snapshots.ts";
import { type BlenderLimits, type BlenderPlace, isBlend } from "./worker/job.ts";
import { type BlenderProcess, LeftRunning, lost } from "./worker/process.ts";

type Work<Result> = (process: BlenderProcess) => Promise<Result>;

/** After so long a silence a Blender is asked whether it is there. */
const IDLE_MS = 30_000;

export class Supervisor {
  readonly snapshots: Snapshots;
  readonly #processes: Processes;
  readonly #own: string;
  readonly #limits: BlenderLimits;
  #turn: Promise<unknown> = Promise.resolve();
  #heardAt = performance.now();

  constructor(place: BlenderPlace, hasSpare: boolean) {
    this.#own = place.folder;
    this.#limits = place.limits;
    this.snapshots = new Snapshots(place.snapshots);
    this.#processes = new Processes(place, hasSpare);
  }

  /** Begins with a scene, or with the empty one that a Blender starts with. */
  async begin(baseline: Uint8Array | undefined): Promise<void> {
    const process = await this.#processes.next();
    if (baseline) {
      this.snapshots.at = this.snapshots.add(baseline);
      await this.#open(process, this.snapshots.at);
    } else this.snapshots.at = await this.#guarded(() => this.#save(process));
    this.snapshots.first = this.snapshots.at;
    this.#processes.prepare();
  }

  /** One call that changes nothing. */
  call<Result>(work: Work<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      const process = await this.#ready();
      return this.#guarded(() => work(process));
    });
  }

  /** One call that changes the scene: it is saved afterwards, or as it was before. */
  step<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#inTurn(async () => {
      signal?.throwIfAborted();
      const process = await this.#ready();
      const drop = () => this.#processes.drop();
      signal?.addEventListener("abort", drop, { once: true });
      try {
        const [result, after] = await this.#guarded(
          async () => [await work(process), await this.#save(process)] as const,
        );
        this.snapshots.step(after);
        return result;
      } catch (error) {
        if (this.#processes.current === process) await this.#open(process, this.snapshots.at).catch(() => {});
        signal?.throwIfAborted();
        throw error;
      } finally {
        signal?.removeEventListener("abort", drop);
      }
    });
  }

  /** A step to a scene that was saved; in a fresh process where the old one's Python itself is not to be kept. */
  async goTo(snapshot: string, isFresh = false): Promise<void> {
    await this.#inTurn(async () => {
      this.snapshots.read(snapshot);
      if (isFresh) this.#processes.drop();
      await this.#reopen(snapshot);
      if (this.snapshots.at !== snapshot) this.snapshots.step(snapshot);
    });
  }

  /** Takes the last step back; false where there is none. */
  undo(): Promise<boolean> {
    return this.#inTurn(async () => {
      const before = this.snapshots.steps.at(-1);
      if (before === undefined) return false;
      await this.#reopen(before);
      this.snapshots.back();
      return true;
    });
  }

  /** Work on the scene in a second, clean Blender, which ends with it. */
  async aside<Result>(work: Work<Result>): Promise<Result> {
    const at = await this.settled();
    try {
      return await this.#processes.lend(async (process) => {
        await process.open("load", at, this.#limits.answerMs);
        return work(process);
      });
    } catch (error) {
      throw error instanceof WorkerDied ? lost(error) : error;
    }
  }

  /** Where the scene stands when the calls so far are done. */
  async settled(): Promise<string> {
    await this.#turn;
    return this.snapshots.at;
  }

  /** Asks whether the Blender is there; where it is not, another takes its place. */
  async check(): Promise<void> {
    await this.#inTurn(() => this.#ready({ asks: true }));
  }

  async stop(): Promise<void> {
    await this.#processes.stop();
    this.snapshots.close();
    await removeAll(this.#own);
  }

  /** A Blender that stands where the scene does. */
  async #ready({ asks = false } = {}): Promise<BlenderProcess> {
    const { current } = this.#processes;
    const isIdle = asks || performance.now() - this.#heardAt > IDLE_MS;
    if (current && !isIdle) return current;
    if (await current?.answers()) {
      this.#heardAt = performance.now();
      return current!;
    }
    return this.#exchange(this.snapshots.at);
  }

  /** A fresh Blender begins with a scene. If even that one cannot open it, the scene is none: what was before it holds. */
  async #exchange(snapshot: string): Promise<BlenderProcess> {
    const next = await this.#processes.next();
    this.#processes.prepare();
    try {
      await this.#open(next, snapshot);
      return next;
    } catch (error) {
      this.snapshots.lose(snapshot);
      throw error;
    }
  }

  /** Has a scene open: in another Blender, where this one can open none any more. */
  async #reopen(snapshot: string): Promise<void> {
    try {
      await this.#open(await this.#ready(), snapshot);
    } catch {
      await this.#exchange(snapshot);
    }
  }

  /** Has a Blender open a scene; one that does not is not kept, whatever it says. */
  async #open(process: BlenderProcess, snapshot: string): Promise<void> {
    try {
      await process.open("load", snapshot, this.#limits.answerMs);
      this.#heardAt = performance.now();
    } catch (error) {
      this.#processes.drop();
      throw lost(error);
    }
  }

  async #save(process: BlenderProcess): Promise<string> {
    const bytes = await process.askForFile({ ask: "save" }, "blend", this.#limits.answerMs);
    if (!isBlend(bytes)) throw new WorkerDied("died", "what it saved is no scene");
    return this.snapshots.add(bytes);
  }

  /** Work with a Blender; one that has died of it is not kept, and it is E0. */
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

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}
