// The packages that a command can find by a loop's name. Ours are found as everybody's: by a module whose default export is
// a loop package, or a loop alone. A module is a path, or a package's name as it is found from the folder of the configuration.

import { existsSync, readFileSync } from "node:fs";
import { createRequire, findPackageJSON, registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  defineLoopPackage,
  type Loop,
  type LoopPackage,
  LoopwrightError,
  suggestOrList,
  usage,
  type WorkcellStart,
} from "@loopwright/core/look";
import { isTrusted, untrusted } from "../trust/trust.ts";
import { fileOf, type LoopSource, type LoopSources } from "./sources.ts";

/** A loop package, under the name that the configuration gives it. */
export interface FoundPackage {
  name: string;
  package: LoopPackage;
  /** Its loop; throws where it only adds commands, or has another name. */
  loop(): Promise<Loop>;
}

/** The package of that name. */
export async function findPackage(name: string, { loops }: { loops: LoopSources }): Promise<FoundPackage> {
  const source = Object.hasOwn(loops, name) ? loops[name] : undefined;
  if (source) return loadPackage(name, source);
  if (name.endsWith(ATTEMPTS)) return withAttempts(await findPackage(name.slice(0, -ATTEMPTS.length), { loops }));
  const hint = suggestOrList(name, await loopNames(loops));
  throw usage(`there is no loop '${name}'${hint}`, "loopwright.yaml names your own under 'loops'");
}

/** What the loop is called that lets attempts of a loop compete. */
const ATTEMPTS = "-attempts";

/** The same package, with the loop that lets attempts of its own compete. */
export function withAttempts({ name, package: found, loop }: FoundPackage): FoundPackage {
  const { attempts } = found;
  if (attempts === null) throw usage(`${name} makes one attempt only`, "leave --attempts away");
  const both = async () => {
    const { attemptsOf } = await import("@loopwright/core/attempts");
    return attemptsOf(await loop(), await attempts?.()) as Loop;
  };
  return { name, package: found, loop: both };
}

/** The names of those that have a loop; a package that cannot be looked into may have one. */
async function loopNames(loops: LoopSources): Promise<string[]> {
  const hasLoop = ([name, source]: [string, LoopSource]) =>
    loadPackage(name, source).then(
      (found) => found.package.loop !== undefined,
      () => true,
    );
  const entries = Object.entries(loops);
  const kept = await Promise.all(entries.map(hasLoop));
  return entries.filter((_, at) => kept[at]).map(([name]) => name);
}

/** Every package, in order. */
export function loadPackages(loops: LoopSources): Promise<FoundPackage[]> {
  return Promise.all(Object.entries(loops).map(([name, source]) => loadPackage(name, source)));
}

/** The packages among these that can have such a command, or a demo: those that say in their package.json that they have none are not
 * loaded. */
export function packagesWith(part: { command: string } | "demo", loops: LoopSources): LoopSources {
  const entries = Object.entries(loops).filter(([, source]) => {
    const { commands, demo = false } = fileOf(source) === undefined ? declaredBy(source) : {};
    return commands === undefined || (part === "demo" ? demo : commands.includes(part.command));
  });
  return Object.fromEntries(entries);
}

/** What a package says in its package.json of what it brings along: its commands, and whether it has a demo. */
function declaredBy({ module, folder }: LoopSource): { commands?: readonly string[]; demo?: boolean } {
  try {
    const path = findPackageJSON(module, join(folder, "package.json"))!;
    return JSON.parse(readFileSync(path, "utf8")).loopwright ?? {};
  } catch {
    return {};
  }
}

async function loadPackage(name: string, source: LoopSource): Promise<FoundPackage> {
  if (source.control && !isTrusted(source.control)) throw untrusted([source.control]);
  const file = fileOf(source);
  if (file !== undefined && !existsSync(file))
    throw usage(`the loop '${name}' should be in ${file}, and there is no such file`);
  const place = file ?? source.module;
  const found = readModule(await importModule(source, file));
  if (!found)
    throw usage(
      `${place} does not export a loop: it wants \`export default defineLoop({ … })\` or \`export default defineLoopPackage({ … })\``,
    );
  return { name, package: found, loop: () => loopOf(name, found, place) };
}

