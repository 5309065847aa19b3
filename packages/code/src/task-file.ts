// task.md: a Markdown file with the sections Task, Scope, Domain Knowledge and Constraints, and the one file outside the workspace
// that a run may change.
//
// A heading inside a fenced block is none. What stands before the first known heading, and every section of another name,
// belongs to the task: nothing that a person wrote is lost.
//
// An amendment is one line of Domain Knowledge under a mark, so that it can neither begin a section nor pass for a person's words. It
// has at most 500 characters without its mark; all of them together, marks and a section made for them included, make task.md at most
// 2,000 characters longer than it was when the run started.

import { randomUUID } from "node:crypto";
import { readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import type { Amendment } from "./task.ts";

export const ADDITION_CAP = 500;
export const GROWTH_CAP = 2_000;

export interface TaskSections {
  task: string;
  scope: string;
  knowledge: string;
  constraints: string;
}

interface Heading {
  title: string;
  level: number;
  /** Where its line begins, and where the line after it begins. */
  start: number;
  end: number;
}

const KNOWLEDGE = "Domain Knowledge";
const names: Readonly<Record<string, keyof TaskSections>> = {
  task: "task",
  scope: "scope",
  "domain knowledge": "knowledge",
  constraints: "constraints",
};

/** The sections of a task file. */
export function parseSections(text: string): TaskSections {
  const sections: TaskSections = { task: "", scope: "", knowledge: "", constraints: "" };
  const bounds = headingsOf(text).filter(({ level, title }) => level === 2 || (level === 1 && sectionName(title)));
  const add = (key: keyof TaskSections, more: string) => {
    sections[key] = [sections[key], more.trim()].filter((part) => part !== "").join("\n\n");
  };
  add("task", text.slice(0, bounds[0]?.start ?? text.length));
  for (const [index, { title, start, end }] of bounds.entries()) {
    const until = bounds[index + 1]?.start ?? text.length;
    const key = sectionName(title);
    if (key) add(key, text.slice(end, until));
    else add("task", text.slice(start, until));
  }
  return sections;
}

type Line = Pick<Amendment, "iteration" | "addition">;

/** An addition as it is written: on one line, and cut to its cap. */
export function fitAddition(addition: string): string {
  const line = addition.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  if (line.length <= ADDITION_CAP) return line;
  // A pair of surrogates is not cut in two.
  return line
    .slice(0, ADDITION_CAP)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd();
}

/** An amendment's line in task.md. */
export function amendmentLine({ iteration, addition }: Line): string {
  return `[Auto-DK iteration ${iteration}] ${addition}`;
}

/** A task with one more line at the end of its Domain Knowledge; the section is made at the end where it is absent. */
export function addKnowledge(text: string, line: string): { text: string; made_section: boolean } {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const end = endOfKnowledge(text);
  if (end !== undefined) {
    const [before, rest] = [text.slice(0, end), text.slice(end)];
    // A section that is still empty ends with its heading's own line break.
    const added = before.endsWith("\n") ? line + newline + rest : newline + line + (rest || newline);
    return { text: before + added, made_section: false };
  }
  const gap = text === "" || text.endsWith("\n") ? "" : newline;
  return { text: `${text}${gap}${newline}## ${KNOWLEDGE}${newline}${line}${newline}`, made_section: true };
}

/** Whether an amendment stands in task.md. */
export function hasAmendment(text: string, amendment: Line): boolean {
  return placeOf(text, amendment) !== undefined;
}

/** task.md without an amendment, and without the section that was made for it once that is empty. */
export function revertAmendment(text: string, amendment: Amendment): string {
  const place = placeOf(text, amendment);
  if (!place) return text;
  const rest = text.slice(0, place.start) + text.slice(place.end);
  return amendment.made_section ? rest.replace(new RegExp(`\\r?\\n## ${KNOWLEDGE}\\s*$`), "") : rest;
}

/** Whether task.md has grown past what amendments may add to it. */
export function isOverCap(text: string, originalSize: number): boolean {
  return text.length > originalSize + GROWTH_CAP;
}

/** The text of task.md as it is now. */
export async function readTaskFile(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((cause) => {
    throw unreachable(file, "read", cause);
  });
}

/** Adds an amendment to task.md as it is now, so that what a person wrote meanwhile stays; once, however often it is called. */
export async function writeAmendment(file: string, amendment: Amendment): Promise<string> {
  const current = await readTaskFile(file);
  if (hasAmendment(current, amendment)) return current;
  const { text } = addKnowledge(current, amendmentLine(amendment));
  await replaceTaskFile(file, text);
  return text;
}

/** Replaces the file whole, or not at all. */
export async function replaceTaskFile(file: string, text: string): Promise<void> {
  try {
    const target = await realpath(file);
    const { mode } = await stat(target);
    const temporary = join(dirname(target), `.task-${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, text, { mode, flag: "wx" });
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (cause) {
    throw unreachable(file, "written", cause);
  }
}

function unreachable(file: string, verb: string, cause: unknown): LoopwrightError {
  const message = `the task file ${file} cannot be ${verb}: ${(cause as Error).message}. Put it back, or fix its permissions, and resume.`;
  return new LoopwrightError("TASK_FILE", message, { cause });
}

/** Where the section Domain Knowledge ends: after its last line that is not blank; undefined where there is none. */
function endOfKnowledge(text: string): number | undefined {
  const headings = headingsOf(text);
  const at = headings.findIndex(({ level, title }) => level <= 2 && sectionName(title) === "knowledge");
  if (at < 0) return undefined;
  const { level, end } = headings[at]!;
  const next = headings.slice(at + 1).find((heading) => heading.level <= level);
  const body = text.slice(end, next?.start ?? text.length);
  return end + body.trimEnd().length;
}

/** Where an amendment's line stands, with the line break that came with it. */
function placeOf(text: string, amendment: Line): { start: number; end: number } | undefined {
  const line = amendmentLine(amendment);
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    const newline = /^(?:\r?\n|$)/.exec(text.slice(at + line.length))?.[0];
    const isWhole = (at === 0 || text[at - 1] === "\n") && newline !== undefined;
    if (isWhole) return { start: at, end: at + line.length + newline.length };
  }
  return undefined;
}

function sectionName(title: string): keyof TaskSections | undefined {
  const plain = title.toLowerCase().replace(/\s+/g, " ").trim();
  return Object.hasOwn(names, plain) ? names[plain] : undefined;
}

function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || (mark[0] === fence[0] && mark.length >= fence.length)))
      fence = fence === undefined ? mark : undefined;
    const found =
      fence === undefined && mark === undefined ? /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#:]*\r?\n?$/.exec(line) : null;
    if (found) headings.push({ title: found[2]!, level: found[1]!.length, start: at, end: at + line.length });
    at += line.length;
  }
  return headings;
}
