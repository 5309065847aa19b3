// A session of fifteen iterations as a writer types them, with the git processes that it starts: by the real program, against an endpoint
// that answers by a script.

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createManuscript } from "@loopwright/novel/manuscript";
import { startNovelServer } from "../../test/fakes/novel-server.ts";
import { book, CHAPTERS, chapter, WORDS } from "./book.ts";
import { beginRepository } from "./book-folder.ts";

const ITERATIONS = 15;

/** The git processes of a session of fifteen iterations. */
export async function gitProcesses(home: string, binary: string): Promise<number> {
  mkdirSync(home);
  const [folder, bin, log] = [join(home, "book"), join(home, "bin"), join(home, "git.log")];
  await createManuscript(folder, { title: "The Mill", target_words: CHAPTERS * WORDS, chapters: CHAPTERS });
  await using server = await startNovelServer();
  writeFileSync(join(folder, "loopwright.yaml"), server.configuration());
  const git = beginRepository(folder, book());
  git("add", "-A");
  git("commit", "-qm", "a novel");
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho x >> '${log}'\nPATH='${process.env.PATH}' exec git "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  let round = 0;
  server.script("read", JSON.stringify({ files: [{ file: "chapter-3", why: "it happens there", does: "darken it" }] }));
  server.script("revise-prose", () => `${chapter(3).content.trim()}\n\nIt grew dark, for the ${++round}. time.\n`);
  const lines = Array.from({ length: ITERATIONS }, () => "Make chapter 3 darker\nskip\nyes\n");
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const child = spawn(process.execPath, [binary, "novel", folder], { env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(`${lines.join("")}/quit\n`);
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  child.stderr.on("data", (text) => {
    printed += text;
  });
  await new Promise((done) => child.on("close", done));
  const done = printed.split("✓ Iteration complete").length - 1;
  if (done !== ITERATIONS) throw new Error(`${done} of ${ITERATIONS} iterations were made:\n${printed.slice(-3_000)}`);
  return readFileSync(log, "utf8").split("\n").length - 1;
}
