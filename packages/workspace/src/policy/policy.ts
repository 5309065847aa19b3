// The command policy, on top of the sandbox: what a command line would do is read from its parts, not from its letters.
//
//   deny   never run, and the reason goes back to whoever asked
//   ask    a person must allow it first; in a run that no one watches it is refused with those words
//   allow  run, in the sandbox, which holds what no reading of a command can
//
// A command is judged where it would run: `cd` is followed, and whoever leaves the workspace, or writes outside it or onto
// protected files, is refused.

import { posix } from "node:path";
import { ASKED, DENIED, type PolicyRule, SHELLS, WRAPPERS, WRITERS, WRITERS_BY_FLAG } from "./rules.ts";
import { readShell, type SimpleCommand, type Word } from "./shell.ts";

/** Which commands may run, which are asked about, and which are refused. */
export interface Policy {
  /** Beginnings of commands; the first list that fits decides: the user's deny, the user's allow, then the defaults. */
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
}

export interface PolicyPlace {
  /** Where commands see the workspace. */
  workspace: string;
  /** Why a path of the workspace may not be written, if it may not. */
  refusal?: (path: string) => string | undefined;
}

export type Judgment = { verdict: "allow"; reason?: undefined } | { verdict: "deny" | "ask"; reason: string };

const ALLOW: Judgment = { verdict: "allow" };
const LONGEST = 4_000;
const MAX_NESTING = 6;
/** Written to by anyone, and of no consequence. */
const HARMLESS = /^\/dev\/(?:null|stdout|stderr|fd\/\d+|tty)$|^\/tmp(?:\/|$)/;

/** Judges one command line. */
export function judgeCommand(line: string, place: PolicyPlace, policy: Policy = {}, nesting = 0): Judgment {
  if (line.length > LONGEST) return deny(`it is longer than ${LONGEST} characters`);
  if (/[^\P{Cc}\t\n\r]/u.test(line)) return deny("it holds control characters");
  if (nesting > MAX_NESTING) return deny("it is nested too deeply to be judged");
  const { commands, fault } = readShell(line);
  if (fault !== undefined) return deny(`it ${fault}`);
  const folders = [place.workspace];
  let asked: Judgment | undefined;
  for (const command of commands) {
    folders.length = Math.min(folders.length, command.depth + 1);
    while (folders.length <= command.depth) folders.push(folders.at(-1)!);
    const judged = judgeSimple(command, folders, place, policy, nesting);
    if (judged.verdict === "deny") return judged;
    if (judged.verdict === "ask") asked ??= judged;
  }
  return asked ?? ALLOW;
}

function judgeSimple(
  command: SimpleCommand,
  folders: string[],
  place: PolicyPlace,
  policy: Policy,
  nesting: number,
): Judgment {
  const at = folders[command.depth]!;
  for (const { writes, target } of command.redirections) {
    const refused = writes ? writeRefusal(target, at, place) : undefined;
    if (refused) return deny(refused);
  }
  const loader = command.assignments.find((text) =>
    /^(?:LD_|PYTHON|NODE_OPTIONS|BASH_ENV|ENV=|PATH\+?=|GIT_)/.test(text),
  );
  if (loader) return deny(`it sets ${loader.split("=", 1)[0]}, which changes what programs are`);
  const words = unwrapped(command.words);
  const [program, ...rest] = words;
  if (!program) return ALLOW;
  if (program.isOpen) return deny("the program it would run is not named plainly");
  const name = posix.basename(program.text);
  const byRule = judgeByRules([{ ...program, text: name }, ...rest], policy);
  if (byRule.verdict !== "allow") return byRule;
  if (name === "cd" || name === "pushd") return changeFolder(rest, command.depth, folders, place);
  if (name === "eval" || name === "." || name === "source") return judgeText(rest, name, place, policy, nesting);
  if (SHELLS.includes(name)) return judgeShell(rest, place, policy, nesting);
  if (name === "find") {
    const inner = rest.findIndex(({ text }) => /^-(?:exec|execdir|ok|okdir)$/.test(text));
    if (inner >= 0) {
      const nested = { ...command, words: rest.slice(inner + 1).filter(({ text }) => text !== ";"), redirections: [] };
      const judged = judgeSimple(nested, folders, place, policy, nesting + 1);
      if (judged.verdict !== "allow") return judged;
    }
  }
  return judgeWrites(name, rest, at, place);
}

/** Takes off programs that only run another one. */
function unwrapped(words: readonly Word[]): Word[] {
  let left = [...words];
  for (let round = 0; round < MAX_NESTING; round++) {
    const name = posix.basename(left[0]?.text ?? "");
    const own = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name]! : undefined;
    if (own === undefined) return left;
    let at = 1;
    while (at < left.length && (left[at]!.text.startsWith("-") || /^[A-Za-z_]\w*=/.test(left[at]!.text))) {
      at += /^-(?:n|u|I|L|P|s|d|c)$/.test(left[at]!.text) && name !== "command" && left.length > at + 2 ? 2 : 1;
    }
    left = left.slice(at + own);
  }
  return left;
}

