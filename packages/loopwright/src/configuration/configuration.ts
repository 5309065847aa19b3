// The configuration: the user's file, the project's file, the environment, then -c and the flags; the later wins.
//
// Looking at it runs nothing and needs no trust. What a project's files ask for beyond that is had by `configuration()`, which
// throws until the user has trusted it. An error names the file, the line, the key, what was found, what was expected, and
// the nearest right name.

import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve as resolvePath } from "node:path";
import { parseEnv } from "node:util";
import { type Ceilings, type Json, type Redact, readPlainFile, usage } from "@loopwright/core";
import {
  type ModelsConfiguration,
  nameToText,
  priceOf,
  redactor,
  resolveModels,
  secretsOf,
} from "@loopwright/models/configuration";
import type { z } from "zod";
import { commandLine } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { fileOf, type LoopSources } from "../loops/sources.ts";
import type { Notify } from "../outbox.ts";
import type { Control } from "../trust/control.ts";
import { isTrusted, untrusted } from "../trust/trust.ts";
import { missing, type Source } from "./read-yaml.ts";
import { mergeBlocks, mergeValues, readSources, type Sources } from "./sources.ts";

export interface Configuration {
  ceilings: Partial<Ceilings>;
  /** Every loop that can be named: those that come with Loopwright, and the project's own, which win. */
  loops: LoopSources;
  models: ModelsConfiguration & { doctor: string };
  notify: Notify;
  sandbox: { readOnly?: readonly string[] | undefined };
  /** What must never be written down. */
  secrets: readonly string[];
  /** The files that were read. */
  files: readonly string[];
  /** The block of a loop, held to its package's schema. */
  block(name: string, schema: z.ZodType | undefined): unknown;
}

/** What can be seen of a folder's configuration whoever wrote it. */
export interface Looked extends Pick<Configuration, "loops" | "files"> {
  /** What its files ask for that only a trusted project gets. */
  controls: readonly Control[];
  /** What of that the user has not trusted. */
  untrusted(): readonly Control[];
  /** All of it; throws where anything is not trusted. */
  configuration(): Configuration;
  /** What the user alone says, without anything that the folder's files ask for. */
  usersOwn(): Configuration;
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
  /** What else must be trusted, such as a run that the folder came with. */
  controls?: readonly Control[];
}

/** The configuration of a folder, looked at. */
export async function look(flags: GivenFlags): Promise<Looked> {
  const sources = await readSources(flags.dir, flags.given);
  const { loops, files, users, control } = sources;
  const configuration = resolve(flags, sources);
  const controls = [control, ...(flags.controls ?? [])];
  const notTrusted = () => controls.filter((each) => !isTrusted(each));
  return {
    loops,
    files,
    controls,
    untrusted: notTrusted,
    configuration: () => {
      if (notTrusted().length > 0) throw untrusted(notTrusted());
      return configuration;
    },
    usersOwn: () => resolve(flags, { ...sources, all: users, files: files.slice(0, -1), env: process.env }),
  };
}

function resolve(flags: GivenFlags, { all, files, loops, env }: Sources): Configuration {
  const { endpoints, models, retry, prices, ceilings = {}, notify = {}, sandbox = {} } = mergeValues(all);
  const { url, model = [], cassette, limits = {} } = flags;
  const given = { endpoints, models, prices, url, model, cassette };
  const resolved = resolveModels({ ...given, retry: retry as Partial<ModelsConfiguration["retry"]> }, env);
  const secret = notify.secretEnv === undefined ? undefined : env[notify.secretEnv];
  const ways = {
    ...(notify.webhook !== undefined && { webhook: { url: notify.webhook, key: secret } }),
    ...(notify.command !== undefined && { command: { kind: "command" as const, url: notify.command } }),
  };
  return {
    ceilings: { ...(ceilings as Partial<Ceilings>), ...limits },
    loops,
    notify: { ...notify, secret },
    sandbox,
    models: { ...resolved, doctor: doctorCommand(flags) },
    secrets: [...secretsOf({ ...resolved.endpoints, ...ways }, env), ...folderSecrets(flags.dir)],
    files,
    block: (name, schema) => readBlock(all, name, schema),
  };
}

/** What shows whether the models answer that these flags name. */
function doctorCommand({ url, model = [] }: GivenFlags): string {
  const address = url === undefined ? [] : ["--url", isWithoutSecrets(url) ? url : "URL"];
  return commandLine(["doctor", "--models", ...address, ...model.flatMap((name) => ["--model", name])]);
}

