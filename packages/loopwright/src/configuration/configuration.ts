// The configuration: the user's file, the project's file, the environment, then -c and the flags; the later wins.
//
// An error names the file, the line, the key, what was found, what was expected, and the nearest right name.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { type Ceilings, usage } from "@loopwright/core";
import { type ModelsConfiguration, priceOf, resolveModels, secretsOf } from "@loopwright/models/configuration";
import type { z } from "zod";
import type { Notify } from "../drive/notify.ts";
import { defaultLoops, type LoopSources, loopSources } from "../loops/sources.ts";
import type { Source } from "./read-yaml.ts";
import type { ConfigurationValues } from "./schema.ts";

export interface Configuration {
  ceilings: Partial<Ceilings>;
  /** Every loop that can be named: those that come with Loopwright, and the project's own, which win. */
  loops: LoopSources;
  models: ModelsConfiguration;
  notify: Notify;
  sandbox: { readOnly?: readonly string[] | undefined; network?: readonly string[] | undefined };
  /** What must never be written down. */
  secrets: readonly string[];
  /** The files that were read. */
  files: readonly string[];
  /** The block of a loop, held to its package's schema. */
  block(name: string, schema: z.ZodType | undefined): unknown;
}

/** What the command line adds to the files. */
export interface GivenFlags {
  dir: string;
  /** -c KEY=VALUE, in order. */
  given?: readonly string[];
  /** Ceilings from flags. */
  limits?: Partial<Ceilings>;
  url?: string | undefined;
  model?: readonly string[];
  cassette?: ModelsConfiguration["cassette"];
}

/** The configuration as resolved. */
export async function loadConfiguration(flags: GivenFlags): Promise<Configuration> {
  const { dir, given = [], limits = {} } = flags;
  const { sources, files, loops } = await readSources(dir, given);
  const values = sources.reduce<ConfigurationValues>((below, source) => merge(below, source.values), {});
  const { endpoints, models, retry, prices, ceilings = {}, notify = {}, sandbox = {} } = values;
  const { url, model = [], cassette } = flags;
  const wishes = {
    endpoints,
    models,
    retry: retry as Partial<ModelsConfiguration["retry"]>,
    prices,
    url,
    model,
    cassette,
  };
  const env = await environment(dir);
  const resolved = resolveModels(wishes, env);
  return {
    ceilings: { ...(ceilings as Partial<Ceilings>), ...limits },
    loops,
    notify,
    sandbox,
    models: resolved,
    secrets: secretsOf(resolved.endpoints, env),
    files,
    block: (name, schema) => readBlock(sources, name, schema),
  };
}

/** The loops that a folder's configuration names, with those that come with Loopwright. */
export async function loadLoops(dir: string): Promise<LoopSources> {
  return (await readSources(dir, [])).loops;
}

async function readSources(dir: string, given: readonly string[]) {
  const sources: Source[] = [];
  const files: string[] = [];
  let loops = defaultLoops();
  const add = (source: Source, folder: string) => {
    sources.push(source);
    const named = loopSources(source.values.loops ?? {}, folder);
    loops = { ...named, ...loops, ...named };
  };
  const [usersFile, projectsFile] = [join(userFolder(), "loopwright", "config.yaml"), join(dir, "loopwright.yaml")];
  for (const file of [usersFile, projectsFile]) {
    // A home folder that is someone else's, as under sudo, holds no configuration of this user's.
    const text = await readText(file, file === usersFile ? ["EACCES"] : []);
    if (text === undefined) continue;
    const { readYaml } = await import("./read-yaml.ts");
    add(readYaml(text, file), dirname(file));
    files.push(file);
  }
  for (const assignment of given) {
    const { readAssignment } = await import("./read-yaml.ts");
    add(readAssignment(assignment), process.cwd());
  }
  const names = Object.keys(loops);
  const errors = sources.flatMap((source) => [
    ...source.errors,
    ...Object.keys(source.blocks)
      .filter((name) => !names.includes(name))
      .map((name) => source.unknownBlock(name, names)),
  ]);
  if (errors.length > 0) throw usage(errors.join("\n"));
  return { sources, files, loops };
}

/** The block of a loop: what the sources say, the later over the earlier. */
function readBlock(sources: readonly Source[], name: string, schema: z.ZodType | undefined): unknown {
  const said = sources.filter(({ blocks }) => Object.hasOwn(blocks, name));
  if (!schema && said.length > 0) throw usage(`the loop '${name}' has no configuration, and '${name}' is set`);
  if (!schema) return undefined;
  const value = said.reduce<unknown>((below, { blocks }) => merge(below, blocks[name]), {});
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.map(
    (issue) =>
      said.findLast((source) => source.errorIn(name, issue, schema))?.errorIn(name, issue, schema) ??
      `'${[name, ...issue.path].join(".")}': ${issue.message}`,
  );
  throw usage(errors.join("\n"));
}

/** A ceiling on dollars means nothing for a model whose price nobody knows. */
export function refuseUnknownCost({ ceilings, models }: Configuration): void {
  if (ceilings.usd === undefined) return;
  for (const [role, profile] of Object.entries(models.profiles)) {
    const unknown = [profile, ...profile.fallback].find((name) => priceOf(models, name) === undefined);
    if (unknown)
      throw usage(
        `the price of ${unknown.model} (role ${role}) is not known, so a ceiling on dollars cannot hold`,
        `set prices.${unknown.model} in loopwright.yaml, or leave the ceiling out`,
      );
  }
}

/** The environment, with the project's .env beneath it. */
async function environment(dir: string): Promise<Readonly<Record<string, string | undefined>>> {
  const text = await readText(join(dir, ".env"));
  return text === undefined ? process.env : { ...parseEnv(text), ...process.env };
}

/** Two configurations as one: mappings are merged, everything else is replaced. */
function merge<T>(below: T, above: T): T {
  if (!isMapping(below) || !isMapping(above)) return above;
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above))
    merged[key] = Object.hasOwn(merged, key) ? merge(merged[key], value) : value;
  return merged as T;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function userFolder(): string {
  return process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
}

async function readText(file: string, absent: readonly string[] = []): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", ...absent].includes(code)) return undefined;
    throw usage(`${file} cannot be read (${code})`);
  }
}
