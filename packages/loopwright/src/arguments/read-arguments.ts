// Reads a command line by its command's table. A wrong word is a UsageError that names the nearest right one; a limit
// that cannot be read never means "no limit".

import { parseArgs } from "node:util";
import { nearest, suggestion, UsageError } from "@loopwright/core";
import type { Arguments, Command, Flag } from "./command.ts";
import { commands } from "./commands.ts";
import { commonFlags, runFlags } from "./flags.ts";

/** The command of that name. */
export function findCommand(name: string): Command {
  const command = commands.find((known) => known.name === name);
  if (command) return command;
  const names = commands.map((known) => known.name);
  throw usage(
    `there is no command '${name}'${suggestion(name, names, (word) => `'${word}'`)}`,
    "loopwright --help lists them",
  );
}

/** The same words with the command first: flags may stand before it too. */
export function commandFirst(args: readonly string[]): readonly string[] {
  const known = [...commonFlags, ...runFlags];
  let at = 0;
  while (at < args.length && args[at]!.startsWith("-")) {
    const word = args[at]!;
    const flag = known.find(
      ({ name, short }) => word === `--${name}` || word === `-${short}` || word.startsWith(`--${name}=`),
    );
    if (!flag || flag.name === "help") return args;
    at += flag.value && !word.includes("=") ? 2 : 1;
  }
  const command = args[at];
  return command === undefined ? args : [command, ...args.slice(0, at), ...args.slice(at + 1)];
}

/** The flags that mean something to a command: its own first. */
export function flagsOf(command: Command): Flag[] {
  return withOthers(command.flags, [...(command.drivesRuns ? runFlags : []), ...commonFlags]);
}

/** A command's flags, and others by names that it does not use itself. */
function withOthers(own: readonly Flag[], others: readonly Flag[]): Flag[] {
  return [...own, ...others.filter(({ name }) => !own.some((flag) => flag.name === name))];
}

/** The words and flags of a command line. Help is not held to the number of words. */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const known = withOthers(flagsOf(command), runFlags);
  const options = Object.fromEntries(
    known.map(({ name, short, value }) => [name, { type: value ? "string" : "boolean", ...(short && { short }) }]),
  ) as Record<string, { type: "string" | "boolean"; short?: string }>;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const words: string[] = [];
  const flags: Record<string, string | number | boolean | string[]> = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const flag = known.find(({ name }) => name === token.name);
    if (!flag) throw unknownFlag(command, token.rawName, known);
    const value = readFlag(command, flag, token.rawName, token.value);
    if (flag.isRepeatable) flags[flag.name] = [...((flags[flag.name] as string[]) ?? []), String(value)];
    else flags[flag.name] = value;
  }
  if (!flags.help) checkWords(command, words);
  return { words, flags };
}

function readFlag(command: Command, flag: Flag, given: string, value: string | undefined): string | number | boolean {
  if (!flag.value) {
    if (value !== undefined) throw usage(`${given} takes no value, and was given '${value}'`, help(command));
    return true;
  }
  if (value === undefined || value === "") throw usage(`${given} needs a value: ${flag.value}`, help(command));
  if (flag.kind === undefined) return value;
  if (typeof flag.kind !== "string") {
    if (flag.kind.includes(value)) return value;
    const now = flag.moved?.[value];
    if (now) throw usage(`'loopwright ${command.name} ${given} ${value}' is a command of its own now: ${now}`);
    throw usage(`${given} is ${flag.kind.join(", ")}, not '${value}'`, help(command));
  }
  const { pattern, min, words } = kinds[flag.kind];
  if (!pattern.test(value) || (flag.kind !== "days" && !(Number(value) >= min && Number.isFinite(Number(value)))))
    throw usage(`${given} must be ${words}, not '${value}'`, help(command));
  return flag.kind === "days" ? value : Number(value);
}

const kinds = {
  count: { pattern: /^\d{1,15}$/, min: 1, words: "a whole number of 1 or more" },
  whole: { pattern: /^\d{1,15}$/, min: 0, words: "a whole number of 0 or more" },
  amount: { pattern: /^\d+(\.\d+)?$/, min: 0, words: "a number of 0 or more" },
  days: { pattern: /^\d+(\.\d+)?[hdw]$/, min: 0, words: "a time such as 12h, 30d or 8w" },
};

function unknownFlag(command: Command, given: string, known: readonly Flag[]): UsageError {
  const names = known.map(({ name }) => `--${name}`);
  const near = given.startsWith("--") ? nearest(given, names) : undefined;
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return usage(`'loopwright ${command.name}' has no flag ${given}${hint}`, help(command));
}

function checkWords(command: Command, words: readonly string[]): void {
  const missing = command.words.slice(words.length).find(({ isOptional }) => !isOptional);
  if (missing) throw usage(`'loopwright ${command.name}' needs <${missing.name}>: ${missing.help}`, help(command));
  const extra = words[command.words.length];
  if (extra !== undefined) throw usage(`'loopwright ${command.name}' does not know what '${extra}' is`, help(command));
  for (const [index, word] of words.entries()) {
    const { name, offers, moved } = command.words[index]!;
    if (!Array.isArray(offers) || offers.includes(word)) continue;
    const now = moved?.[word];
    if (now) throw usage(`'loopwright ${command.name} ${word}' has another name now: ${now}`);
    const hint = suggestion(word, offers, (near) => `'${near}'`);
    throw usage(`<${name}> is ${offers.join(" or ")}, not '${word}'${hint}`, help(command));
  }
}

function help(command: Command): string {
  return `loopwright ${command.name} --help shows what it takes`;
}

/** An error of the command line: what is wrong, and where to look. */
export function usage(message: string, hint?: string): UsageError {
  return new UsageError("USAGE", hint ? `${message} (${hint})` : message);
}
