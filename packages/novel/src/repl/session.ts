// A session of the REPL: the project that is open, the target, the models of the moment, and what to say and read with.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CommandContext, type Driver, LoopwrightError, type Project, UsageError } from "@loopwright/core";
import type { Manuscript } from "../manuscript/files/open.ts";
import type { Repository } from "../repository/repository.ts";
import type { Level } from "../types.ts";
import { askWord, type Input } from "./input/input.ts";
import type { Output } from "./words/output.ts";
import { messages } from "./words/words.ts";

/** A project that is open. */
interface OpenNovel extends AsyncDisposable {
  readonly folder: string;
  readonly project: Project;
  readonly repository: Repository;
  readonly driver: Driver;
  readonly roles: Roles;
}

export class Session {
  readonly context: CommandContext;
  readonly output: Output;
  readonly input: Input;
  /** What `/model` has set, as `--model` takes it. */
  readonly chosenModels: string[] = [];
  target: Level | undefined;
  /** What was asked about the book and answered, newest last. */
  readonly talk: { question: string; answer: string }[] = [];
  /** What the runs of the session took, against the ceilings that were given to it. */
  readonly spent: Record<string, number> = {};
  isOver = false;
  exitCode = 0;
  #novel: OpenNovel | undefined;

  constructor(context: CommandContext, output: Output, input: Input) {
    this.context = context;
    this.output = output;
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
    const { openManuscript } = await import("../manuscript/files/open.ts");
    return openManuscript(this.novel.folder);
  }

  /** Opens a project in place of the one that is open; where that fails, the old one stays. */
  async open(folder: string): Promise<Manuscript> {
    const [{ openManuscript }, { openRepository }] = await Promise.all([
      import("../manuscript/files/open.ts"),
      import("../repository/repository.ts"),
    ]);
    const manuscript = await openManuscript(folder);
    const repository = await openRepository(folder);
    const context = contextFor(this.context, manuscript, this.chosenModels);
    const roles = await this.#openRoles(context);
    await this.#replace(context, folder, repository, roles);
    this.target = manuscript.target();
    await this.input.remember(folder);
    return manuscript;
  }

  /** Everything but writing works without models, so a wrong configuration keeps no one from opening a project. */
  async #openRoles(context: CommandContext): Promise<Roles> {
    try {
      await context.trust(this.input.isInteractive ? (wants) => this.#mayTrust(wants) : undefined);
      return await openRoles(context);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      if (error.code === "UNTRUSTED" && !this.input.isInteractive) {
        Object.assign(this, { isOver: true, exitCode: 2 });
        throw error;
      }
      this.output.fail(error.message);
      return noRoles;
    }
  }

  async #mayTrust(wants: readonly string[]): Promise<boolean> {
    this.output.say(wants.join("\n"));
    return (await askWord(this, "Trust it as it is now?", ["yes", "no"], "no")) === "yes";
  }

  async #replace(context: CommandContext, folder: string, repository: Repository, roles: Roles): Promise<void> {
    const project = await context.project();
    await this.close();
    const { driver } = context;
    this.#novel = {
      ...{ folder, project, repository, driver, roles },
      [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
    };
  }

  /** Reads the configuration again, as after `/model`. */
  async reloadRoles(): Promise<void> {
    const { folder, repository } = this.novel;
    const { target } = this;
    const context = contextFor(this.context, await this.manuscript(), this.chosenModels);
    await this.#replace(context, folder, repository, await openRoles(context));
    this.target = target;
  }

  /** Closes the project that is open. */
  async close(): Promise<void> {
    const novel = this.#novel;
    this.#novel = undefined;
    this.target = undefined;
    await novel?.[Symbol.asyncDispose]();
  }
}

/** The novel that no argument names: this folder, also where one above it is a project of its own; else that one. */
export function novelHere(context: Pick<CommandContext, "dir" | "text">): string {
  return context.text("dir") === undefined && isNovel(process.cwd()) ? process.cwd() : context.dir;
}

/** Whether a folder holds a novel project. */
export function isNovel(folder: string): boolean {
  return existsSync(join(folder, "project.yaml"));
}

export const roleNames = ["writer", "judge", "second-judge", "summarizer"] as const;
export type RoleName = (typeof roleNames)[number];

export interface Roles {
  has(role: RoleName): boolean;
  /** `endpoint:model`; undefined where the role has none. */
  nameOf(role: RoleName): string | undefined;
  /** Tokens of its window; undefined where the role has none. */
  windowOf(role: RoleName): number | undefined;
}

/** The command line for a project's folder, with its models: its files' own, then project.yaml's, the flags', the session's. */
export function contextFor(
  context: CommandContext,
  { folder, project }: Pick<Manuscript, "folder" | "project">,
  chosen: readonly string[] = [],
): CommandContext {
  const ofProject = Object.entries(project.models ?? {}).map(([role, name]) => `${role}=${name}`);
  return context.elsewhere(folder, [...context.list("model"), ...chosen], ofProject);
}

/** The models that a configuration names. */
export async function openRoles(context: CommandContext): Promise<Roles> {
  const configuration = await context.configuration();
  // A second judge is one only where it is another model than the first.
  const modelOf = (role: RoleName) => {
    const found = configuration.modelOf(role);
    return role === "second-judge" && found?.name === configuration.modelOf("judge")?.name ? undefined : found;
  };
  return {
    has: (role) => modelOf(role) !== undefined,
    nameOf: (role) => modelOf(role)?.name,
    windowOf: (role) => modelOf(role)?.context,
  };
}

/** Roles without a model, for a project whose configuration cannot be used: everything but writing works. */
export const noRoles: Roles = { has: () => false, nameOf: () => undefined, windowOf: () => undefined };
