// What /proc says of processes; nothing of one that is gone.

import { readdirSync, readFileSync } from "node:fs";

/** A file of the kernel's, or nothing where it is not there. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** The names in a folder; none where it is closed or gone. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The fields of a process's state that follow its name, which it chose itself and which stands in brackets. */
export function statOf(pid: number): string[] {
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
