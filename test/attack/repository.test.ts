// What a run could do to the user's repository by its result: nothing that the user has is overwritten, deleted or opened to
// others, but for what was applied, and that can be taken back.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Checkout } from "../../packages/workspace/src/checkout/checkout.ts";
import { userGit } from "../../packages/workspace/src/checkout/user-git.ts";
import { fill, openBench, temporaryFolder } from "../fixtures/workspaces/workspace.ts";

/** A user's folder with a checkout of it. */
async function open(files: Record<string, string>, ignore: string[] = []) {
  const base = temporaryFolder();
  const [user, state] = [join(base, "user"), join(base, "state")];
  mkdirSync(state);
  fill(user, files);
  const place = { user, state, ignore };
  const checkout = new Checkout(place);
  await checkout.takeIn();
  const apply = async (over: string[] = []) => checkout.apply(await checkout.snapshots.take(null), { over });
  return { base, user, run: checkout.folder, checkout, apply, again: () => new Checkout(place) };
}

const listing = (folder: string) =>
  execFileSync("sh", ["-c", "find . -printf '%p %y %m %l\\n' | sort; find . -type f -exec sha1sum {} + | sort"], {
    cwd: folder,
    encoding: "utf8",
  });

describe("what a run has made, applied", () => {
  it("as a file does not take the place of a folder that the user has made meanwhile", async () => {
    const { user, run, apply } = await open({ "a.py": "a" });
    fill(run, { notes: "the run's" });
    fill(user, { "notes/mine.txt": "mine" });
    expect(await apply()).toEqual({ written: [], conflicts: ["notes"] });
    expect(await apply(["notes"])).toEqual({ written: [], conflicts: ["notes"] });
    expect(readFileSync(join(user, "notes/mine.txt"), "utf8")).toBe("mine");
  });

  it.each([".git/HEAD", "node_modules/x/index.js", ".venv/pyvenv.cfg", ".env", "deep/.loopwright/journal.db"])(
    "as a file does not take the place of a folder with %s in it, which no snapshot holds",
    async (kept) => {
      const { user, run, apply } = await open({ "app/a.py": "a", [`app/${kept}`]: "mine" }, ["app/.env"]);
      rmSync(join(run, "app"), { recursive: true });
      fill(run, { app: "a file now" });
      await apply();
      await apply(["app"]);
      expect(readFileSync(join(user, "app", kept), "utf8")).toBe("mine");
    },
  );

  it("as a file does take the place of a folder that held nothing but what goes, and undo brings it back", async () => {
    const { user, run, apply, checkout } = await open({ "app/a.py": "a", "app/b/c.py": "c" });
    const before = listing(user);
    rmSync(join(run, "app"), { recursive: true });
    fill(run, { app: "a file now" });
    expect((await apply()).conflicts).toEqual([]);
    expect(readFileSync(join(user, "app"), "utf8")).toBe("a file now");
    expect((await checkout.undo()).conflicts).toEqual([]);
    expect(listing(user)).toBe(before);
  });

  it("as a folder takes the place of a file, and undo brings it back", async () => {
    const { user, run, apply, checkout } = await open({ app: "a file" });
    const before = listing(user);
    rmSync(join(run, "app"));
    fill(run, { "app/a.py": "a" });
    expect(await apply()).toEqual({ written: ["app", "app/a.py"], deleted: ["app"], conflicts: [] });
    expect(readFileSync(join(user, "app/a.py"), "utf8")).toBe("a");
    expect((await checkout.undo()).conflicts).toEqual([]);
    expect(listing(user)).toBe(before);
  });

  it("and taken back does not cost a folder that the user has made where a file had been", async () => {
    const { user, run, apply, checkout } = await open({ old: "old", "a.py": "a" });
    rmSync(join(run, "old"));
    await apply();
    fill(user, { "old/mine.txt": "mine" });
    expect((await checkout.undo()).conflicts).toEqual(["old"]);
    expect(readFileSync(join(user, "old/mine.txt"), "utf8")).toBe("mine");
  });

  it("does not replace a pipe, or a link that leads nowhere, of the user's", async () => {
    const { user, run, apply } = await open({ "a.py": "a" });
    fill(run, { pipe: "p", "link.txt": "l" });
    execFileSync("mkfifo", [join(user, "pipe")]);
    symlinkSync("nowhere", join(user, "link.txt"));
    expect((await apply()).conflicts).toEqual(["link.txt", "pipe"]);
    expect(lstatSync(join(user, "pipe")).isFIFO()).toBe(true);
  });

  it("does not open to others what only the user may read, nor does the checkout", async () => {
    const { user, run, apply } = await open({ "mine.yaml": "one", "run.sh": "x", "plain.py": "one" });
    chmodSync(join(user, "mine.yaml"), 0o600);
    chmodSync(join(user, "run.sh"), 0o700);
    fill(run, { "mine.yaml": "two", "run.sh": "y", "plain.py": "two" });
    expect((await apply(["run.sh"])).conflicts).toEqual([]);
    expect(statSync(join(user, "mine.yaml")).mode & 0o777).toBe(0o600);
    expect(statSync(join(user, "run.sh")).mode & 0o077).toBe(0);
    expect(statSync(join(user, "plain.py")).mode & 0o777).toBe(0o644);
    const bench = await openBench({ "mine.yaml": "one" });
    expect(statSync(join(bench.base, "state")).mode & 0o077).toBe(0);
  });

  it("writes through no hard link: what else has the file's name elsewhere stays", async () => {
    const { base, user, run, apply } = await open({ "a.py": "one" });
    execFileSync("ln", [join(user, "a.py"), join(base, "elsewhere")]);
    fill(run, { "a.py": "two" });
    await apply();
    expect(readFileSync(join(base, "elsewhere"), "utf8")).toBe("one");
  });

  it("writes through no folder that the user has since replaced by a link", async () => {
    const { base, user, run, apply } = await open({ "src/a.py": "one" });
    fill(run, { "src/a.py": "two", "src/new/b.py": "b" });
    renameSync(join(user, "src"), join(base, "src"));
    symlinkSync(join(base, "src"), join(user, "src"));
    expect((await apply(["src/a.py", "src/new/b.py"])).written).toEqual([]);
    expect(readFileSync(join(base, "src/a.py"), "utf8")).toBe("one");
    expect(existsSync(join(base, "src/new"))).toBe(false);
  });

  it("keeps names of every kind apart: line breaks, quotes, backslashes, dashes, forms of one letter", async () => {
    const names = [
      "a\nb.py",
      'q"uote.py',
      "back\\slash.py",
      "-rf",
      "é.py",
      "e\u0301.py",
      " lead",
      "tab\t",
      "$(x).py",
      "A.py",
      "a.py",
    ];
    const { user, run, apply, checkout } = await open(Object.fromEntries(names.map((name) => [name, "one"])));
    const before = listing(user);
    fill(run, Object.fromEntries(names.map((name) => [name, `two ${name}`])));
    expect((await apply()).written).toHaveLength(names.length);
    for (const name of names) expect(readFileSync(join(user, name), "utf8")).toBe(`two ${name}`);
    await checkout.undo();
    expect(listing(user)).toBe(before);
  });

  it("by two processes at once can be taken back whole", async () => {
    const { user, run, checkout, again } = await open({ "a.py": "one", "b.py": "one", "c.py": "one" });
    const before = listing(user);
    fill(run, { "a.py": "two", "b.py": "two", "new.py": "new" });
    rmSync(join(run, "c.py"));
    const snapshot = await checkout.snapshots.take(null);
    await Promise.allSettled([again().apply(snapshot), again().apply(snapshot)]);
    await again().apply(snapshot);
    expect(readFileSync(join(user, "a.py"), "utf8")).toBe("two");
    await again().undo();
    expect(listing(user)).toBe(before);
  });

  it("is not what another run has brought meanwhile: the second is told of a conflict, and undo of the first stays possible", async () => {
    const base = temporaryFolder();
    fill(join(base, "user"), { "a.py": "one", "b.py": "one" });
    const runs = ["s1", "s2"].map((name) => {
      mkdirSync(join(base, name));
      return new Checkout({ user: join(base, "user"), state: join(base, name), ignore: [] });
    });
    for (const each of runs) await each.takeIn();
    fill(runs[0]!.folder, { "a.py": "first" });
    fill(runs[1]!.folder, { "a.py": "second", "b.py": "second" });
    await runs[0]!.apply(await runs[0]!.snapshots.take(null));
    const applied = await runs[1]!.apply(await runs[1]!.snapshots.take(null));
    expect(applied).toEqual({ written: ["b.py"], conflicts: ["a.py"] });
    await runs[0]!.undo();
    expect(readFileSync(join(base, "user/a.py"), "utf8")).toBe("one");
    expect(readFileSync(join(base, "user/b.py"), "utf8")).toBe("second");
  });
});

