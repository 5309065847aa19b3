// What of a project is run with the user's rights: the files of its loops, and those that its commands name. A run must not
// write them, for the next one would run what it wrote.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileOf } from "../loops/sources.ts";
import type { Configuration } from "./configuration.ts";

/** The files of a folder that its configuration has run outside any sandbox. */
export function controlFiles(dir: string, { loops, notify, models }: Configuration): string[] {
  const ofLoops = Object.values(loops).flatMap((source) => (source.control ? (fileOf(source) ?? []) : []));
  const commands = Object.values(models.endpoints).flatMap(({ kind, url }) => (kind === "command" ? url : []));
  const words = [...commands, notify.command ?? ""].flatMap((line) => line.split(/[\s'"`;|&<>()=]+/));
  return [
    ...ofLoops,
    ...words
      .filter(Boolean)
      .map((word) => resolve(dir, word))
      .filter(isFile),
  ];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
