// A command line as a shell would take it apart: simple commands with their words, where they write, how they are joined.
//
// Not a shell: what it cannot follow (a program named by a variable, a function, a loop's counter as a path) is marked as
// unclear, and the policy decides what that means.

export interface Word {
  text: string;
  /** Whether a variable, a substitution or a pattern stands in it: its text is not what the program will get. */
  isOpen: boolean;
}

export interface Redirection {
  /** Whether it writes. */
  writes: boolean;
  target: Word;
}

export interface SimpleCommand {
  words: Word[];
  assignments: string[];
  redirections: Redirection[];
  /** How many subshells it stands in: a `cd` there is forgotten outside. */
  depth: number;
}

export type ShellResult = { commands: SimpleCommand[]; fault?: undefined } | { commands?: undefined; fault: string };

type Token =
  | { kind: "word"; word: Word; inner: string[] }
  | { kind: "redirect"; writes: boolean; isCopy: boolean; isText: boolean }
  | { kind: "end" }
  | { kind: "open" }
  | { kind: "close" };

const KEYWORDS = ["if", "then", "else", "elif", "fi", "while", "until", "do", "done", "!", "{", "}", "time"];
const MAX_NESTING = 8;

/** Takes a command line apart, with what stands in its substitutions. */
export function readShell(line: string, nesting = 0): ShellResult {
  if (nesting > MAX_NESTING) return { fault: "is nested too deeply to be judged" };
  const tokens = tokensOf(line);
  if (typeof tokens === "string") return { fault: tokens };
  const commands: SimpleCommand[] = [];
  const inner: string[] = [];
  let depth = 0;
  let current = emptyCommand(depth);
  let redirect: { writes: boolean } | undefined;
  const finish = () => {
    if (current.words.length + current.redirections.length + current.assignments.length > 0) commands.push(current);
    current = emptyCommand(depth);
    redirect = undefined;
  };
  for (const token of tokens) {
    if (token.kind === "word") {
      inner.push(...token.inner);
      if (redirect) current.redirections.push({ ...redirect, target: token.word });
      else addWord(current, token.word);
      redirect = undefined;
    } else if (token.kind === "redirect") {
      redirect = token.isCopy || token.isText ? undefined : { writes: token.writes };
    } else {
      if (token.kind === "close") depth--;
      finish();
      if (token.kind === "open") depth++;
      current.depth = depth;
      if (depth < 0) return { fault: "has a closing parenthesis too many" };
    }
  }
  finish();
  if (depth !== 0) return { fault: "has a parenthesis that is never closed" };
  for (const text of inner) {
    const read = readShell(text, nesting + 1);
    if (read.fault !== undefined) return read;
    commands.push(...read.commands.map((command) => ({ ...command, depth: command.depth + 1 })));
  }
  return { commands };
}

function emptyCommand(depth: number): SimpleCommand {
  return { words: [], assignments: [], redirections: [], depth };
}

function addWord(command: SimpleCommand, word: Word): void {
  const isFirst = command.words.length === 0;
  if (isFirst && !word.isOpen && KEYWORDS.includes(word.text)) return;
  if (isFirst && /^[A-Za-z_]\w*\+?=/.test(word.text)) command.assignments.push(word.text);
  else command.words.push(word);
}

