// Reads a command line by its command's table. A wrong word is a UsageError that names the nearest right one; a limit
// that cannot be read never means "no limit".

import { parseArgs } from "node:util";
import { type Argument, type Flag, nearest, suggestion, type UsageError, usage } from "@loopwright/core/look";
import { commonFlags, runFlags } from "./commands.ts";

/** What of a command its command line is read by. */
export interface CommandTable {
  name: string;
  arguments?: readonly Argument[];
  flags?: readonly Flag[];
  drivesRuns?: boolean;
}

/** A command line that has been read. */
export interface Typed {
  arguments: readonly string[];
  flags: Flags;
}

/** The values of flags by name. A switch is true, a repeatable flag a list. */
export type Flags = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A command line before its command is known: the first word that is no flag, or a flag that is wrong; the words without it; and what
 * the flags say that every command takes, for they may stand before it too. None where there are flags alone. */
export function commandFirst(args: readonly string[]): { command?: string; rest: readonly string[]; flags: Flags } {
  const known = [...commonFlags, ...runFlags];
  const flags: Record<string, string | boolean> = {};
  let command: number | undefined;
  for (const token of tokensOf(args, known)) {
    const flag = token.kind === "option" ? known.find(({ name }) => name === token.name) : undefined;
    if (flag && token.kind === "option") flags[flag.name] = token.value ?? true;
    else command ??= token.index;
  }
  if (command === undefined && args.length > 0 && !flags.help) command = 0;
  if (command === undefined) return { rest: args, flags };
  return { command: args[command]!, rest: args.toSpliced(command, 1), flags };
}

/** The flags of a command: its own first, then others by names that it does not use itself. */
export function flagsOf(command: CommandTable): Flag[] {
  const own = command.flags ?? [];
  const others = [...(command.drivesRuns ? runFlags : []), ...commonFlags];
  return [...own, ...others.filter(({ name }) => !own.some((flag) => flag.name === name))];
}

/** The arguments and flags of a command line. Help is not held to the number of arguments. */
export function readArguments(command: CommandTable, args: readonly string[]): Typed {
  const known = flagsOf(command);
  const typed: string[] = [];
  const flags: Record<string, string | number | boolean | string[]> = {};
  for (const token of tokensOf(args, known)) {
    if (token.kind === "positional") typed.push(token.value);
    if (token.kind !== "option") continue;
    const flag = known.find(({ name }) => name === token.name);
    if (!flag) throw unknownFlag(command, token.rawName, known);
    const value = readFlag(command, flag, token.rawName, token.value);
    if (flag.isRepeatable) flags[flag.name] = [...((flags[flag.name] as string[]) ?? []), String(value)];
    else flags[flag.name] = value;
  }
  if (!flags.help) checkArguments(command, typed);
  return { arguments: typed, flags };
}

