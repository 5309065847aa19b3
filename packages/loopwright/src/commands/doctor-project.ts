// What `loopwright doctor` says of the loops and models that a project names: each loop is loaded, where the folder is trusted,
// and of each model it is said whether it can be asked. Nothing is sent; `--models` does that.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type MachineFinding, MODEL_PLACEHOLDER } from "@loopwright/core";
import { type Endpoint, type ModelName, type ModelsConfiguration, nameToText } from "@loopwright/models/configuration";
import { plainLine } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import type { Looked } from "../configuration/configuration.ts";
import { findPackage } from "../loops/find-package.ts";
import { defaultLoops, fileOf, trustedLoops } from "../loops/sources.ts";

/** The project's own loops: whether each can be loaded. */
export async function loopFindings({ loops }: Pick<Looked, "loops">, typed: Cli["typed"]): Promise<MachineFinding[]> {
  const known = defaultLoops();
  const trusted = trustedLoops(loops);
  const own = Object.entries(loops).filter(([name]) => !Object.hasOwn(known, name));
  return Promise.all(
    own.map(async ([name, source]): Promise<MachineFinding> => {
      const { module } = source;
      const file = fileOf(source);
      const enables = typed(`loopwright run ${name}`);
      if (!Object.hasOwn(trusted, name) && (file === undefined || existsSync(file))) {
        const found = `${name}: ${module} was not loaded, for this folder is not trusted`;
        return { name: "loop", state: "missing", found, enables };
      }
      const error = await load(name, loops);
      if (error === undefined) return { name: "loop", state: "ok", found: `${name}: ${module}`, enables };
      return { name: "loop", state: "fault", found: `${name}: ${error}`, enables: `fix it, for ${enables}` };
    }),
  );
}

/** Why a loop cannot be loaded; undefined where it can. */
async function load(name: string, loops: Looked["loops"]): Promise<string | undefined> {
  try {
    const file = fileOf(loops[name]!);
    if (file !== undefined && !existsSync(file)) return `there is no ${file}`;
    const found = await findPackage(name, { loops });
    if (found.package.loop) await found.loop();
    return undefined;
  } catch (error) {
    return plainLine((error as Error).message);
  }
}

/** The models of each role: whether what they need is there. A folder that is not trusted is not asked for its own. */
export function modelFindings(looked: Looked, typed: Cli["typed"]): MachineFinding[] {
  if (looked.untrusted().length > 0) return [];
  const { models } = looked.configuration();
  return Object.entries(models.profiles).flatMap(([role, profile]) =>
    [profile, ...profile.fallback].map((name): MachineFinding => {
      const words = `${role}: ${plainLine(nameToText(name))}`;
      const lacks = lackOf(models, name);
      const enables = `${typed(models.doctor)} asks it for an answer`;
      if (lacks === undefined) return { name: "model", state: "ok", found: words, enables };
      return { name: "model", state: "fault", found: `${words}: ${lacks.what}`, enables: lacks.remedy };
    }),
  );
}

/** What a model cannot be asked without, and what to do about it. */
export function lackOf(
  { endpoints }: ModelsConfiguration,
  { endpoint, model }: ModelName,
): { what: string; remedy: string } | undefined {
  const { kind, url, keyEnv, key } = endpoints[endpoint] as Endpoint;
  if (model === MODEL_PLACEHOLDER)
    return { what: `${MODEL_PLACEHOLDER} is no model`, remedy: "put the model's name in its place in loopwright.yaml" };
  if (keyEnv !== undefined && key === undefined)
    return { what: `the environment has no ${keyEnv}`, remedy: `put ${keyEnv}=… into .env or the environment` };
  const program = url.trim().split(/\s+/, 1)[0]!;
  if (kind !== "command" || !isPlain(program) || isThere(program)) return undefined;
  return { what: `there is no program '${plainLine(program)}'`, remedy: "install it, or name another" };
}

/** Whether a word is a program's name or path, and nothing that only the shell can read. */
function isPlain(word: string): boolean {
  return /^[\w./+-]+$/.test(word) && !BUILT_IN.includes(word);
}

const BUILT_IN = [".", "cd", "exec", "eval", "export", "for", "if", "read", "set", "test", "trap", "while"];

function isThere(program: string): boolean {
  if (program.includes("/")) return existsSync(program);
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}
