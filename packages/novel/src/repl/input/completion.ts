// What a line could go on with: commands, levels, the project's files, paths, formats, roles.

import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { bookPart, chapterNumber } from "../../manuscript/files/layout.ts";
import { levels } from "../../types.ts";
import { findReplCommand, formats, replCommands } from "../command-table.ts";
import { roleNames } from "../session.ts";
import type { Completer } from "./input.ts";

/** Completes what is typed; `project` is the folder that is open. */
export function completer(project: () => string | undefined): Completer {
  return (line) => {
    const [, name, rest] = /^\s*\/(\S*)(?:\s+(.*))?$/.exec(line) ?? [];
    if (name === undefined) return [[], line];
    if (rest === undefined) {
      const found = replCommands.filter((command) => command.name.startsWith(name.toLowerCase()));
      return [found.map((command) => `/${command.name} `), line.trimStart()];
    }
    const command = findReplCommand(name);
    if ("unknown" in command) return [[], line];
    const offered = command.offers === undefined ? [] : offers[command.offers]!(rest, project());
    return [offered.filter((word) => word.startsWith(rest)), rest];
  };
}

/** What can follow a command, by kind. */
const offers: Readonly<Record<string, (typed: string, project: string | undefined) => readonly string[]>> = {
  levels: () => levels,
  files: (_typed, project) => (project === undefined ? [] : fileNames(project)),
  paths: (typed) => paths(typed),
  formats: () => formats,
  roles: () => roleNames.map((role) => `${role}=`),
  scopes: () => ["model", "whole", "named"],
  commands: () => replCommands.map((command) => command.name),
};

/** What a project's files are called: `foundation`, `chapter-3`. */
function fileNames(project: string): string[] {
  const entries = ["chapter-beats", "chapters"].flatMap((folder) => entriesOf(join(project, folder)));
  const numbers = entries.flatMap(({ name }) => chapterNumber(name) ?? []);
  const chapters = [...new Set(numbers)].sort((a, b) => a - b).map((number) => `chapter-${number}`);
  const parts = [...new Set(entries.flatMap(({ name }) => bookPart(name) ?? []))];
  return ["premise", "treatment", "foundation", ...chapters, ...parts];
}

function paths(typed: string): string[] {
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  const isHidden = (name: string) => name.startsWith(".") && !typed.slice(folder.length).startsWith(".");
  return entriesOf(folder === "" ? "." : folder)
    .filter(({ name }) => !isHidden(name))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
