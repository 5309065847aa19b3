// Help texts, made from the table of commands. docs/cli.md holds the same texts.

import { type Command, type Flag, outcomes, TERMINATED_EXIT, WAITING_EXIT } from "@loopwright/core";
import { wrap } from "@loopwright/terminal";
import type { FoundPackage } from "../loops/find-package.ts";
import { commonFlags, type OwnCommand, ownCommands, runFlags } from "./commands.ts";

type Shown = Omit<Command<never>, "run"> & Pick<OwnCommand, "rows">;

/** What `loopwright --help` shows: the commands of the packages that come with it, and the names of the project's own loops,
 * which are not loaded for it. */
export function mainHelp(
  packages: readonly FoundPackage[],
  projectLoops: readonly { name: string; isPackage: boolean }[] = [],
): string {
  const commands = packages.flatMap(({ package: { commands: own, loop } }) =>
    own.map((command) => ({ command, isLoop: loop !== undefined && command.drivesRuns === true })),
  );
  const rowsOf = (ofLoops: boolean) =>
    table(commands.filter((each) => each.isLoop === ofLoops).map(({ command }) => [usageOf(command), command.summary]));
  const own = projectLoops.map(({ name, isPackage }) => [
    name,
    isPackage ? `loopwright ${name} --help, or loopwright run ${name}` : `loopwright run ${name}`,
  ]);
  return [
    "Loopwright: durable iteration loops for generated work.",
    "",
    "Usage: loopwright <command> [arguments] [flags]",
    "       loopwright --version",
    "",
    "Loops:",
    ...rowsOf(true),
    ...(own.length > 0 ? ["", "Loops of this project:", ...table(own)] : []),
    "",
    "From the packages:",
    ...rowsOf(false),
    "",
    "Commands:",
    ...table(ownCommands.map((command) => [usageOf(command), command.summary])),
    "",
    "Everywhere:",
    ...flagLines(commonFlags),
    "",
    "Exit codes:",
    ...table(exitCodes().map(({ code, meaning }) => [code, meaning])),
    "",
    "Begin with `loopwright demo`; `loopwright <command> --help` shows one command.",
  ].join("\n");
}

/** What `loopwright <command> --help` shows. */
export function commandHelp(command: Shown, packages: readonly FoundPackage[] = []): string {
  const { arguments: taken = [], flags = [], examples = [], rows } = command;
  const listed = rows ? packages.flatMap(rows.of) : [];
  const lines = taken.map(({ name, help, offers }) => [
    `<${name}>`,
    Array.isArray(offers) ? `${help}: ${offers.join(", ")}` : help,
  ]);
  return [
    `Usage: loopwright ${usageOf(command)} [flags]`,
    "",
    sentence(command.summary),
    ...(command.details ? command.details.split("\n\n").flatMap((part) => ["", ...detailLines(part)]) : []),
    ...(listed.length > 0 ? ["", rows!.title, ...table(listed)] : []),
    ...(lines.length > 0 ? ["", "Arguments:", ...table(lines)] : []),
    ...(flags.length > 0 ? ["", "Flags:", ...flagLines(flags)] : []),
    ...(command.drivesRuns ? ["", "For the run:", ...flagLines(runFlags)] : []),
    "",
    "Everywhere:",
    ...flagLines(commonFlags),
    ...(examples.length > 0 ? ["", "Examples:", ...examples.map((example) => `  ${example}`)] : []),
  ].join("\n");
}

/** A paragraph; or, where it is indented, a table: each line a row, its columns two spaces or more apart. */
function detailLines(part: string): string[] {
  if (!part.startsWith("  ")) return wrap(part.replaceAll("\n", " "), 100);
  return table(part.split("\n").map((row) => row.trim().split(/ {2,}/)));
}

/** The exit codes, with what each means. */
export function exitCodes(): { code: string; outcome: string; meaning: string }[] {
  const ended = Object.entries(outcomes).filter(([name]) => name !== "superseded");
  const rows = ended.map(([outcome, { exit, meaning }]) => ({ code: String(exit), outcome, meaning }));
  const others = [
    { code: "1", outcome: "(error)", meaning: "a bug or a fault of the environment" },
    { code: "2", outcome: "(usage)", meaning: "wrong words on the command line or in a configuration file" },
    { code: String(WAITING_EXIT), outcome: "waiting", meaning: "not ended: it waits at a gate" },
    {
      code: String(TERMINATED_EXIT),
      outcome: "terminated",
      meaning: "interrupted by SIGTERM, the run given back in order",
    },
  ];
  const all = [...rows, ...others].sort((a, b) => Number(a.code) - Number(b.code));
  return all.map((row) => ({ ...row, meaning: `${row.outcome}: ${row.meaning}` }));
}

function usageOf({ name, arguments: taken = [] }: Shown): string {
  return [name, ...taken.map((word) => (word.isOptional ? `[${word.name}]` : `<${word.name}>`))].join(" ");
}

function flagLines(flags: readonly Flag[]): string[] {
  return table(
    flags.map(({ name, short, value, help, isRepeatable }) => [
      `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`,
      isRepeatable ? `${help} (repeatable)` : help,
    ]),
  );
}

/** Rows of two columns, the second aligned and wrapped at 100 characters. */
function table(rows: readonly (readonly string[])[]): string[] {
  const width = Math.min(30, Math.max(...rows.map(([left]) => left!.length)));
  return rows.flatMap(([left, right]) => {
    const [first, ...more] = wrap(right!, 96 - width);
    const indented = more.map((line) => `${" ".repeat(width + 4)}${line}`);
    if (left!.length > width) return [`  ${left}`, `${" ".repeat(width + 4)}${first}`, ...indented];
    return [`  ${left!.padEnd(width)}  ${first}`, ...indented];
  });
}

function sentence(words: string): string {
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}
