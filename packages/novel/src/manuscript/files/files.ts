// Reading the files of a project: what is not there is undefined; what is no text is said with its path.

import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { leadsOut, UsageError } from "@loopwright/core";
import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { ProjectFile } from "./schemas.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a file, byte for byte; undefined where there is none. */
export async function readText(folder: string, path: string): Promise<string | undefined> {
  refuseLinks(folder, path);
  const bytes = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new UsageError("NOVEL_FILE_UNREADABLE", `${join(folder, path)} cannot be read: ${error.message}`, {
      cause: error,
    });
  });
  if (bytes === undefined) return undefined;
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    const line = new TextDecoder().decode(bytes).split("\ufffd", 1)[0]!.split("\n").length;
    throw invalid(`${join(folder, path)}:${line}: this is not UTF-8: save the file as UTF-8 and try again`, cause);
  }
}

/** A book may come from elsewhere: what a link leads to is told to models. */
function refuseLinks(folder: string, path: string): void {
  if (leadsOut(folder, join(folder, path)))
    throw new UsageError(
      "NOVEL_FILE_UNREADABLE",
      `${join(folder, path)} is a link that leads out of the book: put the file itself there`,
    );
}

/** The names in a folder; none where there is no such folder. */
export async function listNames(folder: string, path: string): Promise<string[]> {
  return readdir(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw new UsageError("NOVEL_FILE_UNREADABLE", `${join(folder, path)} cannot be read: ${error.message}`, {
      cause: error,
    });
  });
}

/** The value of a JSON text that must fit a schema. `path` is what people are told. */
export function parseJsonFile<Schema extends z.ZodType>(text: string, path: string, schema: Schema): z.output<Schema> {
  const plain = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch (cause) {
    const why = (cause as SyntaxError).message.replace(/ in JSON at position[\s\S]*|, (?:\.{3})?"[\s\S]*$/, "");
    throw invalid(`${path}:${faultLine(plain)}: this is not JSON: ${why}`, cause);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const keys = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]!] : issue.path;
  throw invalid(`${path}:${lineOfKey(plain, keys)}: ${keys.map(String).join(".") || "the file"}: ${issue.message}`);
}

/** A fault of a project's file. */
export function invalid(message: string, cause?: unknown): UsageError {
  return new UsageError("NOVEL_FILE_INVALID", message, { cause });
}

/** The line of the first sign that no JSON could have there: the shortest beginning of the text that is not merely unfinished. */
function faultLine(text: string): number {
  let [sound, faulty] = [0, text.length + 1];
  while (faulty - sound > 1) {
    const middle = (sound + faulty) >> 1;
    if (mayGoOn(text.slice(0, middle))) sound = middle;
    else faulty = middle;
  }
  return text.slice(0, sound).split("\n").length;
}

function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return message.includes("end of JSON") || Number(/position (\d+)/.exec(message)?.[1]) === text.length;
  }
}

/** The line of a key in a text of YAML or JSON, or of the nearest thing above it that is there. */
function lineOfKey(text: string, keys: readonly PropertyKey[]): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  for (let length = keys.length; length > 0; length--) {
    const node: unknown = document.getIn(keys.slice(0, length), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return 1;
}

/** A file is there whole or not at all. */
export async function writeWhole(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    await writeFile(partial, text);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** The values of project.yaml. `path` is what people are told. */
export function parseProjectFile(text: string, path: string): ProjectFile {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ""), { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken)
    throw invalid(`${path}:${lines.linePos(broken.pos[0]).line}: this is not YAML: ${broken.message}`, broken);
  const result = ProjectFile.safeParse(toPlain(document, path) ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === "unrecognized_keys") {
    const keys = [...issue.path, issue.keys[0]!];
    const known = issue.path.length === 0 ? `: it has ${Object.keys(ProjectFile.shape).join(", ")}` : "";
    throw invalid(`${path}:${lineOfKey(text, keys)}: '${keys.map(String).join(".")}' is no key of it${known}`);
  }
  const name = issue.path.map(String).join(".");
  const isMissing = issue.path.length > 0 && !document.hasIn(issue.path);
  const what = isMissing ? `'${name}' is missing` : `'${name || "the whole"}': ${issue.message}`;
  throw invalid(`${path}:${lineOfKey(text, issue.path)}: ${what}`);
}

/** Aliases that multiply without end are a fault of the file, not of the program. */
function toPlain(document: ReturnType<typeof parseDocument>, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw invalid(`${path}:1: this cannot be read: ${(error as Error).message}`, error);
  }
}
