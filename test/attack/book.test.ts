// A book in a folder that came from elsewhere: nothing outside of it is read, written or waited for, and no file of git's own
// is taken for more than it is.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { completeIgnored, createManuscript, openManuscript } from "../../packages/novel/src/manuscript/files/open.ts";
import { appendHistory, historyFile, readHistory } from "../../packages/novel/src/repl/input/terminal-input.ts";
import { openRepository } from "../../packages/novel/src/repository/repository.ts";
import { debugFolder, keepForDebugging } from "../../packages/novel/src/saved.ts";
import { Folder } from "../fakes/cli.ts";
import { fill, temporaryFolder } from "../fixtures/workspaces/workspace.ts";

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd, encoding: "utf8" });

/** A book beside a file that it has no business with. */
async function book() {
  const base = temporaryFolder();
  const [folder, precious] = [join(base, "book"), join(base, "precious")];
  writeFileSync(precious, "precious\n");
  await createManuscript(folder, { title: "A book" });
  fill(folder, { "premise/premise.md": "# Premise\n", "chapters/chapter-01.md": "# One\n" });
  git(folder, "init", "-q", "-b", "main");
  git(folder, "config", "user.name", "x");
  git(folder, "config", "user.email", "x@x");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first");
  return { folder, precious };
}

/** Has something else in a file's place. */
function put(folder: string, path: string, make: (place: string) => void): void {
  const place = join(folder, path);
  mkdirSync(join(place, ".."), { recursive: true });
  rmSync(place, { recursive: true, force: true });
  make(place);
}

describe("a book from elsewhere", () => {
  it.each(["project.yaml", "taxonomy.json", "chapters/chapter-01.md", "chapter-beats/chapter-01.md"])(
    "with a link at %s tells nothing of what it leads to",
    async (path) => {
      const { folder, precious } = await book();
      put(folder, path, (place) => symlinkSync(precious, place));
      await expect(openManuscript(folder)).rejects.toThrow(/leads out of the book/);
    },
  );

  it("with a folder of chapters that is a link tells nothing of the files there", async () => {
    const { folder, precious } = await book();
    fill(join(precious, "../other"), { "chapter-01.md": "# precious\n" });
    put(folder, "chapters", (place) => symlinkSync(join(precious, "../other"), place));
    await expect(openManuscript(folder)).rejects.toThrow(/leads out of the book/);
  });

  it("with a link in itself is read as before", async () => {
    const { folder } = await book();
    fill(folder, { "texts/one.md": "# One of texts\n" });
    put(folder, "chapters/chapter-01.md", (place) => symlinkSync("../texts/one.md", place));
    await expect(openManuscript(folder)).resolves.toMatchObject({ project: { title: "A book" } });
  });

  it("with a link at .gitignore has nothing written where it leads", async () => {
    const { folder, precious } = await book();
    put(folder, ".gitignore", (place) => symlinkSync(precious, place));
    await expect(completeIgnored(folder)).rejects.toThrow(/link/);
    put(folder, "project.yaml", () => {});
    await expect(createManuscript(folder, { title: "Again" })).rejects.toThrow(/link/);
    expect(readFileSync(precious, "utf8")).toBe("precious\n");
  });

  it("with a link for the lines that were typed has none written where it leads, nor is that cut", async () => {
    const { folder, precious } = await book();
    const many = Array.from({ length: 3_000 }, (_, at) => `line ${at % 7}\n`).join("");
    writeFileSync(precious, many);
    put(folder, ".loopwright/novel-history", (place) => symlinkSync(precious, place));
    expect(await readHistory(historyFile(folder))).toEqual([]);
    appendHistory(historyFile(folder), "typed");
    expect(readFileSync(precious, "utf8")).toBe(many);
    put(folder, ".loopwright/novel-history", (place) => execFileSync("mkfifo", [place]));
    expect(await readHistory(historyFile(folder))).toEqual([]);
    appendHistory(historyFile(folder), "typed");
    put(folder, ".loopwright/novel-history", () => {});
    appendHistory(historyFile(folder), "typed");
    expect(await readHistory(historyFile(folder))).toEqual(["typed"]);
  });

  it.each([".agentic", ".agentic/debug"])("with a link at %s has no debug file put where it leads", async (path) => {
    const { folder, precious } = await book();
    const outside = join(precious, "../outside");
    fill(outside, { ".gitignore": "mine\n" });
    put(folder, path, (place) => symlinkSync(outside, place));
    const effect = (_key: string, { run }: { run: () => Promise<unknown> }) => run();
    const ctx = { project: folder, effect } as unknown as Parameters<typeof keepForDebugging>[0];
    const kept = keepForDebugging(ctx, "k", debugFolder(folder, "prose", 0), { "a.md": "a" });
    await expect(kept).rejects.toThrow(/is a link/);
    expect(readdirSync(outside)).toEqual([".gitignore"]);
    expect(readFileSync(join(outside, ".gitignore"), "utf8")).toBe("mine\n");
  });

  it("with a link that leads nowhere yet at taxonomy.json has nothing made there", async () => {
    const { folder, precious } = await book();
    put(folder, "taxonomy.json", (place) => symlinkSync(join(precious, "../made"), place));
    put(folder, "project.yaml", () => {});
    await expect(createManuscript(folder, { title: "Again" })).rejects.toThrow();
    expect(existsSync(join(precious, "../made"))).toBe(false);
  });

  it("with a mark of a commit that nobody made has git do nothing of its choice", async () => {
    const { folder, precious } = await book();
    const head = git(folder, "rev-parse", "HEAD").trim();
    const tree = git(folder, "rev-parse", "HEAD^{tree}").trim();
    const index = join(folder, ".git/loopwright/draft-x/index");
    for (const mark of [
      { parent: `--output=${precious}`, staged: tree, index },
      { parent: head, staged: `--output=${precious}`, index },
      { parent: head, staged: tree, commit: `--output=${precious}`, index },
      { parent: head, staged: tree, index: precious },
      { parent: head, staged: tree, index: `${folder}/.git/loopwright/../../../precious` },
    ]) {
      fill(folder, { ".git/loopwright/pending.json": JSON.stringify({ isFromWorkTree: false, ...mark }) });
      await (await openRepository(folder)).check().catch(() => {});
      expect(readFileSync(precious, "utf8")).toBe("precious\n");
      expect(existsSync(join(folder, "chapters/chapter-01.md"))).toBe(true);
    }
  });

  it("opened with the real program runs no hook, filter or monitor that lies in it", { timeout: 60_000 }, async () => {
    const { folder } = await book();
    using home = new Folder();
    const mark = `touch ${home.dir}/ran`;
    for (const hook of [
      "pre-commit",
      "post-checkout",
      "reference-transaction",
      "post-index-change",
      "fsmonitor-watchman",
    ])
      writeFileSync(join(folder, ".git/hooks", hook), `#!/bin/sh\n${mark}\n`, { mode: 0o755 });
    git(folder, "config", "core.fsmonitor", mark);
    git(folder, "config", "core.pager", mark);
    git(folder, "config", "diff.external", mark);
    git(folder, "config", "core.editor", mark);
    const { code } = await home.cli("novel", {
      cwd: folder,
      input: "/status\n/history\n/diff\n/quit\n",
      isTrusted: false,
    });
    expect(code).not.toBeNull();
    expect(home.has("ran")).toBe(false);
  });
});
