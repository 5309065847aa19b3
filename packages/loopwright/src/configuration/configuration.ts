// The configuration: the user's file, the project's file, the environment, then -c and the flags; the later wins.
//
// An error names the file, the line, the key, what was found, what was expected, and the nearest right name.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Ceilings } from "@loopwright/core";
import { type ModelsConfiguration, priceOf, resolveModels, secretsOf } from "@loopwright/models/configuration";
import { usage } from "../arguments/read-arguments.ts";
import type { Notify } from "../drive/notify.ts";
import type { ConfigurationValues } from "./schema.ts";

export interface Configuration {
  ceilings: Partial<Ceilings>;
  /** Your own loops: name → path of the module. */
  loops: Readonly<Record<string, string>>;
  models: ModelsConfiguration;
  notify: Notify;
  sandbox: { readOnly?: readonly string[] | undefined; network?: readonly string[] | undefined };
  /** What must never be written down. */
  secrets: readonly string[];
  /** The files that were read. */
  files: readonly string[];
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
  const files: string[] = [];
  let values: ConfigurationValues = {};
  const [usersFile, projectsFile] = [join(userFolder(), "loopwright", "config.yaml"), join(dir, "loopwright.yaml")];
  for (const file of [usersFile, projectsFile]) {
    // A home folder that is someone else's, as under sudo, holds no configuration of this user's.
    const text = await readText(file, file === usersFile ? ["EACCES"] : []);
    if (text === undefined) continue;
    const { readYaml } = await import("./read-yaml.ts");
    values = merge(values, locate(readYaml(text, file), dirname(file)));
    files.push(file);
  }
  for (const assignment of given) {
    const { readAssignment } = await import("./read-yaml.ts");
    values = merge(values, locate(readAssignment(assignment), process.cwd()));
  }
  const { endpoints, models, retry, prices, ceilings = {}, loops = {}, notify = {}, sandbox = {} } = values;
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
  };
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

/** Paths in a file are relative to it. */
function locate(values: ConfigurationValues, folder: string): ConfigurationValues {
  if (!values.loops) return values;
  const loops = Object.entries(values.loops).map(([name, path]) => [name, resolve(folder, path)]);
  return { ...values, loops: Object.fromEntries(loops) };
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
