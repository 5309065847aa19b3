// How much a job has made its folders grow: by the files that changed since it began, and those it holds without a name.

import { type BigIntStats, readdirSync, readlinkSync, statSync } from "node:fs";
import { inSlices, listing, OpenFolder, type Work } from "../folder/index.ts";

const BLOCK = 512;
/** Deeper than any workspace may be: whoever hides there has grown without end. */
const DEEPEST = 256;

export interface Growth {
  bytes: number;
  files: number;
}

/** Measures what is new in the folders since a time, and what the processes hold open that has been deleted. The job runs
 * on meanwhile. */
export function measureGrowth(folders: readonly string[], since: number, pids: readonly number[]): Promise<Growth> {
  return inSlices(measuring(folders, since, pids));
}

function* measuring(folders: readonly string[], since: number, pids: readonly number[]): Work<Growth> {
  const growth: Growth = { bytes: 0, files: 0 };
  for (const folder of folders) {
    using top = openOrNone(() => OpenFolder.open(folder));
    if (top) yield* inside(top, 1);
  }
  for (const file of deletedFiles(pids)) {
    add(growth, since, () => statSync(file, { bigint: true }));
    yield;
  }
  return growth;

  function* inside(folder: OpenFolder, depth: number): Work<void> {
    for (const { name, kind } of yield* listing(folder)) {
      yield;
      add(growth, since, () => folder.look(name));
      if (kind !== "folder") continue;
      if (depth === DEEPEST) {
        growth.bytes = Number.POSITIVE_INFINITY;
        return;
      }
      using inner = openOrNone(() => folder.enter(name));
      if (inner) yield* inside(inner, depth + 1);
    }
  }
}

/** A folder may be closed to us, or gone again. */
function openOrNone(open: () => OpenFolder | undefined): OpenFolder | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

function add(growth: Growth, since: number, look: () => Pick<BigIntStats, "ctimeMs" | "blocks"> | undefined): void {
  try {
    const found = look();
    if (!found || found.ctimeMs < since) return;
    growth.bytes += Number(found.blocks) * BLOCK;
    growth.files += 1;
  } catch {
    // It is gone again.
  }
}

function* deletedFiles(pids: readonly number[]): Generator<string> {
  for (const pid of pids) {
    for (const name of namesOf(`/proc/${pid}/fd`)) {
      const file = `/proc/${pid}/fd/${name}`;
      try {
        if (readlinkSync(file).endsWith(" (deleted)")) yield file;
      } catch {
        // Closed again.
      }
    }
  }
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
