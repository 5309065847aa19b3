// What starts and resumes runs. The code that drives them is loaded with the first of them: whoever only looks at runs does without.

import { Control } from "../journal/control.ts";
import type { Ports } from "./active-run.ts";
import type { Runner } from "./runner.ts";

export type { ResumeOptions, RunResult, StartOptions } from "./runner.ts";

/** Starts and resumes runs on its ports; a `Project` is one on a folder. */
export class Engine extends Control {
  declare readonly ports: Ports;
  #runner: Promise<Runner> | undefined;

  constructor(ports: Ports) {
    super(ports);
  }

  /** Starts a run and drives it until it stops, and after it those that take over. */
  readonly start: Runner["start"] = async (...given) => (await this.#loaded()).start(...given);

  /** Goes on with a run from its last checkpoint; does nothing where what stopped it has not changed. */
  readonly resume: Runner["resume"] = async (...given) => (await this.#loaded()).resume(...given);

  #loaded(): Promise<Runner> {
    this.#runner ??= import("./runner.ts").then(({ Runner }) => new Runner(this.ports));
    return this.#runner;
  }

  async close(): Promise<void> {
    await (await this.#runner)?.close();
    await this.ports.journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
