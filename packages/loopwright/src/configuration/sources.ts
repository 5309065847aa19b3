// Where a configuration is said: the user's file, the project's file, -c, and the environment with the project's .env beneath.

import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { LoopwrightError, readPlainFile, usage } from "@loopwright/core";
import type { Environment } from "@loopwright/models/configuration";
import { configurationFiles, defaultLoops, type LoopSources, loopSources } from "../loops/sources.ts";
import { type Control, projectControl } from "../trust/control.ts";
import type { Source } from "./read-yaml.ts";
import type { ConfigurationValues } from "./schema.ts";

export interface Sources {
  /** Everything that is said, the later over the earlier. */
  all: readonly Source[];
  /** The same without the project's file: what the user says. */
  users: readonly Source[];
  files: readonly string[];
  /** Every loop that is named. Those that the project names come with what trust in them means. */
  loops: LoopSources;
  env: Environment;
  /** What the project's files ask for. */
  control: Control;
}

/** What is said for a folder. */
export async function readSources(dir: string, given: readonly string[] = []): Promise<Sources> {
  const [usersFile, ownFile] = configurationFiles(dir);
  // A home folder that is someone else's, as under sudo, holds no configuration of this user's.
  const [usersText, projectsText] = [readText(usersFile, ["EACCES"]), readText(ownFile)];
  const { readYaml, readAssignment } = await import("./read-yaml.ts");
  const ofUser = usersText === undefined ? [] : [readYaml(usersText, usersFile)];
  const ofProject = projectsText === undefined ? [] : [readYaml(projectsText, ownFile)];
  const typed = given.map(readAssignment);
  const users = [...ofUser, ...typed];
  const { env, base } = readEnvironment(dir);
  const asking = { values: mergeValues(ofProject), blocks: mergeBlocks(ofProject), users: mergeValues(users), base };
  const control = projectControl(dir, asking);
  const named = (sources: readonly Source[], folder: string, asked?: Control) =>
    sources.map(({ values }) => loopSources(values.loops ?? {}, folder, asked));
  const loops = mergeLoops([
    defaultLoops(),
    ...named(ofUser, dirname(usersFile)),
    ...named(ofProject, dir, control),
    ...named(typed, process.cwd()),
  ]);
  const all = [...ofUser, ...ofProject, ...typed];
  refuseErrors(all, Object.keys(loops));
  const files = [...ofUser.map(() => usersFile), ...ofProject.map(() => ownFile)];
  return { all, users, files, loops, env, control };
}

/** The later win, and come first. */
function mergeLoops(all: readonly LoopSources[]): LoopSources {
  return Object.assign({}, ...all.toReversed(), ...all);
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

/** The environment, with the project's .env beneath it, and the address of models that only the .env has. */
function readEnvironment(dir: string): { env: Environment; base: string | undefined } {
  const text = readText(join(dir, ".env"));
  if (text === undefined) return { env: process.env, base: undefined };
  const own = parseEnv(text);
  return {
    env: { ...own, ...process.env },
    base: process.env.OPENAI_BASE_URL ? undefined : own.OPENAI_BASE_URL || undefined,
  };
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
