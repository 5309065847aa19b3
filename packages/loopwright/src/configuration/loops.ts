// The loops that a command can find by name: those of Loopwright itself, and those that the configuration names.

import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { type Json, type Loop, LoopwrightError, suggestOrList, type WorkcellStart } from "@loopwright/core";
import { usage } from "../arguments/read-arguments.ts";
import type { Configuration } from "./configuration.ts";

/** Where a run on a folder of code does its work; kept with the run, so that a resume finds the same. */
export interface WorkspaceSettings {
  workspace: string;
  /** A folder of the run's own, outside the workspace. */
  state: string;
  tests: readonly string[];
  heldOut: readonly string[];
  /** What of the workspace is the project's own, and no part of the work. */
  ignore: readonly string[];
  sandbox: "bwrap" | "none";
}

/** A loop with what its runs need beside the project. */
export interface FoundLoop {
  loop: Loop;
  workcells?: Readonly<Record<string, WorkcellStart>>;
  /** Where its own prompts lie. */
  promptsFolder?: string;
}

type OpenLoop = (configuration: Configuration, settings: Json) => Promise<FoundLoop>;

const own: Readonly<Record<string, OpenLoop>> = {
  hull: async () => {
    const { hull, workcells } = await import("@loopwright/hull");
    return { loop: hull as unknown as Loop, workcells };
  },
  code: async (configuration, settings) => {
    const { code, promptsFolder } = await import("@loopwright/code");
    const place = (settings as { code?: WorkspaceSettings } | null)?.code;
    return { loop: code as unknown as Loop, promptsFolder, ...(await workspaceCells(configuration, place)) };
  },
  repair: async (configuration, settings) => {
    const { repair } = await import("@loopwright/repair");
    const place = (settings as { repair?: WorkspaceSettings } | null)?.repair;
    return { loop: repair as unknown as Loop, ...(await workspaceCells(configuration, place)) };
  },
  novel: async () => {
    const { novel, promptsFolder } = await import("@loopwright/novel");
    return { loop: novel as unknown as Loop, promptsFolder };
  },
};

/** The workcells of a run on a folder of code; none where it is not known which. */
async function workspaceCells(
  { sandbox: reach }: Configuration,
  place: WorkspaceSettings | undefined,
): Promise<Pick<FoundLoop, "workcells">> {
  if (!place) return {};
  const [{ projectCells }, { openSandbox }] = await Promise.all([
    import("@loopwright/workspace"),
    import("@loopwright/sandbox"),
  ]);
  const { sandbox: kind, ...rest } = place;
  const sandbox = await openSandbox(kind, {
    ...(reach.readOnly && { readOnly: reach.readOnly }),
    ...(reach.network && { network: reach.network }),
  });
  return { workcells: { project: projectCells({ ...rest, sandbox }) } };
}

/** The names of the loops that come with Loopwright. */
export const ownLoops = Object.keys(own);

/** The loop of that name, with the workcells that a run with these settings needs. */
export async function findLoop(name: string, configuration: Configuration, settings: Json = null): Promise<FoundLoop> {
  const { loops } = configuration;
  const path = Object.hasOwn(loops, name) ? loops[name]! : undefined;
  if (path !== undefined) return loadLoop(name, path);
  if (Object.hasOwn(own, name)) return own[name]!(configuration, settings);
  const known = [...Object.keys(loops), ...ownLoops];
  throw usage(
    `there is no loop '${name}'${suggestOrList(name, known)}`,
    "loopwright.yaml names your own under 'loops'",
  );
}

async function loadLoop(name: string, path: string): Promise<FoundLoop> {
  if (!existsSync(path)) throw usage(`the loop '${name}' should be in ${path}, and there is no such file`);
  lendOwnModules();
  const module = await importLoop(path);
  const loop = module.default as Partial<Loop> | undefined;
  if (typeof loop !== "object" || loop?.phases === undefined)
    throw usage(`${path} does not export a loop: it wants \`export default defineLoop({ … })\``);
  if (loop.name !== name)
    throw usage(`${path} exports the loop '${loop.name}', and the configuration calls it '${name}'; use one name`);
  return { loop: loop as Loop, ...(module.workcells && { workcells: module.workcells }) };
}

type LoopModule = { default?: unknown; workcells?: FoundLoop["workcells"] };

/** The module at a path; what is wrong in it is said with its file and, where Node tells, its line. */
async function importLoop(path: string): Promise<LoopModule> {
  try {
    return (await import(pathToFileURL(path).href)) as LoopModule;
  } catch (error) {
    const { message, stack = "" } = error as Error;
    const line = new RegExp(`${path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}:(\\d+)`).exec(stack)?.[1];
    const place = `${path}${line === undefined ? "" : `:${line}`}`;
    throw new LoopwrightError("LOOP_UNLOADABLE", `${place} cannot be loaded: ${message.split("\n", 1)[0]}`);
  }
}

let isLending = false;

/** A loop of yours may import loopwright, its packages and zod without installing them: where it has none, it gets the program's own. */
function lendOwnModules(): void {
  if (isLending) return;
  isLending = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (!/^(loopwright|@loopwright\/[a-z]+|zod)(\/|$)/.test(specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}
