// What is secret in a folder: the values of key-like names in the files that its programs take their environment from.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { parseEnv } from "node:util";
import type { Redact } from "@loopwright/core";
import { redactor, secretsOf } from "@loopwright/models/configuration";

/** `.env`, `.env.local` and such; an example holds nothing secret. */
const ENV_FILE = /^\.env(?:\.(?!example|sample|template|dist|defaults)[\w.-]+)?$/;

/** The secrets of a folder's `.env` files; what the environment says too is no reason to leave one out. */
export function folderSecrets(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => ENV_FILE.test(name))
    .flatMap((name) => secretsOf({}, readEnv(join(folder, name))));
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readEnv(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
