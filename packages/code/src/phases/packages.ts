// What a program from nothing needs beyond the standard library: a person is asked once, and it is installed for the run.

import { ExecutionError } from "@loopwright/core";
import type { CodeContext, CodeState } from "../task.ts";
import { workcellOf } from "../workspace.ts";

/** What goes into the state, and whether a person has said no: they are asked once. */
export interface Installed {
  patch: Partial<CodeState>;
  isRefused: boolean;
}

/** A name and a version, and nothing that an installer or a shell would read as something else. */
const PACKAGE = /^[A-Za-z0-9@][\w.@/<>=!~^,*[\] -]*$/;

/** Asks for packages, and installs them; throws, for the planner to plan without, where they may not be or cannot be. */
export async function installPackages(
  ctx: CodeContext,
  state: CodeState,
  { packages, testPath = "" }: { packages: readonly string[]; testPath: string | undefined },
  installed: Installed,
): Promise<void> {
  const named = packages.join(", ");
  const without = (why: string) => new ExecutionError("PACKAGES_REFUSED", `${why}: plan without ${named}`);
  if (!packages.every((each) => PACKAGE.test(each))) throw without("`packages` holds names and versions alone");
  const installer = testPath === "" || testPath.endsWith(".py") ? "pip install" : "npm install --no-save";
  const command = `${installer} ${packages.map((each) => `'${each}'`).join(" ")}`;
  if (installed.patch.installs?.includes(command)) return;
  if (installed.isRefused) throw without("a person does not want anything to be installed");
  const { choice } = await ctx.ask({
    name: "packages",
    question: `The program needs ${named}. Install ${packages.length === 1 ? "it" : "them"} for this run? (${command}, in the sandbox, with the network)`,
    choices: ["yes", "no"],
    default: "no",
  });
  installed.isRefused = choice === "no";
  if (installed.isRefused) throw without("a person does not want it to be installed");
  const { done, snapshot } = await workcellOf(ctx, state).effect("install", {
    input: { command },
    run: async (cell, { signal }) => ({
      done: (await cell.setUp([command], signal)) ?? null,
      snapshot: await cell.snapshot(),
    }),
  });
  if (done) await ctx.tell("setup", { ...done });
  if (done?.failed) throw without(`it could not be installed (${done.failed.said})`);
  installed.patch = { installs: [command], snapshot };
}
