// What a model asks to see before it answers: one request on a line, between marks, in a list, or as calls of tools. Pure.
//
//   ===LOOK===
//   READ path:from-to        the file, lines of it, or path:name for one function or class
//   GREP text                a text, or a regular expression
//   LIST folder
//   RUN test                 a test file, a test by its name, or `all`
//   ===END LOOK===

import type { Json, ModelTool, ToolCall } from "@loopwright/core";
import { shownPath } from "@loopwright/git";

/** A request: what of, and of a file the lines or the name in it. */
export interface Look {
  verb: "READ" | "GREP" | "LIST" | "RUN";
  what: string;
  from?: number;
  to?: number;
  name?: string;
}

/** What an answer asks to see, and what of it could not be understood or is too much, in sentences for the model. */
export interface Requests {
  looks: Look[];
  problems: string[];
}

/** An answer: what was asked, what is shown, and the same in a few words for a person. */
export interface Seen {
  title: string;
  text: string;
  words: string;
}

/** What one answer may ask for. */
export const MOST_REQUESTS = 8;
const MOST_RUNS = 2;
const LONGEST_LINE = 500;

/** What an answer is told that asks to see more than it may. */
export const SEEN_ENOUGH =
  "You have looked as often as you may, and nothing more can be shown: answer with what you have seen.";

/** The requests as tools, for models that have them. They do what the lines do, and are answered in the next question. */
export const lookTools: readonly ModelTool[] = [
  tool("read", "Shows a text file of the workspace, or lines of it.", {
    path: text("from the workspace's folder; path:name shows one function or class"),
    from: { type: "integer", description: "the first line, from 1; left out, the file's first" },
    to: { type: "integer", description: "the last line; left out, as far as there is room" },
  }),
  tool("grep", "Shows where a text stands in the workspace.", {
    pattern: text("a text, or a regular expression, looked for line by line"),
  }),
  tool("list", "Lists what a folder of the workspace holds.", {
    folder: text("from the workspace's folder; . for all"),
  }),
  tool("run", "Runs tests on the program as it is now, and shows what they say.", {
    test: text("a test file, or a test by its name"),
  }),
];

/** Reads requests, a line each; where `isList`, a line without a verb is what to read. */
export function readRequests(lines: readonly string[], { isList = false } = {}): Requests {
  const found = lines.map(plainLine).filter((line) => line !== "");
  return settle(
    found.map((line) => lookIn(line) ?? (isList ? lookIn(`READ ${line}`) : undefined)),
    (at) =>
      `'${shownPath(found[at]!)}' was not understood: a line is READ path:from-to, GREP text, LIST folder or RUN test.`,
  );
}

/** Reads calls of tools. */
export function readCalls(calls: readonly ToolCall[]): Requests {
  return settle(
    calls.map((call) => lookIn(callToLine(call))),
    (at) => `The call of '${shownPath(calls[at]!.name)}' was not understood: its arguments are not those it takes.`,
  );
}

/** The lines of the blocks of a text; of one that may be bare, and in which every line is a request, all of them. */
export function lookLines(answer: string, { mayBeBare }: { mayBeBare: boolean }): string[] {
  const lines = answer.split("\n").map((line) => line.trim());
  const found: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const mark = line.length <= 40 && /^===(.*)===$/.exec(line)?.[1];
    if (typeof mark === "string") isOpen = mark.trim().toUpperCase() === "LOOK";
    else if (isOpen && line !== "") found.push(line);
  }
  if (found.length > 0 || !mayBeBare) return found;
  const said = lines.filter((line) => line !== "" && !line.startsWith("```"));
  const isRequest = (line: string) => /^(?:READ|GREP|LIST|RUN)[ :]/.test(line) && lookIn(line) !== undefined;
  return said.every(isRequest) ? said : [];
}

/** A request as it is written. */
export function lookToText({ verb, what, ...range }: Look): string {
  return `${verb} ${what}${rangeOf(range)}`;
}

/** A request as it is shown. */
export function titleOf(look: Look): string {
  return shownPath(lookToText(look));
}

