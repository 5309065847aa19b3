// A session of the REPL: the project that is open, the target, the models of the moment, and what to say and read with.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type EventListener, LoopwrightError, type Project, UsageError } from "@loopwright/core";
import type { Level } from "@loopwright/novel/layout";
import type { Manuscript } from "@loopwright/novel/manuscript";
import type { Repository } from "@loopwright/novel/repository";
import type { Cli } from "../cli.ts";
import { openTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import type { Input } from "./input/input.ts";
import { historyFile } from "./input/line-history.ts";
import { noRoles, openRoles, type Roles } from "./roles.ts";
import { answerPolicy } from "./words/gate-words.ts";
import type { Voice } from "./words/voice.ts";
import { messages } from "./words/words.ts";

/** A project that is open. */
export interface OpenNovel extends AsyncDisposable {
  readonly folder: string;
  readonly project: Project;
  readonly repository: Repository;
  roles: Roles;
}

export class Session {
  readonly cli: Cli;
  readonly voice: Voice;
  readonly input: Input;
  /** Told every event of a run that is driven. */
  listener: EventListener = () => {};
  /** What `/model` has set, as `--model` takes it. */
  readonly chosenModels: string[] = [];
  target: Level | undefined;
  isOver = false;
  exitCode = 0;
  #novel: OpenNovel | undefined;
  /** Opened once, so that what is wrong with it is told once. */
  #telemetry: Promise<Telemetry | undefined> | undefined;

  constructor(cli: Cli, voice: Voice, input: Input) {
    this.cli = cli;
    this.voice = voice;
    this.input = input;
  }

  get hasNovel(): boolean {
    return this.#novel !== undefined;
  }

  /** The project that is open; throws where none is. */
  get novel(): OpenNovel {
    if (this.#novel) return this.#novel;
    throw new LoopwrightError("NO_PROJECT", messages.noProject);
  }

  /** The manuscript as it is now. */
  async manuscript(): Promise<Manuscript> {
    const { openManuscript } = await import("@loopwright/novel/open");
    return openManuscript(this.novel.folder);
  }

  /** Opens a project in place of the one that is open; where that fails, the old one stays. */
  async open(folder: string): Promise<Manuscript> {
    const [{ openManuscript }, { openRepository }] = await Promise.all([
      import("@loopwright/novel/open"),
      import("@loopwright/novel/repository"),
    ]);
    const manuscript = await openManuscript(folder);
    const repository = await openRepository(folder);
    const roles = await this.#openRoles(manuscript);
    const project = await this.#openProject(folder, () => this.novel.roles);
    await this.close();
    this.#novel = { folder, project, repository, roles, [Symbol.asyncDispose]: () => project.close() };
    this.target = manuscript.target();
    await this.input.remember(historyFile(folder));
    return manuscript;
  }

  /** Everything but writing works without models, so a wrong configuration keeps no one from opening a project. */
  async #openRoles(manuscript: Manuscript): Promise<Roles> {
    try {
      return await openRoles(this, manuscript);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.voice.fail(error.message);
      return noRoles();
    }
  }

  async #openProject(folder: string, roles: () => Roles): Promise<Project> {
    const { openReported } = await import("../project.ts");
    const { cli } = this;
    const answers = answerPolicy(cli.list("answer"), cli.isSet("yes"));
    this.#telemetry ??= openTelemetry(process.env);
    const telemetry = await this.#telemetry;
    return openReported({
      dir: folder,
      on: (event) => {
        this.listener(event);
        telemetry?.on(event);
      },
      models: (role) => roles().model(role),
      redact: (text) => roles().redact(text),
      ...(answers && { answers }),
    });
  }

  /** Reads the configuration again, as after `/model`. */
  async reloadRoles(): Promise<void> {
    this.novel.roles = await openRoles(this, await this.manuscript());
  }

  /** Ends the session. */
  async end(): Promise<void> {
    await this.close();
    await (await this.#telemetry)?.close();
  }

  /** Closes the project that is open. */
  async close(): Promise<void> {
    const novel = this.#novel;
    this.#novel = undefined;
    this.target = undefined;
    await novel?.[Symbol.asyncDispose]();
  }
}

/** Whether a folder holds a novel project. */
export function isNovel(folder: string): boolean {
  return existsSync(join(folder, "project.yaml"));
}
