// Where a configuration is said: the user's file, the project's file, -c, and the environment with the project's .env beneath.

import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { parseEnv } from "node:util";
import { LoopwrightError, readPlainFile, usage } from "@loopwright/core";
import type { Environment } from "@loopwright/models/configuration";
import { defaultLoops, type LoopSources, loopSources } from "../loops/sources.ts";
import { realProject, toDanger } from "../trust/dangers.ts";
import type { Source } from "./read-yaml.ts";
import type { ConfigurationValues } from "./schema.ts";

export interface Sources {
  /** Everything that is said, the later over the earlier. */
  all: readonly Source[];
  /** The same without the project's file: what the user says. */
  users: readonly Source[];
  files: readonly string[];
  /** Every loop that is named. One that the project names says what trust in it means. */
  loops: LoopSources;
}

const PROJECTS_FILE = "loopwright.yaml";

/** The configuration file of a folder. */
export function projectsFile(dir: string): string {
  return join(dir, PROJECTS_FILE);
}

/** What is said for a folder. */
export async function readSources(dir: string, given: readonly string[]): Promise<Sources> {
  const { readYaml, readAssignment } = await import("./read-yaml.ts");
  const [usersFile, ownFile] = [join(userFolder(), "loopwright", "config.yaml"), projectsFile(dir)];
  // A home folder that is someone else's, as under sudo, holds no configuration of this user's.
  const [usersText, projectsText] = [readText(usersFile, ["EACCES"]), readText(ownFile)];
  const ofUser = usersText === undefined ? [] : [{ source: readYaml(usersText, usersFile), file: usersFile }];
  const ofProject = projectsText === undefined ? [] : [{ source: readYaml(projectsText, ownFile), file: ownFile }];
  const typed = given.map(readAssignment);
  const loops = mergeLoops([
    defaultLoops(),
    ...ofUser.map(({ source, file }) => loopSources(source.values.loops ?? {}, dirname(file))),
    ...ofProject.map(({ source }) => projectLoops(source, dir)),
    ...typed.map((source) => loopSources(source.values.loops ?? {}, process.cwd())),
  ]);
  const files = [...ofUser, ...ofProject].map(({ file }) => file);
  const users = [...ofUser.map(({ source }) => source), ...typed];
  const all = [...[...ofUser, ...ofProject].map(({ source }) => source), ...typed];
  refuseErrors(all, Object.keys(loops));
  return { all, users, files, loops };
}

/** The loops of a project, each with what it means to import it. */
function projectLoops({ values }: Source, dir: string): LoopSources {
  const named = Object.entries(loopSources(values.loops ?? {}, dir));
  const project = realProject(dir);
  return Object.fromEntries(
    named.map(([name, source]) => {
      const request = { key: `loops.${name}`, file: PROJECTS_FILE, value: source.module };
      return [name, { ...source, danger: toDanger(project, request) }];
    }),
  );
}

/** The later win, and come first. */
function mergeLoops(all: readonly LoopSources[]): LoopSources {
  const inOrder = all.toReversed().flatMap((loops) => Object.keys(loops));
  const merged = Object.assign({}, ...all);
  return Object.fromEntries(inOrder.map((name) => [name, merged[name]]));
}

function refuseErrors(sources: readonly Source[], loops: readonly string[]): void {
  const errors = sources.flatMap((source) => [
    ...source.errors,
    ...Object.keys(source.blocks)
      .filter((name) => !loops.includes(name))
      .map((name) => source.unknownBlock(name, loops)),
  ]);
  if (errors.length > 0) throw usage(errors.join("\n"));
}

/** The values of several sources as one. */
export function mergeValues(sources: readonly Source[]): ConfigurationValues {
  return sources.reduce<ConfigurationValues>((below, { values }) => merge(below, values), {});
}

/** The blocks of several sources as one, by the loop's name. */
export function mergeBlocks(sources: readonly Source[]): Readonly<Record<string, unknown>> {
  return sources.reduce<Readonly<Record<string, unknown>>>((below, { blocks }) => merge(below, blocks), {});
}

/** The environment, with the project's .env beneath it. */
export async function readEnvironment(dir: string): Promise<Environment> {
  const text = readText(join(dir, ".env"));
  return text === undefined ? process.env : { ...parseEnv(text), ...process.env };
}

/** Two configurations as one: mappings are merged, everything else is replaced. Any key is only a key, `__proto__` too. */
function merge<T>(below: T, above: T): T {
  if (!isMapping(below) || !isMapping(above)) return above;
  const merged = Object.entries(above).map(([key, value]) => [
    key,
    Object.hasOwn(below, key) ? merge(below[key], value) : value,
  ]);
  return Object.fromEntries([...Object.entries(below), ...merged]) as T;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Only an absolute folder can be the user's wherever the command is run. */
function userFolder(): string {
  const given = process.env.XDG_CONFIG_HOME ?? "";
  return isAbsolute(given) ? given : join(homedir(), ".config");
}

function readText(file: string, absent: readonly string[] = []): string | undefined {
  try {
    return readPlainFile(file);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", ...absent].includes(code)) return undefined;
    if (error instanceof LoopwrightError) throw usage(error.message);
    throw usage(`${file} cannot be read (${code})`);
  }
}
