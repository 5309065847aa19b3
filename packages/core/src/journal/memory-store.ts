// The store in memory.

import { LoopwrightError } from "../errors.ts";
import type { Store } from "../ports.ts";
import { sha256 } from "../record/json.ts";

/** Files by the digest of their bytes, in memory. */
export class MemoryStore implements Store {
  readonly #files = new Map<string, Uint8Array>();

  async put(bytes: Uint8Array): Promise<string> {
    const digest = sha256(bytes);
    this.#files.set(digest, Uint8Array.from(bytes));
    return digest;
  }

  async get(digest: string): Promise<Uint8Array> {
    const bytes = this.#files.get(digest);
    if (!bytes) throw new LoopwrightError("ARTIFACT_MISSING", `the artifact ${digest.slice(0, 12)} is missing`);
    return bytes;
  }

  async delete(digest: string): Promise<void> {
    this.#files.delete(digest);
  }
}
