// Where loops come from: those that come with Loopwright are named in its package.json, those of a project under `loops` in
// its configuration. Both are a name and a package or a path.

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Control } from "../trust/control.ts";
import { isTrusted } from "../trust/trust.ts";

/** Where a loop's module is: a package's name or a path, as it is seen from a folder. */
export interface LoopSource {
  module: string;
  folder: string;
  /** What must be trusted before it is imported, where a project names it. */
  control?: Control;
}

export type LoopSources = Readonly<Record<string, LoopSource>>;

const root = join(import.meta.dirname, "../..");

/** The loops that come with Loopwright, in the order that help shows them. */
export function defaultLoops(): LoopSources {
  const { loopwright } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return loopSources(loopwright.loops, root);
}

/** Loops as a configuration names them, seen from its folder. */
export function loopSources(
  loops: Readonly<Record<string, string>>,
  folder: string,
  control?: Control,
): Record<string, LoopSource> {
  const named = Object.entries(loops);
  return Object.fromEntries(named.map(([name, module]) => [name, { module, folder, ...(control && { control }) }]));
}

/** The loops that can be named in a folder. */
export async function loadLoops(dir: string): Promise<LoopSources> {
  const isSaid = configurationFiles(dir).some((file) => existsSync(file));
  return isSaid ? (await (await import("../configuration/sources.ts")).readSources(dir)).loops : defaultLoops();
}

/** Those that may be imported: the project's own only where they are trusted. */
export function trustedLoops(loops: LoopSources): LoopSources {
  return Object.fromEntries(Object.entries(loops).filter(([, { control }]) => !control || isTrusted(control)));
}

/** The user's configuration file and the project's. */
export function configurationFiles(dir: string): [users: string, projects: string] {
  const given = process.env.XDG_CONFIG_HOME ?? "";
  // Only an absolute folder can be the user's wherever the command is run.
  const home = isAbsolute(given) ? given : join(homedir(), ".config");
  return [join(home, "loopwright", "config.yaml"), join(dir, "loopwright.yaml")];
}

/** The file that is meant; undefined where it is a package. */
export function fileOf({ module, folder }: LoopSource): string | undefined {
  const path = resolve(folder, module);
  const isPath = /^[./~]|\.[cm]?[jt]s$/.test(module) || existsSync(path);
  return isPath ? path : undefined;
}
