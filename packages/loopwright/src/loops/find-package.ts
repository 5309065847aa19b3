// The packages that a command can find by a loop's name. Ours are found as everybody's: by a module whose default export is
// a loop package, or a loop alone.

import { existsSync } from "node:fs";
import {
  defineLoopPackage,
  type Loop,
  type LoopPackage,
  LoopwrightError,
  suggestOrList,
  usage,
  type WorkcellStart,
} from "@loopwright/core";
import type { Configuration } from "../configuration/configuration.ts";
import { untrusted } from "../trust/allow.ts";
import { isTrusted } from "../trust/remember.ts";
import { importModule } from "./import-module.ts";
import { fileOf, type LoopSource, type LoopSources } from "./sources.ts";

/** A loop package, under the name that the configuration gives it. */
export interface FoundPackage {
  name: string;
  package: LoopPackage;
  /** Its loop; throws where it only adds commands, or has another name. */
  loop(): Promise<Loop>;
}

/** The package of that name. */
export async function findPackage(name: string, { loops }: Pick<Configuration, "loops">): Promise<FoundPackage> {
  const source = Object.hasOwn(loops, name) ? loops[name] : undefined;
  if (source) return loadPackage(name, source);
  const hint = suggestOrList(name, await loopNames(loops));
  throw usage(`there is no loop '${name}'${hint}`, "loopwright.yaml names your own under 'loops'");
}

/** The names of those that have a loop; a package that cannot be looked into may have one. */
export async function loopNames(loops: LoopSources): Promise<string[]> {
  const hasLoop = ([name, source]: [string, LoopSource]) =>
    loadPackage(name, source).then(
      (found) => found.package.loop !== undefined,
      () => true,
    );
  const entries = Object.entries(loops);
  const kept = await Promise.all(entries.map(hasLoop));
  return entries.filter((_, at) => kept[at]).map(([name]) => name);
}

/** Those that may be imported: the project's own only where they are trusted. */
export function trustedLoops(loops: LoopSources): LoopSources {
  return Object.fromEntries(Object.entries(loops).filter(([, { danger }]) => !danger || isTrusted(danger)));
}

/** Every package, in order. */
export function loadPackages(loops: LoopSources): Promise<FoundPackage[]> {
  return Promise.all(Object.entries(loops).map(([name, source]) => loadPackage(name, source)));
}

async function loadPackage(name: string, source: LoopSource): Promise<FoundPackage> {
  if (source.danger && !isTrusted(source.danger)) throw untrusted([source.danger]);
  const file = fileOf(source);
  if (file !== undefined && !existsSync(file))
    throw usage(`the loop '${name}' should be in ${file}, and there is no such file`);
  const module = await importModule(source, file);
  const found = readModule(module);
  const place = file ?? source.module;
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
