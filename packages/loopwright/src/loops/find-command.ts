// Finds a command by its name: Loopwright's own, one of a package that comes with it, or one of a package that the project
// names. No package is loaded for a command of Loopwright's own.

import { type Command, suggestion, type UsageError, usage } from "@loopwright/core/look";
import { commonFlags, type OwnCommand, ownCommands, runFlags } from "../arguments/commands.ts";
import { commandLine } from "../report/shell-word.ts";
import type { FoundPackage } from "./find-package.ts";
import type { LoopSources } from "./sources.ts";

export type FoundCommand = { own: OwnCommand } | { command: Command<never>; found: FoundPackage };

/** The loops that are looked at for a command, the names of those that are not, for they are not trusted, and the folder as it
 * was typed. */
export type LoopsOf = () => Promise<{ loops: LoopSources; left: readonly string[]; dir?: string | undefined }>;

/** The command of that name, among Loopwright's own and those of these loops. */
export async function findCommand(name: string, loops: LoopsOf): Promise<FoundCommand> {
  if (name.startsWith("-")) throw flagAlone(name);
  const own = ownCommands.find((known) => known.name === name);
  if (own) return { own };
  const { loadPackages, packagesWith } = await import("./find-package.ts");
  const { loops: looked, left, dir } = await loops();
  for (const found of await loadPackages(packagesWith({ command: name }, looked))) {
    const command = found.package.commands.find((known) => known.name === name);
    if (command) return { command, found };
  }
  const packages = await loadPackages(looked);
  const names = [...ownCommands, ...packages.flatMap((found) => found.package.commands)].map((known) => known.name);
  throw usage(
    `there is no command '${name}'${suggestion(name, names, (word) => `'${word}'`)}`,
    left.length > 0
      ? `these loops are not trusted, so they were not asked: ${left.join(", ")}; look at them first, then trust them as they are now: ${commandLine([name, "--help", "--trust", ...(dir ? ["--dir", dir] : [])])}`
      : "loopwright --help lists them",
  );
}

/** No command begins with a dash: what does was meant as a flag. */
function flagAlone(word: string): UsageError {
  const given = word.split("=", 1)[0]!;
  const flags = [...commonFlags, ...runFlags];
  const flag = flags.find(({ name, short }) => given === `--${name}` || given === `-${short}`);
  const names = given.startsWith("--") ? ["--version", ...flags.map(({ name }) => `--${name}`)] : [];
  const wrong = `there is no flag ${given}${suggestion(given, names)}`;
  const typed = flag?.value ? `${given} ${flag.value}` : given;
  const alone = `${given} belongs to a command, and none is named: loopwright <command> ${typed}`;
  return usage(flag ? alone : wrong, "loopwright --help lists them");
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
