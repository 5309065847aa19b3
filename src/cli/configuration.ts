// The configuration: the user's file, the project's file, then -c and the flags; the later wins.
//
// An error names the file, the line, the key, what was found, what was expected, and the nearest right name.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Ceilings } from "../core/ceilings.ts";
import { usage } from "./read-arguments.ts";

export interface Configuration {
  ceilings: Partial<Ceilings>;
  /** Your own loops: name → path of the module. */
  loops: Readonly<Record<string, string>>;
  /** The files that were read. */
  files: readonly string[];
}

interface Source {
  dir: string;
  /** -c KEY=VALUE, in order. */
  given: readonly string[];
  /** Ceilings from flags. */
  limits: Partial<Ceilings>;
}

/** The configuration as resolved. */
export async function loadConfiguration({ dir, given, limits }: Source): Promise<Configuration> {
  const files = [join(userFolder(), "loopwright", "config.yaml"), join(dir, "loopwright.yaml")];
  const resolved: Configuration = { ceilings: {}, loops: {}, files: [] };
  for (const file of files) {
    const text = await readText(file);
    if (text === undefined) continue;
    const { readYaml } = await import("./read-yaml.ts");
    const { ceilings = {}, loops = {} } = readYaml(text, file);
    const located = Object.entries(loops).map(([name, path]) => [name, join(dirname(file), path)]);
    Object.assign(resolved.ceilings, ceilings);
    resolved.loops = { ...resolved.loops, ...Object.fromEntries(located) };
    resolved.files = [...resolved.files, file];
  }
  for (const assignment of given) {
    const { readAssignment } = await import("./read-yaml.ts");
    const { ceilings = {}, loops = {} } = readAssignment(assignment);
    Object.assign(resolved.ceilings, ceilings);
    resolved.loops = { ...resolved.loops, ...loops };
  }
  Object.assign(resolved.ceilings, limits);
  return resolved;
}

function userFolder(): string {
  return process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw usage(`${file} cannot be read (${code})`);
  }
}
