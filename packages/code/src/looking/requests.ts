// What a model asks to see before it answers: one request on a line, between marks, in a list, or as calls of tools. Pure.
//
//   ===LOOK===
//   READ path:from-to        the file, lines of it, or path:name for one function or class
//   GREP text                a text, or a regular expression
//   LIST folder
//   RUN test                 a test file, a test by its name, or `all`
//   ===END LOOK===

import type { ToolCall } from "@loopwright/core";
import { shownPath } from "@loopwright/git";

export type Look =
  | { kind: "read"; path: string; from?: number; to?: number; name?: string }
  | { kind: "grep"; pattern: string }
  | { kind: "list"; folder: string }
  | { kind: "run"; test: string };

/** What an answer asks to see, and what of it could not be understood or is too much, in sentences for the model. */
export interface Requests {
  looks: Look[];
  problems: string[];
}

/** What one answer may ask for. */
export const MOST_REQUESTS = 8;
export const MOST_RUNS = 2;
const LONGEST_LINE = 500;

const FORM = "READ path:from-to, GREP text, LIST folder or RUN test";

/** Reads requests, a line each; where `isList`, a line without a verb is what to read. */
export function readRequests(lines: readonly string[], { isList = false } = {}): Requests {
  const problems: string[] = [];
  const looks = lines.map(plainLine).flatMap((line) => {
    if (line === "") return [];
    const look = lookIn(line) ?? (isList ? lookIn(`READ ${line}`) : undefined);
    if (!look) problems.push(`'${shownPath(line)}' was not understood: a line is ${FORM}.`);
    return look ?? [];
  });
  return bounded(looks, problems);
}

/** The lines of the blocks of a text; of one that may be bare, and in which every line is a request, all of them. */
export function lookLines(text: string, { mayBeBare }: { mayBeBare: boolean }): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const found: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const mark = markIn(line);
    if (mark) isOpen = mark === "LOOK";
    else if (isOpen && line !== "") found.push(line);
  }
  if (found.length > 0 || !mayBeBare) return found;
  const said = lines.filter((line) => line !== "" && !line.startsWith("```"));
  return said.length > 0 && said.every((line) => isRequest(line)) ? said : [];
}

/** Reads calls of tools. */
export function readCalls(calls: readonly ToolCall[]): Requests {
  const problems: string[] = [];
  const looks = calls.flatMap(({ name, input }) => {
    const look = lookIn(callToLine(name, input));
    if (!look)
      problems.push(`The call of '${shownPath(name)}' was not understood: its arguments are not those it takes.`);
    return look ?? [];
  });
  return bounded(looks, problems);
}

/** What an answer is told that asks to see more than it may. */
export const SEEN_ENOUGH =
  "You have looked as often as you may, and nothing more can be shown: answer with what you have seen.";

/** A request as it is written. */
export function lookToText(look: Look): string {
  switch (look.kind) {
    case "read":
      return `READ ${look.path}${rangeOf(look)}`;
    case "grep":
      return `GREP ${look.pattern}`;
    case "list":
      return `LIST ${look.folder === "" ? "." : look.folder}`;
    case "run":
      return `RUN ${look.test}`;
  }
}

/** The lines or the name that are asked for, as they stand behind a path. */
export function rangeOf({ from, to, name }: { from?: number; to?: number; name?: string }): string {
  if (name !== undefined) return `:${name}`;
  if (from === undefined) return "";
  return `:${from}${to === undefined ? "-" : `-${to}`}`;
}

function bounded(looks: readonly Look[], problems: string[]): Requests {
  const unique = looks.filter((look, at) => looks.findIndex((each) => lookToText(each) === lookToText(look)) === at);
  let runs = 0;
  const taken = unique.slice(0, MOST_REQUESTS).filter(({ kind }) => kind !== "run" || ++runs <= MOST_RUNS);
  const left = unique.filter((look) => !taken.includes(look)).map((look) => shownPath(lookToText(look)));
  if (left.length > 0)
    problems.push(
      `Not answered, as one answer may ask for ${MOST_REQUESTS} things, ${MOST_RUNS} runs among them: ${left.slice(0, 5).join("; ")}${left.length > 5 ? "; …" : ""}.`,
    );
  return { looks: taken, problems: problems.slice(0, 5) };
}

