// A scene in a sandboxed Blender.
//
//   B1  Every call has a limit of its own, and a call that changes the scene is a step: done and saved, or not done at all.
//   B2  What a Blender says is not evidence. Pictures and checks are made here, of the GLB.
//   B3  A dead or hanging Blender is E0, an exception in code is E1; after either the next call works.

import type { Json } from "@loopwright/core";
import { glbToModel, type Model } from "@loopwright/mesh";
import type { BlenderProgram } from "./program.ts";
import { Supervisor } from "./supervisor.ts";
import { type BlenderOptions, type BlenderPlace, placeOf, readBaseline } from "./worker/job.ts";
import {
  type Answer,
  type BlenderProcess,
  isRecord,
  requireStillness,
  toError,
  withOutput,
  words,
} from "./worker/process.ts";

const [EXECUTION_MS, PICTURE_MS] = [60_000, 300_000];
/** The most that code can be given to run. */
export const LONGEST_EXECUTION_MS = 600_000;

/** A Blender in a sandbox whose scene outlives it: one that crashes or hangs is exchanged for another at the last snapshot. */
export class Blender {
  readonly program: BlenderProgram;
  readonly #supervisor: Supervisor;
  readonly #answerMs: number;
  /** The last GLB, and whose it is: what one Blender says of a scene is not what another would. */
  #glb: (Exported & { at: string; by: BlenderProcess }) | undefined;

  private constructor(place: BlenderPlace, hasSpare: boolean) {
    this.program = place.program;
    this.#answerMs = place.limits.answerMs;
    this.#supervisor = new Supervisor(place, hasSpare);
  }

  /** Starts one, at its baseline. */
  static async start(options: BlenderOptions = {}): Promise<Blender> {
    const blender = new Blender(await placeOf(options), options.hasSpare ?? true);
    try {
      const { baseline } = options;
      await blender.#supervisor.begin(baseline === undefined ? undefined : readBaseline(baseline));
      return blender;
    } catch (error) {
      await blender.stop();
      throw error;
    }
  }

  /** The snapshot that it stands at: each step ends with one. */
  get at(): string {
    return this.#supervisor.snapshots.at;
  }

  /** Runs code on the scene. Where it raises, the scene is as it was before. */
  execute(code: string, { limitMs = EXECUTION_MS, signal }: CallOptions = {}): Promise<Executed> {
    return this.#supervisor.step(async (process) => {
      const answer = await process.ask({ ask: "execute", code }, limitMs);
      const output = words(answer.output);
      const error = isRecord(answer.error) ? withOutput(toError(answer.error), output) : undefined;
      requireStillness(answer.left, error);
      if (error) throw error;
      return { output };
    }, signal);
  }

  /** An edit of geometry nodes, as the worker knows it. */
  edit(question: { ask: string; [key: string]: Json }): Promise<Answer> {
    return this.#supervisor.step((process) => process.ask(question, this.#answerMs));
  }

  /** What Blender says that the scene holds. */
  scene(options: { most?: number; contains?: string } = {}): Promise<Answer> {
    return this.#supervisor.call((process) => process.ask({ ask: "scene", ...options }, this.#answerMs));
  }

  /** The scene as a binary glTF, and its triangles as they are read from it here. */
  exported(): Promise<Exported> {
    return this.#supervisor.call(async (by) => {
      if (this.#glb?.at === this.at && this.#glb.by === by) return this.#glb;
      const bytes = await this.#askForGlb(by);
      this.#glb = { at: this.at, by, bytes, mesh: await glbToModel(bytes) };
      return this.#glb;
    });
  }

  #askForGlb(process: BlenderProcess): Promise<Buffer> {
    return process.askForFile({ ask: "glb" }, "glb", this.#answerMs);
  }

  /** The scene's meshes as an FBX. Its bytes are others each time. */
  exportFbx(): Promise<Uint8Array> {
    return this.#supervisor.call((process) => process.askForFile({ ask: "fbx" }, "fbx", this.#answerMs));
  }

  /** The scene as a .blend: the last step's. */
  async exportBlend(): Promise<Uint8Array> {
    return this.#supervisor.snapshots.read(await this.#supervisor.settled());
  }

  /** A picture for people, from a Blender that has run no code of anybody's. */
  picture(options: PictureOptions): Promise<Uint8Array> {
    const question = { ask: "picture", ...options };
    return this.#supervisor.aside((process) => process.askForFile(question, "png", PICTURE_MS));
  }

  /** Back to the beginning; in a fresh process where the old one's Python itself is not to be kept. */
  reset({ isFresh = false } = {}): Promise<void> {
    return this.#supervisor.goTo(this.#supervisor.snapshots.first, isFresh);
  }

  /** Takes the last step back; false where there is none. */
  undo(): Promise<boolean> {
    return this.#supervisor.undo();
  }

  /** How many steps can be taken back. */
  get steps(): number {
    return this.#supervisor.snapshots.steps.length;
  }

  /** Asks whether it is there; where it is not, another takes its place. */
  check(): Promise<void> {
    return this.#supervisor.check();
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }
}

/** A scene as GLB, and the same read back. */
export interface Exported {
  bytes: Uint8Array;
  /** With its parts and materials. */
  mesh: Model;
}

/** What any call to Blender takes: how long it may last, and what stops it. */
export interface CallOptions {
  limitMs?: number;
  signal?: AbortSignal;
}

/** What the code printed, the middle of much left out. */
export type Executed = { output: string };

/** A picture of the scene: by what engine, how large, in what style, and from where. */
export interface PictureOptions {
  engine: "workbench" | "cycles";
  /** Pixels of a side, or width and height. */
  size: number | readonly [number, number];
  /** Everything in its own material, or in one gray clay. */
  style?: "beauty" | "clay";
  /** Degrees: from +x towards +y, and upwards. */
  azimuth: number;
  elevation: number;
  distance?: number;
  /** What fills the picture where no distance is given: the ball round the scene, from every side the same, or its box. */
  fit?: "ball" | "box";
  /** What it looks at; the middle of the scene where it is left out. */
  target?: readonly [number, number, number];
  /** Millimeters, on a sensor of 36. */
  lens?: number;
  samples?: number;
}
