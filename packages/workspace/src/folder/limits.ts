// What a workspace may hold. Walking, snapshots and restoring go by these alone: what one of them takes, all of them do.

import { LoopwrightError } from "@loopwright/core";
import { shownPath } from "@loopwright/git";

export const WORKSPACE_LIMITS = {
  /** Files, links and folders. */
  entries: 100_000,
  /** Folders in folders. */
  depth: 200,
  /** Bytes of a path. */
  pathBytes: 2_000,
  /** Bytes of all files, as they would be read: holes in a file count. */
  bytes: 1_000_000_000,
};

/** What is left out of a workspace does not count. */
export class Measure {
  #entries = 0;
  #bytes = 0;

  /** Counts an entry, and throws where it is past a limit. */
  add(path: string, kind: string, size: number): void {
    const { entries, depth, pathBytes, bytes } = WORKSPACE_LIMITS;
    this.#entries += 1;
    if (kind === "file") this.#bytes += size;
    const parts = path.split("/").length;
    if (parts > depth) throw tooLarge(`folders nested deeper than ${depth}`, path);
    if (Buffer.byteLength(path) > pathBytes) throw tooLarge(`a path longer than ${pathBytes} bytes`, path);
    if (this.#entries > entries) throw tooLarge(`more than ${entries} files and folders`, path);
    if (this.#bytes > bytes) throw tooLarge(`more than ${bytes / 1e6} MB in files`, path);
  }
}

/** A workspace past one of its limits, in a sentence that a model or a person can act on. */
export class TooLarge extends LoopwrightError {}

function tooLarge(what: string, path: string): TooLarge {
  return new TooLarge(
    "WORKSPACE_TOO_LARGE",
    `the workspace holds ${what}, which is its limit (at '${shownPath(path)}')`,
  );
}