function markIn(line: string): "LOOK" | "END" | undefined {
  if (line.length > 40 || !line.startsWith("===") || !line.endsWith("===")) return undefined;
  return line.slice(3, -3).trim().toUpperCase() === "LOOK" ? "LOOK" : "END";
}

function isRequest(line: string): boolean {
  return /^(?:READ|GREP|LIST|RUN)[ :]/.test(line) && lookIn(line) !== undefined;
}

/** A line without the bullet and the quotes that models put around it. */
function plainLine(line: string): string {
  const bare = line
    .trim()
    .replace(/^[-*] /, "")
    .trim();
  return bare.startsWith("`") && bare.endsWith("`") ? bare.slice(1, -1).trim() : bare;
}

function lookIn(line: string): Look | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const [, verb, given = ""] = /^(READ|GREP|LIST|RUN)\b[ :]?(.*)$/is.exec(line) ?? [];
  const said = given.trim();
  switch (verb?.toUpperCase()) {
    case "READ":
      return readOf(unquoted(said));
    case "GREP":
      return unquoted(said) === "" ? undefined : { kind: "grep", pattern: unquoted(said) };
    case "LIST":
      return { kind: "list", folder: folderOf(unquoted(said)) };
    case "RUN":
      return { kind: "run", test: withoutRoot(unquoted(said)) || "all" };
    default:
      return undefined;
  }
}

function readOf(said: string): Look | undefined {
  const [, path = "", rest = ""] = /^([^:#]*)(?:::?|#)?(.*)$/s.exec(withoutRoot(said)) ?? [];
  if (path.trim() === "") return undefined;
  const look = { kind: "read" as const, path: path.trim() };
  const [, from, dash, to] = /^L?(\d{1,7})(\s*[-–,]\s*)?(?:L?(\d{1,7}))?$/.exec(rest.trim()) ?? [];
  if (from === undefined) return rest.trim() === "" ? look : { ...look, name: rest.trim() };
  const [first, last] = [Number(from), to === undefined ? undefined : Number(to)];
  if (last !== undefined) return { ...look, from: Math.max(1, Math.min(first, last)), to: Math.max(1, first, last) };
  return { ...look, from: Math.max(1, first), ...(dash === undefined && { to: Math.max(1, first) }) };
}

function folderOf(said: string): string {
  const folder = withoutRoot(said).replace(/^\.\//, "").replace(/\/$/, "");
  return folder === "." || folder === "/workspace" ? "" : folder;
}

/** Models name the folder that they were shown. */
function withoutRoot(path: string): string {
  return path.replace(/^\/workspace(?:\/|$)/, "");
}

function unquoted(text: string): string {
  const quoted = /^(["'`])(.+)\1$/s.exec(text);
  return quoted ? quoted[2]! : text;
}

/** A call as a line; what it lacks makes it none. */
function callToLine(name: string, input: unknown): string {
  const given = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : { only: input };
  const text = (key: string) => {
    const value = given[key] ?? given.only;
    return typeof value === "string" || typeof value === "number" ? String(value).replaceAll("\n", " ") : "";
  };
  const number = (key: string) => (Number.isInteger(Number(given[key] ?? Number.NaN)) ? Number(given[key]) : undefined);
  switch (name) {
    case "read": {
      const [from, to] = [number("from"), number("to")];
      const range = from === undefined && to === undefined ? "" : rangeOf({ from: from ?? 1, ...(to && { to }) });
      return `READ ${text("path")}${range}`;
    }
    case "grep":
      return `GREP ${text("pattern")}`;
    case "list":
      return `LIST ${text("folder")}`;
    case "run":
      return `RUN ${text("test")}`;
    default:
      return "";
  }
}
