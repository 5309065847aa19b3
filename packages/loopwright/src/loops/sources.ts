// Where loops come from: those that come with Loopwright are named in its package.json, those of a project under `loops` in
// its configuration. Both are a name and a package or a path.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Danger } from "../trust/dangers.ts";

/** Where a loop's module is: a package's name or a path, as it is seen from a folder. */
export interface LoopSource {
  module: string;
  folder: string;
  /** What it means to import it, where a project names it. */
  danger?: Danger;
}

export type LoopSources = Readonly<Record<string, LoopSource>>;

const root = join(import.meta.dirname, "../..");

/** The loops that come with Loopwright, in the order that help shows them. */
export function defaultLoops(): LoopSources {
  const { loopwright } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return loopSources(loopwright.loops, root);
}

/** Loops as a configuration names them, seen from its folder. */
export function loopSources(loops: Readonly<Record<string, string>>, folder: string): LoopSources {
  return Object.fromEntries(Object.entries(loops).map(([name, module]) => [name, { module, folder }]));
}

/** The file that is meant; undefined where it is a package. */
export function fileOf({ module, folder }: LoopSource): string | undefined {
  const path = resolve(folder, module);
  const isPath = /^[./~]|\.[cm]?[jt]s$/.test(module) || existsSync(path);
  return isPath ? path : undefined;
}
