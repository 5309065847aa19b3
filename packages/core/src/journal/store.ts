// The store: files by content, under `.loopwright/files`. A file is on disk, under its final name, before `put` returns.

import { rmSync } from "node:fs";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopwrightError } from "../errors.ts";
import type { Store } from "../ports.ts";
import { sha256 } from "../record/json.ts";
import { journalError } from "./sqlite/connection.ts";

/** Files by the digest of their bytes, in a folder. */
export class FileStore implements Store {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  path(digest: string): string {
    if (!/^[0-9a-f]{64}$/.test(digest))
      throw new LoopwrightError("ARTIFACT_MISSING", `${JSON.stringify(digest)} is no digest of an artifact`);
    return join(this.#root, digest.slice(0, 2), digest.slice(2));
  }

  async put(bytes: Uint8Array): Promise<string> {
    const digest = sha256(bytes);
    const path = this.path(digest);
    try {
      if (await this.get(digest).catch(() => undefined)) return digest;
      await mkdir(dirname(path), { recursive: true });
      await writeSafely(path, bytes);
      return digest;
    } catch (error) {
      throw journalError(error, path);
    }
  }

  async get(digest: string): Promise<Uint8Array> {
    const path = this.path(digest);
    const bytes = await readFile(path).catch((cause) => {
      const message = `the artifact ${digest.slice(0, 12)} is missing: ${path}`;
      throw new LoopwrightError("ARTIFACT_MISSING", message, { cause });
    });
    if (sha256(bytes) === digest) return bytes;
    const message = `the artifact ${digest.slice(0, 12)} was changed after it was stored: ${path}`;
    throw new LoopwrightError("ARTIFACT_CHANGED", message);
  }

  delete(digest: string): void {
    rmSync(this.path(digest), { force: true });
  }
}

/** Writes a file so that it is either there whole, also after a crash, or not at all. */
async function writeSafely(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    await writeFile(draft, bytes, { flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
  await using folder = await open(dirname(path), "r");
  await folder.sync();
}
