// How much a job has made its folders grow: by the files that changed since it began, and those it holds without a name.

import { lstatSync, readdirSync, readlinkSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

const BLOCK = 512;

export interface Growth {
  bytes: number;
  files: number;
}

/** Measures what is new in the folders since a time, and what the processes hold open that has been deleted. */
export function measureGrowth(folders: readonly string[], since: number, pids: readonly number[]): Growth {
  const growth: Growth = { bytes: 0, files: 0 };
  const open = [...folders];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) open.push(path);
      add(growth, since, () => lstatSync(path));
    }
  }
  for (const file of deletedFiles(pids)) add(growth, since, () => statSync(file));
  return growth;
}

function add(growth: Growth, since: number, look: () => Stats): void {
  try {
    const { ctimeMs, blocks } = look();
    if (ctimeMs < since) return;
    growth.bytes += blocks * BLOCK;
    growth.files += 1;
  } catch {
    // It is gone again.
  }
}

function* deletedFiles(pids: readonly number[]): Generator<string> {
  for (const pid of pids) {
    for (const { name } of entriesOf(`/proc/${pid}/fd`)) {
      const file = `/proc/${pid}/fd/${name}`;
      try {
        if (readlinkSync(file).endsWith(" (deleted)")) yield file;
      } catch {
        // Closed again.
      }
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
