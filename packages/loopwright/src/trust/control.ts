// What a folder's files ask for that runs a program, sends data or a key away, or widens the sandbox: one line for each. All the
// lines of a folder are trusted together, or not at all.

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Json, leadsOut } from "@loopwright/core";
import { type GivenEndpoint, reachOf } from "@loopwright/models/configuration";
import type { KeptFlags } from "../configuration/configuration.ts";
import type { ConfigurationValues } from "../configuration/schema.ts";

/** What somebody's files ask for in a folder; trust in it is trust in these lines. */
export interface Control {
  /** The folder, links followed: a link to it is the same project, a project inside it is another. */
  project: string;
  lines: readonly string[];
}

/** A project's file, its block of each loop, what the user says of endpoints, and the address that `.env` adds. */
export interface Asking {
  values: ConfigurationValues;
  blocks: Readonly<Record<string, unknown>>;
  users: ConfigurationValues;
  base: string | undefined;
}

/** What a run keeps of how it was started. */
export interface StartedWith {
  flags: Partial<KeptFlags>;
  settings: Json;
  input: Json;
}

/** What the files of a folder ask for: its configuration, `.env` and prompts. What stands in a loop or a prompt is not looked at, so that
 * whoever writes one is asked once. */
export function projectControl(dir: string, { values, blocks, users, base }: Asking): Control {
  const project = realProject(dir);
  const { loops = {}, endpoints = {}, models = {}, notify = {}, sandbox = {} } = values;
  const lines = [
    ...leaves("loops", loops).map(toLine),
    ...Object.entries(endpoints).flatMap(([name, given]) =>
      endpointLines(`endpoints.${name}`, given, users.endpoints?.[name]),
    ),
    ...(base === undefined ? [] : endpointLines(".env OPENAI_BASE_URL", { url: base, keyEnv: "OPENAI_API_KEY" })),
    ...[...leaves("notify", notify), ...leaves("sandbox", sandbox)].map(toLine),
    ...asking("models", models, project),
    ...Object.entries(blocks).flatMap(([name, block]) => asking(name, block, project)),
    ...promptFiles(dir),
  ];
  return { project, lines };
}

/** What the record of a run asks for when it goes on: a journal can come with a folder. */
export function runControl(dir: string, { flags, settings, input }: StartedWith): Control {
  const project = realProject(dir);
  const { flags: _, ...blocks } = (settings ?? {}) as Record<string, Json>;
  const { url, cassette, model = [] } = flags;
  const lines = [
    ...modelControl(dir, model).lines,
    ...(url === undefined ? [] : endpointLines("--url", { url, keyEnv: "OPENAI_API_KEY" })),
    ...(cassette && isOutside(cassette.file, project) ? [`--cassette: ${cassette.file}`] : []),
    ...asking("run", blocks, project),
    ...asking("run.input", input, project),
  ];
  return { project, lines };
}

/** Models, as `--model` takes them, that are programs. */
export function modelControl(dir: string, models: readonly string[]): Control {
  return { project: realProject(dir), lines: models.filter(isCommand).map((name) => `--model ${name}`) };
}

/** An endpoint that is a program, gets a key or a header of the user's own, or what models are asked where that leaves this machine. */
function endpointLines(key: string, endpoint: GivenEndpoint, users?: GivenEndpoint): string[] {
  if (endpoint.command !== undefined) return [`${key}.command: ${endpoint.command}`];
  const { address, isLocal, variables } = reachOf(endpoint);
  const headers = Object.keys(users?.headers ?? {});
  if (isLocal && variables.length === 0 && users === undefined) return [];
  let what = "what models are asked";
  if (headers.length > 0) what = `the header ${headers.join(", ")}`;
  if (variables.length > 0) what = `the key in ${variables.map((name) => `$${name}`).join(", ")}`;
  return [`${key}: ${address} gets ${what}`];
}

type Leaf = readonly [key: string, value: unknown];

function leaves(key: string, value: unknown): Leaf[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => leaves(key, item));
  const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMapping ? Object.entries(value).flatMap(([name, item]) => leaves(`${key}.${name}`, item)) : [[key, value]];
}

function toLine([key, value]: Leaf): string {
  return `${key}: ${Array.isArray(value) ? "none" : value}`;
}

/** What among these values is a program, an address, a weaker sandbox, or a path that leads out of the project. */
function asking(key: string, values: unknown, project: string): string[] {
  return leaves(key, values)
    .filter((leaf) => asksForMore(leaf, project))
    .map(toLine);
}

function asksForMore([key, value]: Leaf, project: string): boolean {
  if (/\.(?:command|url|notify_webhook|policy\.allow|limits\.\w+|setup)$/.test(key)) return true;
  if (/\.sandbox$/.test(key)) return value !== "bwrap";
  return typeof value === "string" && (isCommand(value) || isOutside(value, project));
}

/** Whether a model's name is a program to be run. */
function isCommand(name: string): boolean {
  return /^\s*(?:[a-z][a-z-]*=)?command:/.test(name);
}

/** Whether a value is a path that leads out of the project's folder. */
export function isOutside(value: string, project: string): boolean {
  const path = resolve(project, value);
  // A text of several lines is no path, unless it leads to something.
  if (path.includes("\n") && !existsSync(path)) return false;
  return /^~(?:\/|$)/.test(value) || leadsOut(project, path);
}

/** Every file that would take the place of one of our prompts. */
function promptFiles(dir: string): string[] {
  const folder = join(dir, "prompts");
  const names = namesIn(folder).flatMap((loop) => namesIn(join(folder, loop)).map((name) => `prompts/${loop}/${name}`));
  return names.filter((path) => /\.md$/i.test(path));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function realProject(dir: string): string {
  return existsSync(dir) ? realpathSync(dir) : resolve(dir);
}