describe("what a job sees beside the checkout", { timeout: 120_000 }, () => {
  const secret = "precious-words-of-the-user";

  /** What a job finds of a file of the machine's that lies outside of the workspace. */
  async function found(prepare: (user: string, outside: string) => void): Promise<string> {
    const base = temporaryFolder();
    const outside = join(base, "outside");
    fill(outside, { "private.txt": secret, "objects/private.txt": secret, HEAD: "ref: refs/heads/main\n" });
    const user = join(base, "workspace");
    fill(user, { "a.py": "a" });
    prepare(user, outside);
    const { cell } = await openBench({}, { workspace: user, state: join(base, "state") });
    const [ran] = await cell.runCommands([
      "cat node_modules/* sub/node_modules/* .venv/* /loopwright/objects/* .git/objects/* 2>/dev/null; grep -rs precious . /loopwright; true",
    ]);
    return ran!.done!.output;
  }

  it.each(["node_modules", "sub/node_modules", ".venv"])(
    "is no folder that a link called %s leads to",
    async (name) => {
      const output = await found((user, outside) => {
        mkdirSync(join(user, "sub"));
        symlinkSync(outside, join(user, name));
      });
      expect(output).not.toContain(secret);
    },
  );

  it.each([
    [
      "a link for its objects",
      (user: string, outside: string) => {
        fill(user, { ".git/HEAD": "ref: refs/heads/main\n" });
        symlinkSync(outside, join(user, ".git/objects"));
      },
    ],
    [
      "a file that names another repository",
      (user: string, outside: string) => {
        writeFileSync(join(user, ".git"), `gitdir: ${outside}\n`);
      },
    ],
    [
      "another repository for the common one",
      (user: string, outside: string) => {
        fill(user, { ".git/HEAD": "ref: refs/heads/main\n", ".git/commondir": `${outside}\n` });
      },
    ],
    [
      "a forged worktree of another repository",
      (user: string, outside: string) => {
        const own = join(user, "own");
        fill(user, {
          "own/HEAD": "ref: refs/heads/main\n",
          "own/commondir": `${outside}\n`,
          "own/gitdir": `${user}/.git\n`,
        });
        writeFileSync(join(user, ".git"), `gitdir: ${own}\n`);
      },
    ],
  ] as const)("is nothing of a repository that has %s", async (_, prepare) => {
    expect(await found(prepare)).not.toContain(secret);
  });

  it("are the objects of an ordinary repository", async () => {
    const user = temporaryFolder();
    execFileSync("git", ["init", "-q", user]);
    expect(await userGit(user)).toEqual({ own: join(user, ".git"), common: join(user, ".git") });
  });

  it("are the packages that a link leads to which are packages", async () => {
    const { base, user, open: reopen } = await openBench({ "a.py": "a" });
    fill(base, { "shared/node_modules/x/index.js": "module.exports = 3" });
    symlinkSync(join(base, "shared/node_modules"), join(user, "node_modules"));
    const cell = await reopen();
    const [ran] = await cell.runCommands(["cat node_modules/x/index.js"]);
    expect(ran!.done!.output).toContain("module.exports = 3");
  });
});
