// Finds a command by its name: Loopwright's own, one of a package that comes with it, or one of a package that the project
// names. No package is loaded for a command of Loopwright's own.

import { type Command, suggestion, usage } from "@loopwright/core";
import { type OwnCommand, ownCommands } from "../arguments/commands.ts";
import type { FoundPackage } from "./find-package.ts";

export type FoundCommand = { own: OwnCommand } | { command: Command<never>; found: FoundPackage };

/** The command of that name, as it is found from a folder. */
export async function findCommand(name: string, dir: string): Promise<FoundCommand> {
  const own = ownCommands.find((known) => known.name === name);
  if (own) return { own };
  const { loadLoops } = await import("../configuration/configuration.ts");
  const { loadPackages } = await import("./find-package.ts");
  const packages = await loadPackages(await loadLoops(dir));
  for (const found of packages) {
    const command = found.package.commands.find((known) => known.name === name);
    if (command) return { command, found };
  }
  const names = [...ownCommands, ...packages.flatMap((found) => found.package.commands)].map((known) => known.name);
  throw usage(
    `there is no command '${name}'${suggestion(name, names, (word) => `'${word}'`)}`,
    "loopwright --help lists them",
  );
}

/** The packages that come with Loopwright. */
export async function defaultPackages(): Promise<FoundPackage[]> {
  const [{ defaultLoops }, { loadPackages }] = await Promise.all([import("./sources.ts"), import("./find-package.ts")]);
  return loadPackages(defaultLoops());
}

/** Every command that comes with Loopwright: those of packages first, as help shows them. */
export async function allCommands(): Promise<Omit<Command<never>, "run">[]> {
  return [...(await defaultPackages()).flatMap((found) => found.package.commands), ...ownCommands];
}
