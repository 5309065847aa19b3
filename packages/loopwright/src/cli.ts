// What a command has in hand: its arguments, the terminal, the configuration and the project.

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Given,
  nearestProject,
  type Project,
  type ProjectOptions,
  type RunRecord,
  usage,
} from "@loopwright/core/look";
import type { Terminal } from "@loopwright/terminal";
import { type Flags, inFolder, type Typed, withCommands } from "./arguments/read-arguments.ts";
import type { Configuration, KeptFlags, Looked } from "./configuration/configuration.ts";
import type { FoundPackage } from "./loops/find-package.ts";
import { BackgroundSender } from "./outbox.ts";
import { lostRuns, openReported } from "./project.ts";
import type { Control, StartedWith } from "./trust/control.ts";

/** The address of models that are never asked. */
const NOWHERE = "http://127.0.0.1:9/v1";

export class Cli implements Given {
  readonly terminal: Terminal;
  readonly arguments: readonly string[];
  readonly #flags: Flags;
  /** The models among `--model` that a folder elsewhere names itself; undefined where this command line was typed. */
  readonly #ofFolder: readonly string[] | undefined;
  #looked: Promise<Looked> | undefined;
  #isWithoutFolder = false;
  /** Sends what waits to be told, while the command is at its own work. */
  readonly outbox: BackgroundSender;

  constructor(terminal: Terminal, typed: Typed, ofFolder?: readonly string[]) {
    this.terminal = terminal;
    this.arguments = typed.arguments;
    this.#flags = typed.flags;
    this.#ofFolder = ofFolder;
    const warn = (line: string) => terminal.warn(line);
    this.outbox = new BackgroundSender({ dir: this.dir, look: () => this.look(), warn });
  }

