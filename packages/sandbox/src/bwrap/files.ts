// Small files that every job is handed by descriptor. They have no name on the machine: nothing is left of them, however
// the process ends.

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Keeps contents as files without a name; opens them all anew for each job. */
export class NamelessFiles {
  readonly #kept: number[];

  constructor(contents: readonly (string | Uint8Array)[]) {
    const folder = mkdtempSync(join(tmpdir(), "loopwright-"));
    try {
      this.#kept = contents.map((content, index) => {
        const file = join(folder, String(index));
        writeFileSync(file, content);
        return openSync(file, "r");
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Lends fresh descriptors, each at its file's beginning, while the work lasts. */
  lend<T>(work: (descriptors: number[]) => T): T {
    const opened: number[] = [];
    try {
      for (const kept of this.#kept) opened.push(openSync(`/proc/self/fd/${kept}`, "r"));
      return work(opened);
    } finally {
      for (const descriptor of opened) closeSync(descriptor);
    }
  }
}