/** The block of a loop: what the sources say, the later over the earlier. */
function readBlock(sources: readonly Source[], name: string, schema: z.ZodType | undefined): unknown {
  const said = sources.filter(({ blocks }) => Object.hasOwn(blocks, name));
  if (!schema && said.length > 0) throw usage(`the loop '${name}' has no configuration, and '${name}' is set`);
  if (!schema) return undefined;
  const result = schema.safeParse(said.length > 0 ? mergeBlocks(said)[name] : {});
  if (result.success) return result.data;
  const errors = result.error.issues.map(
    (issue) =>
      said.reduceRight<string | undefined>(
        (found, source) => found ?? source.errorIn(name, issue, schema),
        undefined,
      ) ?? missing({ ...issue, path: [name, ...issue.path] }),
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

/** The files of a folder that its configuration has run outside any sandbox, with the user's rights: a run must not write them, for the
 * next one would run what it wrote. */
export function controlFiles(dir: string, { loops, notify, models }: Configuration): string[] {
  const ofLoops = Object.values(loops).flatMap((source) => (source.control ? (fileOf(source) ?? []) : []));
  const commands = Object.values(models.endpoints).flatMap(({ kind, url }) => (kind === "command" ? url : []));
  const words = [...commands, notify.command ?? ""].flatMap((line) => line.split(/[\s'"`;|&<>()=]+/));
  const named = words.filter(Boolean).map((word) => resolvePath(dir, word));
  return [...ofLoops, ...named.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())];
}

/** What of the command line a resume takes up again. */
export type KeptFlags = Pick<GivenFlags, "url" | "cassette"> & { model: readonly string[] };

/** The settings of a new run, for its record. */
export async function settingsOf(cli: Cli): Promise<Readonly<Record<string, Json>>> {
  const configuration = await cli.configuration();
  const { url, model, cassette } = cli.modelFlags();
  const flags = {
    ...(model.length > 0 && { model }),
    ...(url !== undefined && isWithoutSecrets(url) && { url }),
    ...(cassette && { cassette }),
  };
  const models = modelNames(configuration);
  return {
    ceilings: configuration.ceilings as Json,
    ...(Object.keys(models).length > 0 && { models }),
    ...(Object.keys(flags).length > 0 && { flags: flags as Json }),
  };
}

/** The flags that a run was started with, out of its settings. */
export function keptFlags(settings: Json): Partial<KeptFlags> {
  const flags = (settings as { flags?: Partial<KeptFlags> } | null)?.flags;
  return typeof flags === "object" && flags !== null ? flags : {};
}

/** The ceilings that this command line names; those of files are for runs that have none of their own. */
export function givenCeilings(cli: Cli, { ceilings }: Configuration): Partial<Ceilings> {
  const named = cli.list("config").map((given) => given.split("=")[0]!.split(".").at(-1)!);
  const names = new Set([...Object.keys(cli.limits()), ...named]);
  return Object.fromEntries(Object.entries(ceilings).filter(([name]) => names.has(name)));
}

/** `endpoint:model` by role; a program that is run outside any sandbox is said to be one. */
function modelNames({ models, secrets }: Configuration): Record<string, string> {
  const redact = redactor(secrets);
  const names = Object.entries(models.profiles).map(([role, { endpoint, model }]) => {
    const { kind, url } = models.endpoints[endpoint]!;
    return [
      role,
      kind === "command" ? `command (outside the sandbox): ${redact(url)}` : nameToText({ endpoint, model }),
    ];
  });
  return Object.fromEntries(names);
}

/** An address with a name, a password or a query may hold a key; it has to be given again. */
export function isWithoutSecrets(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.username === "" && parsed.password === "" && parsed.search === "";
}

// What is secret in a folder: the values of key-like names in the files that its programs take their environment from.

/** `.env`, `.env.local` and such; an example holds nothing secret. */
const ENV_FILE = /^\.env(?:\.(?!example|sample|template|dist|defaults)[\w.-]+)?$/;

/** Folders that hold others' files, and no secrets of the project's. */
const OTHERS = new Set([".git", ".venv", "venv", "node_modules", ".loopwright", "runs"]);

const DEEPEST = 5;

/** The secrets of a folder's `.env` files; what the environment says too is no reason to leave one out. */
export function folderSecrets(folder: string): string[] {
  const files = entriesIn(folder).filter(({ name }) => ENV_FILE.test(name));
  return files.flatMap(({ name }) => secretsOf({}, readEnv(join(folder, name))));
}

/** Those of the folders inside as well: a program of a workspace can print what stands in any of them. */
export function workspaceSecrets(folder: string, depth = DEEPEST): string[] {
  const isOwn = (entry: Dirent) => entry.isDirectory() && !OTHERS.has(entry.name);
  const inside = depth > 1 ? entriesIn(folder).filter(isOwn) : [];
  return [...folderSecrets(folder), ...inside.flatMap(({ name }) => workspaceSecrets(join(folder, name), depth - 1))];
}

/** Those of the workspace that the settings of a loop name, where they name one. */
export function workspaceSecretsOf(settings: Json, loop: string): string[] {
  const own = (settings as Readonly<Record<string, { workspace?: unknown } | null>> | null)?.[loop];
  return typeof own?.workspace === "string" ? workspaceSecrets(own.workspace) : [];
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Takes secrets out of what is recorded. A path that is there stays, for a run goes on with it, and a folder may be called
 * like a secret. */
export function recordRedactor(secrets: readonly string[]): Redact {
  const redact = redactor(secrets);
  if (secrets.length === 0) return redact;
  return (text) => {
    const place = existingPlace(text);
    return place + redact(text.slice(place.length));
  };
}

/** The beginning of a text that is a file or a folder of this machine. */
function existingPlace(text: string): string {
  if (!isAbsolute(text) || /[\n\0]/.test(text)) return "";
  let place = text;
  while (!existsSync(place)) place = dirname(place);
  return place === "/" ? "" : place;
}

function readEnv(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readPlainFile(file));
  } catch {
    return {};
  }
}
