// Imports the module of a loop: by its path, or by its package's name as it is found from the folder of the configuration.

import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LoopwrightError, usage } from "@loopwright/core";
import type { LoopSource } from "./sources.ts";

type LoopModule = { default?: unknown; workcells?: unknown };

/** Imports it; what is wrong in it is said with its file and, where Node tells, its line. */
export async function importModule(source: LoopSource, file: string | undefined): Promise<LoopModule> {
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
export function urlOf({ module, folder }: LoopSource): string {
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
  const escaped = place.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const line = new RegExp(`${escaped}:(\\d+)`).exec((error as Error).stack ?? "")?.[1];
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
