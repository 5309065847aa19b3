import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";

import { readHistory, userGit } from "./user-git.ts";

const settings = ["user.name=x", "user.email=x@x", "core.autocrlf=false"].flatMap((each) => ["-c", each]);
const git = (cwd: string, ...args: string[]) => execFileSync("git", [...settings, ...args], { cwd });

function commit(folder: string, files: Readonly<Record<string, string>>): void {
  fill(folder, files);
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "one more");
}

describe("the history of a folder", () => {
  it("has the files of its last commits, the newest first, and those that are not as the last one has them", async () => {
    const folder = temporaryFolder();
    git(folder, "init", "-q");
    commit(folder, { "a.py": "1\n", "b.py": "1\n", "lib/ü c.py": "1\n", "d.py": "1\n" });
    commit(folder, { "lib/ü c.py": "2\n" });
    const files = [
      { path: "a.py", content: "1\n" },
      { path: "b.py", content: "mine\n" },
      { path: "lib/ü c.py", content: "2\n" },
      { path: "d.py", content: "1\n" },
    ];
    expect(await readHistory((await userGit(folder))!, files)).toEqual({
      commits: [["lib/ü c.py"], ["a.py", "b.py", "d.py", "lib/ü c.py"]],
      uncommitted: ["b.py"],
    });
  });

  it("runs nothing that came with the repository", async () => {
    const folder = temporaryFolder();
    git(folder, "init", "-q");
    commit(folder, { "a.py": "1\n", ".gitattributes": "*.py filter=evil diff=evil\n" });
    const sprung = join(folder, "sprung");
    const config = `[core]\n\tfsmonitor = touch ${sprung}\n[filter "evil"]\n\tclean = touch ${sprung}\n[diff]\n\texternal = touch ${sprung}\n[diff "evil"]\n\ttextconv = touch ${sprung}\n`;
    writeFileSync(join(folder, ".git/config"), `[core]\n\tbare = false\n${config}`);
    const history = await readHistory((await userGit(folder))!, [{ path: "a.py", content: "2\n" }]);
    expect(history?.commits).toHaveLength(1);
    expect(() => execFileSync("ls", [sprung], { stdio: "ignore" })).toThrow();
  });

  it("is not told where there is no commit, and says nothing of changes where most files differ", async () => {
    const folder = temporaryFolder();
    git(folder, "init", "-q");
    expect(await readHistory((await userGit(folder))!, [])).toBeUndefined();
    commit(folder, { "a.py": "1\n", "b.py": "1\n" });
    const crlf = ["a.py", "b.py"].map((path) => ({ path, content: "1\r\n" }));
    expect(await readHistory((await userGit(folder))!, crlf)).toMatchObject({ uncommitted: [] });
  });
});
