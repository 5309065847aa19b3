// Finds a command by its name: Loopwright's own, one of a package that comes with it, or one of a package that the project
// names. No package is loaded for a command of Loopwright's own.

import { type Command, suggestion, type UsageError, usage } from "@loopwright/core/look";
import { commonFlags, type OwnCommand, ownCommands, runFlags } from "../arguments/commands.ts";
import { commandLine } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import type { FoundPackage } from "./find-package.ts";
import type { LoopSources } from "./sources.ts";

export type FoundCommand = { own: OwnCommand } | { command: Command<never>; found: FoundPackage };

/** The command of that name, among Loopwright's own and those of the loops that the folder names. */
export async function findCommand(name: string, cli: Cli): Promise<FoundCommand> {
  if (name.startsWith("-")) throw flagAlone(name);
  const own = ownCommands.find((known) => known.name === name);
  if (own) return { own };
  const [{ loadPackages, packagesWith }, { loops, left }] = await Promise.all([
    import("./find-package.ts"),
    loopsFor(cli),
  ]);
  for (const found of await loadPackages(packagesWith({ command: name }, loops))) {
    const command = found.package.commands.find((known) => known.name === name);
    if (command) return { command, found };
  }
  const packages = await loadPackages(loops);
  const names = [...ownCommands, ...packages.flatMap((found) => found.package.commands)].map((known) => known.name);
  throw usage(
    `there is no command '${name}'${suggestion(name, names, (word) => `'${word}'`)}`,
    left.length > 0
      ? `these loops are not trusted, so they were not asked: ${left.join(", ")}; look at them first, then trust them as they are now: ${commandLine([name, "--help", "--trust", ...(cli.givenDir ? ["--dir", cli.givenDir] : [])])}`
      : "loopwright --help lists them",
  );
}

/** The loops whose commands can be typed in a folder. Help is shown of those that are trusted; to run any, all must be, for
 * a project's own command can take the place of another. */
async function loopsFor(cli: Cli): Promise<{ loops: LoopSources; left: readonly string[] }> {
  const { loadLoops, trustedLoops } = await import("./sources.ts");
  const loops = await loadLoops(cli.dir);
  const trusted = trustedLoops(loops);
  const left = Object.keys(loops).filter((name) => !Object.hasOwn(trusted, name));
  if (left.length === 0 || (cli.isSet("help") && !cli.isSet("trust"))) return { loops: trusted, left };
  await cli.allow([loops[left[0]!]!.control!]);
  return { loops, left: [] };
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
