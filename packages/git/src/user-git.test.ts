import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures/workspaces/workspace.ts";
import { runUserGit, tryUserGit, userGitEnvironment } from "./user-git.ts";

function ownRepository(): string {
  const folder = temporaryFolder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "A Writer");
  git("config", "user.email", "writer@example.com");
  git("commit", "--quiet", "--allow-empty", "-m", "first");
  return folder;
}

function addHook(folder: string, name: string, script: string): void {
  mkdirSync(join(folder, ".git/hooks"), { recursive: true });
  writeFileSync(join(folder, ".git/hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Whether a process still runs; one that is dead and not yet buried does not. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("git on a user's own repository", () => {
  it("commits in the user's name", async () => {
    const folder = ownRepository();
    const tree = (await runUserGit(["write-tree"], { folder })).toString().trim();
    const commit = (await runUserGit(["commit-tree", tree], { folder, input: ["words\n"] })).toString().trim();
    const line = await runUserGit(["log", "-1", "--format=%an <%ae> %s", commit], { folder });
    expect(line.toString()).toBe("A Writer <writer@example.com> words\n");
  });

  it("gives how it ended, or throws with git's own words", async () => {
    const folder = ownRepository();
    expect(await tryUserGit(["cat-file", "-e", "0".repeat(40)], { folder })).toMatchObject({ isOverdue: false });
    await expect(runUserGit(["no-such-command"], { folder })).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining("is not a git command"),
    });
  });

  it("keeps who the user is and where their settings lie, and nothing that points elsewhere or asks", () => {
    const env = userGitEnvironment({
      PATH: "/bin",
      HOME: "/home/me",
      GIT_AUTHOR_NAME: "Me",
      GIT_CONFIG_GLOBAL: "/mine",
      GIT_DIR: "/x",
      GIT_WORK_TREE: "/x",
      GIT_INDEX_FILE: "/x",
      GIT_CONFIG_COUNT: "1",
      GIT_EXTERNAL_DIFF: "evil",
      GIT_SSH_COMMAND: "evil",
      GPG_TTY: "/dev/pts/1",
    });
    expect(env).toMatchObject({ PATH: "/bin", HOME: "/home/me", GIT_AUTHOR_NAME: "Me", GIT_CONFIG_GLOBAL: "/mine" });
    for (const name of [
      "GIT_DIR",
      "GIT_WORK_TREE",
      "GIT_INDEX_FILE",
      "GIT_CONFIG_COUNT",
      "GIT_EXTERNAL_DIFF",
      "GPG_TTY",
    ])
      expect(env).not.toHaveProperty(name);
    expect(env).toMatchObject({ GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":", GIT_PAGER: "cat" });
  });

  it("runs no hook unless it is told to", async () => {
    const folder = ownRepository();
    addHook(folder, "reference-transaction", "touch .git/sprung");
    await runUserGit(["update-ref", "refs/heads/other", "HEAD"], { folder });
    expect(existsSync(join(folder, ".git/sprung"))).toBe(false);
    await runUserGit(["update-ref", "refs/heads/another", "HEAD"], { folder, hooks: { limit: 10_000 } });
    expect(existsSync(join(folder, ".git/sprung"))).toBe(true);
  });

  it("takes paths literally", async () => {
    const folder = ownRepository();
    writeFileSync(join(folder, "a.md"), "a");
    writeFileSync(join(folder, "*.md"), "star");
    const output = await runUserGit(["status", "--porcelain", "--", "*.md"], { folder });
    expect(output.toString()).toBe("?? *.md\n");
  });

  it("ends a hook that takes too long, with all that it started", async () => {
    const folder = ownRepository();
    addHook(folder, "pre-commit", "echo $$ > .git/pid; sleep 30; touch .git/late");
    const start = performance.now();
    const end = await tryUserGit(["hook", "run", "pre-commit"], { folder, hooks: { limit: 500 } });
    expect(end).toMatchObject({ code: null, isOverdue: true });
    expect(performance.now() - start).toBeLessThan(10_000);
    const pid = Number(readFileSync(join(folder, ".git/pid"), "utf8"));
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  });

  it("does not wait for what a hook leaves running in the background", async () => {
    const folder = ownRepository();
    addHook(folder, "pre-commit", "echo begun; sleep 20 & exit 0");
    const start = performance.now();
    const end = await tryUserGit(["hook", "run", "pre-commit"], { folder, hooks: { limit: 60_000 } });
    expect(end).toMatchObject({ code: 0, isOverdue: false, complaint: "begun\n" });
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  it("keeps the beginning and the end of a long complaint", async () => {
    const folder = ownRepository();
    addHook(
      folder,
      "pre-commit",
      "echo begin; i=0; while [ $i -lt 3000 ]; do echo line $i of many; i=$((i+1)); done; echo end",
    );
    const { complaint } = await tryUserGit(["hook", "run", "pre-commit"], { folder, hooks: { limit: 60_000 } });
    expect(complaint).toMatch(/^begin\n/);
    expect(complaint).toMatch(/\n…\n[\s\S]*end\n$/);
    expect(complaint.length).toBeLessThan(17_000);
  });

  it("has no terminal to ask on", async () => {
    const folder = ownRepository();
    addHook(folder, "pre-commit", '(exec < /dev/tty) 2> /dev/null && echo asked; read line; echo "read: $line"');
    const { complaint } = await tryUserGit(["hook", "run", "pre-commit"], { folder, hooks: { limit: 10_000 } });
    expect(complaint).toBe("read: \n");
  });
});
