import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures/workspaces/workspace.ts";
import { gitEnvironment, initGit, runGit } from "./run-git.ts";

async function ownRepository(): Promise<string> {
  const gitDir = join(temporaryFolder(), "own.git");
  await initGit(gitDir);
  return gitDir;
}

describe("git as a tool of ours", () => {
  it("gives what git prints, and takes input", async () => {
    const gitDir = await ownRepository();
    const id = (await runGit(["hash-object", "-w", "--stdin"], { gitDir, input: ["a", Buffer.from("b")] }))
      .toString()
      .trim();
    expect((await runGit(["cat-file", "blob", id], { gitDir })).toString()).toBe("ab");
  });

  it("makes a repository once, and leaves one that is there as it is", async () => {
    const gitDir = await ownRepository();
    const before = readFileSync(join(gitDir, "HEAD"), "utf8");
    await runGit(["update-ref", "--no-deref", "HEAD", (await emptyCommit(gitDir)).trim()], { gitDir });
    const moved = readFileSync(join(gitDir, "HEAD"), "utf8");
    await initGit(gitDir);
    expect(before).toBe("ref: refs/heads/main\n");
    expect(readFileSync(join(gitDir, "HEAD"), "utf8")).toBe(moved);
  });

  it("says in git's own words what failed, and where", async () => {
    const gitDir = await ownRepository();
    await expect(runGit(["cat-file", "blob", "0".repeat(40)], { gitDir })).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining("git cat-file failed in"),
    });
  });

  it("does not hang on input that git never reads", async () => {
    const gitDir = await ownRepository();
    const input = Array.from({ length: 100 }, () => Buffer.alloc(100_000));
    await expect(runGit(["no-such-command"], { gitDir, input })).rejects.toMatchObject({ code: "GIT_FAILED" });
  });

  it("ends git when the input fails", async () => {
    const gitDir = await ownRepository();
    async function* truncated(): AsyncGenerator<string> {
      yield "a";
      throw new Error("the input is truncated");
    }
    await expect(runGit(["hash-object", "--stdin"], { gitDir, input: truncated() })).rejects.toThrow(
      "the input is truncated",
    );
  });

  it("is stopped by its signal", async () => {
    const gitDir = await ownRepository();
    const signal = AbortSignal.timeout(50);
    async function* slow(): AsyncGenerator<string> {
      await new Promise((resolve) => setTimeout(resolve, 200));
      yield "a";
    }
    await expect(runGit(["hash-object", "--stdin"], { gitDir, input: slow(), signal })).rejects.toThrow();
  });

  it("inherits nothing of git's from the environment", () => {
    const hostile = {
      PATH: "/bin",
      GIT_DIR: "/x",
      GIT_INDEX_FILE: "/y",
      GIT_EXTERNAL_DIFF: "evil",
      GIT_CONFIG_COUNT: "1",
    };
    const env = gitEnvironment(hostile);
    expect(env.PATH).toBe("/bin");
    expect(env).not.toHaveProperty("GIT_DIR");
    expect(env).not.toHaveProperty("GIT_INDEX_FILE");
    expect(env).not.toHaveProperty("GIT_EXTERNAL_DIFF");
    expect(env).not.toHaveProperty("GIT_CONFIG_COUNT");
    expect(env).toMatchObject({ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" });
  });

  it("runs no hook, no fsmonitor and no pager that the repository names", async () => {
    const gitDir = await ownRepository();
    const trap = join(gitDir, "sprung");
    const program = join(gitDir, "trap.sh");
    writeFileSync(program, `#!/bin/sh\ntouch ${trap}\ncat\n`);
    chmodSync(program, 0o755);
    mkdirSync(join(gitDir, "hooks"), { recursive: true });
    for (const hook of ["post-index-change", "reference-transaction", "post-commit", "pre-commit"]) {
      writeFileSync(join(gitDir, "hooks", hook), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    }
    for (const key of ["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass"]) {
      execFileSync("git", ["--git-dir", gitDir, "config", key, program]);
    }
    const commit = (await emptyCommit(gitDir)).trim();
    await runGit(["update-ref", "refs/heads/main", commit], { gitDir });
    await runGit(["log", "--oneline", "main"], { gitDir });
    await runGit(["read-tree", "main"], { gitDir });
    expect(existsSync(trap)).toBe(false);
  });

  it("would spring that trap without our settings, so the test above means something", async () => {
    const gitDir = await ownRepository();
    const trap = join(gitDir, "sprung");
    writeFileSync(join(gitDir, "hooks-reference"), "");
    mkdirSync(join(gitDir, "hooks"), { recursive: true });
    writeFileSync(join(gitDir, "hooks/reference-transaction"), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    const commit = (await emptyCommit(gitDir)).trim();
    execFileSync("git", ["--git-dir", gitDir, "update-ref", "refs/heads/main", commit]);
    expect(existsSync(trap)).toBe(true);
  });
});

async function emptyCommit(gitDir: string): Promise<string> {
  const tree = (await runGit(["mktree"], { gitDir, input: [""] })).toString().trim();
  return (await runGit(["commit-tree", tree, "-m", "empty"], { gitDir })).toString();
}