/** What a module exports: a package, or a loop alone, with its workcells beside it. */
function readModule(module: { default?: unknown; workcells?: unknown }): LoopPackage | undefined {
  const exported = module.default as Partial<LoopPackage> & Partial<Loop>;
  if (typeof exported !== "object" || exported === null) return undefined;
  if (exported.kind === "loop-package") return exported as LoopPackage;
  if (exported.phases === undefined) return undefined;
  const workcells = module.workcells as Readonly<Record<string, WorkcellStart>> | undefined;
  return defineLoopPackage({ loop: exported as Loop, ...(workcells && { workcells: () => workcells }) });
}

async function loopOf(name: string, { loop: load, commands }: LoopPackage, place: string): Promise<Loop> {
  if (!load) {
    const added = commands.map((command) => `loopwright ${command.name}`).join(", ");
    throw usage(`'${name}' is no loop: ${place} only adds ${added || "something else"}`);
  }
  const loop = await load();
  if (loop?.phases === undefined)
    throw new LoopwrightError("LOOP_UNLOADABLE", `${place}: its \`loop\` is none; make it with defineLoop`);
  if (loop.name !== name)
    throw usage(`${place} exports the loop '${loop.name}', and the configuration calls it '${name}'; use one name`);
  return loop;
}

/** The phases that a run comes to. One that nothing leads to is there for runs of an older version. */
export function reachedPhases({ start, phases }: Pick<Loop, "start" | "phases">): string[] {
  const reached = new Set([start, ...Object.values(phases).flatMap(({ to, handsOnTo = [] }) => [...to, ...handsOnTo])]);
  return Object.keys(phases).filter((name) => reached.has(name));
}

/** Imports a module; what is wrong in it is said with its file and, where Node tells, its line. */
async function importModule(
  source: LoopSource,
  file: string | undefined,
): Promise<{ default?: unknown; workcells?: unknown }> {
  lendOwnModules();
  const place = file ?? source.module;
  const url = file === undefined ? urlOf(source) : pathToFileURL(file).href;
  try {
    return await import(url);
  } catch (error) {
    const words = (error as Error).message.split("\n", 1)[0];
    throw new LoopwrightError("LOOP_UNLOADABLE", `${place}${lineOf(error, place)} cannot be loaded: ${words}`);
  }
}

/** The address of a package's module, as it is found from a folder; throws where it is not there. */
function urlOf({ module, folder }: LoopSource): string {
  try {
    return pathToFileURL(createRequire(join(folder, "package.json")).resolve(module)).href;
  } catch (error) {
    // A package that only an import may reach is left to the hook below.
    if ((error as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
      return `${FROM}${folder}${FROM}${module}`;
    throw usage(`there is no package '${module}' in ${folder}`, `npm install ${module}, or give a path`);
  }
}

function lineOf(error: unknown, place: string): string {
  const after = ((error as Error).stack ?? "").split(`${place}:`)[1];
  const line = /^\d+/.exec(after ?? "")?.[0];
  return line === undefined ? "" : `:${line}`;
}

/** Stands before the folder that a package's name is resolved from, and between the two. */
const FROM = "loopwright-from:";

let isLending = false;

/** A loop of yours may import Loopwright, its packages and zod without installing them: where it has none, it gets the
 * program's own. */
function lendOwnModules(): void {
  if (isLending) return;
  isLending = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith(FROM)) {
        const [, folder, module] = specifier.split(FROM) as [string, string, string];
        return next(module, { ...context, parentURL: pathToFileURL(join(folder, "package.json")).href });
      }
      if (!/^(loopwright|@loopwright\/[a-z]+|zod)(\/|$)/.test(specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}