function tokensOf(args: readonly string[], known: readonly Flag[]) {
  const options = Object.fromEntries(
    known.map(({ name, short, value }) => [name, { type: value ? "string" : "boolean", ...(short && { short }) }]),
  ) as Record<string, { type: "string" | "boolean"; short?: string }>;
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function readFlag(
  command: CommandTable,
  flag: Flag,
  given: string,
  value: string | undefined,
): string | number | boolean {
  if (!flag.value) {
    if (value !== undefined) throw usage(`${given} takes no value, and was given '${value}'`, help(command));
    return true;
  }
  if (value === undefined || value === "") throw usage(`${given} needs a value: ${flag.value}`, help(command));
  if (flag.kind === undefined) return value;
  if (typeof flag.kind !== "string") {
    if (flag.kind.includes(value)) return value;
    throw usage(`${given} is ${flag.kind.join(", ")}, not '${value}'`, help(command));
  }
  const isWhole = flag.kind === "count" || flag.kind === "whole";
  if (isWhole && /^\d+$/.test(value) && Number(value) > LARGEST)
    throw usage(`${given} is too large: ${LARGEST} at most, not '${value}'`, help(command));
  const { pattern, min, words } = kinds[flag.kind];
  if (!pattern.test(value) || (flag.kind !== "days" && !(Number(value) >= min && Number.isFinite(Number(value)))))
    throw usage(`${given} must be ${words}, not '${value}'`, help(command));
  return flag.kind === "days" ? value : Number(value);
}

const LARGEST = 999_999_999_999_999;

const kinds = {
  count: { pattern: /^\d+$/, min: 1, words: "a whole number of 1 or more" },
  whole: { pattern: /^\d+$/, min: 0, words: "a whole number of 0 or more" },
  amount: { pattern: /^\d+(\.\d+)?$/, min: 0, words: "a number of 0 or more" },
  days: { pattern: /^\d+(\.\d+)?[hdw]$/, min: 0, words: "a time such as 12h, 30d or 8w" },
};

function unknownFlag(command: CommandTable, given: string, known: readonly Flag[]): UsageError {
  const names = known.map(({ name }) => `--${name}`);
  const plain = (name: string) => name.replaceAll("-", "").toLowerCase();
  const begun = names.filter((name) => plain(name).startsWith(plain(given)));
  const near = !given.startsWith("--") ? undefined : begun.length === 1 ? begun[0] : nearest(given, names);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return usage(`'loopwright ${command.name}' has no flag ${given}${hint}`, help(command));
}

function checkArguments(command: CommandTable, typed: readonly string[]): void {
  const known = command.arguments ?? [];
  const missing = known.slice(typed.length).find(({ isOptional }) => !isOptional);
  if (missing) throw usage(`'loopwright ${command.name}' needs <${missing.name}>: ${missing.help}`, help(command));
  const extra = typed[known.length];
  if (extra !== undefined) {
    const last = known.at(-1);
    const quotes = last && last.offers === undefined ? `; <${last.name}> of several words stands in quotes` : "";
    throw usage(`'loopwright ${command.name}' does not know what '${extra}' is${quotes}`, help(command));
  }
  for (const [index, word] of typed.entries()) {
    const { name, offers } = known[index]!;
    if (word.trim() === "") throw usage(`'loopwright ${command.name}' was given an empty <${name}>`, help(command));
    if (!Array.isArray(offers) || offers.includes(word)) continue;
    const hint = suggestion(word, offers, (near) => `'${near}'`);
    throw usage(`<${name}> is ${offers.join(" or ")}, not '${word}'${hint}`, help(command));
  }
}

function help(command: CommandTable): string {
  return `loopwright ${command.name} --help shows what it takes`;
}

// Shell words: a command that is shown is one that can be typed, whatever stands in a choice or a run's name.

/** A text as one word of a POSIX shell; one with control characters is written so that it stays on its line. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_./=:@%+,-]+$/.test(text)) return text;
  if (!/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const hex = (sign: string) => sign.codePointAt(0)!.toString(16).padStart(8, "0");
  return `$'${text.replace(/['\\]/g, "\\$&").replace(/[^ -~]/gu, (sign) => `\\U${hex(sign)}`)}'`;
}

/** A command of ours as it is typed for a folder; the same where none was named. */
export function inFolder(command: string, dir: string | undefined): string {
  if (!dir || !command.startsWith("loopwright ") || /^loopwright init | --(dir|project|help)\b/.test(command))
    return command;
  const [before, ...rest] = command.split(" -- ");
  return [`${before} --dir ${shellWord(dir)}`, ...rest].join(" -- ");
}

/** A text whose commands of ours, which stand between backticks, are written as they are typed. */
export function withCommands(text: string, typed: (command: string) => string): string {
  return text.replace(/`(loopwright [^`\n]+)`/g, (_, command: string) => `\`${typed(command)}\``);
}

/** A command from its words. One that begins with a dash but is no flag is set apart by `--`, which stands before it. */
export function commandLine(words: readonly string[], last?: string): string {
  const tail = last === undefined ? [] : last.startsWith("-") ? ["--", shellWord(last)] : [shellWord(last)];
  return ["loopwright", ...words.map(shellWord), ...tail].join(" ");
}
