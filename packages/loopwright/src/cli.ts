// What a command has in hand: its arguments, the terminal, the configuration and the project.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Given, nearestProject, type Project, type ProjectOptions, usage } from "@loopwright/core";
import type { Terminal } from "@loopwright/terminal";
import type { Flags, Typed } from "./arguments/read-arguments.ts";
import { type Configuration, loadConfiguration } from "./configuration/configuration.ts";
import type { KeptFlags } from "./configuration/settings.ts";
import { openReported } from "./project.ts";

export class Cli implements Given {
  readonly terminal: Terminal;
  readonly arguments: readonly string[];
  readonly #flags: Flags;
  #configuration: Promise<Configuration> | undefined;

  constructor(terminal: Terminal, typed: Typed) {
    this.terminal = terminal;
    this.arguments = typed.arguments;
    this.#flags = typed.flags;
  }

  /** The command line as if it had been given for this folder, with these models. */
  elsewhere(dir: string, models: readonly string[]): Cli {
    return new Cli(this.terminal, { arguments: [], flags: { ...this.#flags, dir, project: "", model: models } });
  }

  isSet(flag: string): boolean {
    return this.#flags[flag] === true;
  }

  text(flag: string): string | undefined {
    const value = this.#flags[flag];
    return typeof value === "string" ? value : undefined;
  }

  number(flag: string): number | undefined {
    const value = this.#flags[flag];
    return typeof value === "number" ? value : undefined;
  }

  list(flag: string): readonly string[] {
    const value = this.#flags[flag];
    return Array.isArray(value) ? value : [];
  }

  /** The project's folder: --dir, else this one, or its nearest parent that is one. */
  get dir(): string {
    const given = this.text("dir") || this.text("project");
    return !given ? nearestProject(process.cwd()) : resolve(given);
  }

  /** The configuration as resolved, read once. */
  configuration(): Promise<Configuration> {
    this.#configuration ??= this.configurationFor({});
    return this.#configuration;
  }

  /** The configuration of a run that is resumed: what it has kept holds where no flag is given. */
  configurationFor(kept: Partial<KeptFlags>): Promise<Configuration> {
    const { model, ...rest } = this.modelFlags();
    const flags = { ...kept, ...rest, model: model.length > 0 ? model : (kept.model ?? []) };
    return loadConfiguration({ dir: this.dir, given: this.list("config"), limits: this.limits(), ...flags });
  }

  /** The flags that concern models. */
  modelFlags(): KeptFlags {
    const [url, file] = [this.text("url"), this.text("cassette")];
    const mode = (this.text("cassette-mode") ?? "auto") as "record" | "replay" | "auto";
    return {
      model: this.list("model"),
      ...(url !== undefined && { url }),
      ...(file !== undefined && { cassette: { file: resolve(file), mode } }),
    };
  }

  /** The ceilings that were given as flags. */
  limits(): Record<string, number> {
    const names = ["iterations", "minutes", "tokens", "usd"];
    const given = names.map((name) => [name, this.number(`max-${name}`)] as const);
    return Object.fromEntries(given.filter((entry): entry is [string, number] => entry[1] !== undefined));
  }

  /** Opens the project, and makes it one where it is none yet. */
  openProject(options: Omit<ProjectOptions, "dir"> = {}): Promise<Project> {
    return openReported({ dir: this.dir, ...options });
  }

  /** Opens the project for looking: where there is none, nothing is made. */
  async existingProject(): Promise<Project | undefined> {
    if (!existsSync(this.dir)) throw usage(`there is no folder ${this.dir}`);
    return this.isProject ? this.openProject() : undefined;
  }

  /** Whether the folder is a project already. */
  get isProject(): boolean {
    return existsSync(join(this.dir, ".loopwright", "journal.db"));
  }

  /** The project and the run that the first argument names; without one the newest run, and it says which. */
  async existingRun(): Promise<{ project: Project; run: string }> {
    const prefix = this.arguments[0];
    const project = await this.existingProject();
    if (!project) {
      const which = prefix === undefined ? "there is no run yet" : `there is no run '${prefix}'`;
      throw usage(`${which}, and no project in ${this.dir}`, "loopwright demo makes one");
    }
    try {
      return { project, run: prefix === undefined ? await this.#newestRun(project) : await project.find(prefix) };
    } catch (error) {
      await project.close();
      throw error;
    }
  }

  /** The newest run that is no other's child. */
  async #newestRun(project: Project): Promise<string> {
    const newest = (await project.list()).findLast((listed) => !("parent" in listed));
    if (!newest) throw usage("there is no run here yet", "loopwright demo starts one");
    this.terminal.say(this.terminal.style("dim", `the newest run: ${newest.run}`));
    return newest.run;
  }
}
