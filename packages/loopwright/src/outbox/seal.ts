// The seal of a message: that it was written by this user. A folder that came from elsewhere brings an outbox too, and nobody's
// words but the user's own are signed and sent in their name.

import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@loopwright/core";
import { stateFolder } from "../trust/trust.ts";

/** Where nothing can be written down, what this process wrote is sealed for this process alone. */
let ownKey: string | undefined;

export function sealOf(run: string, to: string, body: string): string {
  return seal(sealKeys()[0]!, run, to, body);
}

/** Whether a message is the user's own. */
export function isSealed({ run, to, body, seal: given }: Message): boolean {
  return sealKeys().some((key) => {
    const [found, right] = [given, seal(key, run, to, body)].map((text) => Buffer.from(text));
    return found!.length === right!.length && timingSafeEqual(found!, right!);
  });
}

function seal(key: string, ...parts: string[]): string {
  return createHmac("sha256", key).update(JSON.stringify(parts)).digest("hex");
}

/** The journal's key, where there is one, and the user's own, which is made once. */
function sealKeys(): string[] {
  const { LOOPWRIGHT_JOURNAL_KEY: journal } = process.env;
  ownKey ??= keptKey() ?? randomBytes(32).toString("hex");
  return journal ? [journal, ownKey] : [ownKey];
}

function keptKey(): string | undefined {
  const folder = stateFolder();
  const [file, draft] = [join(folder, "outbox-key"), join(folder, `outbox-key.${randomUUID()}`)];
  try {
    const kept = readKey(file);
    if (kept !== undefined) return kept;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, randomBytes(32).toString("hex"), { mode: 0o600 });
    linkSync(draft, file);
  } catch {
    // Another process may have been quicker, or nothing can be written here.
  } finally {
    rmSync(draft, { force: true });
  }
  return readKey(file);
}

function readKey(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8") || undefined;
  } catch {
    return undefined;
  }
}
