// From what the user wrote (files, environment, flags) to endpoints and profiles. Pure: the environment is given.

import { UsageError } from "@loopwright/core";
import {
  defaultRetry,
  type Endpoint,
  type ModelName,
  type ModelsConfiguration,
  type Profile,
  presets,
  type RetryPolicy,
} from "./configuration.ts";

/** An endpoint as a configuration file has it: `keyEnv` names the variable of its key, and so may a header's value, as `$NAME`. */
export interface GivenEndpoint extends Partial<Omit<Endpoint, "name" | "key" | "isLocal">> {
  preset?: string | undefined;
  command?: string | undefined;
  /** Whether it may be asked without a key. */
  isKeyOptional?: boolean;
}

/** A profile as a configuration file has it. */
export interface GivenProfile extends Partial<Omit<Profile, "fallback" | "hasMaxTokens" | "isContextUsual">> {
  fallback?: readonly string[] | undefined;
}

/** What files and flags say of models, before it is resolved. */
export interface GivenModels extends Partial<Pick<ModelsConfiguration, "prices" | "cassette">> {
  endpoints?: Readonly<Record<string, GivenEndpoint>> | undefined;
  models?: Readonly<Record<string, GivenProfile>> | undefined;
  retry?: Partial<RetryPolicy> | undefined;
  /** --url */
  url?: string | undefined;
  /** --model, in order. */
  model?: readonly string[] | undefined;
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The role and the endpoint that hold where none is named. */
const DEFAULT = "default";
const LONGEST_COMMAND = 60;
const SIZES = { context: 32_768, maxTokens: 4_096 };
const usual = { ...SIZES, isContextUsual: true, fallback: [] } as const;

/** The configuration of all models. A role without a profile has the default one's. */
export function resolveModels(given: GivenModels, env: Environment): ModelsConfiguration {
  const endpoints = allEndpoints(given, env);
  const profiles: Record<string, Profile> = {};
  // A flag may name the model whose window or temperature the file says.
  const isNamed = (role: string) => given.model?.some((flag) => [undefined, role].includes(roleIn(flag)));
  for (const [role, profile] of Object.entries(given.models ?? {}))
    profiles[role] = toProfile(isNamed(role) ? { model: role, ...profile } : profile, endpoints, `models.${role}`);
  for (const flag of given.model ?? []) {
    const only = roleIn(flag);
    const name = readName(only === undefined ? flag : flag.slice(only.length + 1), endpoints, `--model ${flag}`);
    for (const role of only === undefined ? [...Object.keys(profiles), DEFAULT] : [only])
      profiles[role] = { ...(profiles[role] ?? profiles[DEFAULT] ?? usual), ...name };
  }
  const { prices = {}, cassette } = given;
  return { endpoints, profiles, retry: { ...defaultRetry, ...given.retry }, prices, cassette };
}

/** The role that a `--model` is for; undefined where it is for all. */
export function roleIn(flag: string): string | undefined {
  return /^([a-z][a-z-]*(?:-\d+)?)=/.exec(flag)?.[1];
}

/** The profile of a role; undefined where none is configured. */
export function profileOf({ profiles }: ModelsConfiguration, role: string): Profile | undefined {
  return Object.hasOwn(profiles, role) ? profiles[role] : profiles[DEFAULT];
}

/** The variable that should hold the key of a model's endpoint, where it does not and the model would be asked. */
export function lackedKey({ endpoints, cassette }: ModelsConfiguration, { endpoint }: ModelName): string | undefined {
  const { key, keyEnv } = endpoints[endpoint] ?? {};
  const isRecorded = cassette !== undefined && cassette.mode !== "record";
  return key === undefined && !isRecorded ? keyEnv : undefined;
}

/** What a loop says of a role where the user says nothing: how large its window is. */
export type RoleDefaults = Readonly<Record<string, { readonly context?: number }>>;

/** The models with a loop's own word on its roles. What the user has said holds over it. */
export function withRoleDefaults(models: ModelsConfiguration, roles: RoleDefaults = {}): ModelsConfiguration {
  const profiles = { ...models.profiles };
  for (const [role, { context }] of Object.entries(roles)) {
    const profile = profileOf(models, role);
    if (context !== undefined && profile?.isContextUsual && profile.maxTokens < context)
      profiles[role] = { ...profile, context };
  }
  return { ...models, profiles };
}

/** The endpoints that are named, those that every machine may have, and the default one. */
function allEndpoints({ endpoints = {}, url }: GivenModels, env: Environment): Record<string, Endpoint> {
  const all: Record<string, Endpoint> = {};
  for (const name of Object.keys(presets)) all[name] = toEndpoint(name, { preset: name }, env);
  all.openai = toEndpoint("openai", { kind: "openai", keyEnv: "OPENAI_API_KEY" }, env);
  all.anthropic = toEndpoint("anthropic", { kind: "anthropic", keyEnv: "ANTHROPIC_API_KEY" }, env);
  for (const [name, given] of Object.entries(endpoints)) all[name] = toEndpoint(name, given, env);
  const names = Object.keys(endpoints);
  const base = url ?? env.OPENAI_BASE_URL;
  if (base) {
    const given = { url: base, keyEnv: "OPENAI_API_KEY", isKeyOptional: true };
    return { ...all, [DEFAULT]: toEndpoint(DEFAULT, given, env) };
  }
  const only = names.length === 1 ? all[names[0]!] : undefined;
  const fallback = only ?? (env.OPENAI_API_KEY ? all.openai : env.ANTHROPIC_API_KEY ? all.anthropic : undefined);
  return fallback ? { [DEFAULT]: fallback, ...all } : all;
}

const hosted = { openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com/v1" };

function toEndpoint(name: string, given: GivenEndpoint, env: Environment): Endpoint {
  const where = `endpoints.${name}`;
  if (given.command?.trim() === "") throw invalid(`${where}: its command is empty`);
  if (given.command !== undefined)
    return { name, kind: "command", url: given.command, concurrency: given.concurrency ?? 1, isLocal: true };
  if (given.preset !== undefined && !Object.hasOwn(presets, given.preset))
    throw invalid(`${where}: there is no preset '${given.preset}'; known are ${Object.keys(presets).join(", ")}`);
  const kind = given.kind ?? "openai-compatible";
  const url = addressOf(given);
  if (url === undefined) throw invalid(`${where} needs a preset, a url or a command`);
  const address = URL.parse(url);
  if (address?.protocol !== "http:" && address?.protocol !== "https:")
    throw invalid(`${where}: this is no http address; write it as http://127.0.0.1:1234/v1`);
  const isLocal = isLocalAddress(address);
  const key = given.keyEnv === undefined ? undefined : env[given.keyEnv];
  const headers = Object.entries(given.headers ?? {}).map(([name, value]) => [name, expand(value, env, where)]);
  return {
    name,
    kind: kind === "openai" && given.url !== undefined ? "openai-compatible" : kind,
    url,
    concurrency: given.concurrency ?? (isLocal ? 1 : 4),
    isLocal,
    key: key || undefined,
    ...(given.keyEnv !== undefined && !given.isKeyOptional && { keyEnv: given.keyEnv }),
    headers: headers.length > 0 ? Object.fromEntries(headers) : undefined,
    tools: given.tools,
  };
}

const invalid = (message: string) => new UsageError("ENDPOINT_INVALID", message);

/** Whether an address is on this machine or in its own network. */
function isLocalAddress({ hostname }: URL): boolean {
  if (hostname === "localhost" || hostname === "[::1]" || hostname.endsWith(".local")) return true;
  return /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)[\d.]+$/.test(hostname);
}

/** Where an endpoint's requests go, as it can be shown, and the environment variables that go with them. */
export function reachOf(given: GivenEndpoint): { address: string; isLocal: boolean; variables: string[] } {
  const { keyEnv, headers = {} } = given;
  const named = Object.values(headers).flatMap((value) => [...value.matchAll(VARIABLE)].map(([, name]) => name!));
  const url = URL.parse(addressOf(given) ?? "");
  const address = url === null ? "an unknown address" : `${url.protocol}//${url.host}${url.pathname}`;
  const variables = [...new Set([...(keyEnv === undefined ? [] : [keyEnv]), ...named])];
  return { address, isLocal: url !== null && isLocalAddress(url), variables };
}

function addressOf({ url, preset, kind }: GivenEndpoint): string | undefined {
  if (url !== undefined) return url;
  return preset === undefined ? hosted[kind as keyof typeof hosted] : presets[preset];
}

const VARIABLE = /\$\{?([A-Za-z_]\w*)\}?/g;

/** Names of environment variables in a value replaced by what they hold. */
function expand(value: string, env: Environment, where: string): string {
  return value.replace(VARIABLE, (_, name: string) => {
    const found = env[name];
    if (found === undefined) throw invalid(`${where}: the environment has no ${name}`);
    return found;
  });
}

function toProfile(given: GivenProfile, endpoints: Record<string, Endpoint>, where: string): Profile {
  const { endpoint: at, model: own } = given;
  if (own === undefined) throw new UsageError("PROFILE_INVALID", `${where} names no model`);
  if (at !== undefined) checkEndpoint(at, endpoints, where);
  // A model's name may say its endpoint again.
  const { endpoint, model } =
    at === undefined
      ? readName(own, endpoints, where)
      : { endpoint: at, model: own.startsWith(`${at}:`) ? own.slice(at.length + 1) : own };
  const fallback = (given.fallback ?? []).map((name) => readName(name, endpoints, `${where}.fallback`));
  const context = given.context ?? SIZES.context;
  const maxTokens = given.maxTokens ?? Math.min(SIZES.maxTokens, Math.floor(context / 2));
  if (maxTokens >= context) {
    const message = `${where}: an answer of ${maxTokens} tokens leaves no room for a prompt in a context of ${context}`;
    throw new UsageError("PROFILE_INVALID", message);
  }
  const hasMaxTokens = given.maxTokens !== undefined || undefined;
  const isContextUsual = given.context === undefined || undefined;
  const { temperature, topP, tools } = given;
  return { endpoint, model, context, maxTokens, hasMaxTokens, fallback, isContextUsual, temperature, topP, tools };
}

/** `endpoint:model`, as people write it; of a long command its program. */
export function nameToText({ endpoint, model }: ModelName): string {
  if (!endpoint.startsWith("command:")) return `${endpoint}:${model}`;
  return endpoint.length <= LONGEST_COMMAND ? endpoint : `command:${model} …`;
}

/** `endpoint:model`, `command:…`, or a model at the default endpoint; a model's own name may hold a colon. */
function readName(text: string, endpoints: Record<string, Endpoint>, where: string): ModelName {
  const at = text.indexOf(":");
  const before = text.slice(0, Math.max(0, at));
  if (before === "command") {
    const line = text.slice(at + 1);
    const program = line.trim().split(/\s/)[0]!;
    if (program === "")
      throw new UsageError("PROFILE_INVALID", `${where} names no command; write it as 'command:my-program --flag'`);
    const name = `command:${line}`;
    endpoints[name] = { name, kind: "command", url: line, concurrency: 1, isLocal: true };
    return { endpoint: name, model: program };
  }
  const isEndpoint = at > 0 && Object.hasOwn(endpoints, before);
  const name = isEndpoint ? { endpoint: before, model: text.slice(at + 1) } : { endpoint: DEFAULT, model: text };
  if (name.model === "") throw new UsageError("PROFILE_INVALID", `${where} names no model`);
  // Without a default endpoint, what stands before a colon can only be meant as one.
  const isMeant = at > 0 && !Object.hasOwn(endpoints, DEFAULT);
  checkEndpoint(isMeant && !isEndpoint ? before : name.endpoint, endpoints, where);
  return name;
}

function checkEndpoint(name: string, endpoints: Record<string, Endpoint>, where: string): void {
  if (Object.hasOwn(endpoints, name)) return;
  const known = Object.keys(endpoints).join(", ");
  const message =
    name === DEFAULT
      ? `${where}: no endpoint is configured; name one (${known}), as in --model lmstudio:NAME, or give --url`
      : `${where}: there is no endpoint '${name}'; known are ${known}`;
  throw new UsageError("ENDPOINT_UNKNOWN", message);
}