/** The lines or the name that are asked for, as they stand behind a path. */
export function rangeOf({ from, to, name }: Pick<Look, "from" | "to" | "name">): string {
  if (name !== undefined) return `:${name}`;
  return from === undefined ? "" : `:${from}-${to ?? ""}`;
}

/** Each request once, and no more of them than may be asked for. */
function settle(read: readonly (Look | undefined)[], notUnderstood: (at: number) => string): Requests {
  const problems = read.flatMap((look, at) => (look ? [] : [notUnderstood(at)]));
  const unique = [...new Map(read.flatMap((look) => (look ? [[lookToText(look), look]] : []))).values()];
  let runs = 0;
  const looks = unique.slice(0, MOST_REQUESTS).filter(({ verb }) => verb !== "RUN" || ++runs <= MOST_RUNS);
  const left = unique.filter((look) => !looks.includes(look)).map((look) => shownPath(lookToText(look)));
  if (left.length > 0)
    problems.push(
      `Not answered, as one answer may ask for ${MOST_REQUESTS} things, ${MOST_RUNS} runs among them: ${left.slice(0, 5).join("; ")}${left.length > 5 ? "; …" : ""}.`,
    );
  return { looks, problems: problems.slice(0, 5) };
}

/** A line without the bullet and the quotes that models put around it. */
function plainLine(line: string): string {
  const bare = line.trim().replace(/^[-*] /, "");
  return /^`(.*)`$/s.exec(bare.trim())?.[1]?.trim() ?? bare.trim();
}

function lookIn(line: string): Look | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const [, said, given = ""] = /^(READ|GREP|LIST|RUN)\b[ :]?(.*)$/is.exec(line) ?? [];
  const verb = said?.toUpperCase() as Look["verb"] | undefined;
  const bare = given.trim().replace(/^(["'`])(.+)\1$/s, "$2");
  if (verb === undefined) return undefined;
  if (verb === "GREP") return bare === "" ? undefined : { verb, what: bare };
  // Models name the folder that they were shown.
  const path = bare.replace(/^\/workspace(?:\/|$)/, "");
  if (verb === "READ") return readOf(path);
  if (verb === "RUN") return { verb, what: path || "all" };
  return { verb, what: path.replace(/^\.\//, "").replace(/\/$/, "") || "." };
}

function readOf(said: string): Look | undefined {
  const [, path = "", behind = ""] = /^([^:#]*)(?:::?|#)?(.*)$/s.exec(said) ?? [];
  if (path.trim() === "") return undefined;
  const look = { verb: "READ" as const, what: path.trim() };
  const rest = behind.trim();
  const [, from, dash, to] = /^L?(\d{1,7})(\s*[-–,]\s*)?(?:L?(\d{1,7}))?$/.exec(rest) ?? [];
  if (from === undefined) return rest === "" ? look : { ...look, name: rest };
  const first = Math.max(1, Number(from));
  if (to === undefined) return { ...look, from: first, ...(dash === undefined && { to: first }) };
  return { ...look, from: Math.max(1, Math.min(first, Number(to))), to: Math.max(first, Number(to)) };
}

/** A call as a line; what it lacks makes it none. */
function callToLine({ name, input }: ToolCall): string {
  const key = { read: "path", grep: "pattern", list: "folder", run: "test" }[name];
  if (key === undefined) return "";
  const given = (typeof input === "object" && input !== null ? input : { [key]: input }) as Record<string, unknown>;
  const value = given[key];
  const what = typeof value === "string" || typeof value === "number" ? String(value).replaceAll("\n", " ") : "";
  const [from, to] = [given.from, given.to].map((each) => (Number.isInteger(Number(each ?? "x")) ? Number(each) : 0));
  const range = name === "read" && (from || to) ? rangeOf({ from: from || 1, ...(to && { to }) }) : "";
  return `${name.toUpperCase()} ${what}${range}`;
}

function text(description: string): Json {
  return { type: "string", description };
}

/** The first argument is wanted, the others may be left out. */
function tool(name: string, description: string, properties: Record<string, Json>): ModelTool {
  const required = Object.keys(properties).slice(0, 1);
  return { name, description, parameters: { type: "object", properties, required, additionalProperties: false } };
}