/** Tokens, or what is wrong with the line. */
function tokensOf(line: string): Token[] | string {
  const tokens: Token[] = [];
  let at = 0;
  let heredocs: { mark: string; isOpen: boolean }[] = [];
  while (at < line.length) {
    const rest = line.slice(at, at + 4);
    const char = rest[0]!;
    if (rest.startsWith("\\\n")) at += 2;
    else if (char === "\n") {
      tokens.push({ kind: "end" });
      at++;
      for (const { mark } of heredocs) {
        const end = endOfHeredoc(line, at, mark);
        if (end === undefined) return `has a here-document that is never closed (${mark})`;
        at = end;
      }
      heredocs = [];
    } else if (/[ \t\r]/.test(char)) at++;
    else if (char === "#" && (at === 0 || /[\s;&|(]/.test(line[at - 1]!))) {
      const end = line.indexOf("\n", at);
      at = end < 0 ? line.length : end;
    } else if (char === "(" || char === ")") {
      tokens.push({ kind: char === "(" ? "open" : "close" });
      at++;
    } else if (/^(?:&&|\|\||;;|\|&|[;|])/.test(rest) || (char === "&" && rest[1] !== ">")) {
      tokens.push({ kind: "end" });
      at += /^(?:&&|\|\||;;|\|&)/.exec(rest)?.[0].length ?? 1;
    } else {
      const redirect = /^(?:\d*|&)(<<<|<<-?|<>|<&|>&|>>|>\||<|>)(&?\d+-?|-)?/.exec(line.slice(at, at + 16));
      const operator = redirect?.[1] ?? "";
      if (redirect && !/^[<>]\(/.test(line.slice(at, at + 2))) {
        const isCopy = operator.endsWith("&") && redirect[2] !== undefined;
        at += redirect[0].length - (isCopy ? 0 : (redirect[2]?.length ?? 0));
        if (operator.startsWith("<<") && operator !== "<<<") {
          const word = wordAt(line, at + (/^[ \t]*/.exec(line.slice(at))?.[0].length ?? 0));
          if (typeof word === "string") return word;
          heredocs.push({ mark: word.word.text, isOpen: false });
          at = word.end;
        } else {
          tokens.push({ kind: "redirect", writes: operator.includes(">"), isCopy, isText: operator === "<<<" });
        }
        continue;
      }
      const word = wordAt(line, at);
      if (typeof word === "string") return word;
      tokens.push({ kind: "word", word: word.word, inner: word.inner });
      at = word.end;
    }
  }
  return heredocs.length > 0 ? "has a here-document without a body" : tokens;
}

function endOfHeredoc(line: string, from: number, mark: string): number | undefined {
  for (let at = from; at < line.length; ) {
    const end = line.indexOf("\n", at);
    const stop = end < 0 ? line.length : end;
    if (line.slice(at, stop).replace(/^\t+/, "").trimEnd() === mark) return Math.min(stop + 1, line.length);
    at = stop + 1;
  }
  return undefined;
}

/** One word with its quotes taken off, and the command lines of its substitutions. */
function wordAt(line: string, from: number): { word: Word; inner: string[]; end: number } | string {
  const inner: string[] = [];
  let text = "";
  let isOpen = false;
  let at = from;
  let quote = "";
  while (at < line.length) {
    const char = line[at]!;
    if (quote === "'") {
      if (char === "'") quote = "";
      else text += char;
      at++;
    } else if (char === "\\") {
      if (line[at + 1] !== "\n")
        text += quote === '"' && !/["$`\\]/.test(line[at + 1] ?? "") ? `\\${line[at + 1] ?? ""}` : (line[at + 1] ?? "");
      at += 2;
    } else if (char === '"') {
      quote = quote === '"' ? "" : '"';
      at++;
    } else if (char === "'" && quote === "") {
      quote = "'";
      at++;
    } else if (line.startsWith("$(", at) || (quote === "" && /^[<>]\(/.test(line.slice(at, at + 2)))) {
      const end = closingParenthesis(line, at + 1);
      if (end === undefined) return "has a substitution that is never closed";
      if (!line.startsWith("$((", at)) inner.push(line.slice(at + 2, end));
      isOpen = true;
      at = end + 1;
    } else if (char === "`") {
      const end = line.indexOf("`", at + 1);
      if (end < 0) return "has a substitution that is never closed";
      inner.push(line.slice(at + 1, end));
      isOpen = true;
      at = end + 1;
    } else if (char === "$") {
      const variable = /^\$(?:\{[^}]*\}|[A-Za-z_]\w*|[0-9?!#@*$-])/.exec(line.slice(at, at + 200))?.[0];
      if (variable) isOpen = true;
      text += variable ?? "$";
      at += variable?.length ?? 1;
    } else if (quote === "" && /[\s;&|()<>]/.test(char)) break;
    else {
      if (quote === "" && /[*?[{]/.test(char)) isOpen = true;
      text += char;
      at++;
    }
  }
  return quote === "" ? { word: { text, isOpen }, inner, end: at } : "has a quote that is never closed";
}

/** Where the parenthesis that opens here is closed, quotes and nested ones minded. */
function closingParenthesis(line: string, open: number): number | undefined {
  let depth = 0;
  let quote = "";
  for (let at = open; at < line.length; at++) {
    const char = line[at]!;
    if (char === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  return undefined;
}