function judgeByRules(words: readonly Word[], policy: Policy): Judgment {
  const find = (rules: readonly PolicyRule[]) => rules.find((rule) => startsWith(words, rule.command));
  const given = (commands: readonly string[] = [], reason: string) => commands.map((command) => ({ command, reason }));
  const denied = find(given(policy.deny, "the run's policy refuses it"));
  if (denied) return deny(`${denied.command}: ${denied.reason}`);
  if (find(given(policy.allow, ""))) return ALLOW;
  const refused = find(DENIED);
  if (refused) return deny(`${refused.command}: ${refused.reason}`);
  const asked = find([...given(policy.ask, "the run's policy asks for it"), ...ASKED]);
  if (!asked) return ALLOW;
  return {
    verdict: "ask",
    reason: `${asked.command}: ${asked.reason}. A person must allow it in the run's policy first`,
  };
}

/** Whether a command begins with a rule's words; options between them do not hide them. */
function startsWith(words: readonly Word[], rule: string): boolean {
  const [program, ...wanted] = rule.split(" ");
  if (words[0]?.text !== program && !(words[0]?.text.startsWith(`${program}.`) && wanted.length === 0)) return false;
  let at = 1;
  for (const word of wanted) {
    while (at < words.length && words[at]!.text !== word && /^-/.test(words[at]!.text)) {
      at += /^-[Cc]$/.test(words[at]!.text) ? 2 : 1;
    }
    if (words[at]?.text !== word) return false;
    at++;
  }
  return true;
}

function changeFolder(rest: readonly Word[], depth: number, folders: string[], place: PolicyPlace): Judgment {
  const target = rest.find(({ text }) => !/^-[LPe]+$/.test(text));
  if (!target || target.isOpen || target.text === "-" || target.text.startsWith("~")) {
    return deny("it changes to a folder that is not named plainly");
  }
  const folder = posix.resolve(folders[depth]!, target.text);
  if (!isInside(folder, place.workspace) && !HARMLESS.test(folder)) return deny("it leaves the workspace with cd");
  folders[depth] = folder;
  return ALLOW;
}

/** `sh -c "…"` is judged by what it would run; a script is a file of the workspace, and the sandbox holds it. */
function judgeShell(rest: readonly Word[], place: PolicyPlace, policy: Policy, nesting: number): Judgment {
  const flag = rest.findIndex(({ text }) => /^-[a-z]*c[a-z]*$/.test(text));
  if (flag < 0) return ALLOW;
  return judgeText(rest.slice(flag + 1, flag + 2), "sh -c", place, policy, nesting);
}

function judgeText(
  words: readonly Word[],
  name: string,
  place: PolicyPlace,
  policy: Policy,
  nesting: number,
): Judgment {
  if (words.some(({ isOpen }) => isOpen)) return deny(`what ${name} would run is not written plainly`);
  if (name === "." || name === "source") return ALLOW;
  return judgeCommand(words.map(({ text }) => text).join(" "), place, policy, nesting + 1);
}

function judgeWrites(name: string, rest: readonly Word[], at: string, place: PolicyPlace): Judgment {
  const byFlag = Object.hasOwn(WRITERS_BY_FLAG, name) ? WRITERS_BY_FLAG[name] : undefined;
  const writes = WRITERS.includes(name) || (byFlag && rest.some(({ text }) => byFlag.test(text)));
  if (!writes) return ALLOW;
  const paths = rest.flatMap((word) => pathsOf(name, word));
  // What is copied or linked from is only read.
  const written =
    ["cp", "ln", "install"].includes(name) && !rest.some(({ text }) => /^-t|^--target/.test(text))
      ? paths.slice(-1)
      : paths;
  const refused = written.map((word) => writeRefusal(word, at, place)).find((each) => each !== undefined);
  return refused ? deny(refused) : ALLOW;
}

function pathsOf(name: string, word: Word): Word[] {
  const value = /^(?:--?[\w-]+|of)=(.*)$/.exec(word.text)?.[1];
  if (value !== undefined) return name === "dd" && !word.text.startsWith("of=") ? [] : [{ ...word, text: value }];
  if (name === "dd" || (word.text.startsWith("-") && word.text !== "-")) return [];
  return [word];
}

/** Why a path may not be written, if it may not. A pattern can only be held to where it begins. */
function writeRefusal({ text, isOpen }: Word, at: string, place: PolicyPlace): string | undefined {
  if (text.startsWith("~") || (isOpen && /^\$|^$/.test(text)))
    return `it writes to '${shown(text)}', which is not named plainly`;
  const fixed = isOpen ? text.split(/[*?[{$`]/, 1)[0]! : text;
  const path = posix.resolve(at, isOpen && text.includes("..") ? text : fixed);
  if (HARMLESS.test(path)) return undefined;
  if (!isInside(path, place.workspace)) return `it writes outside the workspace ('${shown(text)}')`;
  const inner = posix.relative(place.workspace, path);
  if (inner.split("/").some((part) => part.toLowerCase() === ".git")) return "it writes into a git directory";
  const reason = inner === "" ? undefined : place.refusal?.(inner);
  return reason ? `'${shown(inner)}' ${reason}` : undefined;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function deny(reason: string): Judgment {
  return { verdict: "deny", reason };
}
