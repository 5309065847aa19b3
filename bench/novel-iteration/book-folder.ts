// A book of a bench as a project: its files in a folder, and a repository around them.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes the files and makes the repository, with nothing committed yet; gives git on it. */
export function beginRepository(
  folder: string,
  files: readonly { path: string; content: string }[],
): (...args: string[]) => void {
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const git = (...args: string[]) => {
    execFileSync("git", ["-C", folder, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "A Writer");
  git("config", "user.email", "writer@example.com");
  return git;
}
