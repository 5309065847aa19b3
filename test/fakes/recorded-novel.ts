// Novels that were recorded: the project before its first word, and what was typed, with the answers of the cassette.

import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Folder } from "./cli.ts";

const fixtures = join(import.meta.dirname, "../fixtures/novel");

export function git(at: Folder, ...args: string[]): string {
  return execFileSync("git", ["-C", join(at.dir, "novel"), ...args], { encoding: "utf8" });
}

/** The project before its first word. */
export function emptyNovel(name: string): Folder {
  const at = new Folder();
  cpSync(join(fixtures, name), join(at.dir, "novel"), {
    recursive: true,
    filter: (path) => !/session|cassette|answers/.test(path),
  });
  git(at, "init", "-q", "-b", "main");
  git(at, "config", "user.name", "A Writer");
  git(at, "config", "user.email", "writer@example.com");
  return at;
}

/** Types what was typed then; the answers are those of the cassette. */
export async function replay(at: Folder, name: string) {
  const cassette = `--model lmstudio:desk --cassette ${join(fixtures, name, "cassette.json")} --cassette-mode replay`;
  const ended = await at.cli(`novel novel ${cassette}`, {
    input: readFileSync(join(fixtures, name, "session.txt"), "utf8"),
  });
  expect(ended.code, ended.stdout.slice(-3_000) + ended.stderr).toBe(0);
  return ended;
}