  /** The command line as if it had been given for this folder, with these models and before them those of its own files. */
  elsewhere(dir: string, models: readonly string[], ofFolder: readonly string[]): Cli {
    const flags = { ...this.#flags, dir, project: "", model: [...ofFolder, ...models] };
    return new Cli(this.terminal, { arguments: [], flags }, ofFolder);
  }

  /** The same command line, with every model's answers from a cassette. */
  replaying(cassette: string): Cli {
    const recorded = { model: ["recorded"], url: NOWHERE, cassette, "cassette-mode": "replay" };
    const replaying = new Cli(this.terminal, { arguments: this.arguments, flags: { ...this.#flags, ...recorded } });
    replaying.#isWithoutFolder = this.#isWithoutFolder;
    return replaying;
  }

  /** The same command line with another word in the place of one. */
  withArgument(word: string, other: string): Cli {
    const words = this.arguments.map((each) => (each === word ? other : each));
    return new Cli(this.terminal, { arguments: words, flags: this.#flags }, this.#ofFolder);
  }

  /** Whether a person is there who can be asked. */
  get canAsk(): boolean {
    const { isJson, stdin, stdout } = this.terminal;
    return stdin.isTTY === true && stdout.isTTY === true && !isJson;
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
    const given = this.givenDir;
    return !given ? nearestProject(process.cwd()) : resolve(given);
  }

  /** A command of ours as the user would type it here: for the folder that they have named, if they have. */
  readonly typed = (command: string): string => inFolder(command, this.givenDir);

  /** A text with each command of ours in it as the user would type it here. */
  readonly told = (text: string): string => withCommands(text, this.typed);

  /** The folder as it was typed. */
  get givenDir(): string | undefined {
    return this.text("dir") || this.text("project");
  }

  /** What can be seen of the configuration, whoever wrote it; read once. */
  look(): Promise<Looked> {
    this.#looked ??= this.#look();
    return this.#looked;
  }

  /** The configuration as resolved; where the folder is not trusted, the user is asked. */
  async configuration(): Promise<Configuration> {
    const looked = await this.look();
    if (this.#isWithoutFolder && looked.untrusted().length > 0) return looked.usersOwn();
    return this.#allowed(looked);
  }

  /** From here on nothing is asked of the user: where the folder is not trusted, nothing that its files say is used. */
  doWithoutFolder(): void {
    this.#isWithoutFolder = true;
  }

  /** The configuration of a run that is resumed: what it has kept holds where no flag is given. */
  async configurationFor(started: StartedWith): Promise<Configuration> {
    return this.#allowed(await this.#look(started));
  }

  /** The package of a loop; where that is the folder's own, and not trusted, the user is asked. */
  async findPackage(name: string): Promise<FoundPackage> {
    const looked = await this.look();
    if (Object.hasOwn(looked.loops, name) && looked.loops[name]!.control) await this.allow(looked.untrusted());
    return (await import("./loops/find-package.ts")).findPackage(name, looked);
  }

  /** Has these trusted, or throws. Another folder is not asked about here: whoever opened it has the terminal. */
  async allow(controls: readonly Control[]): Promise<void> {
    const { allow } = await import("./trust/trust.ts");
    await allow(controls, {
      isGiven: this.isSet("trust"),
      isDry: this.isSet("dry-run"),
      canAsk: this.canAsk && this.#ofFolder === undefined,
      warn: (line) => this.terminal.warn(line),
    });
  }

  /** Has the folder trusted, or throws; who has the terminal may ask in its own way. */
  async trust(ask?: (wants: readonly string[]) => Promise<boolean>): Promise<void> {
    const controls = (await this.look()).untrusted();
    if (controls.length === 0 || !ask) return this.allow(controls);
    const { wanted, declined, remember } = await import("./trust/trust.ts");
    if (!(await ask(wanted(controls)))) throw declined(controls);
    remember(controls);
  }

  async #allowed(looked: Looked): Promise<Configuration> {
    await this.allow(looked.untrusted());
    return looked.configuration();
  }

  async #look(started?: StartedWith): Promise<Looked> {
    const [{ look }, { modelControl, runControl }] = await Promise.all([
      import("./configuration/configuration.ts"),
      import("./trust/control.ts"),
    ]);
    const { model, ...typed } = this.modelFlags();
    const kept: Partial<KeptFlags> = { ...started?.flags };
    if (model.length > 0) delete kept.model;
    const controls = [
      ...(this.#ofFolder ? [modelControl(this.dir, this.#ofFolder)] : []),
      ...(started ? [runControl(this.dir, started)] : []),
    ];
    const flags = { model, ...kept, ...typed, controls };
    const looked = await look({ dir: this.dir, given: this.list("config"), limits: this.limits(), ...flags });
    if (this.isSet("trust")) await this.allow(looked.untrusted());
    return looked;
  }

  /** The flags that concern models. */
  modelFlags(): KeptFlags {
    const [url, file] = [this.text("url"), this.text("cassette")];
    const given = this.text("cassette-mode");
    if (given !== undefined && file === undefined)
      throw usage("--cassette-mode goes with a cassette", `name it again: --cassette FILE --cassette-mode ${given}`);
    const mode = (given ?? "auto") as "record" | "replay" | "auto";
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
  async openProject(options: Omit<ProjectOptions, "dir"> = {}): Promise<Project> {
    const project = await openReported({ dir: this.dir, ...options });
    const lost = await lostRuns(project.dir, project);
    if (lost) this.terminal.warn(`loopwright: ${lost.message}`);
    return project;
  }

  /** Opens the project for looking: where there is none, nothing is made. */
  async existingProject(): Promise<Project | undefined> {
    const found = statSync(this.dir, { throwIfNoEntry: false });
    if (!found?.isDirectory()) throw usage(found ? `${this.dir} is no folder` : `there is no folder ${this.dir}`);
    const project = this.isProject ? await openReported({ dir: this.dir, isLook: true }) : undefined;
    const lost = await lostRuns(this.dir, project);
    if (!lost) return project;
    await project?.close();
    throw lost;
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
      throw usage(`${which}, and no project in ${this.dir}`, `${this.typed("loopwright demo")} makes one`);
    }
    try {
      return { project, run: prefix === undefined ? await this.#newestRun(project) : await project.find(prefix) };
    } catch (error) {
      await project.close();
      throw error;
    }
  }

  /** The same; where others took over from it, the last of them, and all of them as they stand: each is read once. */
  async followedRun(): Promise<{ project: Project; run: string; chain: RunRecord[]; record: RunRecord }> {
    const { project, run } = await this.existingRun();
    const chain = await project.chain(run);
    const record = chain.at(-1)!;
    if (record.run !== run) this.terminal.say(this.terminal.style("dim", `${run} was taken over by ${record.run}`));
    return { project, run: record.run, chain, record };
  }

  /** The newest run that is no other's child. */
  async #newestRun(project: Project): Promise<string> {
    const newest = (await project.list()).findLast((listed) => !("parent" in listed));
    if (!newest) throw usage("there is no run here yet", `${this.typed("loopwright demo")} starts one`);
    this.terminal.say(this.terminal.style("dim", `the newest run: ${newest.run}`));
    return newest.run;
  }
}
