// A prompt file: YAML front matter, then the text, in parts.
//
//   ---
//   id: build                      the file's own name
//   version: 1
//   role: builder                  who is asked
//   temperature: 0.4               also topP, maxTokens; what the user has configured for the role holds over them
//   input: [task, history]         the variables of the text
//   output: code                   what the loop reads the answer as
//   ---
//   <!-- system -->                what follows is the system text
//   <!-- part: task -->            a part that is never cut
//   <!-- part: history priority=1 floor=200 -->   the lowest priority is cut first, never below its floor of tokens
//
// A marker stands on a line of its own. The text is divided before anything is put into it, so no variable can forge one,
// and no tag may reach from one part into the next. Text before the first marker is a part called `prompt`.

import { suggestOrList as suggest, UsageError } from "@loopwright/core";
import { z } from "zod";

const Name = z.string().regex(/^[a-z][a-z0-9-]*$/, "a name of a-z, 0-9 and -");
const Variable = z.string().regex(/^[A-Za-z_]\w*$/, "a name of letters, digits and _");
const FrontMatter = z.strictObject({
  id: Name,
  version: z.int("a whole number").positive("a number of 1 or more"),
  role: Name,
  temperature: z.number("a number").min(0, "a number from 0 to 2").max(2, "a number from 0 to 2").optional(),
  topP: z.number("a number").min(0, "a number from 0 to 1").max(1, "a number from 0 to 1").optional(),
  maxTokens: z.int("a whole number").positive("a number of 1 or more").optional(),
  input: z.array(Variable, "a list of names"),
  output: Name,
});

/** A part of a prompt file, before anything is put into it. */
export interface PartTemplate {
  name: string;
  isSystem: boolean;
  priority: number;
  floor?: number;
  template: string;
  /** The line of the file on which the template begins. */
  line: number;
}

/** A prompt file as it was read. */
export interface PromptFile extends z.output<typeof FrontMatter> {
  file: string;
  parts: PartTemplate[];
  /** The line of the file on which `input` stands. */
  inputLine: number;
}

/** Reads the text of a prompt file; throws UsageError with the place of what is wrong. */
export async function readPromptFile(text: string, file: string): Promise<PromptFile> {
  const found = /^---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) throw promptError(`${file}:1`, "a prompt begins with front matter between two lines of ---");
  const head = `---\n${found[1] ?? ""}`;
  const { openYaml } = await import("../configuration/yaml-file.ts");
  const { value, place } = openYaml(head, { file, code: "PROMPT_INVALID" });
  if (typeof value !== "object" || Array.isArray(value))
    throw promptError(`${file}:2`, "the front matter is no mapping of keys to values");
  const result = FrontMatter.safeParse(value);
  if (!result.success) throw mismatch(result.error.issues[0]!, value as object, place);
  const parts = splitParts(text.slice(found[0].length), found[0].split("\n").length, file);
  return { ...result.data, file, parts, inputLine: Number(place(["input"]).split(":").at(-1)) };
}

function mismatch(issue: z.core.$ZodIssue, value: object, place: (keys: readonly PropertyKey[]) => string): UsageError {
  const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
  if (unknown !== undefined) {
    const hint = suggest(unknown, Object.keys(FrontMatter.shape));
    return promptError(place([unknown]), `'${unknown}' is no key of a prompt${hint}`);
  }
  const name = issue.path.join(".");
  const found = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
  const what = found === undefined ? "is missing:" : `is ${JSON.stringify(found)},`;
  const wanted = issue.message.replace(/^Invalid input: expected (\w+).*$/, "$1").replace(/^string$/, "text");
  return promptError(place(issue.path), `'${name}' ${what} expected ${wanted}`);
}

const MARKER = /^[ \t]*<!--\s*(system|part)\b(.*?)-->[ \t]*$/;
const PART = /^\s*:\s*([\w-]+)((?:\s+(?:priority|floor)=\d+)*)\s*$/;

function splitParts(body: string, firstLine: number, file: string): PartTemplate[] {
  const parts: (Omit<PartTemplate, "template"> & { lines: string[] })[] = [];
  for (const [index, line] of body.split(/\r?\n/).entries()) {
    const at = firstLine + index;
    const marker = MARKER.exec(line);
    if (marker) parts.push({ ...readMarker(marker, `${file}:${at}`), line: at + 1, lines: [] });
    else if (parts.length > 0) parts.at(-1)!.lines.push(line);
    else if (line.trim() !== "") parts.push({ name: "prompt", isSystem: false, priority: 0, line: at, lines: [line] });
  }
  const twice = parts.find(({ name }, index) => parts.findIndex((part) => part.name === name) < index);
  if (twice) throw promptError(`${file}:${twice.line - 1}`, `there are two parts called '${twice.name}'`);
  if (!parts.some(({ isSystem }) => !isSystem)) throw promptError(`${file}:${firstLine}`, "the prompt has no text");
  return parts.map(({ lines, ...part }) => ({ ...part, template: lines.join("\n") }));
}

function readMarker([line, kind, rest]: RegExpExecArray, where: string): Omit<PartTemplate, "template" | "line"> {
  if (kind === "system" && rest!.trim() === "") return { name: "system", isSystem: true, priority: 0 };
  const found = kind === "part" ? PART.exec(rest!) : null;
  if (!found) {
    const forms = "<!-- system --> or <!-- part: name priority=1 floor=200 -->";
    throw promptError(where, `'${line!.trim()}' is no marker of a part; write ${forms}`);
  }
  const number = (key: string) => new RegExp(`${key}=(\\d+)`).exec(found[2]!)?.[1];
  const floor = number("floor");
  const priority = Number(number("priority") ?? 0);
  return { name: found[1]!, isSystem: false, priority, ...(floor !== undefined && { floor: Number(floor) }) };
}

/** What is wrong with a prompt, and where. */
export function promptError(where: string, message: string): UsageError {
  return new UsageError("PROMPT_INVALID", `${where}: ${message}`);
}
