// What a configuration asks for that can do harm. It is asked twice, of all that is said and of what the user says alone: what
// only the whole asks for is the project's.

import { existsSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type Ceilings, defaultCeilings } from "@loopwright/core";
import { type GivenEndpoint, listedPrice, reachOf } from "@loopwright/models/configuration";
import type { ConfigurationValues } from "../configuration/schema.ts";
import type { ProjectRequest } from "./dangers.ts";

/** What is said in one place or several. */
export interface Said {
  values: ConfigurationValues;
  /** The blocks of loops, by name. */
  blocks: Readonly<Record<string, unknown>>;
  /** The default endpoint's address, where the environment names one. */
  base: string | undefined;
}

const FILE = "loopwright.yaml";

/** What `all` asks for and `users`, which is the same without the project's files, does not. */
export function projectRequests(all: Said, users: Said, project: string): ProjectRequest[] {
  const known = new Set(requestsOf(users, users, project).map(identity));
  const requests = [
    ...requestsOf(all, users, project),
    ...droppedReadOnly(all, users),
    ...spendingRequests(all, users),
  ];
  return requests.filter((request) => !known.has(identity(request)));
}

function requestsOf(said: Said, users: Said, project: string): ProjectRequest[] {
  return [
    ...endpointRequests(said, users),
    ...fallbackRequests(said),
    ...notifyRequests(said),
    ...sandboxRequests(said, project),
    ...Object.entries(said.blocks).flatMap(([key, block]) =>
      // One word in place of a block names the program that does a package's work.
      typeof block === "string" ? [{ key, file: FILE, value: block }] : blockRequests(key, block, project),
    ),
  ];
}

function identity({ key, value }: ProjectRequest): string {
  return JSON.stringify([key, value]);
}

/** Programs that answer in a model's place, and addresses that get a key or are not on this machine. */
function endpointRequests({ values, base }: Said, users: Said): ProjectRequest[] {
  const requests = Object.entries(values.endpoints ?? {}).flatMap(([name, endpoint]) =>
    endpointRequest({ key: `endpoints.${name}`, file: FILE }, endpoint, users.values.endpoints?.[name]),
  );
  const place = { key: ".env OPENAI_BASE_URL", file: ".env" };
  return base === undefined
    ? requests
    : [...requests, ...endpointRequest(place, { url: base, keyEnv: "OPENAI_API_KEY" })];
}

/** An endpoint that gets a key, a header of the user's own, or what models are asked where that leaves this machine. */
export function endpointRequest(
  place: Pick<ProjectRequest, "key" | "file">,
  endpoint: GivenEndpoint,
  users?: GivenEndpoint,
): ProjectRequest[] {
  if (endpoint.command !== undefined) return [{ ...place, key: `${place.key}.command`, value: endpoint.command }];
  const { address, isLocal, variables } = reachOf(endpoint);
  const headers = Object.keys(users?.headers ?? {});
  if (isLocal && variables.length === 0 && users === undefined) return [];
  const what =
    variables.length > 0
      ? `the key in ${variables.map((name) => `$${name}`).join(", ")}`
      : headers.length > 0
        ? `the header ${headers.join(", ")}`
        : "what models are asked";
  const { concurrency: _, ...value } = endpoint;
  return [{ ...place, value, words: `${place.key}: ${address} gets ${what}` }];
}

function fallbackRequests({ values }: Said): ProjectRequest[] {
  return Object.entries(values.models ?? {}).flatMap(([role, { fallback = [] }]) =>
    fallback.filter(isCommand).map((value) => ({ key: `models.${role}.fallback`, file: FILE, value })),
  );
}

/** Whether a model's name is a program to be run. */
export function isCommand(name: string): boolean {
  return /^\s*(?:[a-z][a-z-]*=)?command:/.test(name);
}

function notifyRequests({ values: { notify = {} } }: Said): ProjectRequest[] {
  return Object.entries(notify).flatMap(([name, value]) =>
    value === undefined ? [] : [{ key: `notify.${name}`, file: FILE, value }],
  );
}

/** Hosts, and folders of the machine, that generated programs would see. */
function sandboxRequests({ values: { sandbox = {} } }: Said, project: string): ProjectRequest[] {
  const { network = [], readOnly = [] } = sandbox;
  return [
    ...network.map((value) => ({ key: "sandbox.network", file: FILE, value })),
    ...readOnly
      .filter((path) => isOutside(path, project))
      .map((value) => ({ key: "sandbox.readOnly", file: FILE, value })),
  ];
}

/** More than the user's own ceilings or, of what costs money, more than is usual; and prices by which less would count. */
function spendingRequests(all: Said, users: Said): ProjectRequest[] {
  const { ceilings = {}, prices = {} } = all.values;
  const own = users.values;
  const usual: Partial<Ceilings> = { tokens: defaultCeilings.tokens, usd: defaultCeilings.usd };
  const raised = Object.entries(ceilings).filter(([name, value]) => {
    const bound = own.ceilings?.[name as keyof typeof ceilings] ?? usual[name as keyof Ceilings];
    return value !== undefined && bound !== undefined && value > bound;
  });
  const cheaper = Object.entries(prices).filter(([model, price]) => {
    const known = Object.hasOwn(own.prices ?? {}, model) ? own.prices?.[model] : listedPrice(model);
    return known !== undefined && (price.input < known.input || price.output < known.output);
  });
  return [
    ...raised.map(([name, value]) => ({ key: `ceilings.${name}`, file: FILE, value })),
    ...cheaper.map(([model, value]) => {
      const key = `prices.${model}`;
      return { key, file: FILE, value, words: `${key}: ${value.input} and ${value.output}, less than it costs` };
    }),
  ];
}

/** A list takes the place of the user's own: what it leaves out could be written. */
function droppedReadOnly(all: Said, users: Said): ProjectRequest[] {
  const kept = all.values.sandbox?.readOnly ?? [];
  return (users.values.sandbox?.readOnly ?? [])
    .filter((path) => !kept.includes(path))
    .map((path) => {
      const value = `without ${path}`;
      return { key: "sandbox.readOnly", file: FILE, value };
    });
}

/** A weaker sandbox, a wider policy or other limits of what runs in it, a program to run, an address, or a path that leads out of the project, anywhere in a loop's block. */
export function blockRequests(key: string, value: unknown, project: string, file = FILE): ProjectRequest[] {
  if (Array.isArray(value)) return value.flatMap((item) => blockRequests(key, item, project, file));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, item]) => blockRequests(`${key}.${name}`, item, project, file));
  const isWeaker = (/\.sandbox$/.test(key) && value !== "bwrap") || /\.(?:policy\.allow|limits\.\w+)$/.test(key);
  const isReach = /\.(?:command|url)$/.test(key);
  return isWeaker || isReach || isOutside(value, project) ? [{ key, file, value }] : [];
}

/** Whether a value is a path that leads out of the project's folder. */
export function isOutside(value: unknown, project: string): boolean {
  if (typeof value !== "string" || value.includes("\0")) return false;
  const path = resolve(project, value);
  // A text of several lines is no path, unless it leads to something, or back out of the folder that has the line break.
  if (path.includes("\n") && !existsSync(path)) return false;
  return /^~(?:\/|$)/.test(value) || /^\.\.(?:\/|$)/.test(relative(project, realPath(path)));
}

/** Where a path leads, links followed; as it is where nothing is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
