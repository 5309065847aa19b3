// What is secret in a folder: the values of key-like names in the files that its programs take their environment from.

import { type Dirent, existsSync, readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { parseEnv } from "node:util";
import { type Json, type Redact, readPlainFile } from "@loopwright/core";
import { redactor, secretsOf } from "@loopwright/models/configuration";

/** `.env`, `.env.local` and such; an example holds nothing secret. */
const ENV_FILE = /^\.env(?:\.(?!example|sample|template|dist|defaults)[\w.-]+)?$/;

/** Folders that hold others' files, and no secrets of the project's. */
const OTHERS = new Set([".git", ".venv", "venv", "node_modules", ".loopwright", "runs"]);

const DEEPEST = 5;

/** The secrets of a folder's `.env` files; what the environment says too is no reason to leave one out. */
export function folderSecrets(folder: string): string[] {
  const files = entriesIn(folder).filter(({ name }) => ENV_FILE.test(name));
  return files.flatMap(({ name }) => secretsOf({}, readEnv(join(folder, name))));
}

/** Those of the folders inside as well: a program of a workspace can print what stands in any of them. */
export function workspaceSecrets(folder: string, depth = DEEPEST): string[] {
  const isOwn = (entry: Dirent) => entry.isDirectory() && !OTHERS.has(entry.name);
  const inside = depth > 1 ? entriesIn(folder).filter(isOwn) : [];
  return [...folderSecrets(folder), ...inside.flatMap(({ name }) => workspaceSecrets(join(folder, name), depth - 1))];
}

/** Those of the workspace that the settings of a loop name, where they name one. */
export function workspaceSecretsOf(settings: Json, loop: string): string[] {
  const own = (settings as Readonly<Record<string, { workspace?: unknown } | null>> | null)?.[loop];
  return typeof own?.workspace === "string" ? workspaceSecrets(own.workspace) : [];
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Takes secrets out of what is recorded. A path that is there stays, for a run goes on with it, and a folder may be called
 * like a secret. */
export function recordRedactor(secrets: readonly string[]): Redact {
  const redact = redactor(secrets);
  if (secrets.length === 0) return redact;
  return (text) => {
    const place = existingPlace(text);
    return place + redact(text.slice(place.length));
  };
}

/** The beginning of a text that is a file or a folder of this machine. */
function existingPlace(text: string): string {
  if (!isAbsolute(text) || /[\n\0]/.test(text)) return "";
  let place = text;
  while (!existsSync(place)) place = dirname(place);
  return place === "/" ? "" : place;
}

function readEnv(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readPlainFile(file));
  } catch {
    return {};
  }
}
